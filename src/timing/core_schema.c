/* The schema of core descriptions. */
#include "timing/core_schema.h"

enum { TEXT = CYAML_FLAG_POINTER, OPTIONAL = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };
enum { WORD = CYAML_FLAG_STRICT, OPTIONAL_WORD = CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL };
enum { NUMBER_MAX = 64, NAME_MAX_LENGTH = 64, LINE_MAX_LENGTH = 200, TEXT_MAX_LENGTH = 1000 };

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

#define NUMBER(name, structure, member) \
    CYAML_FIELD_STRING_PTR(name, OPTIONAL, structure, member, 1, NUMBER_MAX)
#define CHOICE(name, structure, member, choices) \
    CYAML_FIELD_ENUM_PTR(name, OPTIONAL_WORD, structure, member, choices, COUNT(choices))
#define WHY(structure) CYAML_FIELD_STRING_PTR("why", OPTIONAL, structure, why, 1, LINE_MAX_LENGTH)

static const cyaml_strval_t yes_no[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}};
static const cyaml_strval_t misaligned[] = {{"trap", 1}, {"allow", 0}};
static const cyaml_strval_t pipelines[] = {
    {"sequential", GS_PIPELINE_SEQUENTIAL},
    {"picorv32", GS_PIPELINE_PICORV32},
    {"classic", GS_PIPELINE_CLASSIC},
    {"vexriscv", GS_PIPELINE_VEXRISCV},
    {"tiger", GS_PIPELINE_TIGER},
    {"hazard3", GS_PIPELINE_HAZARD3},
    {"vliw", GS_PIPELINE_VLIW},
};
static const cyaml_strval_t operand_rules[] = {
    {"shift-steps", GS_OPERAND_RULE_SHIFT_STEPS},
    {"early-out", GS_OPERAND_RULE_EARLY_OUT},
    {"divisor-zero", GS_OPERAND_RULE_DIVISOR_ZERO},
    {"negative-dividend", GS_OPERAND_RULE_NEGATIVE_DIVIDEND},
};
static const cyaml_strval_t stages[] = {
    {"execute", GS_RESOLVE_EXECUTE},
    {"decode", GS_RESOLVE_DECODE},
};
static const cyaml_strval_t schemes[] = {
    {"not-taken", GS_PREDICTOR_NOT_TAKEN}, {"taken", GS_PREDICTOR_TAKEN},
    {"btfn", GS_PREDICTOR_BTFN},           {"bimodal", GS_PREDICTOR_BIMODAL},
    {"gshare", GS_PREDICTOR_GSHARE},
};
static const cyaml_strval_t replacements[] = {
    {"lru", GS_CACHE_LRU},
    {"fifo", GS_CACHE_FIFO},
    {"round-robin", GS_CACHE_ROUND_ROBIN},
    {"random", GS_CACHE_RANDOM},
};
static const cyaml_strval_t write_policies[] = {{"through", 0}, {"back", 1}};
static const cyaml_strval_t customers[] = {{"data", 0}, {"fetch", 1}};
static const cyaml_strval_t energy_stalls[] = {
    {"all", GS_ENERGY_STALLS_ALL},
    {"cache", GS_ENERGY_STALLS_CACHE},
};
static const cyaml_strval_t bundle_kinds[] = {{"variable", 0}, {"fixed", 1}};
static const cyaml_strval_t region_kinds[] = {{"block", 0}, {"superblock", 1}};
static const cyaml_strval_t alias_rules[] = {{"conservative", 0}, {"optimistic", 1}};
static const cyaml_strval_t links[] = {
    {"values", GS_FUSED_VALUES}, {"base", GS_FUSED_BASE}, {"adjacent", GS_FUSED_ADJACENT}};
static const cyaml_strval_t class_names[] = {
#define CLASS(name, text) {#name, GS_CLASS_##name},
#include "isa/classes.def"
#undef CLASS
};

