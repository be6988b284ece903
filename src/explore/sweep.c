/* What a sweep consists of, and its end. */
#include "explore/sweep.h"

#include <stdlib.h>

void gs_sweep_free(gs_sweep *sweep)
{
    if (!sweep)
        return;
    for (size_t i = 0; i < sweep->programs.count; i++) {
        free(sweep->programs.items[i].files.items);
        free(sweep->programs.items[i].arguments.items);
        free(sweep->programs.items[i].flags.items);
    }
    for (size_t i = 0; i < sweep->axes.count; i++)
        free(sweep->axes.items[i].values.items);
    for (size_t i = 0; i < sweep->constraints.count; i++)
        gs_formula_free(sweep->constraints.items[i]);
    for (size_t i = 0; i < sweep->objectives.count; i++)
        gs_formula_free(sweep->objectives.items[i].formula);
    for (size_t i = 0; i < sweep->builds.count; i++)
        gs_image_free(sweep->builds.items[i].image);
    free(sweep->programs.items);
    free(sweep->axes.items);
    free(sweep->constraints.items);
    free(sweep->objectives.items);
    free(sweep->builds.items);
    free(sweep->groups.items);
    free(sweep->set.items);
    free(sweep->values);
    free(sweep->build_of);
    free(sweep->order);
    free(sweep->linear);
    gs_arena_free(&sweep->arena);
    free(sweep);
}

const char *gs_sweep_name(const gs_sweep *sweep)
{
    return sweep->name;
}

size_t gs_sweep_design_count(const gs_sweep *sweep)
{
    return sweep->design_count;
}

size_t gs_sweep_program_count(const gs_sweep *sweep)
{
    return sweep->programs.count;
}

size_t gs_sweep_point_count(const gs_sweep *sweep)
{
    return sweep->design_count * sweep->programs.count;
}
