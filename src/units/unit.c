/* Lists the kinds of units, and opens one. */
#include "units/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/unit.h"
#include "units/leap/leap.h"
#include "units/loops/loops.h"
#include "units/snoopp/snoopp.h"
#include "units/stats/stats.h"

static const gs_unit_kind *const kinds[] = {
    &gs_unit_leap,
    &gs_unit_snoopp,
    &gs_unit_stats,
    &gs_unit_loops,
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

size_t gs_unit_count(void)
{
    return KIND_COUNT;
}

const gs_unit_kind *gs_unit_at(size_t index)
{
    return kinds[index];
}

bool gs_unit_kind_find(const char *name, size_t *kind)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            *kind = i;
            return true;
        }
    }
    return false;
}

const gs_unit_kind *gs_unit_find(const char *name)
{
    size_t kind;
    return gs_unit_kind_find(name, &kind) ? kinds[kind] : NULL;
}

size_t gs_unit_kind_count(void)
{
    return KIND_COUNT;
}

const char *gs_unit_kind_name(size_t kind)
{
    return kinds[kind]->name;
}

const char *gs_unit_kind_summary(size_t kind)
{
    return kinds[kind]->summary;
}

size_t gs_unit_option_count(size_t kind)
{
    return kinds[kind]->option_count;
}

gs_unit_option_info gs_unit_option_at(size_t kind, size_t option)
{
    const gs_unit_option *from = &kinds[kind]->options[option];
    return (gs_unit_option_info){from->name, from->argument, from->help};
}

size_t gs_unit_print_count(size_t kind)
{
    return kinds[kind]->print_count;
}

gs_unit_print_info gs_unit_print_at(size_t kind, size_t print)
{
    const gs_unit_print *from = &kinds[kind]->prints[print];
    return (gs_unit_print_info){from->name, from->argument, from->program, from->help};
}

gs_status gs_unit_open(void **out, const gs_unit_kind *kind, const void *config,
                       const gs_unit_context *context, const void *before, gs_error *err)
{
    void *self = calloc(1, kind->state_size);
    *out = NULL;
    if (!self)
        return gs_fail_no_memory(err);
    gs_status status = kind->init(self, config, context, before, err);
    if (status == GS_OK)
        *out = self;
    else
        gs_unit_close(kind, self);
    return status;
}

void gs_unit_close(const gs_unit_kind *kind, void *self)
{
    if (!self)
        return;
    kind->fini(self);
    free(self);
}
