/* Lays out count blocks; see cells.h. */
#include "engine/fast/automaton/cells.h"

#include "engine/fast/automaton/predict.h"

static uint32_t skips_of(const gs_entry_states *predicted)
{
    return predicted->has_room ? GS_KNOWN_MAX - 1 : 0;
}

/* Where the iterations of a loop are counted: with a single back edge, its cell does it. */
static void number_counter(const gs_code *code, const gs_superblock *header, uint32_t *cell)
{
    uint32_t only = 0;
    unsigned count = 0;
    for (size_t i = 0; i < code->count + code->clones; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_superblock *goal = s->predicted->exits[k].goal;
            if (!goal || goal->pc != header->pc ||
                gs_arrival_of(&s->exits[k], goal) != GS_ARRIVAL_BACK)
                continue;
            only = s->predicted->cell + k;
            count++;
        }
    }
    const uint32_t counter = count == 1 ? only : (*cell)++;
    for (size_t i = 0; i < code->count + code->clones; i++) {
        if (code->superblocks[i].pc == header->pc)
            code->superblocks[i].counter = counter;
    }
}

void gs_cells_number(const gs_code *code)
{
    uint32_t cell = 0;
    for (size_t i = 0; i < code->count + code->clones; i++) {
        const gs_superblock *s = &code->superblocks[i];
        s->predicted->cell = cell;
        cell += s->exit_count;
    }
    for (size_t i = 0; i < code->count + code->clones; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (s->exits[k].kind == GS_SB_EXIT_CALL)
                s->predicted->exits[k].target = cell++;
        }
    }
    for (size_t i = 0; i < code->count; i++) {
        if (code->superblocks[i].loop && !code->superblocks[i].checked)
            number_counter(code, &code->superblocks[i], &cell);
    }
    for (size_t i = 0; i < code->count + code->clones; i++) {
        const gs_superblock *s = &code->superblocks[i];
        s->predicted->otherwise = cell++;
        s->predicted->skip = cell;
        s->predicted->pass = cell + skips_of(s->predicted);
        cell = s->predicted->pass + s->pass_count;
    }
}

uint32_t gs_cells_count(const gs_code *code)
{
    const gs_superblock *last = &code->superblocks[code->count + code->clones - 1];
    return last->predicted->pass + last->pass_count;
}
