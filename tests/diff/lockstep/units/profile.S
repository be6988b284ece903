/*
 * profile.S - int profile(volatile uint32_t *control): LEAP's window.
 *
 * LEAP starts with the first instruction after the store, and takes its address for that of a function.
 * So one begins there, and ends where LEAP stops.
 */
    .text
    .globl profile
    .type profile, @function
profile:
    addi    sp, sp, -16
    sw      ra, 12(sp)
    sw      s0, 8(sp)
    mv      s0, a0
    li      t0, 1
    sw      t0, 0(s0)
    .size profile, . - profile

    .globl profiled
    .type profiled, @function
profiled:
    call    __real_main
    sw      zero, 0(s0)
    .size profiled, . - profiled

    .globl profiled_end
    .type profiled_end, @function
profiled_end:
    lw      ra, 12(sp)
    lw      s0, 8(sp)
    addi    sp, sp, 16
    ret
    .size profiled_end, . - profiled_end