static const cyaml_schema_field_t class_fields[] = {
#define CLASS_KEY(key, ...) NUMBER(#key, gs_yaml_class, key),
#include "timing/core_keys.def"
    CHOICE("operand", gs_yaml_class, operand, operand_rules),
    NUMBER("step", gs_yaml_class, step),
    NUMBER("special", gs_yaml_class, special),
    WHY(gs_yaml_class),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t classes_fields[] = {
    CYAML_FIELD_MAPPING_PTR("DEFAULT", OPTIONAL, gs_yaml_classes, fallback, class_fields),
    CYAML_FIELD_MAPPING_PTR("FP_DEFAULT", OPTIONAL, gs_yaml_classes, float_fallback, class_fields),
#define CLASS(name, text) \
    CYAML_FIELD_MAPPING_PTR(#name, OPTIONAL, gs_yaml_classes, of[GS_CLASS_##name], class_fields),
#include "isa/classes.def"
#undef CLASS
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t class_name_schema = {
    CYAML_VALUE_ENUM(WORD, gs_timing_class, class_names, COUNT(class_names)),
};
#define CLASSES(flags, structure)                                                     \
    CYAML_FIELD_SEQUENCE("classes", flags, structure, classes, &class_name_schema, 1, \
                         GS_CLASS_COUNT)
static const cyaml_schema_field_t unit_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, gs_yaml_unit, name, 1, NAME_MAX_LENGTH),
    NUMBER("count", gs_yaml_unit, count),
    CLASSES(TEXT, gs_yaml_unit),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t unit_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, gs_yaml_unit, unit_fields),
};

