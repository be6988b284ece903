/*
 * compare.h - one program on the reference engine and on the RTL, step by step.
 *
 * Both run in this process; whatever one does, the other must do in the same cycle.
 */
#ifndef LOCKSTEP_COMPARE_H
#define LOCKSTEP_COMPARE_H

#include "rtl.h"
#include "gumshoe/core.h"
#include "gumshoe/image.h"

/* The functions of rtl.h, out of a shared library. */
typedef struct rtl_library {
    rtl_soc *(*open)(void);
    void (*free)(rtl_soc *r);
    void *(*memory)(rtl_soc *r, size_t *bytes);
    void (*reset)(rtl_soc *r, uint32_t entry);
    void (*input)(rtl_soc *r, const uint8_t *bytes, size_t size);
    bool (*next)(rtl_soc *r, uint64_t cycles, rtl_event *event);
    const rtl_state *(*look)(const rtl_soc *r);
} rtl_library;

typedef struct comparison {
    const rtl_library *library;
    rtl_soc *rtl;
    const gs_core *core;
    uint64_t max_instructions; /* 0 for no limit */
    bool show_output;
    const uint8_t *input; /* for the console */
    size_t input_size;
    bool units; /* the RTL has them, */
    bool exact; /* and what LEAP counts for each function is exact */

    /* The result. */
    uint64_t instructions, cycles, traps, interrupts;
    int exit_code;
} comparison;

/* False after a difference, which has been printed with what led to it. */
bool compare_program(comparison *c, const gs_image *image, const char *name);

#endif
