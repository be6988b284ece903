/*
 * No grammar of map files is documented, so the kind of a line is told by how it begins:
 *
 *     .text           0x80000000     0x1a0            an output section: in the first column
 *      .text.main     0x80000040      0x50 main.o     an input section: one space before it,
 *      .text.long_name                                perhaps over two lines
 *                     0x80000090      0x1c main.o
 *                     0x80000040                main  a symbol in it: many spaces before it
 *
 * All else is passed over: patterns of the linker script, fill, assignments, archives.
 */
#include "image/mapfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"

enum { FILE_SIZE_MAX = 256 << 20, LINE_SIZE = 4096, FUNCTIONS_MAX = 1 << 20 };

typedef struct reader {
    gs_mapfile *map;
    bool in_map;    /* the heading has been seen */
    bool named;     /* an input section's name stood on the line before */
    bool code;      /* in a section of code */
    char name[512]; /* of the input section */
    uint64_t start, end;
    size_t first; /* its first function */
    bool no_memory, too_many;
} reader;

static const char heading[] = "Linker script and memory map";

static bool is_code(const char *section)
{
    static const char *const names[] = {".text", ".init", ".fini", ".ftext", ".boot", ".start"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(section, names[i], length) == 0 &&
            (section[length] == '\0' || section[length] == '.'))
            return true;
    }
    return false;
}

/* A hexadecimal number at *at, which is moved behind it. */
static bool take_number(const char **at, uint64_t *value)
{
    const char *from = *at + strspn(*at, " \t");
    size_t digits =
        from[0] == '0' && from[1] == 'x' ? strspn(from + 2, "0123456789abcdefABCDEF") : 0;
    char end = digits ? from[2 + digits] : 'x';
    if (digits == 0 || digits > 16 || (end != '\0' && end != ' ' && end != '\t'))
        return false;
    *value = strtoull(from, NULL, 16);
    *at = from + 2 + digits;
    return true;
}

static void add(reader *r, const char *name, size_t length, uint64_t start)
{
    gs_map_function function = {.start = (uint32_t)start};
    if (r->map->functions.count == FUNCTIONS_MAX) {
        r->too_many = true;
        return;
    }
    function.name = gs_arena_copy(&r->map->arena, name, length);
    if (!function.name || !gs_vec_push(&r->map->functions, function))
        r->no_memory = true;
}

static int by_address(const void *a, const void *b)
{
    const gs_map_function *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* "helper" of ".text.helper" and ".text.unlikely.helper"; NULL if a section has no name of its
 * own. */
static const char *function_of(const char *section)
{
    static const char *const kinds[] = {"unlikely", "startup", "hot", "exit", "sorted"};
    const char *name = strchr(section + 1, '.');
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        if (strncmp(name + 1, kinds[i], length) == 0 &&
            (name[1 + length] == '.' || name[1 + length] == '\0'))
            name = name[1 + length] ? name + 1 + length : NULL;
    }
    return name && name[1] ? name + 1 : NULL;
}

/* The functions of the section that ends get their ends. */
static void end_section(reader *r)
{
    gs_map_function *all = r->map->functions.items;
    size_t count = r->map->functions.count;
    if (!r->code)
        return;
    r->code = false;
    bool starts = false;
    for (size_t i = r->first; i < count; i++)
        starts = starts || all[i].start == r->start;
    const char *own = function_of(r->name);
    if (!starts && own) {
        add(r, own, strlen(own), r->start);
        all = r->map->functions.items;
        count = r->map->functions.count;
    }
    if (count > r->first)
        qsort(all + r->first, count - r->first, sizeof *all, by_address);
    uint64_t end = r->end;
    for (size_t i = count; i > r->first; i--) {
        all[i - 1].end = (uint32_t)end;
        if (i - 1 > r->first && all[i - 2].start != all[i - 1].start)
            end = all[i - 1].start;
    }
}

static void begin_section(reader *r, uint64_t start, uint64_t size)
{
    end_section(r);
    r->named = false;
    r->start = start;
    r->end = start + size;
    r->first = r->map->functions.count;
    r->code = is_code(r->name) && size > 0 && start < r->end && r->end <= UINT32_MAX;
}

