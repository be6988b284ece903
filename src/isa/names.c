/* Names of operands: registers as the assembler writes them, HI and LO, flags. */
#include "gumshoe/insn.h"

static const char *const rv_names[64] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",  "a2",
    "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",  "s9",
    "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5", "ft6",
    "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2", "fs3",
    "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static const char *const mips_names[GS_OPERAND_COUNT] = {
    "zero", "at",  "v0",  "v1",  "a0",  "a1",  "a2",  "a3",  "t0",  "t1",  "t2",  "t3",
    "t4",   "t5",  "t6",  "t7",  "s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",
    "t8",   "t9",  "k0",  "k1",  "gp",  "sp",  "fp",  "ra",  "f0",  "f1",  "f2",  "f3",
    "f4",   "f5",  "f6",  "f7",  "f8",  "f9",  "f10", "f11", "f12", "f13", "f14", "f15",
    "f16",  "f17", "f18", "f19", "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27",
    "f28",  "f29", "f30", "f31", "hi",  "lo",  "fcc"};

const char *gs_operand_name(gs_arch arch, unsigned operand)
{
    if (arch == GS_ARCH_RV32)
        return operand < 64 ? rv_names[operand] : "?";
    return operand < GS_OPERAND_COUNT ? mips_names[operand] : "?";
}
