/* Resolves names, lines and addresses into address ranges. */
#include "units/ranges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "image/objects.h"

typedef struct request {
    gs_unit_range *out;
    const char *text, *prefix;
    const gs_image *image;
    gs_error *err;
} request;

static const uint64_t space = UINT64_C(1) << 32;

static gs_status set(const request *r, uint64_t start, uint64_t end)
{
    if (start >= end || end > space)
        return gs_fail(r->err, GS_E_ARGUMENT,
                       "%s: the range '%.80s' is empty or does not end below 4 GiB", r->prefix,
                       r->text);
    r->out->first = (uint32_t)start;
    r->out->last = (uint32_t)(end - 1);
    return GS_OK;
}

gs_unit_range gs_range_of_function(const gs_function *function)
{
    return (gs_unit_range){
        .name = function->name,
        .first = (uint32_t)function->start,
        .last = (uint32_t)(function->end - 1),
    };
}

static gs_status parse_addresses(const request *r, const char *separator)
{
    char first[40];
    uint64_t start, end;
    size_t length = (size_t)(separator - r->text);
    bool good = length < sizeof first;
    if (good) {
        memcpy(first, r->text, length);
        first[length] = '\0';
        good = gs_number_parse(first, &start) && gs_number_parse(separator + 1, &end);
    }
    if (!good || start >= space || end > space)
        return gs_fail(r->err, GS_E_ARGUMENT,
                       "%s: '%.80s' is no range of addresses; forms are 0x1000-0x1100 and "
                       "0x1000+0x100",
                       r->prefix, r->text);
    return set(r, start, *separator == '+' ? start + end : end);
}

static gs_status find_function(const request *r, const char *name, size_t length,
                               const gs_function **out)
{
    *out = NULL;
    for (size_t i = 0; i < gs_image_function_count(r->image); i++) {
        const gs_function *function = gs_image_function(r->image, i);
        if (strlen(function->name) != length || memcmp(function->name, name, length) != 0)
            continue;
        if (*out)
            return gs_fail(r->err, GS_E_ARGUMENT,
                           "%s: %s has several functions '%.*s'; give addresses, such as "
                           "0x%llx-0x%llx for the first",
                           r->prefix, gs_image_name(r->image), (int)length, name,
                           (unsigned long long)(*out)->start, (unsigned long long)(*out)->end);
        *out = function;
    }
    if (!*out)
        return gs_fail(r->err, GS_E_ARGUMENT, "%s: %s has no function '%.*s'", r->prefix,
                       gs_image_name(r->image), (int)(length < 80 ? length : 80), name);
    return GS_OK;
}

static gs_status parse_functions(const request *r)
{
    const gs_function *from, *to;
    const char *dots = strstr(r->text, "..");
    size_t length = dots ? (size_t)(dots - r->text) : strlen(r->text);
    gs_status status = find_function(r, r->text, length, &from);
    to = from;
    if (status == GS_OK && dots)
        status = find_function(r, dots + 2, strlen(dots + 2), &to);
    return status == GS_OK ? set(r, from->start, to->end) : status;
}

static gs_status parse_object(const request *r)
{
    uint64_t start, size;
    if (!gs_image_find_object(r->image, r->text, &start, &size))
        return gs_fail(r->err, GS_E_ARGUMENT, "%s: %s has no symbol '%.80s'", r->prefix,
                       gs_image_name(r->image), r->text);
    if (size == 0)
        return gs_fail(r->err, GS_E_ARGUMENT,
                       "%s: the symbol '%.80s' has no size; give addresses, such as "
                       "0x%llx+0x100",
                       r->prefix, r->text, (unsigned long long)start);
    return set(r, start, start + size);
}

/* "file.c:12-20": where the colon is, and the lines; NULL if it is not of this form. */
static const char *parse_lines(const char *text, unsigned long *from, unsigned long *to)
{
    const char *colon = strrchr(text, ':');
    char *end;
    if (!colon || !isdigit((unsigned char)colon[1]))
        return NULL;
    *from = *to = strtoul(colon + 1, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        *to = strtoul(end + 1, &end, 10);
    return *end ? NULL : colon;
}

/* Whether `path` ends in the `length` bytes of `name`, at a directory's border. */
static bool is_file(const char *path, const char *name, size_t length)
{
    size_t size = strlen(path);
    return size >= length && memcmp(path + size - length, name, length) == 0 &&
           (size == length || path[size - length - 1] == '/');
}

static gs_status find_lines(const request *r, size_t name_length, unsigned long from,
                            unsigned long to)
{
    /* Not a change that a reader of the image can see: lines are read once, under a lock. */
    gs_status status = gs_image_load_lines((gs_image *)r->image, r->err);
    if (status != GS_OK)
        return status;
    const gs_function *found = NULL;
    uint64_t start = 0, end = 0;
    for (size_t i = 0; i < gs_image_function_count(r->image); i++) {
        const gs_function *function = gs_image_function(r->image, i);
        gs_insn insn;
        for (uint64_t pc = function->start;
             pc < function->end && gs_image_insn_at(r->image, pc, &insn); pc += insn.length) {
            gs_line line;
            if (!gs_image_line_at(r->image, pc, &line) || line.line < from || line.line > to ||
                !is_file(line.file, r->text, name_length))
                continue;
            if (found && found != function)
                return gs_fail(r->err, GS_E_ARGUMENT,
                               "%s: the code of %.80s is in several functions, %.40s and %.40s; "
                               "give their names or addresses",
                               r->prefix, r->text, found->name, function->name);
            if (!found)
                start = pc;
            found = function;
            end = pc + insn.length;
        }
    }
    if (!found)
        return gs_fail(r->err, GS_E_ARGUMENT,
                       "%s: %s has no code for %.80s; is it compiled with -g?", r->prefix,
                       gs_image_name(r->image), r->text);
    return set(r, start, end);
}

gs_status gs_range_parse(gs_unit_range *out, const char *text, const gs_image *image, bool data,
                         const char *prefix, gs_arena *arena, gs_error *err)
{
    request r = {.out = out, .text = text, .prefix = prefix, .image = image, .err = err};
    unsigned long from, to;
    *out = (gs_unit_range){.name = gs_arena_copy(arena, text, strlen(text))};
    if (!out->name)
        return gs_fail_no_memory(err);
    if (isdigit((unsigned char)text[0])) {
        const char *separator = strpbrk(text, "-+");
        if (separator)
            return parse_addresses(&r, separator);
    }
    const char *colon = parse_lines(text, &from, &to);
    if (colon)
        return find_lines(&r, (size_t)(colon - text), from, to);
    return data ? parse_object(&r) : parse_functions(&r);
}
