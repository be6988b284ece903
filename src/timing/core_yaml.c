/* Turns a description's YAML into the numbers of a core. */
#include "timing/core_yaml.h"

#include <stdio.h>
#include <string.h>

#include "isa/rv/rv.h"
#include "timing/core_keys.h"
#include "timing/isa_text.h"

/* A number: where it stands in its section's struct, and where it goes. */
typedef struct number_key {
    const char *path;
    size_t from, to;
    uint64_t min, max;
    unsigned fallback;
    unsigned pipelines;
} number_key;

#define ENTRY(prefix, yaml, core, key, field, min, max, fallback, pipelines) \
    {prefix #key, offsetof(yaml, key), offsetof(core, field), min, max, fallback, pipelines},
static const number_key top_keys[] = {
#define TOP(...) ENTRY("", gs_yaml_core, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key fetch_keys[] = {
#define FETCH(...) ENTRY("fetch.", gs_yaml_fetch, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key branch_keys[] = {
#define BRANCH(...) ENTRY("branch.", gs_yaml_branch, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key predictor_keys[] = {
#define PREDICTOR(...) ENTRY("branch.predictor.", gs_yaml_predictor, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key memory_keys[] = {
#define MEMORY(...) ENTRY("memory.", gs_yaml_memory, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key vliw_keys[] = {
#define VLIW(...) ENTRY("vliw.", gs_yaml_vliw, gs_core, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
static const number_key class_keys[] = {
#define CLASS_KEY(...) ENTRY("", gs_yaml_class, gs_core_class, __VA_ARGS__)
#include "timing/core_keys.def"
    {0}};
#undef ENTRY

/* What is being read. */
typedef struct reader {
    gs_core *core;
    const gs_config *config;
    gs_error *err;
    char path[96]; /* for messages, made where it is needed */
} reader;

gs_status gs_core_keep(gs_core *core, const char **to, const char *text, gs_error *err)
{
    *to = text ? gs_arena_copy(&core->arena, text, strlen(text)) : NULL;
    return text && !*to ? gs_fail_no_memory(err) : GS_OK;
}

static gs_status keep(reader *r, const char **to, const char *text)
{
    return gs_core_keep(r->core, to, text, r->err);
}

/* Fails if the core's pipeline does not look at a key. */
static gs_status check_meaning(reader *r, const char *path, unsigned pipelines)
{
    if (pipelines >> r->core->pipeline & 1)
        return GS_OK;
    char names[100] = "";
    char *end = names;
    for (unsigned i = 0; i < GS_PIPELINE_COUNT; i++) {
        if (pipelines >> i & 1)
            end += sprintf(end, "%s%s", end == names ? "" : ", ",
                           gs_core_pipeline_name((gs_core_pipeline)i));
    }
    return gs_config_fail(r->config, r->err, path,
                          "this key has no meaning for pipeline %s; it has for %s",
                          gs_core_pipeline_name(r->core->pipeline), names);
}

/* One key of a table, from the section at `yaml` to the struct at `to`; not given, it becomes
 * what it is by default. */
static gs_status read_number(reader *r, const number_key *key, const char *path, const void *yaml,
                             void *to, unsigned fallback)
{
    const char *text = yaml ? *(char *const *)((const char *)yaml + key->from) : NULL;
    unsigned *field = (unsigned *)(void *)((char *)to + key->to);
    uint64_t value;

    *field = fallback;
    if (!text)
        return GS_OK;
    gs_status status = check_meaning(r, path, key->pipelines);
    if (!status)
        status = gs_config_number(r->config, path, text, key->min, key->max, &value, r->err);
    if (!status)
        *field = (unsigned)value;
    return status;
}

static gs_status read_numbers(reader *r, const number_key *keys, const void *yaml)
{
    gs_status status = GS_OK;
    for (; keys->path && !status; keys++)
        status = read_number(r, keys, keys->path, yaml, r->core, keys->fallback);
    return status;
}

/* Classes */

static const char *class_path(reader *r, const char *class, const char *key)
{
    snprintf(r->path, sizeof r->path, "classes.%s%s%s", class, key[0] ? "." : "", key);
    return r->path;
}

static bool is_multiplication(gs_timing_class class)
{
    return class == GS_CLASS_MUL || class == GS_CLASS_MULH || class == GS_CLASS_MULT;
}

static bool rule_fits(gs_core_operand_rule rule, gs_timing_class class)
{
    switch (rule) {
    case GS_OPERAND_RULE_SHIFT_STEPS: return class == GS_CLASS_SHIFT;
    case GS_OPERAND_RULE_EARLY_OUT: return is_multiplication(class) || class == GS_CLASS_DIV;
    case GS_OPERAND_RULE_DIVISOR_ZERO:
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND: return class == GS_CLASS_DIV;
    default: return true;
    }
}

/* A key that one rule needs and the others do not look at. */
static gs_status read_rule_key(reader *r, const char *name, const char *key, const char *text,
                               bool needed, uint64_t max, unsigned *to)
{
    const char *path = class_path(r, name, text ? key : "operand");
    uint64_t value = 0;

    if (!text && needed)
        return gs_config_fail(r->config, r->err, path, "this rule needs the key '%s' as well", key);
    if (!text)
        return GS_OK;
    if (!needed)
        return gs_config_fail(r->config, r->err, path, "this key has no meaning without %s",
                              strcmp(key, "step") ? "operand: divisor-zero"
                                                  : "operand: shift-steps or early-out");
    gs_status status = gs_config_number(r->config, path, text, 1, max, &value, r->err);
    *to = (unsigned)value;
    return status;
}

static gs_status read_operand_rule(reader *r, gs_core_class *class, const char *name,
                                   const gs_yaml_class *yaml, int number)
{
    gs_core_operand_rule rule = yaml->operand ? *yaml->operand : GS_OPERAND_RULE_NONE;
    gs_status status = GS_OK;

    class->operand = rule;
    if (yaml->operand)
        status = check_meaning(r, class_path(r, name, "operand"), S | P | C | H);
    if (!status && rule && (number < 0 || !rule_fits(rule, (gs_timing_class)number)))
        status = gs_config_fail(r->config, r->err, class_path(r, name, "operand"),
                                "this rule is not for class %s; shift-steps is for SHIFT, "
                                "early-out for MUL, MULH, MULT and DIV, divisor-zero and "
                                "negative-dividend for DIV",
                                name);
    if (!status)
        status =
            read_rule_key(r, name, "step", yaml->step,
                          rule == GS_OPERAND_RULE_SHIFT_STEPS || rule == GS_OPERAND_RULE_EARLY_OUT,
                          32, &class->step);
    if (!status)
        status = read_rule_key(r, name, "special", yaml->special,
                               rule == GS_OPERAND_RULE_DIVISOR_ZERO ||
                                   rule == GS_OPERAND_RULE_NEGATIVE_DIVIDEND,
                               10000, &class->special);
    return status;
}

/* `number` is the class's, or -1 for DEFAULT; `base` has what is not given. */
static gs_status read_class(reader *r, gs_core_class *class, const char *name, int number,
                            const gs_yaml_class *yaml, const gs_core_class *base)
{
    gs_status status = GS_OK;
    *class = *base;
    for (const number_key *key = class_keys; key->path && !status; key++) {
        unsigned fallback = *(const unsigned *)(const void *)((const char *)base + key->to);
        status = read_number(r, key, class_path(r, name, key->path), yaml, class, fallback);
    }
    if (!status)
        status = read_operand_rule(r, class, name, yaml, number);
    if (!status)
        status = keep(r, &class->why, yaml->why);
    return status;
}

static bool arch_has_class(const gs_core *core, gs_timing_class class)
{
    const gs_isa *isa = gs_isa_for(core->arch);
    if (core->any_isa)
        return true;
    for (unsigned op = GS_OP_FIRST; op < isa->op_count; op++) {
        if (isa->ops[op].timing == class)
            return true;
    }
    return false;
}

static gs_status read_classes(reader *r, const gs_yaml_classes *yaml)
{
    static const gs_yaml_classes nothing;
    gs_core *core = r->core;
    gs_core_class base = {0}, float_base;
    gs_status status = GS_OK;

    if (!yaml)
        yaml = &nothing;
    for (const number_key *key = class_keys; key->path; key++)
        *(unsigned *)(void *)((char *)&base + key->to) = key->fallback;
    if (yaml->fallback)
        status = read_class(r, &base, "DEFAULT", -1, yaml->fallback, &base);
    float_base = base;
    if (yaml->float_fallback && !status)
        status = read_class(r, &float_base, "FP_DEFAULT", -1, yaml->float_fallback, &base);
    for (int i = 0; i < GS_CLASS_COUNT && !status; i++) {
        const char *name = gs_class_names[i];
        bool is_float = gs_core_class_is_float((gs_timing_class)i);
        const gs_core_class *fallback = is_float ? &float_base : &base;
        core->classes[i] = *fallback;
        if (!yaml->of[i])
            continue;
        if (!arch_has_class(core, (gs_timing_class)i))
            return gs_config_fail(r->config, r->err, class_path(r, name, ""),
                                  "no %s instruction is of this class", core->isa_text);
        status = read_class(r, &core->classes[i], name, i, yaml->of[i], fallback);
    }
    return status;
}

/* Units */

static gs_status read_unit(reader *r, unsigned index, const gs_yaml_unit *yaml)
{
    gs_core *core = r->core;
    gs_core_unit *unit = &core->units[index];
    uint64_t count = 1;

    for (unsigned i = 0; i < index; i++) {
        snprintf(r->path, sizeof r->path, "units[%u].name", index);
        if (!strcmp(core->units[i].name, yaml->name))
            return gs_config_fail(r->config, r->err, r->path, "there are two units '%s'",
                                  yaml->name);
    }
    gs_status status = keep(r, &unit->name, yaml->name);
    snprintf(r->path, sizeof r->path, "units[%u].count", index);
    if (!status && yaml->count)
        status = gs_config_number(r->config, r->path, yaml->count, 1, GS_CORE_UNIT_COPIES_MAX,
                                  &count, r->err);
    unit->count = (unsigned)count;
    core->unit_count = index + 1;
    for (unsigned i = 0; i < yaml->classes_count && !status; i++) {
        gs_core_class *class = &core->classes[yaml->classes[i]];
        snprintf(r->path, sizeof r->path, "units[%u].classes[%u]", index, i);
        if (!arch_has_class(core, yaml->classes[i]))
            status = gs_config_fail(r->config, r->err, r->path, "no %s instruction is of class %s",
                                    core->isa_text, gs_class_names[yaml->classes[i]]);
        else if (class->unit)
            status =
                gs_config_fail(r->config, r->err, r->path, "unit '%s' has class %s already",
                               core->units[class->unit - 1].name, gs_class_names[yaml->classes[i]]);
        class->unit = index + 1;
    }
    return status;
}

static gs_status read_units(reader *r, const gs_yaml_core *yaml)
{
    gs_status status = yaml->units ? check_meaning(r, "units", C | W) : GS_OK;
    for (unsigned i = 0; i < yaml->units_count && !status; i++)
        status = read_unit(r, i, &yaml->units[i]);
    return status;
}

/* Sections */

static gs_status read_fetch(reader *r, const gs_yaml_fetch *yaml)
{
    gs_status status = read_numbers(r, fetch_keys, yaml);
    if (!status)
        status = keep(r, &r->core->fetch.why, yaml ? yaml->why : NULL);
    return status;
}

/* How the predictor numbers instructions: see predictor.h. */
static void suit_predictor(gs_core *core, const gs_isa_choice *isa)
{
    gs_predictor_config *predictor = &core->branch.predictor;
    bool compressed = core->arch == GS_ARCH_RV32 && (isa->any || core->extensions >> GS_RV_C & 1);
    predictor->unit_bytes = compressed ? 2 : 4;
    predictor->delay_slots = core->any_isa ? 0 : gs_isa_for(core->arch)->delay_slots;
}

static gs_status read_predictor(reader *r, const gs_yaml_predictor *yaml)
{
    static const char path[] = "branch.predictor";
    gs_predictor_config *predictor = &r->core->branch.predictor;

    gs_status status = read_numbers(r, predictor_keys, yaml);
    if (status || !yaml)
        return status;
    predictor->scheme = yaml->scheme;
    bool counts = yaml->scheme == GS_PREDICTOR_BIMODAL || yaml->scheme == GS_PREDICTOR_GSHARE;
    const struct {
        const char *key, *text;
        bool meant;
        const char *schemes;
    } keys[] = {
        {"entries", yaml->entries, counts, "bimodal or gshare"},
        {"counter_bits", yaml->counter_bits, counts, "bimodal or gshare"},
        {"counter_start", yaml->counter_start, counts, "bimodal or gshare"},
        {"history_bits", yaml->history_bits, yaml->scheme == GS_PREDICTOR_GSHARE, "gshare"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(r->path, sizeof r->path, "%s.%s", path, keys[i].key);
        if (keys[i].text && !keys[i].meant)
            return gs_config_fail(r->config, r->err, r->path,
                                  "this key has no meaning unless the scheme is %s",
                                  keys[i].schemes);
    }
    if (counts && !yaml->entries)
        return gs_config_fail(r->config, r->err, path, "the key 'entries' is missing");
    if (yaml->scheme == GS_PREDICTOR_GSHARE && !yaml->history_bits)
        predictor->history_bits = 31 - (unsigned)__builtin_clz(predictor->entries);
    return GS_OK;
}

static gs_status read_branch(reader *r, const gs_yaml_branch *yaml, const gs_isa_choice *isa)
{
    gs_status status = read_numbers(r, branch_keys, yaml);
    suit_predictor(r->core, isa);
    if (!status && yaml && yaml->resolve) {
        status = check_meaning(r, "branch.resolve", C);
        r->core->branch.resolve = *yaml->resolve;
    }
    if (!status && yaml && yaml->predictor)
        status = check_meaning(r, "branch.predictor", C | V | W);
    if (!status)
        status = read_predictor(r, yaml ? yaml->predictor : NULL);
    if (!status)
        status = keep(r, &r->core->branch.why, yaml ? yaml->why : NULL);
    return status;
}

static gs_status read_memory(reader *r, const gs_yaml_memory *yaml, const gs_yaml_fetch *fetch)
{
    gs_core_memory *memory = &r->core->memory;
    gs_status status = read_numbers(r, memory_keys, yaml);

    if (status || !yaml)
        return status;
    if (yaml->wait && !yaml->load_wait)
        memory->load_wait = memory->wait;
    if (yaml->wait && !(fetch && fetch->wait))
        r->core->fetch.wait = memory->wait;
    if (yaml->shared)
        status = check_meaning(r, "memory.shared", T);
    if (!status && yaml->fetch_first)
        status = check_meaning(r, "memory.priority", T);
    memory->shared = yaml->shared && *yaml->shared;
    memory->fetch_first = yaml->fetch_first && *yaml->fetch_first;
    if (!status && yaml->fetch_first && !memory->shared)
        status = gs_config_fail(r->config, r->err, "memory.priority",
                                "this key has no meaning without shared: yes");
    if (!status)
        status = keep(r, &memory->why, yaml->why);
    return status;
}

/* Without a cache and without wait states of its own, the classic pipeline reads from memory
 * itself, at memory's latency. */
static void find_direct(gs_core *core, const gs_yaml_core *yaml)
{
    bool wait = yaml->memory && yaml->memory->wait;
    if (core->pipeline != GS_PIPELINE_CLASSIC)
        return;
    core->memory.direct = !core->has_dcache && !wait && !(yaml->memory && yaml->memory->load_wait);
    core->fetch.direct = !core->has_icache && !wait && !(yaml->fetch && yaml->fetch->wait);
    if (core->fetch.direct)
        core->fetch.wait = gs_core_access_cycles(core, sizeof(uint32_t)) + 1;
}

/* Caches */

/* A key of one of the two caches. */
static const char *cache_path(reader *r, const char *cache, const char *key)
{
    snprintf(r->path, sizeof r->path, "%s.%s", cache, key);
    return r->path;
}

static gs_status read_cache_geometry(reader *r, gs_cache_config *cache, const char *name,
                                     const gs_yaml_cache *yaml)
{
    uint64_t size, line, ways = 1;
    gs_status status =
        gs_config_number(r->config, cache_path(r, name, "size"), yaml->size,
                         GS_CACHE_MIN_LINE_BYTES, GS_CACHE_MAX_SIZE_BYTES, &size, r->err);
    if (!status)
        status = gs_config_number(r->config, cache_path(r, name, "line"), yaml->line,
                                  GS_CACHE_MIN_LINE_BYTES, GS_CACHE_MAX_LINE_BYTES, &line, r->err);
    if (!status && yaml->ways) {
        status = check_meaning(r, cache_path(r, name, "ways"), C | W);
        if (!strcmp(yaml->ways, "full"))
            ways = GS_CACHE_FULLY_ASSOCIATIVE;
        else if (!status)
            status = gs_config_number(r->config, r->path, yaml->ways, 0, GS_CACHE_MAX_WAYS, &ways,
                                      r->err);
    }
    if (status)
        return status;
    cache->size_bytes = (uint32_t)size;
    cache->line_bytes = (uint32_t)line;
    cache->ways = (uint32_t)ways;
    return GS_OK;
}

static gs_status read_replacement(reader *r, gs_cache_config *cache, const char *name,
                                  const gs_yaml_cache *yaml)
{
    uint64_t seed = 0;
    gs_status status = GS_OK;

    if (yaml->replacement)
        status = check_meaning(r, cache_path(r, name, "replacement"), C | W);
    cache->replacement = yaml->replacement ? *yaml->replacement : GS_CACHE_LRU;
    if (!status && yaml->seed) {
        if (cache->replacement != GS_CACHE_RANDOM)
            return gs_config_fail(r->config, r->err, cache_path(r, name, "seed"),
                                  "this key has no meaning without replacement: random");
        status = gs_config_number(r->config, cache_path(r, name, "seed"), yaml->seed, 1, UINT32_MAX,
                                  &seed, r->err);
    }
    cache->seed = (uint32_t)seed;
    return status;
}

static gs_status read_cache(reader *r, bool *has, gs_cache_config *cache, const char *name,
                            const gs_yaml_cache *yaml)
{
    *has = yaml != NULL;
    if (!yaml)
        return GS_OK;
    gs_status status = check_meaning(r, name, C | V | T | W);
    if (!status)
        status = read_cache_geometry(r, cache, name, yaml);
    if (!status)
        status = read_replacement(r, cache, name, yaml);
    if (!status && yaml->write_back)
        status = check_meaning(r, cache_path(r, name, "write"), C | W);
    if (!status && yaml->allocate)
        status = check_meaning(r, cache_path(r, name, "allocate"), C | W);
    cache->write_back = yaml->write_back && *yaml->write_back;
    cache->write_allocate = yaml->allocate ? *yaml->allocate : cache->write_back;
    return status;
}

/* The core */

static gs_status read_isa(reader *r, gs_isa_choice *isa, const gs_yaml_core *yaml)
{
    gs_core *core = r->core;
    gs_error problem;

    if (gs_isa_parse(isa, yaml->isa, &problem) != GS_OK)
        return gs_config_fail(r->config, r->err, "isa", "%s", problem.message);
    core->any_isa = isa->any;
    core->arch = isa->arch;
    core->extensions = isa->extensions;
    return keep(r, &core->isa_text, yaml->isa);
}

static gs_status read_identity(reader *r, const gs_yaml_core *yaml)
{
    gs_core *core = r->core;
    char title[128];
    snprintf(title, sizeof title, "%s%s", yaml->name, gs_core_estimates(core) ? " (estimate)" : "");
    gs_status status = keep(r, &core->name, yaml->name);
    if (!status)
        status = keep(r, &core->title, title);
    if (!status)
        status = keep(r, &core->summary, yaml->summary ? yaml->summary : "");
    if (!status)
        status = keep(r, &core->evidence, yaml->evidence ? yaml->evidence : "");
    if (!status)
        status = gs_config_number(r->config, "clock_hz", yaml->clock_hz, 1, UINT64_C(1000000000000),
                                  &core->clock_hz, r->err);
    core->verified = yaml->verified && *yaml->verified;
    return status;
}

static gs_status read_alignment(reader *r, const gs_yaml_core *yaml)
{
    gs_core *core = r->core;
    bool mips = !core->any_isa && core->arch == GS_ARCH_MIPS32;
    core->strict_alignment = yaml->strict_alignment ? *yaml->strict_alignment : !core->any_isa;
    if (mips && !core->strict_alignment)
        return gs_config_fail(r->config, r->err, "misaligned",
                              "'allow' is not possible; a MIPS processor traps");
    return GS_OK;
}

gs_status gs_core_from_yaml(gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                            gs_error *err)
{
    reader r = {.core = core, .config = config, .err = err};
    gs_isa_choice isa;

    core->pipeline = yaml->pipeline;
    gs_status status = read_isa(&r, &isa, yaml);
    if (!status)
        status = read_identity(&r, yaml);
    if (!status)
        status = read_alignment(&r, yaml);
    if (!status)
        status = read_numbers(&r, top_keys, yaml);
    if (!status)
        status = read_classes(&r, yaml->classes);
    if (!status)
        status = read_units(&r, yaml);
    if (!status)
        status = read_fetch(&r, yaml->fetch);
    if (!status)
        status = read_branch(&r, yaml->branch, &isa);
    if (!status)
        status = read_cache(&r, &core->has_icache, &core->icache, "icache", yaml->icache);
    if (!status)
        status = read_cache(&r, &core->has_dcache, &core->dcache, "dcache", yaml->dcache);
    if (!status)
        status = read_memory(&r, yaml->memory, yaml->fetch);
    if (!status)
        find_direct(core, yaml);
    if (!status && yaml->vliw)
        status = check_meaning(&r, "vliw", W);
    if (!status && core->pipeline == GS_PIPELINE_VLIW)
        status = read_numbers(&r, vliw_keys, yaml->vliw);
    if (!status && core->pipeline == GS_PIPELINE_VLIW)
        status = gs_core_read_vliw(core, config, yaml, err);
    if (!status && yaml->energy)
        status = gs_core_read_energy(core, config, yaml->energy, err);
    if (!status)
        status = gs_core_check(core, config, yaml, err);
    return status;
}
