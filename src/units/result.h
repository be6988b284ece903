/*
 * result.h - what a unit says at the end of a run: tables, and remarks in words.
 *
 * One shape for all units, so that printing, JSON and the profile file need to know none of
 * them. Everything lives in the result's arena. A table that could not be completed because
 * memory is out leaves `no_memory` set; the code that builds a result checks it once, at the end.
 */
#ifndef GS_UNITS_RESULT_H
#define GS_UNITS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum gs_cell_type {
    GS_CELL_NONE, /* nothing to say here */
    GS_CELL_TEXT,
    GS_CELL_COUNT,      /* uint64_t */
    GS_CELL_DIFFERENCE, /* int64_t, written with its sign */
    GS_CELL_REAL,       /* double */
    GS_CELL_SHARE,      /* double: 0.25 is 25% */
    GS_CELL_ADDRESS,    /* uint32_t, written in hexadecimal */
} gs_cell_type;

typedef struct gs_cell {
    gs_cell_type type;
    union {
        const char *text; /* in the arena, or constant */
        uint64_t count;
        int64_t difference;
        double real;
        uint32_t address;
    };
} gs_cell;

typedef struct gs_column {
    const char *key;  /* for programs: lower case, words joined by '_' */
    const char *head; /* for people */
} gs_column;

typedef struct gs_result_table {
    const char *key;   /* of the table within its result */
    const char *title; /* a line above it for people; or NULL */
    const gs_column *columns;
    size_t column_count;
    gs_cell *cells; /* row by row; freed with the result */
    size_t row_count, capacity;
    struct gs_result *result;
    struct gs_result_table *next;
    bool hidden; /* too long for people: in JSON and in the profile file only */
    bool whole;  /* all rows belong together: never cut to the first few */
} gs_result_table;

enum { GS_TABLE_COLUMNS = 40 };

typedef struct gs_remark {
    const char *text;
    struct gs_remark *next;
} gs_remark;

typedef struct gs_result {
    gs_arena arena;
    const char *kind;        /* of the unit */
    const char *options;     /* as it was configured */
    gs_result_table *tables; /* in the order they were made */
    gs_remark *remarks, *last_remark;
    bool no_memory;
    gs_result_table no_table; /* takes what there was no memory for */
    gs_cell no_cells[GS_TABLE_COLUMNS];
} gs_result;

/* What several units said. Borrowed. */
typedef struct gs_results {
    const gs_result *const *items;
    size_t count;
} gs_results;

/* At most GS_TABLE_COLUMNS `columns`, which are copied; their texts are not. Never NULL: when
 * memory is out, what is written to the table goes nowhere. */
gs_result_table *gs_result_add_table(gs_result *result, const char *key, const char *title,
                                     const gs_column *columns, size_t count);

/* The table of that key, or NULL. */
const gs_result_table *gs_result_find_table(const gs_result *result, const char *key);

/* A new row of NONE cells, to be filled before the next one is added. */
gs_cell *gs_result_table_add_row(gs_result_table *table);

/* A remark in words. */
void gs_result_remark(gs_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Cells. A text is copied. */
gs_cell gs_cell_text(gs_result *result, const char *text);
gs_cell gs_cell_format(gs_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline gs_cell gs_cell_count(uint64_t count)
{
    return (gs_cell){.type = GS_CELL_COUNT, .count = count};
}

static inline gs_cell gs_cell_difference(uint64_t measured, uint64_t exact)
{
    return (gs_cell){.type = GS_CELL_DIFFERENCE, .difference = (int64_t)(measured - exact)};
}

static inline gs_cell gs_cell_real(double real)
{
    return (gs_cell){.type = GS_CELL_REAL, .real = real};
}

static inline gs_cell gs_cell_share(double share)
{
    return (gs_cell){.type = GS_CELL_SHARE, .real = share};
}

/* Nothing is no share of nothing. */
static inline gs_cell gs_cell_share_of(uint64_t part, uint64_t whole)
{
    return gs_cell_share(whole ? (double)part / (double)whole : 0);
}

static inline gs_cell gs_cell_address(uint32_t address)
{
    return (gs_cell){.type = GS_CELL_ADDRESS, .address = address};
}

/* What a counter shows beside the truth, in three columns: `head` is above the first. */
#define GS_JUDGED_COLUMNS(head)            \
    {"counted", head}, {"exact", "exact"}, \
    {                                      \
        "difference", "difference"         \
    }

/* Fills these, and returns the cell behind them. `exact` is NULL if it is not known. */
static inline gs_cell *gs_cells_judge(gs_cell *row, uint64_t counted, const uint64_t *exact)
{
    row[0] = gs_cell_count(counted);
    if (exact) {
        row[1] = gs_cell_count(*exact);
        row[2] = gs_cell_difference(counted, *exact);
    }
    return row + 3;
}

void gs_result_fini(gs_result *result);

#endif
