/*
 * Finding the parameters of a perfect address hash.
 *
 * A key gives two numbers, a and b. If no two keys share both, `tab` can move all keys of one b
 * (a bucket) to free numbers at once, by exclusive or, and buckets are placed one by one, the
 * largest first. A bucket that fits nowhere may push one other bucket away, and that another.
 *
 * Adding V, then multiplying by 257 and folding the result are all reversible, so distinct
 * addresses stay distinct, and every V is a new throw of the dice: `tab` grows until a throw
 * succeeds. With as many entries as numbers, about every second throw does, even when every number
 * is taken: there the last buckets have one key each, which fits wherever there is room. Addresses
 * in equal steps can leave the bits that b is taken from without information; then `tab` grows
 * until b alone tells all keys apart, and there is nothing left to search. That is luck up to
 * here; hash_direct.c has what cannot fail.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "units/leap/address_hash.h"

enum {
    SALTS = 2,         /* values of V tried for each size of tab, */
    MORE_SALTS = 8,    /* and once tab has as many entries as there are numbers */
    WINDOWS = 6,       /* values of B1 tried for each V: those that tell most keys apart, */
    PATIENCE = 3,      /* and for each of them, how often distinct keys may find no place */
    BUDGET = 1 << 19,  /* looks for a place, for each of those */
    LONGEST = 1 << 22, /* entries of tab */
};
static const uint32_t golden = 0x9E3779B9;
static const uint32_t none = UINT32_MAX;

typedef struct search {
    const uint32_t *addresses;
    uint32_t count, entries;
    unsigned bits; /* log2(entries) */
    uint32_t *x;   /* per key, for the current V */
    uint32_t *a, *b;
    uint32_t length; /* of tab */
    uint32_t *start; /* per b: first of its keys in `keys`; one more at the end */
    uint32_t *keys;  /* sorted by b */
    uint32_t *order; /* buckets, largest first */
    uint32_t *owner; /* per number: the bucket that has it, or none */
    uint32_t *stamp; /* per number: the last bucket that was seen to have this a, by its visit */
    uint32_t visits;
    uint32_t free_at; /* no number below is free */

    /* Of a chain of displacements; per bucket, or in the order they were found. */
    uint32_t *parent, *via, *queue;
    uint32_t *chain, *places, *old;
    bool *seen;
    uint32_t budget;   /* looks for places that a throw may still cost */
    gs_leap_hash *out; /* tab has room for the largest length */
} search;

static void mix(search *s, uint32_t v)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->x[i] = gs_leap_mix(s->addresses[i], v);
    s->out->v = v;
}

static void sort_into_buckets(search *s)
{
    memset(s->start, 0, (s->length + 1) * sizeof *s->start);
    for (uint32_t i = 0; i < s->count; i++) {
        s->b[i] = (s->x[i] >> s->out->b1) & (s->length - 1);
        s->start[s->b[i] + 1]++;
    }
    for (uint32_t i = 0; i < s->length; i++)
        s->start[i + 1] += s->start[i];
    for (uint32_t i = s->count; i-- > 0;)
        s->keys[--s->start[s->b[i] + 1]] = i;
    /* Filling from behind has moved every start down by its bucket: shift them into place. */
    memmove(s->start, s->start + 1, s->length * sizeof *s->start);
    s->start[s->length] = s->count;
}

/* Whether all keys of one bucket have different a, in every bucket. */
static bool all_differ(search *s)
{
    for (uint32_t bucket = 0; bucket < s->length; bucket++) {
        uint32_t visit = ++s->visits; /* wraps after many times what a search can do */
        for (uint32_t i = s->start[bucket]; i < s->start[bucket + 1]; i++) {
            uint32_t a = gs_leap_a(s->out, s->x[s->keys[i]]);
            if (s->stamp[a] == visit)
                return false;
            s->stamp[a] = visit;
            s->a[s->keys[i]] = a;
        }
    }
    return true;
}

static uint32_t size_of(const search *s, uint32_t bucket)
{
    return s->start[bucket + 1] - s->start[bucket];
}

/* Largest first; a counting sort, since sizes are small. */
static void sort_buckets(search *s)
{
    uint32_t largest = 0, at = 0;
    for (uint32_t i = 0; i < s->length; i++)
        largest = size_of(s, i) > largest ? size_of(s, i) : largest;
    for (uint32_t size = largest + 1; size-- > 0;) {
        for (uint32_t i = 0; i < s->length; i++) {
            if (size_of(s, i) == size)
                s->order[at++] = i;
        }
    }
}

static void put(search *s, uint32_t bucket, uint32_t value)
{
    for (uint32_t i = s->start[bucket]; i < s->start[bucket + 1]; i++)
        s->owner[s->a[s->keys[i]] ^ value] = bucket;
    s->out->tab[bucket] = (uint16_t)value;
}

static void take(search *s, uint32_t bucket)
{
    for (uint32_t i = s->start[bucket]; i < s->start[bucket + 1]; i++)
        s->owner[s->a[s->keys[i]] ^ s->out->tab[bucket]] = none;
}

