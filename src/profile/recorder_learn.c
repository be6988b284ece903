/*
 * Where the loops are, as far as the recorder knows: their headers are marked in the counters'
 * slots, and what jumps mean for them is looked up again whenever the run has shown more of the
 * program.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "profile/recorder_parts.h"

enum {
    FIRST_EFFORT = 1 << 18, /* blocks that may be looked at to learn where indirect jumps lead, */
    EFFORT_SHIFT = 7,       /* and one more for so many instructions (as a power of 2) */
};

static void mark_header(gs_recorder *r, gs_slot_page *page, size_t header)
{
    uint32_t pc = gs_iterations_header(r->iterations, header);
    if (pc >> GS_PAGE_SHIFT == page->number && header < GS_SLOT_MAX_HEADER)
        gs_counters_mark_header(page, gs_counters_index(&r->counters, pc), (uint16_t)(header + 1));
}

void gs_recorder_page_made(void *self, gs_slot_page *page)
{
    gs_recorder *r = self;
    for (size_t i = 0; i < r->headers_marked; i++)
        mark_header(r, page, i);
}

void gs_recorder_mark_headers(gs_recorder *r)
{
    size_t count = gs_iterations_count(r->iterations);
    const gs_slot_pages *pages = &r->counters.all_pages;
    for (size_t i = 0; i < pages->count && r->headers_marked < count; i++) {
        for (size_t header = r->headers_marked; header < count; header++)
            mark_header(r, pages->items[i], header);
    }
    r->headers_marked = count;
    r->loops = gs_iterations_going(r->iterations);
}

static void keep_place(gs_recorder *r, place made)
{
    for (size_t i = 0; i < r->places.count; i++) {
        if (r->places.items[i].site == made.site)
            return;
    }
    r->no_memory |= !gs_vec_push(&r->places, made);
}

uint32_t gs_recorder_loop_around(void *self, uint32_t site)
{
    gs_recorder *r = self;
    place *known = &r->recent_places[site / 2 % PLACES];
    if (known->site != site) {
        *known = (place){site, gs_iterations_loop_around(r->iterations, site)};
        keep_place(r, *known);
    }
    return known->header;
}

/* After more has been learnt. */
static void check_places(gs_recorder *r)
{
    memset(r->recent_places, 0, sizeof r->recent_places);
    for (size_t i = 0; i < r->places.count; i++) {
        place *known = &r->places.items[i];
        uint32_t header = gs_iterations_loop_around(r->iterations, known->site);
        r->misplaced += header != known->header;
        known->header = header;
    }
}

void gs_recorder_doubt(gs_recorder *r, uint32_t from, uint32_t to)
{
    gs_iterations_suspect(r->iterations, from, to);
    gs_recorder_mark_headers(r);
}

/* More is known now about where jumps lead. */
static gs_arrival judge_again(gs_recorder *r, gs_arrival before, uint32_t from, uint32_t to)
{
    gs_arrival now = gs_iterations_jump(r->iterations, from, to);
    if (before != now && before != GS_ARRIVAL_UNSURE)
        gs_iterations_spoil(r->iterations, to);
    return now;
}

static void judge_page(gs_recorder *r, gs_slot_page *page)
{
    for (size_t i = 0; i < gs_counters_page_slots(&r->counters); i++) {
        gs_slot *s = &page->slots[i];
        uint32_t pc = gs_counters_pc(&r->counters, page, i);
        uint64_t target;
        gs_insn insn;
        if (s->arrival == GS_ARRIVAL_UNKNOWN)
            continue;
        gs_decode(&insn, &r->machine->decoder, page->code[i].raw);
        r->machine->isa->flow(&insn, pc, &target);
        s->arrival = (uint8_t)judge_again(r, (gs_arrival)s->arrival, pc, (uint32_t)target);
    }
}

/* Besides indirect jumps, all that was called or trapped to: code that no symbol names and no
 * direct jump reaches is to have blocks too. */
gs_status gs_recorder_learn(gs_recorder *r, gs_error *err)
{
    size_t node_count = gs_calltree_count(r->calls), count = 0;
    gs_observed_jump *seen = malloc((r->jumps.count + node_count) * sizeof *seen);
    if (!seen)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < r->jumps.count; i++)
        seen[count++] =
            (gs_observed_jump){.from = r->jumps.items[i].from, .to = r->jumps.items[i].to};
    for (size_t i = 0; i < node_count; i++)
        seen[count++] =
            (gs_observed_jump){.from = UINT64_MAX, .to = gs_calltree_node(r->calls, i)->entry};
    gs_status status = gs_iterations_learn(r->iterations, seen, count, err);
    free(seen);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < r->jumps.count; i++) {
        gs_jump_profile *jump = &r->jumps.items[i];
        jump->arrival = (uint8_t)judge_again(r, (gs_arrival)jump->arrival, jump->from, jump->to);
    }
    for (size_t i = 0; i < r->counters.all_pages.count; i++)
        judge_page(r, r->counters.all_pages.items[i]);
    check_places(r);
    gs_recorder_mark_headers(r);
    r->knowledge++;
    r->has_to_learn = false;
    return GS_OK;
}

/* Control is about to enter code that was not known. Looking at the whole program again pays as
 * long as it takes little of the run's time; until it does, arrivals there are unsure. */
static void learn_in_time(gs_recorder *r)
{
    uint64_t allowed = FIRST_EFFORT + (r->instructions >> EFFORT_SHIFT);
    uint64_t effort = gs_iterations_effort(r->iterations);
    if (!r->has_to_learn || r->effort + effort > allowed)
        return;
    r->effort += effort;
    r->no_memory |= gs_recorder_learn(r, NULL) != GS_OK;
}

void gs_recorder_learn_of(gs_recorder *r, uint32_t pc)
{
    if (!gs_iterations_knows_code(r->iterations, pc)) {
        r->has_to_learn = true;
        learn_in_time(r);
    }
}
