/* The result of a run as JSON. */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "gumshoe/energy.h"
#include "gumshoe/run.h"
#include "machine/machine.h"
#include "report/markers.h"
#include "report/json_parts.h"
#include "timing/energy.h"

static const char *const kinds[] = {
    [GS_EXIT_NONE] = "running", [GS_EXIT_CODE] = "code", [GS_EXIT_SIGNAL] = "signal",
    [GS_EXIT_LIMIT] = "limit",  [GS_EXIT_HALT] = "halt", [GS_EXIT_INTERRUPTED] = "interrupted",
};

static void write_cache(gs_json *json, const char *key, const gs_cache_counts *counts)
{
    gs_json_open_object(json, key);
    gs_json_uint(json, "hits", counts->hits);
    gs_json_uint(json, "misses", counts->misses);
    gs_json_uint(json, "evictions", counts->evictions);
    gs_json_uint(json, "writebacks", counts->writebacks);
    gs_json_close_object(json);
}

static void write_energy(gs_json *json, const gs_timing *timing)
{
    const gs_core *core = gs_timing_core(timing);
    uint64_t energy = gs_timing_energy_fj(timing), cycles = gs_timing_cycles(timing);
    double average = gs_core_energy_average_stall(core), stalls = gs_timing_stall_percent(timing);
    gs_json_open_object(json, "energy");
    gs_json_string(json, "source", gs_core_energy_source(core));
    gs_json_uint(json, "energy_fj", energy);
    if (cycles)
        gs_json_double(json, "average_mw",
                       (double)energy * 1e-12 / (double)cycles * (double)gs_core_clock_hz(core));
    gs_json_double(json, "stall_percent", stalls);
    if (average > 0)
        gs_json_double(json, "correction", gs_energy_correction(average, stalls));
    gs_json_close_object(json);
}

static void write_timing(gs_json *json, const gs_timing *timing)
{
    gs_json_string(json, "core", gs_core_title(gs_timing_core(timing)));
    if (gs_core_estimates(gs_timing_core(timing)))
        gs_json_bool(json, "estimate", true);
    gs_json_uint(json, "cycles", gs_timing_cycles(timing));
    gs_json_uint(json, "issue_cycles", gs_timing_issue_cycles(timing));
    gs_json_open_object(json, "stalls");
    for (size_t i = 0; i < gs_timing_stall_count(); i++)
        gs_json_uint(json, gs_timing_stall_key(i), gs_timing_stalls(timing, i));
    gs_json_close_object(json);

    if (gs_core_has_energy(gs_timing_core(timing)))
        write_energy(json, timing);

    gs_cache_counts counts;
    gs_json_open_object(json, "caches");
    if (gs_timing_icache(timing, &counts))
        write_cache(json, "i", &counts);
    if (gs_timing_dcache(timing, &counts))
        write_cache(json, "d", &counts);
    gs_json_close_object(json);

    gs_branch_counts branches = gs_timing_branches(timing);
    gs_json_open_object(json, "branches");
    gs_json_uint(json, "executed", branches.executed);
    gs_json_uint(json, "taken", branches.taken);
    gs_json_uint(json, "mispredicted", branches.mispredicted);
    gs_json_close_object(json);
}

static void write_sandbox(gs_json *json, const gs_sandbox *sandbox)
{
    gs_json_open_object(json, "sandbox");
    gs_json_string(json, "files",
                   gs_sandbox_kind(sandbox) == GS_SANDBOX_ALL ? "all"
                   : gs_sandbox_has_root(sandbox)             ? "root"
                                                              : "listed");
    gs_json_open_array(json, "paths");
    for (size_t i = 0; i < gs_sandbox_path_count(sandbox); i++) {
        gs_sandbox_path path = gs_sandbox_path_at(sandbox, i);
        gs_json_open_object(json, NULL);
        gs_json_string(json, "path", path.path);
        gs_json_bool(json, "read_only", path.read_only);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
}

static void write_edge(gs_json *json, const char *key, const char *edge)
{
    if (edge)
        gs_json_string(json, key, edge);
}

static void write_region(gs_json *json, const gs_region_report *region, const gs_timing *timing)
{
    gs_json_open_object(json, "region");
    write_edge(json, "from", region->from);
    write_edge(json, "to", region->to);
    gs_json_uint(json, "times", gs_region_times(region->region));
    for (gs_metric metric = 0; metric < GS_METRIC_COUNT; metric++) {
        if (timing || metric == GS_METRIC_INSTRUCTIONS || metric == GS_METRIC_TRAPS)
            gs_json_uint(json, gs_metric_key(metric), gs_recorder_count(region->recorder, metric));
    }
    gs_json_close_object(json);
}

gs_status gs_report_run_json(FILE *to, const gs_machine *machine, const gs_timing *timing,
                             const gs_units *units, const gs_region_report *region, gs_error *err)
{
    gs_json json;
    const gs_exit *exit = &machine->exit;

    gs_report_json_begin(&json, to, "gumshoe-run-1");
    gs_json_string(&json, "program", gs_image_name(machine->image));
    gs_json_string(&json, "isa", machine->isa->name);
    gs_json_string(&json, "byte_order", machine->memory.big_endian ? "big" : "little");
    gs_json_string(&json, "environment", machine->environment->name);
    char inherited[GS_MACHINE_INHERITED];
    gs_machine_inherited(machine, inherited);
    gs_report_json_guest(&json, inherited, machine->variables);
    gs_json_string(&json, "engine", machine->translated ? "fast" : "reference");
    gs_json_uint(&json, "translated_instructions", machine->translated);
    if (gs_machine_reference_reason(machine))
        gs_json_string(&json, "reference_reason", gs_machine_reference_reason(machine));
    if (gs_machine_optimizer_reason(machine))
        gs_json_string(&json, "optimizer_reason", gs_machine_optimizer_reason(machine));
    write_sandbox(&json, machine->sandbox);
    gs_json_open_object(&json, "exit");
    gs_json_string(&json, "kind", kinds[exit->kind]);
    if (exit->kind == GS_EXIT_CODE)
        gs_json_int(&json, "code", exit->code);
    if (exit->kind == GS_EXIT_SIGNAL)
        gs_json_int(&json, "signal", exit->signal);
    if (exit->message[0])
        gs_json_string(&json, "message", exit->message);
    gs_json_close_object(&json);
    gs_json_uint(&json, "instructions", machine->hart.instret);
    if (timing)
        write_timing(&json, timing);
    if (region && region->region)
        write_region(&json, region, timing);
    gs_report_json_markers(&json, machine->markers.items, machine->markers.count, timing);
    if (units)
        gs_report_json_units(&json, "units", units);
    gs_json_close_object(&json);
    if (!gs_json_end(&json))
        return gs_fail(err, GS_E_IO, "cannot write the JSON report: %s", strerror(errno));
    return GS_OK;
}
