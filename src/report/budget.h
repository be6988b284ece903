/*
 * budget.h - limits on what a program and its parts may cost, from a YAML file.
 *
 * docs/budgets.md describes the file. A budget is read-only once open, and knows nothing of any
 * profile. A limit is on a quantity of a part: a metric or a count, of the part itself or with
 * all it calls, in all or per call, iteration, execution or instruction.
 */
#ifndef GS_REPORT_BUDGET_H
#define GS_REPORT_BUDGET_H

#include "base/arena.h"
#include "base/config_tree.h"
#include "gumshoe/report.h"
#include "probe/metrics.h"

typedef enum gs_part_kind {
    GS_PART_PROGRAM,
    GS_PART_FUNCTION,
    GS_PART_LOOP,
    GS_PART_LINE,
    GS_PART_KINDS
} gs_part_kind;

typedef enum gs_quantity {
    GS_QUANTITY_METRIC,
    GS_QUANTITY_STALLS,  /* of all causes */
    GS_QUANTITY_MISSES,  /* of both caches */
    GS_QUANTITY_SHARE,   /* percent of the program's cycles */
    GS_QUANTITY_COUNT,   /* calls, iterations, executions */
    GS_QUANTITY_ENTRIES, /* of a loop */
} gs_quantity;

typedef enum gs_per {
    GS_PER_NOTHING,
    GS_PER_COUNT, /* call, iteration, execution */
    GS_PER_ENTRY,
    GS_PER_INSTRUCTION,
} gs_per;

typedef struct gs_limit {
    const gs_config_node *node; /* its key is how it was written */
    gs_quantity quantity;
    gs_metric metric; /* if it is one */
    gs_per per;
    bool inclusive; /* with the loops in it, and all that is called */
    long double most;
} gs_limit;

typedef struct gs_part {
    gs_part_kind kind;
    const gs_config_node *node;
    const char *name; /* function, or file; "" for the program */
    uint32_t line;    /* 0: not given */
    uint32_t number;  /* loops: which of its function, from 1; 0: not given */
    bool optional;
    size_t first, count; /* limits */
} gs_part;

struct gs_budget {
    gs_arena arena;
    const char *name; /* of the file */
    struct {
        gs_part *items;
        size_t count, capacity;
    } parts;
    struct {
        gs_limit *items;
        size_t count, capacity;
    } limits;
};

/* The same from memory; `name` is for messages. */
gs_status gs_budget_parse(gs_budget **out, const char *name, const char *text, size_t size,
                          gs_error *err);

#endif
