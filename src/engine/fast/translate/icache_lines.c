/* Data flow over a function's superblocks: which icache lines have been looked up wherever control
 * comes from, and not displaced since. */
#include "engine/fast/translate/icache_lines.h"

#include <stdlib.h>
#include <string.h>

static size_t superblocks_of(const gs_icache_lines *l)
{
    return l->code->count + l->code->clones;
}

static uint64_t *known_in(const gs_icache_lines *l, const gs_superblock *s)
{
    return l->known + (size_t)(s - l->code->superblocks) * l->words;
}

static bool has(const gs_icache_lines *l, const uint64_t *set, gs_addr line)
{
    const gs_addr number = line - l->first;
    return number < l->words * 64 && (set[number / 64] >> (number % 64) & 1);
}

static void add(const gs_icache_lines *l, uint64_t *set, gs_addr line)
{
    const gs_addr number = line - l->first;
    if (number < l->words * 64)
        set[number / 64] |= (uint64_t)1 << (number % 64);
}

/* Some lines, each once. */
typedef struct lines {
    gs_addr items[GS_SUPERBLOCK_SITES * (GS_WRONG_PATH_MAX + 1) * 2];
    unsigned count;
} lines;

static void add_once(lines *some, gs_addr line)
{
    for (unsigned i = 0; i < some->count; i++) {
        if (some->items[i] == line)
            return;
    }
    some->items[some->count++] = line;
}

static gs_addr line_of(const gs_icache_lines *l, const gs_site *site)
{
    return gs_cache_line(l->cache, site->address);
}

/* The lines that are looked up up to an exit, or with -1, on any. */
static void find_looked_up(const gs_icache_lines *l, const gs_superblock *s, int exit, lines *found)
{
    const unsigned steps = exit < 0 ? s->step_count : s->exits[exit].steps;
    for (unsigned i = 0; i < steps; i++) {
        if (s->steps[i].fetch >= 0)
            add_once(found, line_of(l, &s->sites[s->steps[i].fetch]));
        if (s->steps[i].second >= 0)
            add_once(found, line_of(l, &s->sites[s->steps[i].second]));
    }
    for (unsigned k = 0; k < s->exit_count; k++) {
        const gs_site *goal = s->exits[k].fetch >= 0 ? &s->sites[s->exits[k].fetch] : NULL;
        if (goal && goal->address && (exit < 0 || (unsigned)exit == k))
            add_once(found, line_of(l, goal));
    }
}

/* The lines that wrong-path fetch may bring in. */
static void find_wrong_path(const gs_icache_lines *l, const gs_superblock *s, lines *found)
{
    for (unsigned i = 0; i < s->wrong_path_count; i++) {
        for (unsigned k = 0; k < s->wrong_path[i].count; k++) {
            add_once(found, gs_cache_line(l->cache, s->wrong_path[i].pc[k]));
            add_once(found, gs_cache_line(l->cache, s->wrong_path[i].pc[k] + 3));
        }
    }
}

/* Whether a line may displace another one. */
static bool collide(const gs_icache_lines *l, gs_addr a, gs_addr b)
{
    return a != b && ((a ^ b) & l->cache->set_mask) == 0;
}

static bool is_displaced(const gs_icache_lines *l, const lines *some, gs_addr line)
{
    for (unsigned i = 0; i < some->count; i++) {
        if (collide(l, some->items[i], line))
            return true;
    }
    return false;
}

/* The lines that are known when an exit is taken. */
static void follow(const gs_icache_lines *l, const gs_superblock *s, unsigned exit, uint64_t *known)
{
    lines passed = {.count = 0};
    memcpy(known, known_in(l, s), l->words * sizeof *known);
    find_looked_up(l, s, (int)exit, &passed);
    for (unsigned i = 0; i < passed.count; i++)
        add(l, known, passed.items[i]);
    find_wrong_path(l, s, &passed);
    for (size_t i = 0; i < l->words * 64; i++) {
        if ((known[i / 64] >> (i % 64) & 1) && is_displaced(l, &passed, l->first + (gs_addr)i))
            known[i / 64] &= ~((uint64_t)1 << (i % 64));
    }
}

