/*
 * hazard3_fetch.h - how Hazard3 gets its instructions: a bus of its own, a queue of words, a
 * buffer of halfwords in front of the decoder, and a predictor that knows one branch.
 *
 * Plain memory of the model's. It is moved one cycle at a time; which instruction is in decode,
 * and where it goes, is for the caller to know: the fetch knows addresses and halfwords only.
 */
#ifndef GS_TIMING_HAZARD3_FETCH_H
#define GS_TIMING_HAZARD3_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "timing/serialize.h"

enum { GS_HAZARD3_QUEUE = 2, GS_HAZARD3_ASKED = 2 };

/* A word on its way to the decoder. */
typedef struct gs_hazard3_word {
    uint8_t halves; /* of the program: 1 or 2 */
    bool predicted; /* its last one ends the predicted branch */
    bool dropped;   /* a redirect came: nothing of it is */
} gs_hazard3_word;

typedef struct gs_hazard3_fetch {
    uint64_t cycle; /* the state is that at the beginning of this cycle */
    unsigned wait;  /* wait states of the bus */

    unsigned buffered;  /* halfwords in the buffer, the instruction in decode first */
    unsigned predicted; /* bit i: halfword i of the buffer ends the predicted branch */
    unsigned queued, asked;
    gs_hazard3_word queue[GS_HAZARD3_QUEUE];
    gs_hazard3_word request[GS_HAZARD3_ASKED]; /* unanswered, the oldest first */
    bool held;                                 /* the last of them has not been accepted */
    unsigned busy; /* cycles left of the bus's data phase, this one included */

    uint32_t next;   /* the word to ask for, or that is held */
    bool next_upper; /* only its upper half is of the program */
    bool leads;      /* it has the second half of the predicted branch */

    bool knows; /* the predictor has a branch */
    uint32_t branch, target;
    uint8_t branch_size;
} gs_hazard3_fetch;

/* The next cycle: `leaving` halfwords leave the buffer in it. */
void gs_hazard3_fetch_cycle(gs_hazard3_fetch *f, unsigned leaving);

/* All cycles before this one: nothing leaves the buffer. */
void gs_hazard3_fetch_until(gs_hazard3_fetch *f, uint64_t cycle);

/* The next cycle, in which a redirect to `target` is asked for; no request may be held. Of the
 * instruction that redirects, `staying` halfwords stay in the buffer because it cannot leave yet.
 */
void gs_hazard3_fetch_redirect(gs_hazard3_fetch *f, uint32_t target, unsigned staying);

/* As after reset, or with nothing on its way: `pc` is the first to be asked for, in `cycle`. */
void gs_hazard3_fetch_start(gs_hazard3_fetch *f, uint64_t cycle, uint32_t pc);

void gs_hazard3_fetch_serialize(const gs_hazard3_fetch *f, gs_serializer *to);
void gs_hazard3_fetch_deserialize(gs_hazard3_fetch *f, gs_deserializer *from);

#endif
