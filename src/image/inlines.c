/*
 * Inlined calls: ranges of code with the function they came from.
 *
 * Calls inlined into inlined calls nest, so sorted by start the innermost range
 * around an address is the last one that starts before it, or one of those that
 * enclose that one.
 */
#include "image/dwarf.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

enum { MAX_TREE_DEPTH = 256 };

/* A debugging information entry on the way down. */
typedef struct level {
    Dwarf_Die die;
    uint32_t inlined; /* inlined calls around this one */
} level;

static const char *linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!name)
        name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    if (!name)
        name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return name;
}

static Dwarf_Word number(Dwarf_Die *die, unsigned attribute_name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, attribute_name, &attribute), &value) != 0)
        return 0;
    return value;
}

static const char *call_file(Dwarf_Die *die, Dwarf_Files *files, size_t file_count)
{
    if (!files || !dwarf_hasattr(die, DW_AT_call_file))
        return NULL;
    Dwarf_Word index = number(die, DW_AT_call_file);
    return index < file_count ? dwarf_filesrc(files, (size_t)index, NULL, NULL) : NULL;
}

static void add_inlined(gs_dwarf *dwarf, Dwarf_Die *die, uint32_t depth, Dwarf_Files *files,
                        size_t file_count)
{
    Dwarf_Word line = number(die, DW_AT_call_line);
    gs_inline frame = {
        .function = gs_dwarf_keep(dwarf, linkage_name(die)),
        .call_file = gs_dwarf_keep_path(dwarf, call_file(die, files, file_count)),
        .call_line = line <= UINT32_MAX ? (unsigned)line : 0,
    };
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    while (!dwarf->no_memory && gs_dwarf_spend(dwarf) &&
           (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
        if (start >= end || !gs_image_segment_at(dwarf->image, start))
            continue;
        gs_inline_range range = {start, end, frame, depth, GS_NO_RANGE};
        if (!gs_vec_push(&dwarf->image->inlines, range))
            dwarf->no_memory = true;
    }
}

static bool is_name_at_zero(const gs_dwarf *dwarf, const char *name)
{
    for (size_t i = 0; name && i < dwarf->names_at_zero.count; i++)
        if (strcmp(dwarf->names_at_zero.items[i], name) == 0)
            return true;
    return false;
}

/* Whether a function's code is in the program: not an abstract one, not dropped by the linker. */
static bool has_code(gs_dwarf *dwarf, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    bool found = false;
    while (gs_dwarf_spend(dwarf) && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
        if (start >= end)
            continue;
        if (start == 0 && dwarf->names_at_zero.count &&
            !is_name_at_zero(dwarf, linkage_name(die))) {
            if (end > dwarf->dropped_end)
                dwarf->dropped_end = end;
            continue;
        }
        found = true;
        if (dwarf->kept.start == dwarf->kept.end)
            dwarf->kept = (gs_address_range){start, end};
        if (start < dwarf->kept.start)
            dwarf->kept.start = start;
        if (end > dwarf->kept.end)
            dwarf->kept.end = end;
    }
    return found;
}

/* Whether there may be code further down. */
static bool is_worth_descending(gs_dwarf *dwarf, Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_subprogram: return has_code(dwarf, die);
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: return true;
    default: return false;
    }
}

void gs_inlines_collect(gs_dwarf *dwarf, Dwarf_Die *unit)
{
    Dwarf_Files *files = NULL;
    size_t file_count = 0;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0)
        files = NULL;

    level stack[MAX_TREE_DEPTH];
    size_t depth = 0;
    if (dwarf_child(unit, &stack[0].die) != 0)
        return;
    stack[depth++].inlined = 0;
    while (depth && !dwarf->no_memory && gs_dwarf_spend(dwarf)) {
        level *top = &stack[depth - 1];
        uint32_t inlined = top->inlined;
        bool descend = is_worth_descending(dwarf, &top->die);
        if (descend && dwarf_tag(&top->die) == DW_TAG_inlined_subroutine)
            add_inlined(dwarf, &top->die, inlined++, files, file_count);

        Dwarf_Die child;
        bool has_child = descend && depth < MAX_TREE_DEPTH && dwarf_child(&top->die, &child) == 0;
        /* A sibling lies further on; one that does not would lead round in a circle. */
        Dwarf_Off here = dwarf_dieoffset(&top->die);
        Dwarf_Die sibling;
        if (dwarf_siblingof(&top->die, &sibling) == 0 && dwarf_dieoffset(&sibling) > here)
            top->die = sibling;
        else
            depth--;
        if (has_child)
            stack[depth++] = (level){child, inlined};
    }
}

static int by_start(const void *a, const void *b)
{
    const gs_inline_range *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    if (left->end != right->end)
        return left->end > right->end ? -1 : 1;
    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    return strcmp(left->frame.function, right->frame.function);
}

void gs_inlines_finish(gs_image *image)
{
    gs_inline_range *ranges = image->inlines.items;
    if (image->inlines.count > GS_NO_RANGE)
        image->inlines.count = GS_NO_RANGE;
    if (image->inlines.count)
        qsort(ranges, image->inlines.count, sizeof *ranges, by_start);
    uint32_t around = GS_NO_RANGE;
    for (uint32_t i = 0; i < image->inlines.count; i++) {
        while (around != GS_NO_RANGE && ranges[around].end <= ranges[i].start)
            around = ranges[around].parent;
        if (around != GS_NO_RANGE && ranges[i].end > ranges[around].end)
            ranges[i].end = ranges[around].end;
        ranges[i].parent = around;
        around = i;
    }
}

size_t gs_image_inlines_at(const gs_image *image, uint64_t pc, gs_inline *frames, size_t max)
{
    const gs_inline_range *ranges = image->inlines.items;
    const size_t low = gs_count_up_to(ranges, image->inlines.count, start, pc);
    uint32_t i = low ? (uint32_t)(low - 1) : GS_NO_RANGE;
    while (i != GS_NO_RANGE && ranges[i].end <= pc)
        i = ranges[i].parent;
    size_t count = 0;
    for (; i != GS_NO_RANGE; i = ranges[i].parent) {
        if (count < max)
            frames[count] = ranges[i].frame;
        count++;
    }
    return count;
}
