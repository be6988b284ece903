/* One list of lines per set, for all numbers of sets and ways at once; see the header for the idea.
 */
#include "explore/stack_distance.h"

#include <stdlib.h>
#include <string.h>

/* 1, 2, 4, 8 and 16 ways; up to so many numbers of sets: 1, 2, 4 and so on. */
enum { WAYS = 5, LEVELS = 16 };

static const uint32_t no_line = UINT32_MAX;

/* Sets as lists of at most `depth` lines. */
typedef struct lists {
    uint32_t *tags; /* NULL: not followed */
    uint32_t depth;
} lists;

typedef struct level {
    lists all;          /* where all numbers of ways share one list, */
    lists single[WAYS]; /* or one for each */
    /* By kind of access: how often a line was found at a distance; GS_STACK_MAX_WAYS: not at all.
     */
    uint64_t found[2][GS_STACK_MAX_WAYS + 1];
    uint64_t misses[2][WAYS]; /* of the single ones */
} level;

struct gs_stack_distance {
    unsigned shift, level_count;
    bool allocate;
    uint32_t last; /* the line before, if it is at the front everywhere */
    uint64_t accesses[2];
    uint64_t front[2][LEVELS + 1]; /* found at the front from this level on */
    level levels[LEVELS];
    uint32_t *memory;
    size_t memory_size;
};

static uint32_t most_ways(uint32_t line, unsigned sets_shift)
{
    const uint32_t ways = GS_STACK_MAX_SIZE / line >> sets_shift;
    return ways < GS_STACK_MAX_WAYS ? ways : GS_STACK_MAX_WAYS;
}

static bool is_followed(uint32_t line, unsigned sets_shift, uint32_t ways)
{
    const uint64_t size = (uint64_t)line * ways << sets_shift;
    return size >= GS_STACK_MIN_SIZE && size <= GS_STACK_MAX_SIZE;
}

/* Gives the lists their room, or counts what they need. */
static size_t place(gs_stack_distance *s, uint32_t line, uint32_t *memory)
{
    size_t at = 0;
    for (unsigned i = 0; i < s->level_count; i++) {
        level *l = &s->levels[i];
        if (s->allocate) {
            l->all = (lists){memory ? memory + at : NULL, most_ways(line, i)};
            at += (size_t)l->all.depth << i;
            continue;
        }
        for (unsigned w = 0; w < WAYS; w++) {
            if (!is_followed(line, i, 1u << w))
                continue;
            l->single[w] = (lists){memory ? memory + at : NULL, 1u << w};
            at += (size_t)1 << w << i;
        }
    }
    return at;
}

gs_status gs_stack_open(gs_stack_distance **out, uint32_t line_bytes, bool allocate, gs_error *err)
{
    *out = NULL;
    gs_stack_distance *s = calloc(1, sizeof *s);
    if (!s)
        return gs_fail_no_memory(err);
    s->shift = (unsigned)__builtin_ctz(line_bytes);
    s->allocate = allocate;
    while (s->level_count < LEVELS && most_ways(line_bytes, s->level_count) > 0)
        s->level_count++;
    s->memory_size = place(s, line_bytes, NULL) * sizeof *s->memory;
    s->memory = malloc(s->memory_size);
    if (!s->memory) {
        free(s);
        return gs_fail_no_memory(err);
    }
    (void)place(s, line_bytes, s->memory);
    gs_stack_invalidate(s);
    *out = s;
    return GS_OK;
}

void gs_stack_free(gs_stack_distance *s)
{
    if (!s)
        return;
    free(s->memory);
    free(s);
}

void gs_stack_invalidate(gs_stack_distance *s)
{
    memset(s->memory, 0xff, s->memory_size);
    s->last = no_line;
}

/* The place of a line in its list, or `depth`. */
static inline uint32_t find(const uint32_t *list, uint32_t depth, uint32_t line)
{
    uint32_t at = 0;
    while (at < depth && list[at] != line)
        at++;
    return at;
}

/* Puts a line to the front; it was in place `at`, or not there at all. */
static inline void use(uint32_t *list, uint32_t depth, uint32_t at, uint32_t line)
{
    for (uint32_t i = at < depth ? at : depth - 1; i > 0; i--)
        list[i] = list[i - 1];
    list[0] = line;
}

static void access_shared(gs_stack_distance *s, uint32_t line, bool write)
{
    for (unsigned i = 0; i < s->level_count; i++) {
        level *l = &s->levels[i];
        const uint32_t depth = l->all.depth;
        uint32_t *list = l->all.tags + (size_t)(line & ((1u << i) - 1)) * depth;
        if (list[0] == line) {
            s->front[write][i]++;
            return;
        }
        const uint32_t at = find(list, depth, line);
        l->found[write][at < depth ? at : GS_STACK_MAX_WAYS]++;
        use(list, depth, at, line);
    }
    s->front[write][s->level_count]++;
}

static void access_single(gs_stack_distance *s, uint32_t line, bool write)
{
    bool everywhere = true;
    for (unsigned i = 0; i < s->level_count; i++) {
        level *l = &s->levels[i];
        for (unsigned w = 0; w < WAYS; w++) {
            if (!l->single[w].tags)
                continue;
            const uint32_t depth = 1u << w;
            uint32_t *list = l->single[w].tags + ((size_t)(line & ((1u << i) - 1)) << w);
            if (list[0] == line)
                continue;
            const uint32_t at = find(list, depth, line);
            if (at == depth) {
                l->misses[write][w]++;
                everywhere = everywhere && !write;
            }
            if (at < depth || !write)
                use(list, depth, at, line);
        }
    }
    s->last = everywhere ? line : no_line;
}

void gs_stack_access(gs_stack_distance *s, uint32_t address, bool write)
{
    const uint32_t line = address >> s->shift;
    s->accesses[write]++;
    if (s->allocate)
        access_shared(s, line, write);
    else if (line != s->last)
        access_single(s, line, write);
}

/* Of a level with shared lists: found in the first `ways` places. */
static uint64_t hits(const gs_stack_distance *s, unsigned sets_shift, bool write, uint32_t ways)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i <= sets_shift; i++)
        sum += s->front[write][i];
    for (uint32_t i = 0; i < ways; i++)
        sum += s->levels[sets_shift].found[write][i];
    return sum;
}

bool gs_stack_misses(const gs_stack_distance *s, uint32_t size_bytes, uint32_t ways,
                     gs_stack_counts *counts)
{
    const uint32_t line = 1u << s->shift;
    *counts = (gs_stack_counts){.reads = s->accesses[0], .writes = s->accesses[1]};
    if (ways == 0 || ways > GS_STACK_MAX_WAYS || (ways & (ways - 1)) || size_bytes < line * ways ||
        (size_bytes & (size_bytes - 1)))
        return false;
    const unsigned sets_shift = (unsigned)__builtin_ctz(size_bytes / line / ways);
    if (sets_shift >= s->level_count || !is_followed(line, sets_shift, ways))
        return false;
    if (s->allocate) {
        counts->read_misses = s->accesses[0] - hits(s, sets_shift, false, ways);
        counts->write_misses = s->accesses[1] - hits(s, sets_shift, true, ways);
    } else {
        const unsigned w = (unsigned)__builtin_ctz(ways);
        counts->read_misses = s->levels[sets_shift].misses[0][w];
        counts->write_misses = s->levels[sets_shift].misses[1][w];
    }
    return true;
}
