/* A timing's bytes, and behind them those of all it points to that changes while it runs. */
#include "timing/past.h"

#include <stdlib.h>

enum { PARTS = 11 };

typedef struct part {
    void *bytes;
    size_t size;
} part;

struct gs_timing_past {
    gs_timing timing;
    uint8_t parts[];
};

static size_t list_cache(const gs_cache *cache, bool present, part *to)
{
    const size_t sets = (size_t)cache->set_mask + 1, lines = sets << cache->way_shift;
    if (!present)
        return 0;
    to[0] = (part){cache->tags, lines * sizeof *cache->tags};
    to[1] = (part){cache->dirty, lines};
    to[2] = (part){cache->next_way, cache->next_way ? sets * sizeof *cache->next_way : 0};
    return 3;
}

static size_t list_predictor(const gs_predictor *p, part *to)
{
    const size_t entries = p->btb_tags ? (size_t)p->btb_mask + 1 : 0;
    to[0] = (part){p->counters, p->counters ? (size_t)p->counter_mask + 1 : 0};
    to[1] = (part){p->btb_tags, entries * sizeof *p->btb_tags};
    to[2] = (part){p->btb_targets, entries * sizeof *p->btb_targets};
    to[3] = (part){p->stack, p->stack ? p->stack_depth * sizeof *p->stack : 0};
    return 4;
}

static size_t list_parts(const gs_timing *timing, part parts[PARTS])
{
    size_t count = list_cache(&timing->icache, timing->core->has_icache, parts);
    count += list_cache(&timing->dcache, timing->core->has_dcache, parts + count);
    count += list_predictor(&timing->predictor, parts + count);
    parts[count++] = (part){timing->state, timing->model->state_size};
    return count;
}

bool gs_timing_can_go_back(const gs_timing *timing)
{
    return timing->model->state_size > 0 && !timing->view;
}

gs_timing_past *gs_timing_keep(const gs_timing *timing)
{
    part parts[PARTS];
    const size_t count = list_parts(timing, parts);
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    gs_timing_past *past = malloc(sizeof *past + size);
    if (!past)
        return NULL;
    past->timing = *timing;
    uint8_t *to = past->parts;
    for (size_t i = 0; i < count; to += parts[i++].size) {
        if (parts[i].size)
            memcpy(to, parts[i].bytes, parts[i].size);
    }
    return past;
}

void gs_timing_go_back(gs_timing *timing, const gs_timing_past *past)
{
    part parts[PARTS];
    *timing = past->timing;
    const size_t count = list_parts(timing, parts);
    const uint8_t *from = past->parts;
    for (size_t i = 0; i < count; from += parts[i++].size) {
        if (parts[i].size)
            memcpy(parts[i].bytes, from, parts[i].size);
    }
}