/* Whether the bucket's keys are all free with `value`, but for those of one other bucket, which
 * goes to *other (none if there is none). */
static bool fits(const search *s, uint32_t bucket, uint32_t value, uint32_t *other)
{
    *other = none;
    for (uint32_t i = s->start[bucket]; i < s->start[bucket + 1]; i++) {
        uint32_t owner = s->owner[s->a[s->keys[i]] ^ value];
        if (owner == none || owner == *other)
            continue;
        if (*other != none)
            return false;
        *other = owner;
    }
    return true;
}

static bool place_freely(search *s, uint32_t bucket)
{
    uint32_t other;
    if (size_of(s, bucket) == 1) { /* any free number will do */
        while (s->free_at < s->entries && s->owner[s->free_at] != none)
            s->free_at++;
        if (s->free_at == s->entries)
            return false;
        put(s, bucket, s->a[s->keys[s->start[bucket]]] ^ s->free_at);
        return true;
    }
    for (uint32_t value = 0; value < s->entries; value++) {
        if (fits(s, bucket, value, &other) && other == none) {
            put(s, bucket, value);
            return true;
        }
    }
    return false;
}

/* Moves every bucket of a chain of displacements to its place: `bucket` to `value`, the one that
 * was there to where it was seen to fit, and so on back to the first. Undoes it if two collide:
 * each was looked at as if the others stayed. */
