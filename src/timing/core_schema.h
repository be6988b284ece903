/*
 * core_schema.h - core descriptions as libcyaml reads them.
 *
 * Private to core*.c. Numbers are texts here, so that 16K and 50_000_000 can be written;
 * NULL is "not given", for numbers, texts, choices and whole sections.
 */
#ifndef GS_TIMING_CORE_SCHEMA_H
#define GS_TIMING_CORE_SCHEMA_H

#include <cyaml/cyaml.h>

#include "timing/core.h"

typedef struct gs_yaml_class {
#define CLASS_KEY(key, ...) char *key;
#include "timing/core_keys.def"
    gs_core_operand_rule *operand;
    char *step;
    char *special;
    char *why;
} gs_yaml_class;

typedef struct gs_yaml_classes {
    gs_yaml_class *fallback;       /* DEFAULT */
    gs_yaml_class *float_fallback; /* FP_DEFAULT */
    gs_yaml_class *of[GS_CLASS_COUNT];
} gs_yaml_classes;

typedef struct gs_yaml_unit {
    char *name;
    char *count;
    gs_timing_class *classes;
    unsigned classes_count;
} gs_yaml_unit;

typedef struct gs_yaml_fetch {
#define FETCH(key, ...) char *key;
#include "timing/core_keys.def"
    char *why;
} gs_yaml_fetch;

typedef struct gs_yaml_predictor {
    gs_predictor_scheme scheme;
#define PREDICTOR(key, ...) char *key;
#include "timing/core_keys.def"
} gs_yaml_predictor;

typedef struct gs_yaml_branch {
    gs_core_resolve *resolve;
#define BRANCH(key, ...) char *key;
#include "timing/core_keys.def"
    gs_yaml_predictor *predictor;
    char *why;
} gs_yaml_branch;

typedef struct gs_yaml_cache {
    char *size;
    char *line;
    char *ways;
    gs_cache_replacement *replacement;
    char *seed;
    bool *write_back; /* this and the next one of the data cache only */
    bool *allocate;
} gs_yaml_cache;

typedef struct gs_yaml_memory {
#define MEMORY(key, ...) char *key;
#include "timing/core_keys.def"
    bool *shared;
    bool *fetch_first;
    char *why;
} gs_yaml_memory;

/* Slots of a bundle that take the same classes. */
typedef struct gs_yaml_slots {
    char *count;
    gs_timing_class *classes; /* NULL: all of them */
    unsigned classes_count;
} gs_yaml_slots;

typedef struct gs_yaml_fused {
    char *name;
    char **of;
    unsigned of_count;
    gs_fused_link *link;
    char *inputs;
    char *outputs;
    char *latency;
    gs_timing_class *class;
} gs_yaml_fused;

typedef struct gs_yaml_vliw {
    bool *interlocked, *fixed_bundles, *superblocks, *pipelines, *optimistic, *hardware_loops;
#define VLIW(key, ...) char *key;
#include "timing/core_keys.def"
    gs_yaml_slots *slots;
    unsigned slots_count;
    gs_yaml_fused *fused;
    unsigned fused_count;
    char *why;
} gs_yaml_vliw;

typedef struct gs_yaml_group {
    char *name;
    char *power_mw;
    char **instructions;
    unsigned instructions_count;
} gs_yaml_group;

typedef struct gs_yaml_energy {
    char *source;
    char *clock_hz;
    char *stall_mw;
    gs_energy_stalls *stalls;
    char *average_stall_percent;
    gs_yaml_group *groups;
    unsigned groups_count;
    char *others;
} gs_yaml_energy;

typedef struct gs_yaml_core {
    char *name;
    char *summary;
    char *evidence;
    char *extends;
    bool *verified;
    char **verified_over;
    unsigned verified_over_count;
    char *isa;
    char *clock_hz;
    gs_core_pipeline pipeline;
    bool *strict_alignment;
#define TOP(key, ...) char *key;
#include "timing/core_keys.def"
    gs_yaml_unit *units;
    unsigned units_count;
    gs_yaml_classes *classes;
    gs_yaml_fetch *fetch;
    gs_yaml_branch *branch;
    gs_yaml_cache *icache, *dcache;
    gs_yaml_memory *memory;
    gs_yaml_vliw *vliw;
    gs_yaml_energy *energy;
} gs_yaml_core;

extern const cyaml_schema_value_t gs_core_schema; /* a gs_yaml_core */

#endif
