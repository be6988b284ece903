/*
 * rv_effects.h - the effects of the words that only rv.def's semantics have.
 */
#ifndef GS_RV_EFFECTS_H
#define GS_RV_EFFECTS_H

#include "isa/effects.h"

/* To a cache each of them is a store. */
#define AMO32(value_) , GS_EFFECT_LOADS | GS_EFFECT_STORES | 4,
#define LR32()        , GS_EFFECT_LOADS | GS_EFFECT_STORES | 4,
#define SC32()        , GS_EFFECT_LOADS | GS_EFFECT_STORES | 4,

#define FENCE_I()                  SYSTEM
#define CSR_WRITE(value_)          SYSTEM
#define CSR_SET(value_, writes_)   SYSTEM
#define CSR_CLEAR(value_, writes_) SYSTEM
#define MRET()                     SYSTEM
#define WFI()                      SYSTEM

/* Several accesses by one instruction are the reference engine's. */
#define PUSH_LIST()              , GS_EFFECT_SYSTEM | GS_EFFECT_STORES | 4,
#define POP_LIST()               , GS_EFFECT_SYSTEM | GS_EFFECT_LOADS | 4,
#define POP_LIST_RETURN(clears_) , GS_EFFECT_SYSTEM | GS_EFFECT_LOADS | 4,
#define MOVE_PAIR()              SYSTEM

#define FLOAT_EFFECTS(extension_) \
    ((extension_) == GS_RV_F || (extension_) == GS_RV_D ? GS_EFFECT_FLOAT : 0)

#endif
