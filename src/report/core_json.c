/* A core description as JSON. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/json_parts.h"
#include "timing/core_keys.h"

/* A number of core_keys.def, where it has a meaning. */
#define KEY(key, field, min, max, fallback, pipelines) \
    if ((pipelines) >> core->pipeline & 1)             \
        gs_json_uint(json, #key, core->field);

static void text(gs_json *json, const char *key, const char *value)
{
    if (value)
        gs_json_string(json, key, value);
}

static void write_class(gs_json *json, const gs_core *core, unsigned number)
{
    static const char *const rules[] = {
        [GS_OPERAND_RULE_SHIFT_STEPS] = "shift-steps",
        [GS_OPERAND_RULE_EARLY_OUT] = "early-out",
        [GS_OPERAND_RULE_DIVISOR_ZERO] = "divisor-zero",
        [GS_OPERAND_RULE_NEGATIVE_DIVIDEND] = "negative-dividend",
    };
    const gs_core_class *class = &core->classes[number];

    gs_json_open_object(json, gs_class_names[number]);
#define CLASS_KEY(key, field, min, max, fallback, pipelines) \
    if ((pipelines) >> core->pipeline & 1)                   \
        gs_json_uint(json, #key, class->field);
#include "timing/core_keys.def"
    if (class->unit)
        gs_json_string(json, "unit", core->units[class->unit - 1].name);
    if (class->operand) {
        gs_json_string(json, "operand", rules[class->operand]);
        if (class->special)
            gs_json_uint(json, "special", class->special);
        else
            gs_json_uint(json, "step", class->step);
    }
    text(json, "why", class->why);
    gs_json_close_object(json);
}

static void write_units(gs_json *json, const gs_core *core)
{
    gs_json_open_array(json, "units");
    for (unsigned i = 0; i < core->unit_count; i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", core->units[i].name);
        gs_json_uint(json, "count", core->units[i].count);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void write_branch(gs_json *json, const gs_core *core)
{
    static const char *const schemes[] = {
        [GS_PREDICTOR_NOT_TAKEN] = "not-taken", [GS_PREDICTOR_TAKEN] = "taken",
        [GS_PREDICTOR_BTFN] = "btfn",           [GS_PREDICTOR_BIMODAL] = "bimodal",
        [GS_PREDICTOR_GSHARE] = "gshare",
    };
    const gs_predictor_config *predictor = &core->branch.predictor;

    gs_json_open_object(json, "branch");
    if (core->pipeline == GS_PIPELINE_CLASSIC)
        gs_json_string(json, "resolve",
                       core->branch.resolve == GS_RESOLVE_DECODE ? "decode" : "execute");
#define BRANCH KEY
#include "timing/core_keys.def"
    gs_json_open_object(json, "predictor");
    gs_json_string(json, "scheme", schemes[predictor->scheme]);
    if (predictor->scheme == GS_PREDICTOR_BIMODAL || predictor->scheme == GS_PREDICTOR_GSHARE) {
        gs_json_uint(json, "entries", predictor->entries);
        gs_json_uint(json, "counter_bits", predictor->counter_bits);
        gs_json_uint(json, "counter_start", predictor->counter_start);
    }
    if (predictor->scheme == GS_PREDICTOR_GSHARE)
        gs_json_uint(json, "history_bits", predictor->history_bits);
    gs_json_uint(json, "btb_entries", predictor->btb_entries);
    gs_json_uint(json, "return_stack", predictor->stack_depth);
    gs_json_close_object(json);
    text(json, "why", core->branch.why);
    gs_json_close_object(json);
}

static void write_cache(gs_json *json, const char *key, bool has, const gs_cache_config *cache,
                        bool data)
{
    static const char *const replacements[] = {
        [GS_CACHE_LRU] = "lru",
        [GS_CACHE_FIFO] = "fifo",
        [GS_CACHE_ROUND_ROBIN] = "round-robin",
        [GS_CACHE_RANDOM] = "random",
    };
    if (!has)
        return;
    gs_json_open_object(json, key);
    gs_json_uint(json, "size", cache->size_bytes);
    gs_json_uint(json, "line", cache->line_bytes);
    gs_json_uint(json, "ways", cache->ways ? cache->ways : cache->size_bytes / cache->line_bytes);
    gs_json_string(json, "replacement", replacements[cache->replacement]);
    if (cache->replacement == GS_CACHE_RANDOM)
        gs_json_uint(json, "seed", cache->seed ? cache->seed : GS_CACHE_SEED);
    if (data) {
        gs_json_string(json, "write", cache->write_back ? "back" : "through");
        gs_json_bool(json, "allocate", cache->write_allocate);
    }
    gs_json_close_object(json);
}

static void write_memory(gs_json *json, const gs_core *core)
{
    gs_json_open_object(json, "memory");
#define MEMORY KEY
#include "timing/core_keys.def"
    if (core->pipeline == GS_PIPELINE_TIGER) {
        gs_json_bool(json, "shared", core->memory.shared);
        gs_json_string(json, "priority", core->memory.fetch_first ? "fetch" : "data");
    }
    text(json, "why", core->memory.why);
    gs_json_close_object(json);
}

static void write_fused(gs_json *json, const gs_core *core, const gs_vliw_fused *fused)
{
    const gs_isa *isa = gs_isa_for(core->arch);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", fused->name);
    gs_json_open_array(json, "of");
    for (unsigned i = 0; i < fused->op_count; i++) {
        gs_json_open_array(json, NULL);
        for (unsigned k = 0; fused->ops[i][k]; k++)
            gs_json_string(json, NULL, isa->ops[fused->ops[i][k]].name);
        gs_json_close_array(json);
    }
    gs_json_close_array(json);
    gs_json_string(json, "link",
                   fused->link == GS_FUSED_VALUES ? "values"
                   : fused->link == GS_FUSED_BASE ? "base"
                                                  : "adjacent");
    gs_json_uint(json, "inputs", fused->inputs);
    gs_json_uint(json, "outputs", fused->outputs);
    gs_json_uint(json, "latency", fused->needs.latency - 1u);
    gs_json_close_object(json);
}

static void write_vliw(gs_json *json, const gs_core *core)
{
    const gs_vliw *target = &core->vliw;
    if (!gs_core_estimates(core))
        return;
    gs_json_open_object(json, "vliw");
    gs_json_bool(json, "interlocked", target->interlocked);
    gs_json_string(json, "bundles", target->fixed_bundles ? "fixed" : "variable");
    gs_json_string(json, "regions", target->superblocks ? "superblock" : "block");
    gs_json_bool(json, "pipelining", target->pipelines);
    gs_json_string(json, "alias", target->optimistic ? "optimistic" : "conservative");
    gs_json_bool(json, "hardware_loops", target->hardware_loops);
#define VLIW KEY
#include "timing/core_keys.def"
    gs_json_open_array(json, "slots");
    for (unsigned slot = 0; slot < target->width; slot++) {
        gs_json_open_array(json, NULL);
        for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
            if (target->classes[i].slots >> slot & 1 && gs_core_has_class(core, (gs_timing_class)i))
                gs_json_string(json, NULL, gs_class_names[i]);
        }
        gs_json_close_array(json);
    }
    gs_json_close_array(json);
    gs_json_open_array(json, "fuse");
    for (unsigned i = 0; i < target->fused_count; i++)
        write_fused(json, core, &target->fused[i]);
    gs_json_close_array(json);
    text(json, "why", core->vliw_why);
    gs_json_close_object(json);
}

static void write_energy(gs_json *json, const gs_core *core)
{
    const gs_core_energy *energy = &core->energy;
    const gs_isa *isa = gs_isa_for(core->arch);

    if (energy->group_count == 0)
        return;
    gs_json_open_object(json, "energy");
    gs_json_string(json, "source", energy->source);
    gs_json_uint(json, "clock_hz", energy->clock_hz);
    gs_json_double(json, "stall_mw", energy->stall_uw / 1000.0);
    gs_json_string(json, "stalls", energy->stalls == GS_ENERGY_STALLS_ALL ? "all" : "cache");
    if (energy->average_stall)
        gs_json_double(json, "average_stall_percent", energy->average_stall / 1000.0);
    gs_json_open_array(json, "groups");
    for (unsigned i = 0; i < energy->group_count; i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", energy->groups[i].name);
        gs_json_double(json, "power_mw", energy->groups[i].power_uw / 1000.0);
        gs_json_open_array(json, "instructions");
        for (unsigned op = GS_OP_FIRST; op < isa->op_count; op++) {
            if (energy->group_of[op] == i)
                gs_json_string(json, NULL, isa->ops[op].name);
        }
        if (energy->nop_group == i)
            gs_json_string(json, NULL, "nop");
        gs_json_close_array(json);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
}

gs_status gs_report_core_json(FILE *to, const gs_core *core, gs_error *err)
{
    gs_json writer, *json = &writer;

    gs_report_json_begin(json, to, "gumshoe-core-1");
    gs_json_string(json, "name", core->name);
    gs_json_string(json, "summary", core->summary);
    gs_json_string(json, "evidence", core->evidence);
    gs_json_bool(json, "verified", core->verified);
    text(json, "extends", core->extends);
    text(json, "changes", core->changes);
    gs_json_string(json, "isa", core->isa_text);
    gs_json_uint(json, "clock_hz", core->clock_hz);
    gs_json_string(json, "pipeline", gs_core_pipeline_name(core->pipeline));
    gs_json_string(json, "misaligned", core->strict_alignment ? "trap" : "allow");
#define TOP KEY
#include "timing/core_keys.def"
    write_units(json, core);
    gs_json_open_object(json, "classes");
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        if (gs_core_has_class(core, (gs_timing_class)i))
            write_class(json, core, i);
    }
    gs_json_close_object(json);
    gs_json_open_object(json, "fetch");
#define FETCH KEY
#include "timing/core_keys.def"
    text(json, "why", core->fetch.why);
    gs_json_close_object(json);
    write_branch(json, core);
    write_cache(json, "icache", core->has_icache, &core->icache, false);
    write_cache(json, "dcache", core->has_dcache, &core->dcache, true);
    write_memory(json, core);
    write_vliw(json, core);
    write_energy(json, core);
    gs_json_close_object(json);
    if (!gs_json_end(json))
        return gs_fail(err, GS_E_IO, "cannot write the JSON report: %s", strerror(errno));
    return GS_OK;
}
