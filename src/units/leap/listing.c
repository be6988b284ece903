/*
 * The functions LEAP lists, and the number of each.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "units/leap/leap_unit.h"

void gs_leap_listing_fini(gs_leap_listing *l)
{
    free(l->addresses);
    free(l->numbers);
    free(l->function_of);
    free(l->tags);
    gs_leap_hash_fini(&l->hash);
}

static bool is_listed(const gs_leap_config *c, const gs_function *function)
{
    for (size_t i = 0; i < c->only.count; i++) {
        if (strcmp(c->only.items[i], function->name) == 0)
            return true;
    }
    return c->only.count == 0;
}

static gs_status check_names(const gs_leap_config *c, const gs_image *image, gs_error *err)
{
    for (size_t i = 0; i < c->only.count; i++) {
        bool found = false;
        for (size_t j = 0; j < gs_image_function_count(image) && !found; j++)
            found = strcmp(gs_image_function(image, j)->name, c->only.items[i]) == 0;
        if (!found)
            return gs_fail(err, GS_E_ARGUMENT, "leap: %s has no function '%.80s'",
                           gs_image_name(image), c->only.items[i]);
    }
    return GS_OK;
}

gs_status gs_leap_list(gs_leap_listing *l, const gs_leap_config *c, const gs_image *image,
                       gs_error *err)
{
    size_t functions = gs_image_function_count(image);
    gs_status status = check_names(c, image, err);
    if (status != GS_OK)
        return status;
    l->addresses = malloc((functions + 1) * sizeof *l->addresses);
    l->numbers = malloc((functions + 1) * sizeof *l->numbers);
    if (!l->addresses || !l->numbers)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < functions; i++) {
        const gs_function *function = gs_image_function(image, i);
        if (!is_listed(c, function))
            continue;
        l->addresses[l->count] = (uint32_t)function->start;
        l->numbers[l->count++] = i;
    }
    uint32_t needed = gs_leap_entries_for(l->count);
    uint32_t entries = c->functions ? (uint32_t)c->functions : needed;
    if (l->count > needed)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: %s has %zu functions, more than %d; name some with only=FUNCTION",
                       gs_image_name(image), l->count, GS_LEAP_ENTRIES_MAX);
    if (l->count > entries)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: %s has %zu functions, more than %u entries; functions=%u has room, "
                       "or name some with only=FUNCTION",
                       gs_image_name(image), l->count, entries, needed);
    return gs_leap_hash_find(&l->hash, l->addresses, l->count, entries, err);
}

gs_status gs_leap_number(gs_leap_listing *l, const gs_image *image, gs_error *err)
{
    l->function_of = malloc(l->hash.entries * sizeof *l->function_of);
    l->tags = malloc(l->hash.entries * sizeof *l->tags);
    if (!l->function_of || !l->tags)
        return gs_fail_no_memory(err);
    for (uint32_t i = 0; i < l->hash.entries; i++) {
        l->function_of[i] = gs_image_function_count(image);
        l->tags[i] = 1; /* odd: not the address of a function */
    }
    for (size_t i = 0; i < l->count; i++) {
        uint32_t number = gs_leap_hash_of(&l->hash, l->addresses[i]);
        l->function_of[number] = l->numbers[i];
        l->tags[number] = l->addresses[i];
    }
    return GS_OK;
}
