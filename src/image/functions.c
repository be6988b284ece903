/*
 * The function table: sorted, disjoint, one name per address.
 *
 * Symbols overlap and alias each other freely; a profile needs every address to
 * belong to one function. The rules:
 *  - aliases fold into one name: global before weak before local, then one that
 *    does not begin with an underscore, then the shortest, then the first in the
 *    alphabet. So the choice does not depend on the order in the file;
 *  - of two that overlap, the later start has everything from there on, also what
 *    the earlier one claims behind the later one's end: cut in two it would be
 *    two functions of one name;
 *  - a function without a size runs to the next start, or to the end of its
 *    section;
 *  - a global label without a type is a function if nothing typed covers it, as
 *    in assembly programs, and if it is not a linker script's name for an end of
 *    code with constants behind. Local labels never are.
 */
#include "image/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

/* Set in st_other of MIPS16 and microMIPS functions. */
enum { MIPS_OTHER_COMPRESSED = 0xc0, STT_IFUNC = STT_GNU_IFUNC };

typedef struct candidate {
    uint64_t start, end; /* end == start: size not known */
    const char *name;
    uint8_t rank; /* of its binding, lower is better */
    bool typed;   /* STT_FUNC, not a mere label */
} candidate;

typedef struct candidate_list {
    candidate *items;
    size_t count, capacity;
} candidate_list;

static uint8_t binding_rank(uint8_t bind)
{
    switch (bind) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE: return 0;
    case STB_WEAK: return 1;
    default: return 2;
    }
}

/* Mapping symbols and labels the compiler made: they never absorb cycles. */
static bool is_local_label(const char *name)
{
    return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static bool is_function(const gs_image *image, const gs_symbol *symbol)
{
    if (is_local_label(symbol->name) || symbol->value % image->isa->unit != 0)
        return false;
    if (image->arch == GS_ARCH_MIPS32 && (symbol->other & MIPS_OTHER_COMPRESSED))
        return false;
    if (symbol->type == STT_FUNC || symbol->type == STT_IFUNC) {
        const gs_segment *segment = gs_image_segment_at(image, symbol->value);
        return segment && segment->execute;
    }
    return symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL && symbol->section != SHN_ABS &&
           gs_image_looks_like_code(image, symbol->value);
}

/* Whether `a` is the better name of two for one address. */
static int compare_names(const candidate *a, const candidate *b)
{
    if (a->typed != b->typed)
        return a->typed ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    bool a_hidden = a->name[0] == '_', b_hidden = b->name[0] == '_';
    if (a_hidden != b_hidden)
        return a_hidden ? 1 : -1;
    size_t a_length = strlen(a->name), b_length = strlen(b->name);
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_start_and_name(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return compare_names(a, b);
}

static gs_status collect(const gs_image *image, candidate_list *list, gs_error *err)
{
    for (size_t i = 0; i < image->symbols.count; i++) {
        const gs_symbol *symbol = &image->symbols.items[i];
        if (!is_function(image, symbol))
            continue;
        bool typed = symbol->type != STT_NOTYPE;
        candidate c = {
            .start = symbol->value,
            .end = symbol->value + (typed ? symbol->size : 0),
            .name = symbol->name,
            .rank = binding_rank(symbol->bind),
            .typed = typed,
        };
        if (!gs_vec_push(list, c))
            return gs_fail_no_memory(err);
    }
    return GS_OK;
}

/* Keeps the first, best named candidate of each address, with the largest size of its aliases. */
static void fold_aliases(candidate_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        candidate *c = &list->items[i];
        if (kept && list->items[kept - 1].start == c->start) {
            if (c->end > list->items[kept - 1].end)
                list->items[kept - 1].end = c->end;
        } else {
            list->items[kept++] = *c;
        }
    }
    list->count = kept;
}

static void drop_covered_labels(candidate_list *list)
{
    uint64_t covered = 0;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const candidate *c = &list->items[i];
        if (!c->typed && c->start < covered)
            continue;
        if (c->typed && c->end > covered)
            covered = c->end;
        list->items[kept++] = *c;
    }
    list->count = kept;
}

/* The end of the section around `start`, or of the segment where there is none. */
static uint64_t limit_of(const gs_image *image, uint64_t start)
{
    const gs_address_range *range = gs_image_code_at(image, start);
    if (range)
        return range->end;
    const gs_segment *segment = gs_image_segment_at(image, start);
    return segment->address + segment->file_size;
}

gs_status gs_image_load_functions(gs_image *image, gs_error *err)
{
    candidate_list list = {0};
    gs_status status = collect(image, &list, err);
    if (status)
        goto out;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, by_start_and_name);
    fold_aliases(&list);
    drop_covered_labels(&list);

    uint64_t claimed = 0; /* how far the functions so far reach by their own sizes */
    for (size_t i = 0; i < list.count; i++) {
        const candidate *c = &list.items[i];
        uint64_t limit = limit_of(image, c->start);
        if (i + 1 < list.count && list.items[i + 1].start < limit)
            limit = list.items[i + 1].start;
        if (c->end > claimed)
            claimed = c->end;
        uint64_t end = c->end == c->start ? limit : claimed;
        gs_function function = {
            .start = c->start,
            .end = end < limit ? end : limit,
            .name = c->name,
        };
        if (!gs_vec_push(&image->functions, function)) {
            status = gs_fail_no_memory(err);
            goto out;
        }
    }
out:
    free(list.items);
    return status;
}

size_t gs_image_function_count(const gs_image *image)
{
    return image->functions.count;
}

const gs_function *gs_image_function(const gs_image *image, size_t index)
{
    return &image->functions.items[index];
}

const gs_function *gs_image_function_at(const gs_image *image, uint64_t pc)
{
    const size_t low = gs_count_up_to(image->functions.items, image->functions.count, start, pc);
    if (low == 0 || pc >= image->functions.items[low - 1].end)
        return NULL;
    return &image->functions.items[low - 1];
}
