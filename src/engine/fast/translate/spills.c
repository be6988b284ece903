/* Data flow over a function's superblocks: which registers may have been written since it was
 * entered. */
#include "engine/fast/translate/spills.h"

#include <stdlib.h>

#include "base/vec.h"

bool gs_spills_open(gs_spills *s, size_t count)
{
    *s = (gs_spills){.count = count};
    s->superblocks = calloc(count + 1, sizeof *s->superblocks);
    return s->superblocks != NULL;
}

void gs_spills_close(gs_spills *s)
{
    free(s->superblocks);
    free(s->sets.items);
}

/* True if that made a difference. */
static bool unite(gs_registers *into, const gs_registers *from)
{
    bool more = false;
    for (unsigned i = 0; i < 2; i++) {
        more |= (from->bits[i] & ~into->bits[i]) != 0;
        into->bits[i] |= from->bits[i];
    }
    return more;
}

static void unite_with_in(struct gs_superblock_spills *s, unsigned exits)
{
    for (unsigned i = 0; i < exits; i++)
        (void)unite(&s->exits[i], &s->in);
}

/* Whether control can enter a superblock from anywhere: a clone, if it can enter the original. */
static bool is_entered(const gs_code *code, const gs_superblock *s)
{
    return s->clone ? gs_code_at(code, s->pc)->entry : s->entry;
}

/* Follows all exits once. True if that made a difference. */
static bool follow(gs_spills *s, const gs_code *code)
{
    bool more = false;
    for (size_t i = 0; i < s->count; i++) {
        struct gs_superblock_spills *from = &s->superblocks[i];
        unite_with_in(from, code->superblocks[i].exit_count);
        for (unsigned k = 0; k < code->superblocks[i].exit_count; k++) {
            if (from->goals[k] == GS_SPILLS_ANYWHERE)
                more |= unite(&s->anywhere, &from->exits[k]);
            else if (from->goals[k] != GS_SPILLS_NOWHERE)
                more |= unite(&s->superblocks[from->goals[k]].in, &from->exits[k]);
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        if (is_entered(code, &code->superblocks[i]))
            more |= unite(&s->superblocks[i].in, &s->anywhere);
    }
    return more;
}

/* -1 when memory is out. */
static int set_of(gs_spills *s, const gs_registers *r)
{
    for (size_t i = 0; i < s->sets.count; i++) {
        const gs_registers *known = &s->sets.items[i];
        if (known->bits[0] == r->bits[0] && known->bits[1] == r->bits[1])
            return (int)i;
    }
    return gs_vec_push(&s->sets, *r) ? (int)s->sets.count - 1 : -1;
}

bool gs_spills_solve(gs_spills *s, const gs_code *code)
{
    while (follow(s, code))
        continue;
    bool ok = (s->anywhere_set = set_of(s, &s->anywhere)) >= 0;
    for (size_t i = 0; ok && i < s->count; i++) {
        struct gs_superblock_spills *superblock = &s->superblocks[i];
        ok = (superblock->in_set = set_of(s, &superblock->in)) >= 0;
        for (unsigned k = 0; ok && k < code->superblocks[i].exit_count; k++)
            ok = (superblock->sets[k] = set_of(s, &superblock->exits[k])) >= 0;
    }
    return ok;
}
