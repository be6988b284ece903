/*
 * mips_effects.h - the effects of the words that only mips.def's semantics have.
 */
#ifndef GS_MIPS_EFFECTS_H
#define GS_MIPS_EFFECTS_H

#include "isa/effects.h"

#define MERGE_LEFT(word_, reg_, at_)  word_
#define MERGE_RIGHT(word_, reg_, at_) word_
#define STORE_LEFT(address_, value_)  , GS_EFFECT_PART | GS_EFFECT_STORES | 4,
#define STORE_RIGHT(address_, value_) , GS_EFFECT_PART | GS_EFFECT_STORES | 4,

#define BRANCH_LIKELY_IF(condition_) , GS_EFFECT_CONDITIONAL | GS_EFFECT_DROPS_SLOT,
#define LINK_BRANCH_IF(condition_)   , GS_EFFECT_CONDITIONAL | GS_EFFECT_LINKS,
#define LINK_BRANCH_LIKELY_IF(condition_) \
    , GS_EFFECT_CONDITIONAL | GS_EFFECT_DROPS_SLOT | GS_EFFECT_LINKS,

/* The exceptions of floating point trap, if they are enabled. */
#define RESULT_S(value_)             , GS_EFFECT_TRAPS,
#define RESULT_D(value_)             , GS_EFFECT_TRAPS,
#define COMPARE_S(signalling_, set_) , GS_EFFECT_TRAPS,
#define COMPARE_D(signalling_, set_) , GS_EFFECT_TRAPS,

#define LL32(address_)         , GS_EFFECT_SYSTEM | GS_EFFECT_LOADS | GS_EFFECT_STORES | 4,
#define SC32(address_, value_) , GS_EFFECT_SYSTEM | GS_EFFECT_LOADS | GS_EFFECT_STORES | 4,

#define SYNC_CODE(address_)          SYSTEM
#define RDHWR(register_)             SYSTEM
#define CP0_READ(register_)          SYSTEM
#define CP0_WRITE(register_, value_) SYSTEM
#define SET_INTERRUPTS(on_)          SYSTEM
#define ERET()                       SYSTEM
#define WAIT()                       SYSTEM
#define FCR_READ(register_)          SYSTEM
#define FCR_WRITE(register_, value_) SYSTEM

#define FLOAT_EFFECTS(extension_)                                                  \
    ((extension_) == GS_MIPS_FPU || (extension_) == GS_MIPS_FPUX ? GS_EFFECT_FLOAT \
     : (extension_) == GS_MIPS_FPU64 ? GS_EFFECT_FLOAT | GS_EFFECT_WIDE_FLOAT      \
                                     : 0)

#endif
