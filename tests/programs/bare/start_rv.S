/* start_rv.S - stack, global pointer, main, exit; a semihosting request. */
    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    call    main
    call    finish
    .size _start, . - _start

    .section .text.semihost, "ax", @progbits
    .option norvc
    .globl semihost
    .type semihost, @function
    .balign 16
semihost:
    slli    zero, zero, 0x1f
    ebreak
    srai    zero, zero, 7
    ret
    .size semihost, . - semihost
