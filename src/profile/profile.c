/* Frees a profile, and looks up its instructions and inclusive costs. */
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/search.h"

void gs_profile_run_clear(gs_profile_run *run)
{
    free(run->program);
    free(run->label);
    free(run->core);
    free(run->core_yaml);
    free(run->isa);
    free(run->environment);
    free(run->inherited);
    free(run->variables);
    free(run->region);
    free(run->commit);
    free(run->version);
}

gs_run_info gs_profile_run_info(const gs_profile_run *run, const gs_metrics *total)
{
    return (gs_run_info){
        .id = run->id,
        .label = run->label,
        .program = run->program,
        .core = run->core,
        .isa = run->isa,
        .environment = run->environment,
        .commit = run->commit,
        .version = run->version,
        .inherited = run->inherited,
        .variables = run->variables,
        .region = run->region,
        .started = run->started,
        .exit = run->exit,
        .exit_code = run->exit_code,
        .clock_hz = run->clock_hz,
        .cycles = total->value[GS_METRIC_CYCLES],
        .instructions = total->value[GS_METRIC_INSTRUCTIONS],
    };
}

bool gs_profile_thread_set_name(gs_profile_thread *thread, char *name)
{
    free(thread->name);
    free(thread->label);
    thread->label = NULL;
    thread->name = name;
    if (name && asprintf(&thread->label, "[%s]", name) < 0)
        thread->label = NULL;
    return thread->label != NULL;
}

gs_run_info gs_profile_info(const gs_profile *profile)
{
    return gs_profile_run_info(&profile->run, &profile->total);
}

uint64_t gs_profile_total(const gs_profile *profile, gs_metric metric)
{
    return profile->total.value[metric];
}

void gs_profile_free(gs_profile *profile)
{
    if (!profile)
        return;
    gs_profile_run_clear(&profile->run);
    for (size_t i = 0; i < profile->files.count; i++)
        free(profile->files.items[i]);
    for (size_t i = 0; i < profile->functions.count; i++)
        free(profile->functions.items[i].name);
    for (size_t i = 0; i < profile->insns.count; i++)
        free(profile->insns.items[i].text);
    for (size_t i = 0; i < profile->inlines.count; i++)
        free(profile->inlines.items[i].function);
    for (size_t i = 0; i < profile->threads.count; i++) {
        free(profile->threads.items[i].name);
        free(profile->threads.items[i].label);
    }
    for (size_t i = 0; i < profile->loaded_units.count; i++) {
        gs_result_fini(profile->loaded_units.items[i]);
        free(profile->loaded_units.items[i]);
    }
    void *const owned[] = {
        profile->loaded_units.items, profile->units.items,    profile->files.items,
        profile->functions.items,    profile->insns.items,    profile->nodes.items,
        profile->blocks.items,       profile->edges.items,    profile->loops.items,
        profile->inlines.items,      profile->timeline.items, profile->markers.items,
        profile->threads.items,      profile->switches.items};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(profile);
}

const gs_profile_insn *gs_profile_insn_at(const gs_profile *profile, uint32_t pc)
{
    const size_t low = gs_count_below(profile->insns.items, profile->insns.count, pc, pc);
    bool found = low < profile->insns.count && profile->insns.items[low].pc == pc;
    return found ? &profile->insns.items[low] : NULL;
}

gs_metrics *gs_profile_inclusive(const gs_profile *profile)
{
    size_t count = profile->nodes.count;
    gs_metrics *sums = calloc(count ? count : 1, sizeof *sums);
    for (size_t i = count; sums && i > 0; i--) {
        const gs_profile_node *node = &profile->nodes.items[i - 1];
        gs_metrics_add(&sums[i - 1], &node->self);
        if (node->parent != GS_PROFILE_NONE)
            gs_metrics_add(&sums[node->parent], &sums[i - 1]);
    }
    return sums;
}
