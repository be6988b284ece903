/* Opens cores by name or file, and lists those that are built in. */
#include "timing/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "timing/core_load.h"
#include "timing/core_yaml.h"

static const char kind[] = "cores";

static const struct {
    const char *name, *text;
} pipelines[GS_PIPELINE_COUNT] = {
    [GS_PIPELINE_SEQUENTIAL] = {"sequential",
                                "one instruction after the other, none delays another"},
    [GS_PIPELINE_PICORV32] = {"picorv32", "PicoRV32's state machine with its prefetching memory "
                                          "interface"},
    [GS_PIPELINE_CLASSIC] = {"classic", "fetch, decode, execute, memory, write back, in order"},
    [GS_PIPELINE_VEXRISCV] = {"vexriscv", "VexRiscv's five stages, in order, static prediction"},
    [GS_PIPELINE_TIGER] = {"tiger", "Tiger MIPS's five stages, in order, branches in decode"},
    [GS_PIPELINE_HAZARD3] = {"hazard3", "Hazard3's three stages, in order, one predicted branch"},
    [GS_PIPELINE_VLIW] = {"vliw", "bundles that a compiler makes of the program; an estimate"},
};

const char *gs_core_pipeline_name(gs_core_pipeline pipeline)
{
    return pipelines[pipeline].name;
}

const char *gs_core_pipeline_text(gs_core_pipeline pipeline)
{
    return pipelines[pipeline].text;
}

size_t gs_core_count(void)
{
    return gs_embedded_count_of(kind);
}

const char *gs_core_builtin(size_t index)
{
    return gs_embedded_name(kind, index);
}

bool gs_core_knows_key(const char *path)
{
    return gs_config_knows(&gs_core_schema, path);
}

/* Keeps the merged text, in the schema's order so that equal descriptions look equal. */
static gs_status keep_yaml(gs_core *core, gs_config_node *root, gs_error *err)
{
    char *text;
    size_t size;

    gs_config_order(root, &gs_core_schema);
    gs_status status = gs_config_print(&text, &size, root, err);
    if (status)
        return status;
    status = gs_core_keep(core, &core->yaml, text, err);
    free(text);
    return status;
}

static gs_status keep_files(gs_core *core, const gs_core_source *source, gs_error *err)
{
    const char **files = gs_arena_alloc(&core->arena, sizeof source->files);
    if (!files)
        return gs_fail_no_memory(err);
    memcpy(files, source->files, sizeof source->files);
    core->files = files;
    core->file_count = source->file_count;
    return GS_OK;
}

static gs_status build(gs_core *core, const gs_core_source *source, gs_error *err)
{
    gs_config config = {&gs_core_schema, source->root};
    void *yaml;

    core->extends = source->extends;
    core->changes = source->changes;
    gs_status status = gs_config_load(&config, &yaml, err);
    if (status)
        return status;
    status = gs_core_from_yaml(core, &config, yaml, err);
    gs_config_free(&config, yaml);
    if (!status)
        status = keep_files(core, source, err);
    return status ? status : keep_yaml(core, source->root, err);
}

/* Ends what the two functions below begin. */
static gs_status finish(gs_core **out, gs_core *core, const gs_core_source *source,
                        gs_status status, gs_error *err)
{
    if (!status)
        status = build(core, source, err);
    if (status) {
        gs_core_free(core);
        return status;
    }
    *out = core;
    return GS_OK;
}

gs_status gs_core_open(gs_core **out, const char *name, const char *const *set, size_t set_count,
                       gs_error *err)
{
    gs_core_source source;
    gs_core *core = calloc(1, sizeof *core);

    *out = NULL;
    if (!core)
        return gs_fail_no_memory(err);
    gs_status status = gs_core_load(&source, &core->arena, name, set, set_count, err);
    return finish(out, core, &source, status, err);
}

gs_status gs_core_parse(gs_core **out, const char *file, const char *text, size_t size,
                        const char *const *set, size_t set_count, gs_error *err)
{
    gs_core_source source;
    gs_core *core = calloc(1, sizeof *core);

    *out = NULL;
    if (!core)
        return gs_fail_no_memory(err);
    gs_status status =
        gs_core_load_text(&source, &core->arena, file, text, size, set, set_count, err);
    return finish(out, core, &source, status, err);
}