static const cyaml_schema_field_t fetch_fields[] = {
#define FETCH(key, ...) NUMBER(#key, gs_yaml_fetch, key),
#include "timing/core_keys.def"
    WHY(gs_yaml_fetch),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t predictor_fields[] = {
    CYAML_FIELD_ENUM("scheme", WORD, gs_yaml_predictor, scheme, schemes, COUNT(schemes)),
#define PREDICTOR(key, ...) NUMBER(#key, gs_yaml_predictor, key),
#include "timing/core_keys.def"
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t branch_fields[] = {
    CHOICE("resolve", gs_yaml_branch, resolve, stages),
#define BRANCH(key, ...) NUMBER(#key, gs_yaml_branch, key),
#include "timing/core_keys.def"
    CYAML_FIELD_MAPPING_PTR("predictor", OPTIONAL, gs_yaml_branch, predictor, predictor_fields),
    WHY(gs_yaml_branch),
    CYAML_FIELD_END,
};

#define CACHE_FIELDS                                                              \
    CYAML_FIELD_STRING_PTR("size", TEXT, gs_yaml_cache, size, 1, NUMBER_MAX),     \
        CYAML_FIELD_STRING_PTR("line", TEXT, gs_yaml_cache, line, 1, NUMBER_MAX), \
        NUMBER("ways", gs_yaml_cache, ways),                                      \
        CHOICE("replacement", gs_yaml_cache, replacement, replacements),          \
        NUMBER("seed", gs_yaml_cache, seed)
static const cyaml_schema_field_t icache_fields[] = {CACHE_FIELDS, CYAML_FIELD_END};
static const cyaml_schema_field_t dcache_fields[] = {
    CACHE_FIELDS,
    CHOICE("write", gs_yaml_cache, write_back, write_policies),
    CHOICE("allocate", gs_yaml_cache, allocate, yes_no),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t memory_fields[] = {
#define MEMORY(key, ...) NUMBER(#key, gs_yaml_memory, key),
#include "timing/core_keys.def"
    CHOICE("shared", gs_yaml_memory, shared, yes_no),
    CHOICE("priority", gs_yaml_memory, fetch_first, customers),
    WHY(gs_yaml_memory),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t name_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX_LENGTH),
};
static const cyaml_schema_field_t slot_fields[] = {
    NUMBER("count", gs_yaml_slots, count),
    CLASSES(OPTIONAL, gs_yaml_slots),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t slot_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, gs_yaml_slots, slot_fields),
};
static const cyaml_schema_value_t choice_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, LINE_MAX_LENGTH),
};
static const cyaml_schema_field_t fused_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, gs_yaml_fused, name, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_SEQUENCE("of", TEXT, gs_yaml_fused, of, &choice_schema, 2, GS_VLIW_FUSED_OPS_MAX),
    CHOICE("link", gs_yaml_fused, link, links),
    NUMBER("inputs", gs_yaml_fused, inputs),
    NUMBER("outputs", gs_yaml_fused, outputs),
    NUMBER("latency", gs_yaml_fused, latency),
    CYAML_FIELD_ENUM_PTR("class", OPTIONAL_WORD, gs_yaml_fused, class, class_names,
                         COUNT(class_names)),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t fused_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, gs_yaml_fused, fused_fields),
};
static const cyaml_schema_field_t vliw_fields[] = {
    CHOICE("interlocked", gs_yaml_vliw, interlocked, yes_no),
    CHOICE("bundles", gs_yaml_vliw, fixed_bundles, bundle_kinds),
    CHOICE("regions", gs_yaml_vliw, superblocks, region_kinds),
    CHOICE("pipelining", gs_yaml_vliw, pipelines, yes_no),
    CHOICE("alias", gs_yaml_vliw, optimistic, alias_rules),
    CHOICE("hardware_loops", gs_yaml_vliw, hardware_loops, yes_no),
#define VLIW(key, ...) NUMBER(#key, gs_yaml_vliw, key),
#include "timing/core_keys.def"
    CYAML_FIELD_SEQUENCE("slots", OPTIONAL, gs_yaml_vliw, slots, &slot_schema, 1,
                         GS_VLIW_WIDTH_MAX),
    CYAML_FIELD_SEQUENCE("fuse", OPTIONAL, gs_yaml_vliw, fused, &fused_schema, 1,
                         GS_VLIW_FUSED_MAX),
    WHY(gs_yaml_vliw),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t group_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, gs_yaml_group, name, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("power_mw", TEXT, gs_yaml_group, power_mw, 1, NUMBER_MAX),
    CYAML_FIELD_SEQUENCE("instructions", OPTIONAL, gs_yaml_group, instructions, &name_schema, 0,
                         1000),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t group_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, gs_yaml_group, group_fields),
};
static const cyaml_schema_field_t energy_fields[] = {
    CYAML_FIELD_STRING_PTR("source", OPTIONAL, gs_yaml_energy, source, 1, TEXT_MAX_LENGTH),
    NUMBER("clock_hz", gs_yaml_energy, clock_hz),
    CYAML_FIELD_STRING_PTR("stall_mw", TEXT, gs_yaml_energy, stall_mw, 1, NUMBER_MAX),
    CHOICE("stalls", gs_yaml_energy, stalls, energy_stalls),
    NUMBER("average_stall_percent", gs_yaml_energy, average_stall_percent),
    CYAML_FIELD_SEQUENCE("groups", TEXT, gs_yaml_energy, groups, &group_schema, 1,
                         GS_CORE_GROUP_MAX),
    CYAML_FIELD_STRING_PTR("others", OPTIONAL, gs_yaml_energy, others, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t core_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, gs_yaml_core, name, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("summary", OPTIONAL, gs_yaml_core, summary, 0, LINE_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("evidence", OPTIONAL, gs_yaml_core, evidence, 1, TEXT_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("extends", OPTIONAL, gs_yaml_core, extends, 1, 4096),
    CHOICE("verified", gs_yaml_core, verified, yes_no),
    CYAML_FIELD_SEQUENCE("verified_over", OPTIONAL, gs_yaml_core, verified_over, &name_schema, 0,
                         64),
    CYAML_FIELD_STRING_PTR("isa", TEXT, gs_yaml_core, isa, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("clock_hz", TEXT, gs_yaml_core, clock_hz, 1, NUMBER_MAX),
    CYAML_FIELD_ENUM("pipeline", WORD, gs_yaml_core, pipeline, pipelines, COUNT(pipelines)),
    CHOICE("misaligned", gs_yaml_core, strict_alignment, misaligned),
#define TOP(key, ...) NUMBER(#key, gs_yaml_core, key),
#include "timing/core_keys.def"
    CYAML_FIELD_SEQUENCE("units", OPTIONAL, gs_yaml_core, units, &unit_schema, 0, GS_CORE_UNIT_MAX),
    CYAML_FIELD_MAPPING_PTR("classes", OPTIONAL, gs_yaml_core, classes, classes_fields),
    CYAML_FIELD_MAPPING_PTR("fetch", OPTIONAL, gs_yaml_core, fetch, fetch_fields),
    CYAML_FIELD_MAPPING_PTR("branch", OPTIONAL, gs_yaml_core, branch, branch_fields),
    CYAML_FIELD_MAPPING_PTR("icache", OPTIONAL, gs_yaml_core, icache, icache_fields),
    CYAML_FIELD_MAPPING_PTR("dcache", OPTIONAL, gs_yaml_core, dcache, dcache_fields),
    CYAML_FIELD_MAPPING_PTR("memory", OPTIONAL, gs_yaml_core, memory, memory_fields),
    CYAML_FIELD_MAPPING_PTR("vliw", OPTIONAL, gs_yaml_core, vliw, vliw_fields),
    CYAML_FIELD_MAPPING_PTR("energy", OPTIONAL, gs_yaml_core, energy, energy_fields),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t gs_core_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, gs_yaml_core, core_fields),
};
