/* Builds the tables and remarks of a unit's result. */
#include "units/result.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gs_result_table *gs_result_add_table(gs_result *result, const char *key, const char *title,
                                     const gs_column *columns, size_t count)
{
    assert(count <= GS_TABLE_COLUMNS);
    gs_result_table *table = gs_arena_alloc(&result->arena, sizeof *table);
    gs_column *copy = gs_arena_alloc(&result->arena, count * sizeof *copy);
    if (!table || !copy) {
        result->no_memory = true;
        result->no_table = (gs_result_table){.result = result};
        return &result->no_table;
    }
    memcpy(copy, columns, count * sizeof *copy);
    *table = (gs_result_table){
        .key = key, .title = title, .columns = copy, .column_count = count, .result = result};
    gs_result_table **end = &result->tables;
    while (*end)
        end = &(*end)->next;
    *end = table;
    return table;
}

const gs_result_table *gs_result_find_table(const gs_result *result, const char *key)
{
    const gs_result_table *table = result->tables;
    while (table && strcmp(table->key, key) != 0)
        table = table->next;
    return table;
}

static bool grow(gs_result_table *table)
{
    size_t capacity = table->capacity ? 2 * table->capacity : 16;
    gs_cell *wider = realloc(table->cells, capacity * table->column_count * sizeof *wider);
    if (!wider)
        return false;
    table->cells = wider;
    table->capacity = capacity;
    return true;
}

gs_cell *gs_result_table_add_row(gs_result_table *table)
{
    bool lost = table == &table->result->no_table;
    if (lost || (table->row_count == table->capacity && !grow(table))) {
        table->result->no_memory = true;
        return table->result->no_cells;
    }
    gs_cell *row = &table->cells[table->row_count++ * table->column_count];
    memset(row, 0, table->column_count * sizeof *row);
    return row;
}

/* What vsnprintf() makes of it, in the arena; "" when memory is out. */
__attribute__((format(printf, 2, 0))) static const char *format_text(gs_result *result,
                                                                     const char *format,
                                                                     va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = length >= 0 ? gs_arena_alloc(&result->arena, (size_t)length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    else
        result->no_memory = true;
    va_end(again);
    return text ? text : "";
}

void gs_result_remark(gs_result *result, const char *format, ...)
{
    gs_remark *remark = gs_arena_alloc(&result->arena, sizeof *remark);
    if (!remark) {
        result->no_memory = true;
        return;
    }
    va_list args;
    va_start(args, format);
    remark->text = format_text(result, format, args);
    va_end(args);
    *(result->last_remark ? &result->last_remark->next : &result->remarks) = remark;
    result->last_remark = remark;
}

gs_cell gs_cell_text(gs_result *result, const char *text)
{
    const char *copy = gs_arena_copy(&result->arena, text, strlen(text));
    if (!copy)
        result->no_memory = true;
    return (gs_cell){.type = GS_CELL_TEXT, .text = copy ? copy : ""};
}

gs_cell gs_cell_format(gs_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gs_cell cell = {.type = GS_CELL_TEXT, .text = format_text(result, format, args)};
    va_end(args);
    return cell;
}

void gs_result_fini(gs_result *result)
{
    for (gs_result_table *table = result->tables; table; table = table->next)
        free(table->cells);
    gs_arena_free(&result->arena);
    *result = (gs_result){0};
}
