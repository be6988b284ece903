/*
 * start_rv32.S - RV32 bare metal: stack, global pointer, zeroed .bss, main, exit.
 *
 * Touches no CSR unless there is an FPU to switch on, so that it also runs on
 * cores without the privileged architecture.
 */
    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
#ifdef __riscv_flen
    li      t0, 0x6000              /* mstatus.FS = dirty */
    csrs    mstatus, t0
    csrw    fcsr, zero
#endif
    la      t0, __bss_start
    la      t1, __bss_end
    bgeu    t0, t1, 2f
1:  sw      zero, 0(t0)
    addi    t0, t0, 4
    bltu    t0, t1, 1b
2:  call    main
    call    sys_exit
    .size _start, . - _start
