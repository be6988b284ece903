#include "engine/fast/engine_parts.h"

#include <stdlib.h>

#include "base/vec.h"

static uint16_t bit_of(gs_line_user user)
{
    return (uint16_t)(1u << (user & 15));
}

gs_code_line *gs_code_line_at(const gs_fast_engine *e, gs_addr line)
{
    const struct gs_line_entry *found = e->lines[line % GS_CODE_LINES];
    while (found && found->line->line != line)
        found = found->chained;
    return found ? found->line : NULL;
}

static gs_code_line *make(gs_fast_engine *e, gs_addr line)
{
    gs_code_line *made = gs_arena_alloc(&e->arena, sizeof *made);
    struct gs_line_entry *entry = gs_arena_alloc(&e->arena, sizeof *entry);
    if (!made || !entry)
        return NULL;
    struct gs_line_entry **bucket = &e->lines[line % GS_CODE_LINES];
    *made = (gs_code_line){.line = line};
    *entry = (struct gs_line_entry){made, *bucket};
    *bucket = entry;
    const gs_addr set = line & e->timing->icache.set_mask;
    if (e->c->firsts[set] == line)
        e->firsts[set] = made;
    return made;
}

static bool add_user(gs_code_line *line, gs_line_user user)
{
    if (line->user_count < GS_LINE_USERS) {
        line->users[line->user_count++] = user;
        return true;
    }
    if (!line->more)
        line->more = calloc(1, sizeof *line->more);
    return line->more && gs_vec_push(line->more, user);
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
        const gs_line_user user = s->number << 4 | (i < GS_MISSING_REST ? i : GS_MISSING_REST);
        if (!known)
            known = make(e, line);
        if (!known || !add_user(known, user))
            return false;
        numbered->lines[i] = (gs_line_use){known, line, site->owner, site->shift};
        if (e->firsts[line & cache->set_mask] != known)
            e->c->missing[s->number] |= bit_of(user);
    }
    return true;
}

/* A user that is none has no bit. So the first ones need not be counted, and no branch of the
 * host's be guessed wrong. */
static void tell(uint16_t *missing, const gs_line_user *users, size_t count)
{
    for (size_t i = 0; i < count; i++)
        missing[users[i] >> 4] |= bit_of(users[i]);
}

/* Several lines may share the last bit: then it stays, and who looks finds out. */
static void tell_back(uint16_t *missing, const gs_line_user *users, size_t count)
{
    for (size_t i = 0; i < count; i++)
        missing[users[i] >> 4] &= (uint16_t)(~bit_of(users[i]) | 1u << GS_MISSING_REST);
}

void gs_code_line_comes(gs_fast_engine *e, gs_addr set, gs_addr line, gs_code_line *known)
{
    const gs_code_line *before = e->firsts[set];
    e->c->firsts[set] = line;
    e->firsts[set] = known;
    uint16_t *missing = e->c->missing;
    if (before) {
        tell(missing, before->users, before->user_count);
        if (before->more)
            tell(missing, before->more->items, before->more->count);
    }
    if (known) {
        tell_back(missing, known->users, known->user_count);
        if (known->more)
            tell_back(missing, known->more->items, known->more->count);
    }
}

void gs_code_lines_free(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_CODE_LINES; i++) {
        for (struct gs_line_entry *entry = e->lines[i]; entry; entry = entry->chained) {
            if (entry->line->more)
                free(entry->line->more->items);
            free(entry->line->more);
        }
    }
    free(e->firsts);
}
