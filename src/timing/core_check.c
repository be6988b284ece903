/* Checks of a core description that concern several keys at once. */
#include <string.h>

#include "isa/rv/rv.h"
#include "timing/core_yaml.h"

typedef struct checker {
    const gs_core *core;
    const gs_config *config;
    const gs_yaml_core *yaml;
    gs_error *err;
} checker;

/* Pipelines that are models of one core know that core's instruction set only. */
static gs_status check_isa(const checker *c)
{
    const gs_core *core = c->core;
    const char *wanted = NULL;

    switch (core->pipeline) {
    case GS_PIPELINE_SEQUENTIAL: break;
    case GS_PIPELINE_CLASSIC: wanted = core->any_isa ? "one instruction set, not any" : NULL; break;
    case GS_PIPELINE_VLIW:
    case GS_PIPELINE_HAZARD3:
    case GS_PIPELINE_PICORV32:
        wanted = core->any_isa || core->arch != GS_ARCH_RV32 ? "an rv32 isa" : NULL;
        break;
    case GS_PIPELINE_VEXRISCV:
        wanted = core->any_isa || core->arch != GS_ARCH_RV32 || core->extensions >> GS_RV_C & 1
                     ? "an rv32 isa without c"
                     : NULL;
        break;
    default: wanted = core->any_isa || core->arch != GS_ARCH_MIPS32 ? "a mips isa" : NULL; break;
    }
    if (!wanted && core->pipeline != GS_PIPELINE_HAZARD3 && core->arch == GS_ARCH_RV32 &&
        core->extensions >> GS_RV_ZCMP & 1)
        wanted = "an isa without zcmp, whose accesses it does not know";
    if (!wanted)
        return GS_OK;
    return gs_config_fail(c->config, c->err, "isa", "'%s' is not possible; pipeline %s needs %s",
                          core->isa_text, gs_core_pipeline_name(core->pipeline), wanted);
}

/* Where several keys together make no sense, the one to blame: what the command line changed, if
 * it was one of them, else the first. The list ends with NULL. */
static const char *suspect(const checker *c, const char *const *paths)
{
    for (size_t i = 0; paths[i]; i++) {
        if (gs_config_find(c->config->root, paths[i])->line == 0)
            return paths[i];
    }
    return paths[0];
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static gs_status check_cache(const checker *c, const gs_cache_config *cache, const char *size,
                             const char *line, const char *ways)
{
    const char *path = suspect(c, (const char *const[]){size, line, ways, NULL});
    gs_error problem;

    if (gs_cache_check(cache, &problem) == GS_OK)
        return GS_OK;
    if (!is_power_of_two(cache->line_bytes))
        path = line;
    else if (!is_power_of_two(cache->size_bytes))
        path = size;
    else if (cache->ways && !is_power_of_two(cache->ways))
        path = ways;
    return gs_config_fail(c->config, c->err, path, "%s", problem.message);
}

static gs_status check_icache(const checker *c)
{
    if (!c->core->has_icache)
        return GS_OK;
    return check_cache(c, &c->core->icache, "icache.size", "icache.line", "icache.ways");
}

static gs_status check_dcache(const checker *c)
{
    if (!c->core->has_dcache)
        return GS_OK;
    return check_cache(c, &c->core->dcache, "dcache.size", "dcache.line", "dcache.ways");
}

static gs_status check_caches(const checker *c)
{
    const gs_core *core = c->core;
    if (core->pipeline != GS_PIPELINE_VEXRISCV && core->pipeline != GS_PIPELINE_TIGER)
        return GS_OK;
    if (core->has_icache && core->has_dcache)
        return GS_OK;
    return gs_config_fail(c->config, c->err, "", "the key '%s' is missing: pipeline %s needs it",
                          core->has_icache ? "dcache" : "icache",
                          gs_core_pipeline_name(core->pipeline));
}

/* With a cache, memory is seen through its misses only; without one, at every access. */
static gs_status check_memory_keys(const checker *c)
{
    static const gs_yaml_memory no_memory;
    static const gs_yaml_fetch no_fetch;
    const gs_core *core = c->core;
    const gs_yaml_memory *memory = c->yaml->memory ? c->yaml->memory : &no_memory;
    const gs_yaml_fetch *fetch = c->yaml->fetch ? c->yaml->fetch : &no_fetch;
    bool bursts = core->has_icache || core->has_dcache || core->memory.direct || core->fetch.direct;
    bool both = core->has_icache && core->has_dcache;
    bool writes = core->has_dcache || core->memory.direct || core->write_buffer;
    const struct {
        const char *path, *text;
        bool meant;
        const char *reason;
    } keys[] = {
        {"fetch.wait", fetch->wait, !core->has_icache, "with an instruction cache"},
        {"memory.load_wait", memory->load_wait, !core->has_dcache, "with a data cache"},
        {"memory.wait", memory->wait, !both, "with both caches"},
        {"memory.first", memory->first, bursts, "without a cache where wait states are given"},
        {"memory.next", memory->next, bursts, "without a cache where wait states are given"},
        {"memory.width", memory->width, bursts, "without a cache where wait states are given"},
        {"memory.uncached", memory->uncached,
         core->has_dcache || core->pipeline != GS_PIPELINE_CLASSIC, "without a data cache"},
        {"memory.write", memory->write, writes, "without a data cache or a write buffer"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].text && !keys[i].meant)
            return gs_config_fail(c->config, c->err, keys[i].path, "this key has no meaning %s",
                                  keys[i].reason);
    }
    return GS_OK;
}

