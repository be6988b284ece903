#include "engine/fast/engine_parts.h"

#include <stdlib.h>

#include "base/vec.h"

/* Which bit of gs_fast.missing tells of line `i` of a stretch. */
static uint16_t bit_of(unsigned i)
{
    return (uint16_t)(1u << (i < GS_MISSING_REST ? i : GS_MISSING_REST));
}

gs_code_line *gs_code_line_at(const gs_fast_engine *e, gs_addr line)
{
    gs_code_line *found = e->lines[line % GS_CODE_LINES];
    while (found && found->line != line)
        found = found->chained;
    return found;
}

static gs_code_line *make(gs_fast_engine *e, gs_addr line)
{
    gs_code_line *made = gs_arena_alloc(&e->arena, sizeof *made);
    if (!made)
        return NULL;
    gs_code_line **bucket = &e->lines[line % GS_CODE_LINES];
    *made = (gs_code_line){.line = line, .chained = *bucket};
    *bucket = made;
    const gs_addr set = line & e->timing->icache.set_mask;
    if (e->c->firsts[set] == line)
        e->firsts[set] = made;
    return made;
}

static bool add_user(gs_code_line *line, gs_line_user user)
{
    if (line->user_count == GS_LINE_USERS)
        return gs_vec_push(&line->more, user);
    line->users[line->user_count++] = user;
    return true;
}

bool gs_code_lines_watch(gs_fast_engine *e, const gs_stretch *s)
{
    struct gs_numbered *numbered = &e->stretches.items[s->number];
    const gs_cache *cache = &e->timing->icache;
    numbered->lines = gs_arena_alloc(&e->arena, (s->line_count + 1u) * sizeof *numbered->lines);
    if (!numbered->lines)
        return false;
    e->c->missing[s->number] = 0;
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        const gs_addr line = gs_cache_line(cache, site->address);
        gs_code_line *known = gs_code_line_at(e, line);
        const gs_line_user user = {s->number, bit_of(i)};
        if (!known)
            known = make(e, line);
        if (!known || !add_user(known, user))
            return false;
        numbered->lines[i] = (gs_line_use){known, line, site->owner, site->shift};
        if (e->firsts[line & cache->set_mask] != known)
            e->c->missing[s->number] |= user.bit;
    }
    return true;
}

/* A user that is none has no bit. So the first ones need not be counted, and no branch of the
 * host's be guessed wrong. */
static void tell(uint16_t *missing, const gs_code_line *line)
{
    for (unsigned i = 0; i < GS_LINE_USERS; i++)
        missing[line->users[i].stretch] |= line->users[i].bit;
    for (size_t i = 0; i < line->more.count; i++)
        missing[line->more.items[i].stretch] |= line->more.items[i].bit;
}

/* Several lines may share the last bit: then it stays, and who looks finds out. */
static void tell_back(uint16_t *missing, const gs_code_line *line)
{
    const uint16_t rest = 1u << GS_MISSING_REST;
    for (unsigned i = 0; i < GS_LINE_USERS; i++)
        missing[line->users[i].stretch] &= (uint16_t)(~line->users[i].bit | rest);
    for (size_t i = 0; i < line->more.count; i++)
        missing[line->more.items[i].stretch] &= (uint16_t)(~line->more.items[i].bit | rest);
}

void gs_code_line_comes(gs_fast_engine *e, gs_addr set, gs_addr line, gs_code_line *known)
{
    const gs_code_line *before = e->firsts[set];
    e->c->firsts[set] = line;
    e->firsts[set] = known;
    if (before)
        tell(e->c->missing, before);
    if (known)
        tell_back(e->c->missing, known);
}

void gs_code_lines_free(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_CODE_LINES; i++) {
        for (gs_code_line *line = e->lines[i]; line; line = line->chained)
            free(line->more.items);
    }
    free(e->firsts);
}
