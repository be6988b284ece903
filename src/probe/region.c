/* Finds the edges of a region of interest: functions, addresses, markers. */
#include "probe/region.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char marker[] = "marker";

/* "marker" or "marker:VALUE". False if it is neither. */
static bool parse_marker(gs_region_edge *edge, const char *text)
{
    size_t length = strlen(marker);
    if (strncmp(text, marker, length) != 0 || (text[length] && text[length] != ':'))
        return false;
    edge->kind = text[length] ? GS_REGION_MARKER : GS_REGION_ANY_MARKER;
    return true;
}

static bool parse_number(const char *text, uint32_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    *value = (uint32_t)number;
    return isdigit((unsigned char)text[0]) && errno == 0 && *end == '\0' && number <= UINT32_MAX;
}

/* A copy that the compiler made of the function: its name with a suffix behind. */
static bool is_copy(const char *name, const char *of)
{
    static const char *const suffixes[] = {".constprop", ".isra", ".lto_priv"};
    size_t length = strlen(of);
    if (strncmp(name, of, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strncmp(name + length, suffixes[i], strlen(suffixes[i])) == 0)
            return true;
    }
    return false;
}

/* All functions of that name, or, if there is none, all copies of it. False if there are too many
 * or none. */
static bool find_functions(gs_region_edge *edge, const gs_image *image, const char *name)
{
    for (int copies = 0; copies < 2 && edge->count == 0; copies++) {
        for (size_t i = 0; i < gs_image_function_count(image); i++) {
            const gs_function *function = gs_image_function(image, i);
            if (copies ? !is_copy(function->name, name) : strcmp(function->name, name) != 0)
                continue;
            if (edge->count == GS_REGION_ENTRIES)
                return false;
            edge->pcs[edge->count++] = (gs_addr)function->start;
        }
    }
    return edge->count > 0;
}

static gs_status parse_edge(gs_region_edge *edge, const gs_image *image, const char *text,
                            gs_error *err)
{
    if (!text)
        return GS_OK;
    if (parse_marker(edge, text)) {
        if (edge->kind == GS_REGION_MARKER && !parse_number(text + sizeof marker, &edge->value))
            return gs_fail(err, GS_E_ARGUMENT,
                           "'%.80s' is no marker: a number belongs behind the colon", text);
        return GS_OK;
    }
    edge->kind = GS_REGION_CODE;
    if (isdigit((unsigned char)text[0])) {
        edge->count = 1;
        if (!parse_number(text, &edge->pcs[0]) || edge->pcs[0] & 1)
            return gs_fail(err, GS_E_ARGUMENT, "'%.80s' is not the address of an instruction",
                           text);
        return GS_OK;
    }
    if (!find_functions(edge, image, text))
        return gs_fail(err, GS_E_ARGUMENT,
                       edge->count ? "%s has too many functions '%.80s'; give an address"
                                   : "%s has no function '%.80s' where the region could begin or "
                                     "end; give its name in the symbol table, or an address",
                       gs_image_name(image), text);
    return GS_OK;
}

static void add_to_filter(gs_region *region, const gs_region_edge *edge)
{
    for (size_t i = 0; i < edge->count; i++)
        region->filter[edge->pcs[i] >> 1 & (GS_REGION_FILTER - 1)] = 1;
}

gs_status gs_region_open(gs_region **out, const gs_image *image, const char *from, const char *to,
                         gs_error *err)
{
    gs_region *region = calloc(1, sizeof *region);
    *out = region;
    if (!region)
        return gs_fail_no_memory(err);
    gs_status status = parse_edge(&region->from, image, from, err);
    if (status == GS_OK)
        status = parse_edge(&region->to, image, to, err);
    if (status != GS_OK) {
        gs_region_free(region);
        *out = NULL;
        return status;
    }
    add_to_filter(region, &region->from);
    add_to_filter(region, &region->to);
    region->number = UINT64_MAX;
    region->inside = region->from.kind == GS_REGION_OPEN;
    region->times = region->inside;
    return GS_OK;
}

void gs_region_free(gs_region *region)
{
    free(region);
}

uint64_t gs_region_times(const gs_region *region)
{
    return region->times;
}

/* The edge that is expected next. */
static const gs_region_edge *next_edge(const gs_region *region)
{
    return region->inside ? &region->to : &region->from;
}

static bool cross(gs_region *region)
{
    region->inside = !region->inside;
    region->times += region->inside;
    return true;
}

/* Counts markers that have been set since the last call: mostly one at most. */
static bool pass_markers(gs_region *region, const gs_machine *machine)
{
    bool before = region->inside;
    while (region->markers < machine->markers.count) {
        uint32_t value = machine->markers.items[region->markers++].value;
        const gs_region_edge *edge = next_edge(region);
        if (edge->kind == GS_REGION_ANY_MARKER ||
            (edge->kind == GS_REGION_MARKER && edge->value == value))
            cross(region);
    }
    return region->inside != before;
}

bool gs_region_arrive(gs_region *region, const gs_machine *machine)
{
    const gs_hart *hart = &machine->hart;
    bool crossed = pass_markers(region, machine);
    const gs_region_edge *edge = next_edge(region);
    if (region->arrived == hart->pc && region->number == hart->instret)
        return crossed; /* nothing has retired since it was crossed here */
    for (size_t i = 0; i < edge->count; i++) {
        if (edge->pcs[i] != hart->pc)
            continue;
        region->arrived = hart->pc;
        region->number = hart->instret;
        return cross(region) != crossed;
    }
    return crossed;
}

size_t gs_region_stops(const gs_region *region, gs_addr *stops)
{
    size_t count = 0;
    for (size_t i = 0; i < region->from.count; i++)
        stops[count++] = region->from.pcs[i];
    for (size_t i = 0; i < region->to.count; i++)
        stops[count++] = region->to.pcs[i];
    return count;
}