void gs_core_free(gs_core *core)
{
    if (!core)
        return;
    gs_arena_free(&core->arena);
    free(core);
}

const char *gs_core_name(const gs_core *core)
{
    return core->name;
}

const char *gs_core_title(const gs_core *core)
{
    return core->title;
}

bool gs_core_estimates(const gs_core *core)
{
    return core->pipeline == GS_PIPELINE_VLIW;
}

const char *gs_core_summary(const gs_core *core)
{
    return core->summary;
}

const char *gs_core_isa(const gs_core *core)
{
    return core->isa_text;
}

bool gs_core_runs(const gs_core *core, gs_arch arch)
{
    return core->any_isa || core->arch == arch;
}

uint64_t gs_core_clock_hz(const gs_core *core)
{
    return core->clock_hz;
}

bool gs_core_verified(const gs_core *core)
{
    return core->verified;
}

/* "tightly coupled data memory", "data memory with 2 wait states" */
static size_t put_waits(char *to, size_t size, const char *what, unsigned wait)
{
    int length =
        wait ? snprintf(to, size, "%smemory with %u wait state%s", what, wait, wait == 1 ? "" : "s")
             : snprintf(to, size, "tightly coupled %smemory", what);
    return (size_t)length;
}

const char *gs_core_memory_text(const gs_core *core, char text[GS_CORE_MEMORY_TEXT])
{
    const size_t size = GS_CORE_MEMORY_TEXT;
    unsigned fetch = core->fetch.wait, load = core->memory.load_wait;
    size_t at = 0;
    text[0] = '\0';
    if (core->pipeline == GS_PIPELINE_PICORV32)
        fetch = load = core->memory.wait;
    if (!core->has_icache && !core->has_dcache && !core->fetch.direct && !core->memory.direct &&
        fetch == load) {
        put_waits(text, size, "", fetch);
        return text;
    }
    if (core->fetch.direct)
        at += (size_t)snprintf(text, size, "no instruction cache: a fetch takes %u cycles", fetch);
    else if (!core->has_icache)
        at += put_waits(text, size, "instruction ", fetch);
    if (!core->has_dcache && at)
        at += (size_t)snprintf(text + at, size - at, "; ");
    if (core->memory.direct)
        snprintf(text + at, size - at, "no data cache: a load takes %u cycles",
                 gs_core_access_cycles(core, sizeof(uint32_t)) + 1);
    else if (!core->has_dcache)
        put_waits(text + at, size - at, "data ", load);
    return text;
}

const char *gs_core_file(const gs_core *core, size_t index)
{
    return index < core->file_count ? core->files[index] : NULL;
}

const char *gs_core_yaml(const gs_core *core)
{
    return core->yaml;
}

unsigned gs_core_access_cycles(const gs_core *core, unsigned bytes)
{
    const gs_core_memory *memory = &core->memory;
    unsigned words = (bytes + memory->width - 1) / memory->width;
    return memory->first + (words - 1) * memory->next + 1;
}

static bool isa_has_class(const gs_isa *isa, uint64_t extensions, gs_timing_class class)
{
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        const gs_encoding *encoding = &isa->encodings[i];
        if (extensions >> encoding->extension & 1 && encoding->op >= GS_OP_FIRST &&
            isa->ops[encoding->op].timing == class)
            return true;
    }
    return false;
}

bool gs_core_has_op(const gs_core *core, unsigned op)
{
    const gs_isa *isa = gs_isa_for(core->arch);
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        if (isa->encodings[i].op == op && core->extensions >> isa->encodings[i].extension & 1)
            return true;
    }
    return false;
}

bool gs_core_class_is_float(gs_timing_class class)
{
    return class >= GS_CLASS_FP_MOVE;
}

bool gs_core_has_class(const gs_core *core, gs_timing_class class)
{
    if (core->any_isa)
        return true;
    return isa_has_class(gs_isa_for(core->arch), core->extensions, class);
}
