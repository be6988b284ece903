/* The misses of all caches as tables, and the pairs that were timed. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "explore/cache_study.h"
#include "gumshoe/text.h"
#include "report/names.h"
#include "report/text_table.h"

static const char *const kinds[] = {"instruction", "data"};

static void put_bytes(char to[GS_TEXT_CELL], uint32_t bytes)
{
    if (bytes >= 1024 && bytes % 1024)
        snprintf(to, GS_TEXT_CELL, "%.4g KB", bytes / 1024.0);
    else if (bytes >= 1024)
        snprintf(to, GS_TEXT_CELL, "%u KB", bytes / 1024);
    else
        snprintf(to, GS_TEXT_CELL, "%u B", bytes);
}

/* One kind of cache, of one line size. */
typedef struct table {
    const gs_cache_study *study;
    bool data;
    uint32_t line;
    uint32_t first; /* size of the first row */
} table;

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const table *t = self;
    gs_cache_shape shape = {t->first << row, t->line, column > 0 ? 1u << (column - 1) : 1};
    gs_cache_misses misses;
    if (column == 0)
        put_bytes(to, shape.size);
    else if (gs_cache_study_misses(t->study, t->data, &shape, &misses))
        gs_text_digits(to, misses.read_misses + misses.write_misses);
    else
        strcpy(to, "-");
}

static void put_no_name(FILE *to, void *self, size_t row, unsigned room)
{
    (void)to;
    (void)self;
    (void)row;
    (void)room;
}

static unsigned no_name_width(void *self, size_t row)
{
    (void)self;
    (void)row;
    return 0;
}

static void put_table(FILE *to, const gs_cache_report *report, bool data, uint32_t line)
{
    static const gs_text_column columns[1 + WAY_COUNT] = {
        {.heading = "size"},   {.heading = "1 way"},  {.heading = "2 ways"},
        {.heading = "4 ways"}, {.heading = "8 ways"}, {.heading = "16 ways"}};
    const gs_cache_study *study = report->study;
    table t = {study, data, line, GS_STUDY_MIN_SIZE};
    const gs_cache_shape any = {GS_STUDY_MAX_SIZE, line, 1};
    gs_cache_misses all;
    (void)gs_cache_study_misses(study, data, &any, &all);
    fprintf(to, "\nMisses of %s caches with lines of %u bytes, LRU, in %s lookups", kinds[data],
            line, GS_TEXT_DIGITS(all.reads + all.writes));
    if (data)
        fprintf(to, ";\n%s of them are stores, which %s a line", GS_TEXT_DIGITS(all.writes),
                study->allocates ? "allocate" : "do not allocate");
    fputs("\n\n", to);
    const gs_text_table text = {.columns = columns,
                                .count = 1 + WAY_COUNT,
                                .rows = SIZES,
                                .width = report->width,
                                .colour = report->colour,
                                .self = &t,
                                .cell = put_cell,
                                .name = "",
                                .put_name = put_no_name,
                                .name_width = no_name_width};
    gs_text_table_put(to, &text);
}

static void put_shape(char to[GS_TEXT_CELL], const gs_cache_shape *shape)
{
    char size[GS_TEXT_CELL];
    put_bytes(size, shape->size);
    snprintf(to, GS_TEXT_CELL, "%.10s %u-way, %u B line", size, shape->ways, shape->line);
}

enum { BYTES, CYCLES, BEST, INSTRUCTIONS, DATA, POINT_COLUMNS };

static void put_point_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_cache_point *p = &((const gs_cache_report *)self)->points[row];
    switch (column) {
    case BYTES: put_bytes(to, p->instructions.size + p->data.size); break;
    case CYCLES: gs_text_digits(to, p->cycles); break;
    case BEST: strcpy(to, p->best ? "*" : ""); break;
    case INSTRUCTIONS:
        if (p->own_instructions)
            strcpy(to, "the core's own");
        else
            put_shape(to, &p->instructions);
        break;
    default: put_shape(to, &p->data); break;
    }
}

static void put_points(FILE *to, const gs_cache_report *report)
{
    static const gs_text_column columns[POINT_COLUMNS] = {
        [BYTES] = {.heading = "together"},
        [CYCLES] = {.heading = "cycles"},
        [BEST] = {.heading = "best", .left = true},
        [INSTRUCTIONS] = {.heading = "instruction cache", .left = true},
        [DATA] = {.heading = "data cache", .left = true}};
    fputs("\nCycles with both caches, exactly; *: no pair below takes fewer in as few bytes\n\n",
          to);
    const gs_text_table text = {.columns = columns,
                                .count = POINT_COLUMNS,
                                .rows = report->point_count,
                                .width = report->width,
                                .colour = report->colour,
                                .self = (void *)report,
                                .cell = put_point_cell,
                                .name = "",
                                .put_name = put_no_name,
                                .name_width = no_name_width};
    gs_text_table_put(to, &text);
}

