/*
 * rows.c - the rows of a view, for programs outside the library.
 *
 * A view (views.h) is what the writers print from; this hands out its fields one by one, and none
 * that the kind of row does not have.
 */
#include "gumshoe/rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/names.h"
#include "report/views.h"

struct gs_rows {
    const gs_profile *profile;
    gs_view view;
};

gs_status gs_rows_open(gs_rows **out, const gs_profile *profile, const gs_report_options *options,
                       gs_error *err)
{
    *out = NULL;
    gs_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return gs_fail_no_memory(err);
    rows->profile = profile;
    gs_status status = gs_view_open(&rows->view, profile, options, err);
    if (status == GS_OK)
        *out = rows;
    else
        free(rows);
    return status;
}

void gs_rows_free(gs_rows *rows)
{
    if (!rows)
        return;
    gs_view_close(&rows->view);
    free(rows);
}

size_t gs_rows_count(const gs_rows *rows)
{
    return rows->view.count;
}

size_t gs_rows_omitted(const gs_rows *rows)
{
    return rows->view.all - rows->view.count;
}

static const gs_view_row *at(const gs_rows *rows, size_t row)
{
    return &rows->view.items[row];
}

bool gs_rows_is_rest(const gs_rows *rows, size_t row)
{
    return gs_view_is_rest(&rows->view, at(rows, row)) ||
           (rows->view.by == GS_REPORT_BY_FUNCTION && at(rows, row)->function == GS_PROFILE_NONE);
}

const char *gs_rows_function(const gs_rows *rows, size_t row)
{
    uint32_t function = at(rows, row)->function;
    return function == GS_PROFILE_NONE ? NULL : gs_report_function_name(rows->profile, function);
}

const char *gs_rows_file(const gs_rows *rows, size_t row)
{
    uint32_t file = at(rows, row)->file;
    return file == GS_PROFILE_NONE ? NULL : gs_report_file_name(rows->profile, file);
}

unsigned gs_rows_line(const gs_rows *rows, size_t row)
{
    return at(rows, row)->file == GS_PROFILE_NONE ? 0 : at(rows, row)->line;
}

uint64_t gs_rows_address(const gs_rows *rows, size_t row)
{
    return at(rows, row)->address;
}

uint64_t gs_rows_end(const gs_rows *rows, size_t row)
{
    return at(rows, row)->end;
}

const char *gs_rows_text(const gs_rows *rows, size_t row)
{
    return at(rows, row)->text;
}

unsigned gs_rows_depth(const gs_rows *rows, size_t row)
{
    return at(rows, row)->depth;
}

static bool is_parent(gs_report_by by, const gs_view_row *parent, const gs_view_row *child)
{
    if (by == GS_REPORT_BY_CALL)
        return parent->id == child->parent;
    return child->around && !parent->text && parent->address == child->around &&
           parent->function == child->function;
}

size_t gs_rows_parent(const gs_rows *rows, size_t row)
{
    gs_report_by by = rows->view.by;
    if (by != GS_REPORT_BY_CALL && by != GS_REPORT_BY_LOOP)
        return GS_ROWS_NONE;
    /* The paths above a path stand before it, and the one right above it is not far. */
    for (size_t i = by == GS_REPORT_BY_CALL ? row : rows->view.count; i-- > 0;) {
        if (is_parent(by, at(rows, i), at(rows, row)))
            return i;
    }
    return GS_ROWS_NONE;
}

/* Two counts of a row mean something else in every kind of view. */
static uint64_t count_by(const gs_rows *rows, size_t row, gs_report_by one, gs_report_by another)
{
    return rows->view.by == one || rows->view.by == another ? at(rows, row)->count : 0;
}

uint64_t gs_rows_calls(const gs_rows *rows, size_t row)
{
    return count_by(rows, row, GS_REPORT_BY_FUNCTION, GS_REPORT_BY_CALL);
}

uint64_t gs_rows_executions(const gs_rows *rows, size_t row)
{
    return rows->view.by == GS_REPORT_BY_LINE
               ? at(rows, row)->count
               : count_by(rows, row, GS_REPORT_BY_BLOCK, GS_REPORT_BY_INSTRUCTION);
}

uint64_t gs_rows_taken(const gs_rows *rows, size_t row)
{
    return rows->view.by == GS_REPORT_BY_INSTRUCTION ? at(rows, row)->other : 0;
}

uint64_t gs_rows_entries(const gs_rows *rows, size_t row)
{
    return rows->view.by == GS_REPORT_BY_LOOP ? at(rows, row)->other : 0;
}

uint64_t gs_rows_iterations(const gs_rows *rows, size_t row)
{
    return count_by(rows, row, GS_REPORT_BY_LOOP, GS_REPORT_BY_LOOP);
}

uint64_t gs_rows_min_trips(const gs_rows *rows, size_t row)
{
    return at(rows, row)->min_trips;
}

uint64_t gs_rows_max_trips(const gs_rows *rows, size_t row)
{
    return at(rows, row)->max_trips;
}

uint64_t gs_rows_switches(const gs_rows *rows, size_t row)
{
    return count_by(rows, row, GS_REPORT_BY_THREAD, GS_REPORT_BY_THREAD);
}

uint64_t gs_rows_in_handlers(const gs_rows *rows, size_t row)
{
    return rows->view.by == GS_REPORT_BY_THREAD ? at(rows, row)->other : 0;
}

uint64_t gs_rows_self(const gs_rows *rows, size_t row, gs_metric metric)
{
    return at(rows, row)->self.value[metric];
}

uint64_t gs_rows_inclusive(const gs_rows *rows, size_t row, gs_metric metric)
{
    return rows->view.has_inclusive ? at(rows, row)->inclusive.value[metric] : 0;
}

size_t gs_rows_inlines(const gs_rows *rows, size_t row, gs_inline *frames, size_t max)
{
    size_t count = 0;
    uint32_t next = at(rows, row)->inlined;
    for (; next != GS_PROFILE_NONE; next = rows->profile->inlines.items[next].outer) {
        const gs_profile_inline *call = &rows->profile->inlines.items[next];
        if (count < max)
            frames[count] =
                (gs_inline){call->function, gs_report_file_name(rows->profile, call->call_file),
                            call->call_line};
        count++;
    }
    return count;
}

bool gs_rows_is_inlined(const gs_rows *rows, size_t row)
{
    uint32_t function = at(rows, row)->function;
    return function != GS_PROFILE_NONE && gs_report_is_inlined(rows->profile, function);
}

bool gs_rows_is_estimated(const gs_rows *rows, size_t row)
{
    return at(rows, row)->estimated;
}
