/* Finds what may be worth translating, and which of its instructions; see candidate.h. */
#include "engine/fast/tier/candidate.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum {
    MAX_FUNCTION = 8192, /* bytes; a larger function is translated in parts */
    MAX_SEEDS = 64,
    MAX_STOPS = 512,
};
static const unsigned max_tries[] = {[false] = 8, [true] = 32}; /* it is translated again when
                                                                   more of it is reached */

/* The number of functions that start at `pc` or before. */
static size_t functions_up_to(const gs_image *image, gs_addr pc)
{
    size_t low = 0, high = gs_image_function_count(image);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gs_image_function(image, middle)->start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The part of a page between functions, around `pc`. */
static void gap_of(const gs_image *image, gs_addr pc, gs_addr *low, gs_addr *high)
{
    *low = pc & ~(gs_addr)(GS_PAGE_SIZE - 1);
    *high = *low + GS_PAGE_SIZE;
    const size_t next = functions_up_to(image, pc);
    for (size_t i = next; i-- > 0 && gs_image_function(image, i)->end > *low;) {
        if (gs_image_function(image, i)->end <= pc)
            *low = (gs_addr)gs_image_function(image, i)->end;
    }
    if (next < gs_image_function_count(image) && gs_image_function(image, next)->start < *high)
        *high = (gs_addr)gs_image_function(image, next)->start;
}

static void range_of(const gs_image *image, gs_addr pc, gs_addr *low, gs_addr *high)
{
    const gs_function *f = gs_image_function_at(image, pc);
    if (!f) {
        gap_of(image, pc, low, high);
        return;
    }
    *low = (gs_addr)f->start;
    *high = (gs_addr)f->end;
    if (*high - *low > MAX_FUNCTION) { /* the compiler's time is not linear */
        *low += (pc - *low) / MAX_FUNCTION * MAX_FUNCTION;
        *high = *high - *low > MAX_FUNCTION ? *low + MAX_FUNCTION : *high;
    }
}

static uint32_t hash_of(const void *item)
{
    return gs_table_mix(((const gs_candidate *)item)->low, 0);
}

bool gs_candidates_open(gs_candidates *all)
{
    return gs_table_open(&all->by_address, offsetof(gs_candidate, chained), hash_of);
}

gs_candidate *gs_candidates_at(gs_candidates *all, const gs_image *image, gs_addr pc)
{
    gs_candidate place = {.barriers = all->barriers, .barrier_count = all->barrier_count};
    range_of(image, pc, &place.low, &place.high);
    gs_candidate *c = gs_table_first(&all->by_address, hash_of(&place));
    while (c && c->low != place.low)
        c = c->chained;
    if (c)
        return c;
    c = place.high > place.low ? gs_arena_alloc(&all->arena, sizeof *c) : NULL;
    if (!c || !gs_vec_push(all, c))
        return NULL;
    *c = place;
    gs_table_add(&all->by_address, c);
    return c;
}

void gs_candidates_close(gs_candidates *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i]->seeds.items);
        free(all->items[i]->stops.items);
    }
    free(all->items);
    gs_table_close(&all->by_address);
    gs_arena_free(&all->arena);
    *all = (gs_candidates){0};
}

bool gs_candidate_is_open(const gs_candidate *c, bool quick)
{
    return !c->done && c->by[quick].tries < max_tries[quick] &&
           !(quick && c->code && !c->code->quick);
}

static bool is_seed(const gs_candidate *c, gs_addr pc)
{
    for (size_t i = 0; i < c->seeds.count; i++) {
        if (c->seeds.items[i] == pc)
            return true;
    }
    return false;
}

bool gs_candidate_add_seed(gs_candidate *c, gs_addr pc)
{
    return !is_seed(c, pc) && c->seeds.count < MAX_SEEDS && gs_vec_push(&c->seeds, pc);
}

bool gs_candidate_add_stop(gs_candidate *c, gs_addr pc)
{
    for (size_t i = 0; i < c->stops.count; i++) {
        if (c->stops.items[i] == pc)
            return false;
    }
    return c->stops.count < MAX_STOPS && gs_vec_push(&c->stops, pc);
}

/* What has been decoded has been executed. */
bool gs_was_executed(const gs_machine *machine, gs_addr pc)
{
    const gs_insn *page = machine->memory.code[pc >> GS_PAGE_SHIFT];
    return page && page[(pc & (GS_PAGE_SIZE - 1)) / machine->memory.unit].op >= GS_OP_FIRST;
}