/* The core's own line size if it is one of those that are followed. */
static uint32_t line_of(const gs_cache_report *report, bool data)
{
    const gs_core *core = report->study->core;
    const bool has = data ? core->has_dcache : core->has_icache;
    const uint32_t line = data ? core->dcache.line_bytes : core->icache.line_bytes;
    if (report->line)
        return report->line;
    return has && line >= GS_STUDY_MIN_LINE && line <= GS_STUDY_MAX_LINE ? line : 32;
}

/* What to know of the counts before they are used. */
static const char *caution(const gs_cache_report *report)
{
    return gs_machine_saw_time(report->machine)
               ? "The program has seen time: with other caches it may do something else than in "
                 "this run, which was "
                 "one in which everything hits."
               : NULL;
}

gs_status gs_report_caches(FILE *to, const gs_cache_report *report, gs_error *err)
{
    const char *name = gs_image_name(gs_machine_image(report->machine));
    const char *slash = strrchr(name, '/'), *no = gs_cache_study_no_instructions(report->study);
    fprintf(to, "%s on %s: %s instructions\n", slash ? slash + 1 : name, report->study->core->title,
            GS_TEXT_DIGITS(gs_machine_instructions(report->machine)));
    if (caution(report))
        gs_text_put_wrapped(to, caution(report), report->width);
    if (no)
        fprintf(to, "\nInstruction caches cannot be counted: %s\n", no);
    else
        put_table(to, report, false, line_of(report, false));
    put_table(to, report, true, line_of(report, true));
    if (report->point_count > 0)
        put_points(to, report);
    return gs_report_end(to, err);
}

gs_status gs_report_caches_csv(FILE *to, const gs_cache_report *report, gs_error *err)
{
    gs_cache_shape shape;
    fputs("cache,size,line,ways,reads,writes,read_misses,write_misses\n", to);
    for (int data = gs_cache_study_no_instructions(report->study) != NULL; data < 2; data++) {
        for (size_t i = 0; gs_cache_study_shape(i, &shape); i++) {
            gs_cache_misses m;
            (void)gs_cache_study_misses(report->study, data, &shape, &m);
            fprintf(to, "%s,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                    kinds[data], shape.size, shape.line, shape.ways, m.reads, m.writes,
                    m.read_misses, m.write_misses);
        }
    }
    return gs_report_end(to, err);
}

static void put_shape_json(gs_json *json, const char *key, const gs_cache_shape *shape)
{
    gs_json_open_object(json, key);
    gs_json_uint(json, "size", shape->size);
    gs_json_uint(json, "line", shape->line);
    gs_json_uint(json, "ways", shape->ways);
    gs_json_close_object(json);
}

static void put_caches_json(gs_json *json, const gs_cache_study *study, bool data)
{
    gs_cache_shape shape;
    gs_cache_misses m;
    gs_json_open_array(json, data ? "data" : "instruction");
    for (size_t i = 0; gs_cache_study_shape(i, &shape); i++) {
        (void)gs_cache_study_misses(study, data, &shape, &m);
        gs_json_open_object(json, NULL);
        gs_json_uint(json, "size", shape.size);
        gs_json_uint(json, "line", shape.line);
        gs_json_uint(json, "ways", shape.ways);
        gs_json_uint(json, "reads", m.reads);
        gs_json_uint(json, "writes", m.writes);
        gs_json_uint(json, "read_misses", m.read_misses);
        gs_json_uint(json, "write_misses", m.write_misses);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

gs_status gs_report_caches_json(FILE *to, const gs_cache_report *report, gs_error *err)
{
    const char *no = gs_cache_study_no_instructions(report->study);
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "schema", "gumshoe-caches-1");
    gs_json_string(&json, "program", gs_image_name(gs_machine_image(report->machine)));
    gs_json_string(&json, "core", report->study->core->title);
    gs_json_uint(&json, "instructions", gs_machine_instructions(report->machine));
    gs_json_bool(&json, "saw_time", gs_machine_saw_time(report->machine));
    gs_json_bool(&json, "write_allocate", report->study->allocates);
    if (!no)
        put_caches_json(&json, report->study, false);
    put_caches_json(&json, report->study, true);
    gs_json_open_array(&json, "points");
    for (size_t i = 0; i < report->point_count; i++) {
        const gs_cache_point *p = &report->points[i];
        gs_json_open_object(&json, NULL);
        if (!p->own_instructions)
            put_shape_json(&json, "instruction", &p->instructions);
        put_shape_json(&json, "data", &p->data);
        gs_json_uint(&json, "cycles", p->cycles);
        gs_json_bool(&json, "best", p->best);
        gs_json_close_object(&json);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    return gs_json_end(&json) ? gs_report_end(to, err)
                              : gs_fail(err, GS_E_IO, "cannot write all of the report");
}
