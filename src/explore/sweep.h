/*
 * sweep.h - what the files behind gumshoe/sweep.h share.
 *
 * sweep_file.c reads a description, sweep_axis.c the values of its axes, sweep_designs.c combines
 * them, sweep_plan.c finds what can share a run, sweep_run.c runs it and sweep_store.c keeps it.
 * Texts live in the sweep's arena.
 */
#ifndef GS_EXPLORE_SWEEP_H
#define GS_EXPLORE_SWEEP_H

#include "base/arena.h"
#include "base/config_tree.h"
#include "explore/formula.h"
#include "gumshoe/core.h"
#include "gumshoe/image.h"
#include "gumshoe/sweep.h"
#include "probe/metrics.h"

enum {
    GS_SWEEP_MAX_DESIGNS = 1 << 18,
    GS_SWEEP_MAX_COMBINATIONS = 1 << 22, /* that are looked through for them */
    GS_SWEEP_MAX_BUILDS = 256,
    GS_SWEEP_MAX_AXES = 24,
    GS_SWEEP_MAX_SETTINGS = 64,
    GS_SWEEP_MAX_ARGUMENTS = 64,
};

typedef struct gs_sweep_texts {
    const char **items;
    size_t count, capacity;
} gs_sweep_texts;

/* What an axis varies. */
typedef enum gs_sweep_kind {
    GS_SWEEP_KEY, /* of the core's description */
    GS_SWEEP_CORE,
    GS_SWEEP_BOARD,
    GS_SWEEP_RAM,
    GS_SWEEP_FLAGS, /* for the compiler */
} gs_sweep_kind;

typedef struct gs_sweep_axis {
    const gs_config_node *node; /* whose key is its name */
    gs_sweep_kind kind;
    gs_sweep_texts values;
} gs_sweep_axis;

typedef struct gs_sweep_program {
    const gs_config_node *node;
    const char *name;
    gs_sweep_texts files; /* one executable, or C sources */
    bool compiled;
    gs_sweep_texts arguments, flags;
    const char *input; /* a file for standard input; or NULL */
} gs_sweep_program;

typedef struct gs_sweep_objective {
    const char *name, *text;
    gs_formula *formula;
} gs_sweep_objective;

/* A build as in the public header, and the executable that was made of it. */
typedef struct gs_sweep_executable {
    size_t program, design; /* the first of the points it is for */
    const char *const *set; /* settings that change what is compiled */
    size_t set_count;
    const char *const *flags;
    size_t flag_count;
    const char *path, *failure; /* one of them, once it is known */
    gs_image *image;
    uint64_t code_bytes;
    uint8_t hash[32]; /* of the file */
} gs_sweep_executable;

/* What a design says, put together from the description and its values. */
typedef struct gs_sweep_design {
    const char *core, *board; /* or NULL */
    uint64_t ram;             /* or 0 */
    const char *flags;        /* or NULL */
    const char *set[GS_SWEEP_MAX_SETTINGS];
    size_t set_count;
    char *texts; /* of `set`; freed by gs_sweep_design_clear() */
} gs_sweep_design;

/* Points that share a run, in `order` from `first` on. */
typedef struct gs_sweep_group {
    size_t first, count;
} gs_sweep_group;

struct gs_sweep {
    gs_arena arena;
    const char *path, *folder; /* of the description */
    const char *text;          /* it itself */
    const char *name;
    const char *core, *board; /* of all designs that do not say; or NULL */
    uint64_t ram;             /* or 0 */
    gs_sweep_texts set;
    uint64_t max_instructions, max_cycles; /* 0 for no limit */
    uint64_t sample, seed;                 /* 0: all designs */
    struct {
        gs_sweep_program *items;
        size_t count, capacity;
    } programs;
    struct {
        gs_sweep_axis *items;
        size_t count, capacity;
    } axes;
    struct {
        gs_formula **items;
        size_t count, capacity;
    } constraints;
    struct {
        gs_sweep_objective *items;
        size_t count, capacity;
    } objectives;
    bool is_list;        /* designs are given one by one */
    const char **values; /* of each design, as many as there are axes; NULL: not given */
    size_t design_count;
    struct {
        gs_sweep_executable *items;
        size_t count, capacity;
    } builds;
    uint32_t *build_of; /* by point */
    struct {
        gs_sweep_group *items;
        size_t count, capacity;
    } groups;
    uint32_t *order; /* points, by group */
    bool *linear;    /* by design: see sweep_linear.h; NULL where no axis is */
    uint8_t key[32]; /* what is run, as a hash: equal keys, equal results */
};

/* The same from memory; `name` is for messages. Paths are relative to its directory. */
gs_status gs_sweep_parse(gs_sweep **out, const char *name, const char *text, size_t size,
                         gs_error *err);

/* Reads the values of an axis: a list, or from, to and times or step. */
gs_status gs_sweep_read_axis(gs_sweep *sweep, gs_sweep_axis *axis, const gs_config_node *node,
                             gs_error *err);

/* Fills in `values` from the axes, the constraints and the sample. */
gs_status gs_sweep_combine(gs_sweep *sweep, const gs_config_node *where, gs_error *err);

/* Whether the axes' values, one of each or NULL, fulfil the constraints. */
gs_status gs_sweep_allows(const gs_sweep *sweep, const char *const *values, bool *allowed,
                          gs_error *err);

static inline const char *const *gs_sweep_values(const gs_sweep *sweep, size_t design)
{
    return sweep->values + design * sweep->axes.count;
}

/* Finds which builds are needed, and of which each point is. */
gs_status gs_sweep_find_builds(gs_sweep *sweep, gs_error *err);

gs_status gs_sweep_design_make(gs_sweep_design *design, const gs_sweep *sweep, size_t number,
                               gs_error *err);
void gs_sweep_design_clear(gs_sweep_design *design);

/* The core of a design, for a program. *out is the caller's. */
gs_status gs_sweep_open_core(gs_core **out, const gs_sweep_design *design, const gs_image *image,
                             gs_error *err);

/* "icache.size=4K memory.first=8"; free() it. NULL when memory is out. */
char *gs_sweep_label(const gs_sweep *sweep, size_t design);

/* {"icache.size": "4K"}, the same as JSON. */
char *gs_sweep_settings_json(const gs_sweep *sweep, size_t design);

/* Bits of storage of a core's caches and predictor: data, tags, valid and dirty bits, the order of
 * ways, counters, targets. */
uint64_t gs_sweep_storage_bits(const gs_core *core);

/* What a point has come to. Texts are borrowed. */
typedef struct gs_sweep_row {
    size_t point;
    const gs_core *core; /* NULL: it never ran, and `error` says why */
    const char *isa, *environment, *error;
    gs_exit exit;
    uint64_t clock_hz, storage_bits;
    gs_metrics total;
} gs_sweep_row;

/* Appends rows, all of them or none. A point that has one already keeps it. */
gs_status gs_sweep_store_append(gs_sweep_store *store, const gs_sweep_row *rows, size_t count,
                                gs_error *err);
const gs_sweep *gs_sweep_store_sweep(const gs_sweep_store *store);

#endif
