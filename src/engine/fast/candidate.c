#include "engine/fast/candidate.h"

#include <stdlib.h>

#include "base/vec.h"

enum {
    MAX_FUNCTION = 8192, /* bytes; a larger one goes in parts */
    MAX_SEEDS = 64,
};

static void range_of(const gs_image *image, gs_addr pc, gs_addr *low, gs_addr *high)
{
    const gs_function *f = gs_image_function_at(image, pc);
    *low = f ? (gs_addr)f->start : pc & ~(gs_addr)(GS_PAGE_SIZE - 1);
    *high = f ? (gs_addr)f->end : *low + GS_PAGE_SIZE;
    if (*high - *low > MAX_FUNCTION) { /* what compilers do is not linear */
        *low += (pc - *low) / MAX_FUNCTION * MAX_FUNCTION;
        *high = *high - *low > MAX_FUNCTION ? *low + MAX_FUNCTION : *high;
    }
    for (size_t i = 0; !f && i < gs_image_function_count(image); i++) {
        const gs_function *other = gs_image_function(image, i);
        if (other->end <= pc && other->end > *low)
            *low = (gs_addr)other->end;
        if (other->start > pc && other->start < *high)
            *high = (gs_addr)other->start;
    }
}

gs_candidate *gs_candidates_at(gs_candidates *all, const gs_image *image, gs_addr pc)
{
    for (size_t i = 0; i < all->count; i++) {
        gs_candidate *known = &all->items[i];
        if (pc >= known->low && pc < known->high)
            return known;
    }
    gs_candidate new = {0};
    range_of(image, pc, &new.low, &new.high);
    if (new.high <= new.low || !gs_vec_push(all, new))
        return NULL;
    return &all->items[all->count - 1];
}

void gs_candidates_free(gs_candidates *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].seeds.items);
    free(all->items);
    *all = (gs_candidates){0};
}

bool gs_candidate_add_seed(gs_candidate *c, gs_addr pc)
{
    for (size_t i = 0; i < c->seeds.count; i++) {
        if (c->seeds.items[i] == pc)
            return false;
    }
    return c->seeds.count < MAX_SEEDS && gs_vec_push(&c->seeds, pc);
}

/* What has been decoded has been executed. */
bool gs_was_executed(const gs_machine *machine, gs_addr pc)
{
    const gs_insn *page = machine->memory.code[pc >> GS_PAGE_SHIFT];
    return page && page[(pc & (GS_PAGE_SIZE - 1)) / machine->memory.unit].op >= GS_OP_FIRST;
}

bool gs_code_covers(const gs_code *code, gs_addr pc)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_stretch *s = &code->stretches[i];
        if (pc >= s->pc && pc < s->end)
            return true;
    }
    return false;
}

/* An instruction that has been executed and that nothing leads to as far as can be seen: a jump
 * table does. Or what follows one that is never translated. False if there is none. */
static bool find_unseen(const gs_machine *machine, const gs_candidate *c, const gs_code *code,
                        gs_addr *pc)
{
    const unsigned unit = machine->isa->unit;
    for (gs_addr at = c->low; at < c->high; at += unit) {
        const gs_insn *page = machine->memory.code[at >> GS_PAGE_SHIFT];
        if (!page) {
            at = (at | (GS_PAGE_SIZE - 1)) + 1 - unit;
            continue;
        }
        const gs_insn *insn = &page[(at & (GS_PAGE_SIZE - 1)) / unit];
        if (insn->op < GS_OP_FIRST || gs_code_covers(code, at))
            continue;
        bool known = false;
        for (size_t i = 0; i < c->seeds.count && !known; i++)
            known = c->seeds.items[i] == at;
        if (!known) {
            *pc = at;
            return true;
        }
    }
    return false;
}

bool gs_candidate_find_code(gs_candidate *c, gs_code *code, gs_arena *arena,
                            const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                            size_t loop_count, bool look_further)
{
    gs_candidate_add_seed(c, c->low);
    for (;;) {
        gs_addr unseen;
        const gs_code_plan plan = {c->low,         c->high, c->seeds.items,
                                   c->seeds.count, loops,   loop_count};
        if (!gs_code_find(code, arena, machine, timing, &plan))
            return false;
        if (!look_further || !find_unseen(machine, c, code, &unseen) ||
            !gs_candidate_add_seed(c, unseen))
            return true;
    }
}
