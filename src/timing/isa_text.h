/*
 * isa_text.h - instruction sets as people write them: rv32imc_zba, mips32r2_fpu.
 */
#ifndef GS_TIMING_ISA_TEXT_H
#define GS_TIMING_ISA_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "gumshoe/arch.h"

typedef struct gs_isa_choice {
    bool any; /* "any": either architecture, everything Gumshoe knows of it */
    gs_arch arch;
    uint64_t extensions; /* as gs_decoder_init() takes them; 0 with `any` */
} gs_isa_choice;

/* The message of a failure begins with the text in quotes. */
gs_status gs_isa_parse(gs_isa_choice *out, const char *text, gs_error *err);

#endif