static gs_status check_buffer(const checker *c)
{
    if (c->core->pipeline != GS_PIPELINE_VEXRISCV || c->core->write_buffer > 0)
        return GS_OK;
    return gs_config_fail(c->config, c->err, "memory.buffer",
                          "0 is not possible; pipeline vexriscv needs 1 or more");
}

static gs_status check_issue(const checker *c)
{
    enum { CLASSIC_WIDTH_MAX = 4 };
    if (c->core->pipeline != GS_PIPELINE_CLASSIC || c->core->issue_width <= CLASSIC_WIDTH_MAX)
        return GS_OK;
    return gs_config_fail(c->config, c->err, "issue_width",
                          "%u is out of range; allowed are 1 to %d with pipeline classic",
                          c->core->issue_width, CLASSIC_WIDTH_MAX);
}

/* Statically scheduled cores: a wrong guess needs a guess. */
static gs_status check_mispredicted(const checker *c)
{
    const gs_yaml_branch *branch = c->yaml->branch;
    if (c->core->pipeline != GS_PIPELINE_VLIW || !branch || !branch->mispredicted ||
        branch->predictor)
        return GS_OK;
    return gs_config_fail(c->config, c->err, "branch.mispredicted",
                          "this key has no meaning without branch.predictor");
}

static gs_status check_width(const checker *c)
{
    const gs_core *core = c->core;
    static const char *const keys[] = {"memory.width", "icache.line", "dcache.line", NULL};
    unsigned width = core->memory.width;
    if (!is_power_of_two(width))
        return gs_config_fail(c->config, c->err, "memory.width",
                              "%u is not possible; allowed are powers of two from 1 to 64", width);
    if ((core->has_icache && width > core->icache.line_bytes) ||
        (core->has_dcache && width > core->dcache.line_bytes))
        return gs_config_fail(c->config, c->err, suspect(c, keys),
                              "memory.width, %u bytes, is more than a cache line", width);
    return GS_OK;
}

static gs_status check_predictor(const checker *c)
{
    static const char *const keys[] = {
        "branch.predictor",
        "branch.predictor.entries",
        "branch.predictor.counter_bits",
        "branch.predictor.counter_start",
        "branch.predictor.history_bits",
        "branch.predictor.btb_entries",
        NULL,
    };
    const gs_predictor_config *predictor = &c->core->branch.predictor;
    gs_error problem;

    if (gs_predictor_check(predictor, &problem) != GS_OK)
        return gs_config_fail(c->config, c->err, suspect(c, keys), "%s", problem.message);
    if (c->core->pipeline == GS_PIPELINE_VEXRISCV && predictor->scheme > GS_PREDICTOR_BTFN)
        return gs_config_fail(c->config, c->err, "branch.predictor.scheme",
                              "this is not for pipeline vexriscv; allowed: not-taken, taken, btfn");
    return GS_OK;
}

/* One cycle is what no FPU takes for everything, so a core has to say what its own takes: DEFAULT
 * is about the other instructions. A core for any instruction set is a bound, not a processor. */
static gs_status check_float_classes(const checker *c)
{
    const gs_yaml_classes *classes = c->yaml->classes;
    if (c->core->any_isa || (classes && classes->float_fallback))
        return GS_OK;
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        gs_timing_class class = (gs_timing_class)i;
        if (!gs_core_class_is_float(class) || !gs_core_has_class(c->core, class) ||
            (classes && classes->of[i]))
            continue;
        return gs_config_fail(c->config, c->err, "isa",
                              "'%s' has instructions of class %s, and the core does not say "
                              "what they cost; give classes.%s, or classes.FP_DEFAULT for all "
                              "floating point classes that have no key of their own",
                              c->core->isa_text, gs_class_names[i], gs_class_names[i]);
    }
    return GS_OK;
}

static gs_status check_claims(const checker *c)
{
    const gs_yaml_core *yaml = c->yaml;
    if (yaml->verified_over && !c->core->verified)
        return gs_config_fail(c->config, c->err, "verified_over",
                              "this key has no meaning without verified: yes");
    for (unsigned i = 0; i < yaml->verified_over_count; i++) {
        if (!gs_config_knows(&gs_core_schema, yaml->verified_over[i]))
            return gs_config_fail(c->config, c->err, "verified_over", "there is no key '%s'",
                                  yaml->verified_over[i]);
    }
    return GS_OK;
}

gs_status gs_core_check(const gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                        gs_error *err)
{
    static gs_status (*const checks[])(const checker *) = {
        check_isa,           check_icache, check_dcache, check_caches,
        check_memory_keys,   check_buffer, check_width,  check_predictor,
        check_float_classes, check_claims, check_issue,  check_mispredicted,
    };
    const checker c = {core, config, yaml, err};
    gs_status status = GS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !status; i++)
        status = checks[i](&c);
    return status;
}