static bool covers(const gs_code *code, gs_addr pc)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        if (pc >= s->pc && pc < s->end)
            return true;
    }
    return false;
}

bool gs_candidate_lacks(const gs_candidate *c, gs_addr pc)
{
    return !c->code || (!covers(c->code, pc) && !is_seed(c, pc));
}

unsigned gs_candidate_size(const gs_candidate *c, const gs_machine *machine)
{
    unsigned size = 0;
    for (gs_addr at = c->low; at < c->high; at += machine->isa->unit)
        size += gs_was_executed(machine, at);
    return size;
}

bool gs_candidate_has_loop(const gs_candidate *c, const gs_machine *machine)
{
    for (gs_addr at = c->low; at < c->high; at += machine->isa->unit) {
        uint64_t goal;
        if (!gs_was_executed(machine, at))
            continue;
        const gs_insn *insn =
            &machine->memory
                 .code[at >> GS_PAGE_SHIFT][(at & (GS_PAGE_SIZE - 1)) / machine->memory.unit];
        const gs_flow flow = machine->isa->flow(insn, at, &goal);
        if ((flow == GS_FLOW_BRANCH || flow == GS_FLOW_JUMP) && goal <= at && goal >= c->low)
            return true;
    }
    return false;
}

/* An instruction that has been executed and that no edge leads to: a jump table does, or it
 * follows one that is never translated. False if there is none. */
static bool find_unseen(const gs_machine *machine, const gs_candidate *c, const gs_code *code,
                        gs_addr *pc)
{
    for (gs_addr at = c->low; at < c->high; at += machine->isa->unit) {
        if (gs_was_executed(machine, at) && !covers(code, at) && !is_seed(c, at)) {
            *pc = at;
            return true;
        }
    }
    return false;
}

static bool is_slot(const gs_superblock *s, unsigned step, const gs_machine *machine)
{
    if (machine->isa->delay_slots == 0 || step == 0)
        return false;
    uint64_t goal;
    const gs_step *before = &s->steps[step - 1];
    return machine->isa->flow(&before->insn, before->pc, &goal) != GS_FLOW_NEXT;
}

/* Adds a stop before an instruction that has never been executed. False if there is none to be
 * added. */
static bool add_stops(gs_candidate *c, const gs_code *code, const gs_machine *machine)
{
    bool added = false;
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->step_count; k++) {
            if (gs_was_executed(machine, s->steps[k].pc) || is_slot(s, k, machine))
                continue;
            added |= gs_candidate_add_stop(c, s->steps[k].pc);
            break;
        }
    }
    return added;
}

/* All stops: its own and the barriers. An instruction in a delay slot is executed with its
 * branch, so that is not translated either. */
static gs_addr *all_stops(const gs_candidate *c, gs_arena *arena, const gs_machine *machine,
                          size_t *count)
{
    gs_addr *stops =
        gs_arena_alloc(arena, (c->stops.count + 2 * c->barrier_count + 1) * sizeof *stops);
    if (!stops)
        return NULL;
    *count = c->stops.count;
    if (*count > 0)
        memcpy(stops, c->stops.items, *count * sizeof *stops);
    for (size_t i = 0; i < c->barrier_count; i++) {
        stops[(*count)++] = c->barriers[i];
        if (machine->isa->delay_slots)
            stops[(*count)++] = c->barriers[i] - 4;
    }
    return stops;
}

bool gs_candidate_find_code(const gs_candidate *c, gs_code *code, gs_arena *arena,
                            const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                            size_t loop_count)
{
    size_t stop_count;
    gs_addr *stops = all_stops(c, arena, machine, &stop_count);
    if (!stops)
        return false;
    const gs_code_plan plan = {.low = c->low,
                               .high = c->high,
                               .seeds = c->seeds.items,
                               .seed_count = c->seeds.count,
                               .stops = stops,
                               .stop_count = stop_count,
                               .loops = loops,
                               .loop_count = loop_count};
    return gs_code_find(code, arena, machine, timing, &plan);
}

bool gs_candidate_choose_code(gs_candidate *c, gs_code *code, gs_arena *arena,
                              const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                              size_t loop_count)
{
    gs_addr unseen;
    c->stops.count = 0;
    gs_candidate_add_seed(c, c->low);
    do {
        if (!gs_candidate_find_code(c, code, arena, machine, timing, loops, loop_count))
            return false;
    } while (add_stops(c, code, machine) ||
             (find_unseen(machine, c, code, &unseen) && gs_candidate_add_seed(c, unseen)));
    return true;
}
