/* Which files the runs of a sweep read. */
#include <string.h>

#include "base/error.h"
#include "explore/sweep.h"
#include "gumshoe/core.h"

typedef struct listener {
    void (*tell)(void *self, const char *path);
    void *self;
} listener;

static void tell(const listener *to, const char *path)
{
    if (path)
        to->tell(to->self, path);
}

/* What is wrong with a description is the error of its points. */
static gs_status tell_core(const listener *to, const char *name, gs_error *err)
{
    gs_core *core = NULL;
    gs_error ignored;
    if (name && gs_core_open(&core, name, NULL, 0, &ignored) == GS_E_NO_MEMORY)
        return gs_fail_no_memory(err);
    for (size_t i = 0; core && gs_core_file(core, i); i++)
        tell(to, gs_core_file(core, i));
    gs_core_free(core);
    return GS_OK;
}

static gs_status tell_axis(const listener *to, const gs_sweep_axis *axis, gs_error *err)
{
    gs_status status = GS_OK;
    for (size_t i = 0; i < axis->values.count && status == GS_OK; i++) {
        if (i > 0 && strcmp(axis->values.items[i], axis->values.items[i - 1]) == 0)
            continue;
        if (axis->kind == GS_SWEEP_CORE)
            status = tell_core(to, axis->values.items[i], err);
        else if (axis->kind == GS_SWEEP_BOARD)
            tell(to, axis->values.items[i]);
    }
    return status;
}

gs_status gs_sweep_list_files(const gs_sweep *sweep,
                              void (*tell_path)(void *self, const char *path), void *self,
                              gs_error *err)
{
    const listener to = {tell_path, self};
    gs_status status = tell_core(&to, sweep->core, err);
    tell(&to, sweep->board);
    for (size_t i = 0; i < sweep->axes.count && status == GS_OK; i++)
        status = tell_axis(&to, &sweep->axes.items[i], err);
    for (size_t i = 0; i < sweep->programs.count; i++)
        tell(&to, sweep->programs.items[i].input);
    for (size_t i = 0; i < sweep->builds.count; i++)
        tell(&to, sweep->builds.items[i].path);
    return status;
}