static bool apply_chain(search *s, uint32_t bucket, uint32_t value)
{
    uint32_t other, place = value, at = bucket;
    uint32_t count = 0;
    for (;;) { /* note the old places; all but the first bucket have one */
        s->chain[count] = at;
        s->places[count] = place;
        s->old[count] = s->out->tab[at];
        count++;
        if (s->parent[at] == none)
            break;
        place = s->via[at];
        at = s->parent[at];
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        take(s, s->chain[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (fits(s, s->chain[i], s->places[i], &other) && other == none) {
            put(s, s->chain[i], s->places[i]);
            continue;
        }
        while (i-- > 0)
            take(s, s->chain[i]);
        for (i = 0; i + 1 < count; i++)
            put(s, s->chain[i], s->old[i]);
        return false;
    }
    return true;
}

/* A bucket that fits nowhere takes the place of another one, which takes that of the next, until
 * one fits: the shortest chain there is, breadth first. */
static bool place_by_displacing(search *s, uint32_t first)
{
    uint32_t head = 0, tail = 0;
    memset(s->seen, 0, s->length);
    s->seen[first] = true;
    s->parent[first] = none;
    s->queue[tail++] = first;
    s->free_at = 0;
    while (head < tail && s->budget > s->entries) {
        uint32_t bucket = s->queue[head++], other;
        s->budget -= s->entries;
        for (uint32_t value = 0; value < s->entries; value++) {
            if (!fits(s, bucket, value, &other))
                continue;
            if (other == none || other == bucket) {
                if (other == none && apply_chain(s, bucket, value))
                    return true;
            } else if (!s->seen[other]) {
                s->seen[other] = true;
                s->parent[other] = bucket; /* takes the place of `other`, */
                s->via[other] = value;     /* with this value */
                s->queue[tail++] = other;
            }
        }
    }
    return false;
}

static bool place_all(search *s)
{
    memset(s->owner, 0xff, s->entries * sizeof *s->owner);
    memset(s->out->tab, 0, s->length * sizeof *s->out->tab);
    s->free_at = 0;
    s->budget = BUDGET;
    sort_buckets(s);
    for (uint32_t i = 0; i < s->length && size_of(s, s->order[i]) > 0; i++) {
        if (!place_freely(s, s->order[i]) && !place_by_displacing(s, s->order[i]))
            return false;
    }
    return true;
}

/* How well bits b1 and up tell the keys apart: the more buckets, the better. */
static uint32_t count_buckets(search *s, unsigned b1)
{
    uint32_t buckets = 0;
    s->out->b1 = (uint8_t)b1;
    sort_into_buckets(s);
    for (uint32_t i = 0; i < s->length; i++)
        buckets += size_of(s, i) > 0;
    return buckets;
}

/* The values of B1, best first. Returns how many there are. */
static unsigned rank_windows(search *s, uint8_t ranked[32])
{
    unsigned count = 0;
    uint32_t buckets[32];
    for (unsigned b1 = 0; b1 < 32 && (s->length - 1) <= UINT32_MAX >> b1; b1++) {
        uint32_t here = count_buckets(s, b1);
        unsigned at = count++;
        for (; at > 0 && buckets[at - 1] < here; at--) {
            buckets[at] = buckets[at - 1];
            ranked[at] = ranked[at - 1];
        }
        buckets[at] = here;
        ranked[at] = (uint8_t)b1;
    }
    return count;
}

/* Ways to take a and b from the mixed addresses of one V. */
static bool try_shifts(search *s)
{
    uint8_t ranked[32];
    unsigned windows = rank_windows(s, ranked);
    for (unsigned i = 0; i < windows && i < WINDOWS; i++) {
        unsigned failures = 0;
        s->out->b1 = ranked[i];
        sort_into_buckets(s);
        for (unsigned a1 = 32; a1 > 0 && failures < PATIENCE; a1--) {
            s->out->a1 = (uint8_t)a1;
            if (!all_differ(s))
                continue;
            if (place_all(s))
                return true;
            failures++; /* tab is too small: that they differ is not enough */
        }
    }
    return false;
}

/* How many pairs of keys can be expected to share a and b. */
static double expected_collisions(const search *s)
{
    return (double)s->count * s->count / (2.0 * s->entries * s->length);
}

static bool resize(uint32_t **array, size_t count)
{
    uint32_t *wider = realloc(*array, count * sizeof *wider);
    if (wider)
        *array = wider;
    return wider != NULL;
}

static bool make_room(search *s)
{
    size_t count = s->length + 1;
    uint16_t *tab = realloc(s->out->tab, count * sizeof *tab);
    s->out->tab = tab ? tab : s->out->tab;
    bool *seen = realloc(s->seen, count * sizeof *seen);
    s->seen = seen ? seen : s->seen;
    return tab && seen && resize(&s->start, count) && resize(&s->order, count) &&
           resize(&s->parent, count) && resize(&s->via, count) && resize(&s->queue, count) &&
           resize(&s->chain, count) && resize(&s->places, count) && resize(&s->old, count);
}

typedef enum outcome { FOUND, NOT_FOUND, NO_MEMORY } outcome;

static outcome try_length(search *s, uint32_t length, unsigned salts)
{
    s->length = length;
    if (expected_collisions(s) > 6)
        return NOT_FOUND;
    if (!make_room(s))
        return NO_MEMORY;
    s->out->b2 = length - 1;
    for (unsigned salt = 1; salt <= salts; salt++) {
        mix(s, golden * salt);
        if (try_shifts(s))
            return FOUND;
    }
    return NOT_FOUND;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool has_twins(const uint32_t *addresses, size_t count, uint32_t *scratch)
{
    if (count == 0)
        return false;
    memcpy(scratch, addresses, count * sizeof *scratch);
    qsort(scratch, count, sizeof *scratch, by_value);
    for (size_t i = 1; i < count; i++) {
        if (scratch[i] == scratch[i - 1])
            return true;
    }
    return false;
}

static bool allocate(search *s)
{
    size_t keys = s->count + 1;
    s->stamp = calloc(s->entries, sizeof *s->stamp);
    return s->stamp && resize(&s->x, keys) && resize(&s->a, keys) && resize(&s->b, keys) &&
           resize(&s->keys, keys) && resize(&s->owner, s->entries);
}

static outcome find(search *s, uint32_t longest)
{
    uint32_t length = s->entries / 32 ? s->entries / 32 : 1;
    outcome result = NOT_FOUND;
    for (; result == NOT_FOUND && length <= longest; length *= 2)
        result = try_length(s, length, length < s->entries ? SALTS : MORE_SALTS);
    return result;
}

gs_status gs_leap_hash_find_within(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                                   uint32_t entries, uint32_t longest, gs_error *err)
{
    *hash = (gs_leap_hash){.entries = entries};
    if (entries == 0 || entries > GS_LEAP_ENTRIES_MAX || (entries & (entries - 1)) != 0 ||
        count > entries)
        return gs_fail(err, GS_E_ARGUMENT,
                       "no hash of %zu addresses to %u numbers: there can be %d at most, a power "
                       "of two",
                       count, entries, GS_LEAP_ENTRIES_MAX);
    search s = {.addresses = addresses, .count = (uint32_t)count, .entries = entries, .out = hash};
    while (UINT32_C(1) << s.bits < entries)
        s.bits++;
    hash->a2 = (uint8_t)(32 - s.bits);
    gs_status status = GS_OK;
    outcome result = allocate(&s) ? NOT_FOUND : NO_MEMORY;
    if (result != NO_MEMORY && has_twins(addresses, count, s.x))
        status = gs_fail(err, GS_E_ARGUMENT, "no hash of addresses of which two are the same");
    else if (result != NO_MEMORY)
        result = find(&s, longest);
    if (result == NO_MEMORY)
        status = gs_fail_no_memory(err);
    else if (status == GS_OK && result == NOT_FOUND)
        status = gs_leap_hash_direct(hash, addresses, count, err);
    free(s.x);
    free(s.a);
    free(s.b);
    free(s.keys);
    free(s.start);
    free(s.order);
    free(s.owner);
    free(s.stamp);
    free(s.parent);
    free(s.via);
    free(s.queue);
    free(s.chain);
    free(s.places);
    free(s.old);
    free(s.seen);
    if (status != GS_OK)
        gs_leap_hash_fini(hash);
    return status;
}

gs_status gs_leap_hash_find(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                            uint32_t entries, gs_error *err)
{
    return gs_leap_hash_find_within(hash, addresses, count, entries, LONGEST, err);
}
