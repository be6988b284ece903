/*
 * effects.h - what an instruction may do, read off its semantics by the preprocessor.
 *
 * Only for the sources that make data of a table (rv.c, mips.c); what comes out is in
 * gs_op_info. Each word of the semantics column that has an effect becomes a mark between two
 * commas, all other tokens stay as they are, and GS_EFFECTS() picks the marks out and drops the
 * rest:
 *
 *     RD = LOAD8(RS1 + (UX)IMM)   becomes   RD = , GS_EFFECT_LOADS | 1 | ... , 0
 *
 * A word within the parentheses of something that is no word, as in (UX)(LOAD8(...) >> 1), is
 * not seen; a test compares the marks of all rows with their timing classes.
 */
#ifndef GS_ISA_EFFECTS_H
#define GS_ISA_EFFECTS_H

#include "isa/isa.h"

/* A row with more than three marks does not compile. */
#define GS_EFFECTS(...) GS_EFFECTS_OF(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define GS_EFFECTS_OF(tokens0_, mark1_, tokens1_, mark2_, tokens2_, mark3_, tokens3_, more_, ...) \
    (mark1_ | mark2_ | mark3_ | 0 * sizeof(char[(more_) == 0 ? 1 : -1]))

/* An address is the sum of source and immediate if it is for these. */
#define RS1  0x102u
#define RS2  0x2004u
#define RS   RS1
#define RT   RS2
#define IMM  9
#define UX   uint32_t
#define ADDR (RS1 + IMM)
#define ACCESS(what_, bytes_, address_) \
    , GS_EFFECT_##what_ | (bytes_) | ((address_) == ADDR ? GS_EFFECT_OFFSET : 0),

#define LOAD8(address_)           ACCESS(LOADS, 1, address_)
#define LOAD16(address_)          ACCESS(LOADS, 2, address_)
#define LOAD32(address_)          ACCESS(LOADS, 4, address_)
#define LOAD64(address_)          ACCESS(LOADS, 8, address_)
#define STORE8(address_, value_)  ACCESS(STORES, 1, address_)
#define STORE16(address_, value_) ACCESS(STORES, 2, address_)
#define STORE32(address_, value_) ACCESS(STORES, 4, address_)
#define STORE64(address_, value_) ACCESS(STORES, 8, address_)

#define BRANCH_IF(condition_) , GS_EFFECT_CONDITIONAL,
#define JUMP(address_)
#define LINK_JUMP(address_) , GS_EFFECT_LINKS,
#define TRAP(kind_, value_) , GS_EFFECT_TRAPS,

/* Something that only the reference engine has: control registers, waiting. */
#define SYSTEM , GS_EFFECT_SYSTEM,

/* What is written may have a mark of its own. */
#define SET_S(value_) value_
#define SET_D(value_) value_

#endif
