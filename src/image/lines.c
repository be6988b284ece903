/*
 * From instructions to source lines.
 *
 * libdw gives a unit's rows in order of addresses: a row holds until the next
 * one. They become ranges, of which all units' together are sorted once, and
 * clipped where they overlap, which honest ones do not.
 */
#include "image/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

typedef struct row {
    uint64_t address;
    const char *file; /* libdw's */
    unsigned line, column;
    bool ends; /* a sequence: nothing is known of what follows */
} row;

static bool read_row(Dwarf_Lines *lines, size_t index, row *out)
{
    Dwarf_Line *line = dwarf_onesrcline(lines, index);
    Dwarf_Addr address;
    int number = 0, column = 0;
    *out = (row){0};
    if (!line || dwarf_lineaddr(line, &address) != 0 ||
        dwarf_lineendsequence(line, &out->ends) != 0)
        return false;
    out->address = address;
    if (out->ends)
        return true;
    if (dwarf_lineno(line, &number) == 0 && number > 0)
        out->line = (unsigned)number;
    if (dwarf_linecol(line, &column) == 0 && column > 0)
        out->column = (unsigned)column;
    out->file = dwarf_linesrc(line, NULL, NULL);
    return true;
}

static bool is_dropped_code(const gs_dwarf *dwarf, uint64_t address)
{
    return address < dwarf->dropped_end &&
           !(address >= dwarf->kept.start && address < dwarf->kept.end);
}

void gs_lines_collect(gs_dwarf *dwarf, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0 || count == 0)
        return;

    const char *last_file = NULL, *last_kept = NULL; /* most rows have the file of the one before */
    row current, next;
    bool valid = read_row(lines, 0, &current);
    for (size_t i = 1; i < count && gs_dwarf_spend(dwarf); i++) {
        bool next_valid = read_row(lines, i, &next);
        if (valid && next_valid && !current.ends && current.line && current.file &&
            current.address < next.address && gs_image_segment_at(dwarf->image, current.address) &&
            !is_dropped_code(dwarf, current.address)) {
            if (current.file != last_file) {
                last_file = current.file;
                last_kept = gs_dwarf_keep_path(dwarf, current.file);
            }
            gs_line_range range = {current.address, next.address, last_kept, current.line,
                                   current.column};
            if (!last_kept || !gs_vec_push(&dwarf->image->lines, range)) {
                dwarf->no_memory = true;
                return;
            }
        }
        current = next;
        valid = next_valid;
    }
}

static int by_start(const void *a, const void *b)
{
    const gs_line_range *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return left->file == right->file ? 0 : strcmp(left->file, right->file);
}

static bool continues(const gs_line_range *before, const gs_line_range *range)
{
    return before->end == range->start && before->file == range->file &&
           before->line == range->line && before->column == range->column;
}

void gs_lines_finish(gs_image *image)
{
    gs_line_range *ranges = image->lines.items;
    size_t kept = 0;
    if (image->lines.count)
        qsort(ranges, image->lines.count, sizeof *ranges, by_start);
    for (size_t i = 0; i < image->lines.count; i++) {
        gs_line_range range = ranges[i];
        gs_line_range *before = kept ? &ranges[kept - 1] : NULL;
        if (before && range.start < before->end)
            range.start = before->end;
        if (range.start >= range.end)
            continue;
        if (before && continues(before, &range))
            before->end = range.end;
        else
            ranges[kept++] = range;
    }
    image->lines.count = kept;
}

bool gs_image_line_at(const gs_image *image, uint64_t pc, gs_line *line)
{
    const size_t low = gs_count_up_to(image->lines.items, image->lines.count, start, pc);
    if (low == 0 || pc >= image->lines.items[low - 1].end)
        return false;
    const gs_line_range *range = &image->lines.items[low - 1];
    *line = (gs_line){range->file, range->line, range->column};
    return true;
}
