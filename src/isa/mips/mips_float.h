/*
 * mips_float.h - how floating point registers and FCSR are laid out.
 *
 * Needs nothing but the C language: translated code has this text in it.
 */
#ifndef GS_MIPS_FLOAT_H
#define GS_MIPS_FLOAT_H

/* Exceptions stand three times in FCSR, in the order of GS_FP_*. */
enum {
    GS_MIPS_FCSR_RM = 3,
    GS_MIPS_FCSR_FLAGS_SHIFT = 2,
    GS_MIPS_FCSR_ENABLES_SHIFT = 7,
    GS_MIPS_FCSR_CAUSE_SHIFT = 12,
    GS_MIPS_FCSR_CAUSE = 0x3f << 12, /* one more: unimplemented */
    GS_MIPS_FCSR_NAN2008 = 1 << 18,
    GS_MIPS_FCSR_ABS2008 = 1 << 19,
    GS_MIPS_FCSR_FS = 1 << 24,
};

/* Where in `f` the single of register `reg` lies. With FR=0 an odd register is the high word of
 * the even one below: `paired` is then 1, with FR=1 it is 0. */
static inline unsigned gs_mips_single(unsigned reg, unsigned paired)
{
    return 2 * reg - (reg & paired);
}

/* The high word of the double that register `reg` is, or is part of. */
static inline unsigned gs_mips_high(unsigned reg, unsigned paired)
{
    return 2 * (reg & ~paired) + 1;
}

#endif
