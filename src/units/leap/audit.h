/*
 * audit.h - why LEAP says something else than the exact profile does.
 *
 * Beside the hardware and no part of it: sees the same beats, knows from the pc which function
 * really executes, and keeps what was counted for another one, by what led to that; and, in
 * hierarchical profiles, what recursion makes LEAP count twice.
 */
#ifndef GS_UNITS_LEAP_AUDIT_H
#define GS_UNITS_LEAP_AUDIT_H

#include "image/image.h"
#include "units/leap/leap.h"

typedef enum gs_leap_cause {
#define CAUSE(name, key, head, text) GS_LEAP_CAUSE_##name,
#include "units/leap/causes.def"
#undef CAUSE
    GS_LEAP_CAUSES
} gs_leap_cause;

const char *gs_leap_cause_key(gs_leap_cause cause);
const char *gs_leap_cause_head(gs_leap_cause cause); /* of a column */
const char *gs_leap_cause_text(gs_leap_cause cause); /* a remark, after a number of times */

typedef struct gs_leap_audit {
    const gs_image *image;
    size_t functions;          /* of the image; this number stands for none */
    const size_t *function_of; /* by LEAP's number: the image's function, or `functions` */

    int64_t (*moved)[GS_LEAP_CAUSES]; /* per function and one more: what LEAP has too much */
    uint64_t *recursion;              /* the same: counted again for an activation around it */
    uint64_t times[GS_LEAP_CAUSES];   /* how often it happened */
    uint64_t overflows;               /* frames that were lost */
    uint32_t deepest;                 /* calls inside each other */

    /* Where things stand. */
    gs_leap_cause cause;   /* of the present difference; CAUSES if there is none */
    gs_leap_cause suspect; /* of one that may begin with the next beat; CAUSES if nothing */
    uint8_t *tainted;      /* per frame of the stack: the cause it was pushed under */
    uint32_t *frames;      /* per frame of the stack: the function number in it */
    uint32_t *active;      /* per number: frames on the stack that are its function's indeed */
    uint32_t level;
    const gs_function *here; /* the function of the last pc */
    size_t here_number;
} gs_leap_audit;

/* `function_of` is borrowed. False when memory is out. */
bool gs_leap_audit_init(gs_leap_audit *audit, const gs_image *image, const gs_leap *leap,
                        const size_t *function_of);
void gs_leap_audit_fini(gs_leap_audit *audit);

/* After the hardware has seen the beat. */
void gs_leap_audit_beat(gs_leap_audit *audit, const gs_leap *leap, const gs_leap_event *event,
                        const gs_port *port);

/* After a step of gs_leap_drain(). */
void gs_leap_audit_drain(gs_leap_audit *audit, const gs_leap *leap, const gs_leap_event *event);

#endif