/* Nothing is known at pc: control comes there from anywhere. */
static void forget_at(const gs_icache_lines *l, gs_addr pc)
{
    for (size_t i = 0; i < superblocks_of(l); i++) { /* with its clones */
        const gs_superblock *s = &l->code->superblocks[i];
        if (s->pc == pc)
            memset(known_in(l, s), 0, l->words * sizeof *l->known);
    }
}

static void forget_where_entered(const gs_icache_lines *l)
{
    for (size_t i = 0; i < superblocks_of(l); i++) {
        const gs_superblock *s = &l->code->superblocks[i];
        if (s->entry)
            forget_at(l, s->pc);
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (s->exits[k].kind == GS_SB_EXIT_CALL || s->exits[k].kind == GS_SB_EXIT_CALL_INDIRECT)
                forget_at(l, s->exits[k].back);
        }
    }
}

/* Follows all exits once. True if that made a difference. */
static bool follow_all(const gs_icache_lines *l)
{
    bool less = false;
    for (size_t i = 0; i < superblocks_of(l); i++) {
        const gs_superblock *s = &l->code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_superblock *goal = s->predicted->exits[k].goal;
            if (!goal)
                continue;
            uint64_t *known = known_in(l, goal);
            follow(l, s, k, l->room);
            for (size_t word = 0; word < l->words; word++) {
                less |= (known[word] & ~l->room[word]) != 0;
                known[word] &= l->room[word];
            }
        }
    }
    return less;
}

bool gs_icache_lines_open(gs_icache_lines *l, const gs_code *code, const gs_cache *cache)
{
    *l = (gs_icache_lines){.code = code, .cache = cache};
    if (!cache)
        return true;
    l->first = gs_cache_line(l->cache, code->low);
    l->words = (gs_cache_line(l->cache, code->high - 1) - l->first) / 64 + 1;
    const size_t count = superblocks_of(l) * l->words;
    l->room = malloc(l->words * sizeof *l->room);
    l->known = malloc((count + 1) * sizeof *l->known);
    if (!l->room || !l->known)
        return false;
    memset(l->known, 0xff, count * sizeof *l->known);
    forget_where_entered(l);
    while (follow_all(l))
        continue;
    return true;
}

void gs_icache_lines_close(gs_icache_lines *l)
{
    free(l->known);
    free(l->room);
}

/* Whether another line of the superblock may displace one. */
static bool is_disturbed(const gs_icache_lines *l, const gs_superblock *s, gs_addr line)
{
    lines all = {.count = 0};
    find_looked_up(l, s, -1, &all);
    find_wrong_path(l, s, &all);
    return is_displaced(l, &all, line);
}

bool gs_icache_lines_is_new(const gs_icache_lines *l, const gs_superblock *s, const gs_site *site)
{
    const gs_addr line = line_of(l, site);
    return !has(l, known_in(l, s), line) || is_disturbed(l, s, line);
}

bool gs_icache_lines_is_new_later(const gs_icache_lines *l, const gs_superblock *s,
                                  const gs_site *site)
{
    const gs_addr line = line_of(l, site);
    for (unsigned i = 0; i < s->line_count; i++) {
        if (line_of(l, &s->sites[s->lines[i]]) == line)
            return is_disturbed(l, s, line);
    }
    return gs_icache_lines_is_new(l, s, site);
}

bool gs_icache_lines_are_known(const gs_icache_lines *l, const gs_superblock *goal,
                               const gs_superblock *from, unsigned exit)
{
    follow(l, from, exit, l->room);
    for (unsigned i = 0; i < goal->line_count; i++) {
        const gs_addr line = line_of(l, &goal->sites[goal->lines[i]]);
        if (!has(l, l->room, line) || is_disturbed(l, goal, line))
            return false;
    }
    return true;
}

bool gs_icache_lines_mark(gs_code *code, const gs_cache *cache)
{
    gs_icache_lines l;
    const bool ok = gs_icache_lines_open(&l, code, cache);
    for (size_t i = 0; ok && i < superblocks_of(&l); i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            gs_superblock *goal = s->predicted->exits[k].goal;
            if (goal && gs_icache_lines_are_known(&l, goal, s, k))
                goal->comes_known = true;
        }
    }
    gs_icache_lines_close(&l);
    return ok;
}