static void read_input_section(reader *r, const char *line)
{
    uint64_t start, size;
    size_t length = strcspn(line, " \t");
    end_section(r);
    r->named = false;
    if (line[0] != '.' || length >= sizeof r->name)
        return;
    memcpy(r->name, line, length);
    r->name[length] = '\0';
    line += length;
    if (line[strspn(line, " \t")] == '\0')
        r->named = true;
    else if (take_number(&line, &start) && take_number(&line, &size))
        begin_section(r, start, size);
}

static void read_indented(reader *r, const char *line)
{
    uint64_t start, size;
    if (!take_number(&line, &start)) {
        r->named = false;
        return;
    }
    if (r->named && take_number(&line, &size)) {
        begin_section(r, start, size);
        return;
    }
    r->named = false;
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    bool assigned = strstr(line, " = ") || strncmp(line, "PROVIDE", 7) == 0 ||
                    strncmp(line, "ASSERT", 6) == 0 || line[0] == '.';
    if (length > 0 && !assigned && r->code && start >= r->start && start < r->end)
        add(r, line, length, start);
}

static void read_line(reader *r, const char *line)
{
    size_t spaces = strspn(line, " ");
    if (!r->in_map) {
        r->in_map = strcmp(line, heading) == 0;
    } else if (line[spaces] == '\0') {
        r->named = false;
    } else if (spaces == 0) {
        end_section(r);
        r->named = false;
    } else if (spaces == 1) {
        read_input_section(r, line + 1);
    } else {
        read_indented(r, line + spaces);
    }
}

static void read_text(reader *r, const char *text, size_t size)
{
    char line[LINE_SIZE];
    const char *end = text + size;
    while (text < end && !r->no_memory && !r->too_many) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline ? newline : end) - text);
        const char *next = newline ? newline + 1 : end;
        if (length > 0 && text[length - 1] == '\r')
            length--;
        if (length < sizeof line && !memchr(text, '\0', length)) {
            memcpy(line, text, length);
            line[length] = '\0';
            read_line(r, line);
        }
        text = next;
    }
    end_section(r);
}

/* Sections come in the order of the script, which need not be that of their addresses. */
static void sort_functions(gs_mapfile *map)
{
    if (map->functions.count > 0)
        qsort(map->functions.items, map->functions.count, sizeof *map->functions.items, by_address);
}

gs_status gs_mapfile_parse(gs_mapfile **out, const char *file, const char *text, size_t size,
                           gs_error *err)
{
    *out = NULL;
    gs_mapfile *map = calloc(1, sizeof *map);
    if (!map)
        return gs_fail_no_memory(err);
    reader r = {.map = map};
    read_text(&r, text, size);
    gs_status status = GS_OK;
    if (r.no_memory)
        status = gs_fail_no_memory(err);
    else if (!r.in_map)
        status = gs_fail(err, GS_E_FORMAT,
                         "%s: no line '%s' in it; a map of GNU ld is made with -Wl,-Map=FILE", file,
                         heading);
    else if (r.too_many)
        status = gs_fail(err, GS_E_UNSUPPORTED, "%s: more than %d functions", file, FUNCTIONS_MAX);
    else if (map->functions.count == 0)
        status = gs_fail(err, GS_E_FORMAT, "%s: there is no function in it", file);
    if (status != GS_OK) {
        gs_mapfile_free(map);
        return status;
    }
    sort_functions(map);
    *out = map;
    return GS_OK;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_mapfile_parse(out, path, text, size, err);
}

gs_status gs_mapfile_open(gs_mapfile **out, const char *path, gs_error *err)
{
    *out = NULL;
    return gs_file_parse(parse, out, path, FILE_SIZE_MAX, err);
}

void gs_mapfile_free(gs_mapfile *map)
{
    if (!map)
        return;
    free(map->functions.items);
    gs_arena_free(&map->arena);
    free(map);
}

const gs_map_function *gs_mapfile_find(const gs_mapfile *map, const char *name, bool *several)
{
    const gs_map_function *found = NULL;
    *several = false;
    for (size_t i = 0; i < map->functions.count; i++) {
        if (strcmp(map->functions.items[i].name, name) != 0)
            continue;
        *several = found != NULL;
        if (found)
            return found;
        found = &map->functions.items[i];
    }
    return found;
}
