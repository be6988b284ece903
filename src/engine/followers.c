/* The retired instructions of one run for many timings. */
#include "engine/followers.h"

#include <stdlib.h>

/* So many fit into the host's first cache, beside a model's state. */
enum { BATCH = 256 };

typedef struct event {
    gs_timing_step step;
    gs_timing_insn known; /* what step.insn points to */
    gs_insn insn;
} event;

struct gs_followers {
    gs_timing *const *timings;
    size_t count;
    bool any_at_once; /* one of them reads code around the pc */
    unsigned pending;
    event batch[BATCH];
};

gs_status gs_followers_open(gs_followers **out, gs_timing *lead, gs_timing *const *timings,
                            size_t count, gs_error *err)
{
    *out = NULL;
    if (count == 0)
        return GS_OK;
    if (!lead)
        return gs_fail(err, GS_E_ARGUMENT, "further timings need a run that is timed");
    gs_followers *f = calloc(1, sizeof *f);
    if (!f)
        return gs_fail_no_memory(err);
    f->timings = timings;
    f->count = count;
    for (size_t i = 0; i < count; i++) {
        gs_timing_share(timings[i], lead);
        f->any_at_once |= timings[i]->model->looks_at_code;
    }
    *out = f;
    return GS_OK;
}

static void flush(gs_followers *f)
{
    const unsigned pending = f->pending;
    f->pending = 0;
    for (size_t i = 0; i < f->count && pending > 0; i++) {
        gs_timing *timing = f->timings[i];
        if (timing->model->looks_at_code)
            continue;
        for (unsigned k = 0; k < pending; k++)
            gs_timing_follow(timing, &f->batch[k].insn, &f->batch[k].step);
    }
}

void gs_followers_retired(gs_followers *f, const gs_insn *insn, const gs_timing_step *step)
{
    event *e = &f->batch[f->pending++];
    e->step = *step;
    e->known = *step->insn; /* the slot may hold another instruction soon */
    e->step.insn = &e->known;
    e->insn = *insn;
    if (__builtin_expect(f->any_at_once, 0)) {
        for (size_t i = 0; i < f->count; i++) {
            if (f->timings[i]->model->looks_at_code)
                gs_timing_follow(f->timings[i], &e->insn, &e->step);
        }
    }
    if (f->pending == BATCH)
        flush(f);
}

void gs_followers_redirected(gs_followers *f, gs_redirect kind)
{
    if (!f)
        return;
    flush(f);
    for (size_t i = 0; i < f->count; i++)
        gs_timing_redirected(f->timings[i], kind, 0);
}

void gs_followers_trapped(gs_followers *f, const gs_trap *trap)
{
    if (!f)
        return;
    flush(f);
    for (size_t i = 0; i < f->count; i++)
        gs_timing_trapped(f->timings[i], trap);
}

void gs_followers_finished(gs_followers *f)
{
    if (!f)
        return;
    flush(f);
    for (size_t i = 0; i < f->count; i++)
        gs_timing_finished(f->timings[i]);
}

void gs_followers_close(gs_followers *f)
{
    if (f)
        flush(f);
    free(f);
}
