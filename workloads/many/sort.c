/*
 * sort - a parallel merge sort: each core sorts a part of its own, pairs of cores merge.
 *
 * The parts lie in shared memory. A core copies its part to memory of its own, sorts it there and
 * writes it back; in round r, core h merges its run with that of core h + 2^r, if h is a multiple
 * of 2^(r+1), into the other half of shared memory.
 */
#include "many.h"

#ifndef ITEMS
#define ITEMS 1024
#endif

static word *const halves[2] = {SHARED, SHARED + ITEMS};

static uint32_t part_start(uint32_t part, uint32_t parts)
{
    return part >= parts ? ITEMS : part * ITEMS / parts;
}

/* Shell's sort: no stack, no memory. */
static void sort(uint32_t *items, uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t item = items[i];
            uint32_t to = i;
            for (; to >= gap && items[to - gap] > item; to -= gap)
                items[to] = items[to - gap];
            items[to] = item;
        }
    }
}

static void sort_part(uint32_t from, uint32_t to)
{
    static uint32_t own[ITEMS];
    for (uint32_t i = from; i < to; i++)
        own[i - from] = halves[0][i];
    sort(own, to - from);
    for (uint32_t i = from; i < to; i++)
        halves[0][i] = own[i - from];
}

static void merge(const word *from, word *to, uint32_t left, uint32_t middle, uint32_t right)
{
    uint32_t a = left, b = middle;
    for (uint32_t i = left; i < right; i++) {
        if (b == right || (a < middle && from[a] <= from[b]))
            to[i] = from[a++];
        else
            to[i] = from[b++];
    }
}

int main(void)
{
    const uint32_t me = hart(), count = harts();
    uint32_t noise = 1, half = 0;

    for (uint32_t i = 0; me == 0 && i < ITEMS; i++) {
        noise = noise * 1664525 + 1013904223;
        halves[0][i] = noise >> 8;
    }
    wait_for_all();
    sort_part(part_start(me, count), part_start(me + 1, count));
    wait_for_all();
    for (uint32_t run = 1; run < count; run *= 2) {
        if (me % (2 * run) == 0)
            merge(halves[half], halves[1 - half], part_start(me, count),
                  part_start(me + run, count), part_start(me + 2 * run, count));
        half = 1 - half;
        wait_for_all();
    }
    if (me == 0) {
        uint32_t checksum = 0, wrong = 0;
        for (uint32_t i = 0; i < ITEMS; i++) {
            checksum = checksum * 31 + halves[half][i];
            wrong += i > 0 && halves[half][i - 1] > halves[half][i];
        }
        put_result("sort", checksum);
        return wrong != 0;
    }
    return 0;
}
