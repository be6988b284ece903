/*
 * Which addresses a unit answers: those of its register table, as it is made, and no others.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"

enum { SHOWN = 8, MARGIN = 16, HEAD_BYTES = 0x80 };

typedef struct sweep {
    comparison *c;
    const gs_register_map *map;
    const register_extent *extents;
    uint64_t sum; /* of what was read, with where */
    void (*visit)(struct sweep *s, uint32_t address);
} sweep;

static register_extent find_extent(const sweep *s, const gs_register_row *row)
{
    for (const register_extent *e = s->extents; e->name; e++) {
        if (strcmp(e->name, row->name) == 0)
            return *e;
    }
    return (register_extent){row->name, row->kind == GS_ROW_BLOCK ? 0 : 1, false};
}

static uint32_t extent_of(const sweep *s, const gs_register_row *row)
{
    return find_extent(s, row).count;
}

static unsigned access_of(const sweep *s, const gs_register_row *row)
{
    const register_extent extent = find_extent(s, row);
    return !extent.count ? 0 : extent.read_only ? GS_READ : row->access;
}

/* Of the block at `b`: registers of its elements follow it. */
static unsigned access_in_block(const sweep *s, size_t b, uint32_t offset)
{
    const gs_register_row *block = &s->map->rows[b];
    if (offset / block->size >= extent_of(s, block))
        return 0;
    if (block->access)
        return offset % block->size == 0 ? block->access : 0;
    for (size_t i = b + 1; i < s->map->count && s->map->rows[i].kind != GS_ROW_BLOCK; i++) {
        const gs_register_row *row = &s->map->rows[i];
        if (row->kind == GS_ROW_REGISTER && row->at == offset % block->size)
            return access_of(s, row);
    }
    return 0;
}

/* What the table allows there: GS_READ, GS_WRITE. Rows stand in the order of addresses. */
static unsigned access_at(const sweep *s, uint32_t address)
{
    unsigned access = 0;
    bool in_block = false;
    for (size_t i = 0; i < s->map->count; i++) {
        const gs_register_row *row = &s->map->rows[i];
        if (row->kind == GS_ROW_BLOCK) {
            in_block = true;
            if (address >= row->at)
                access = access_in_block(s, i, address - row->at);
        } else if (row->kind == GS_ROW_REGISTER && !in_block && row->at == address) {
            access = access_of(s, row);
        }
    }
    return access;
}

static void complain(sweep *s, const char *what, uint32_t address)
{
    if (++s->c->differences <= SHOWN)
        printf("%s: %s at %05" PRIx32 "\n", s->c->program, what, address);
}

static void read_one(sweep *s, uint32_t address)
{
    uint32_t value = 0;
    bool answered = s->c->library->read(s->c->rtl, address, &value);
    bool expected = access_at(s, address) & GS_READ;
    if (answered != expected)
        complain(s, expected ? "a read is refused" : "a read is answered", address);
    if (answered)
        s->sum = s->sum * 31 + value + address;
}

static void write_refused(sweep *s, uint32_t address)
{
    if (!(access_at(s, address) & GS_WRITE) && s->c->library->write(s->c->rtl, address, UINT32_MAX))
        complain(s, "a write is taken", address);
}

static void write_allowed(sweep *s, uint32_t address)
{
    if (access_at(s, address) & GS_WRITE && !s->c->library->write(s->c->rtl, address, 0))
        complain(s, "a write is refused", address);
}

/* The bytes from `first` to before `end`, and each with another bit. */
static void visit_range(sweep *s, uint32_t first, uint32_t end)
{
    for (uint32_t address = first; address < end; address++) {
        s->visit(s, address);
        for (unsigned bit = 2; bit < s->map->address_bits; bit++)
            s->visit(s, address ^ UINT32_C(1) << bit);
    }
}

static void visit_all(sweep *s, void (*visit)(sweep *s, uint32_t address))
{
    s->visit = visit;
    visit_range(s, 0, HEAD_BYTES);
    for (size_t i = 0; i < s->map->count; i++) {
        const gs_register_row *row = &s->map->rows[i];
        if (row->kind != GS_ROW_BLOCK)
            continue;
        uint32_t length = extent_of(s, row) * row->size;
        visit_range(s, row->at, row->at + MARGIN);
        if (length > MARGIN)
            visit_range(s, row->at + length - MARGIN, row->at + length + MARGIN);
    }
}

void compare_decoding(comparison *c, const gs_register_map *map, const register_extent *extents)
{
    sweep s = {.c = c, .map = map, .extents = extents};
    visit_all(&s, read_one);
    uint64_t before = s.sum;
    visit_all(&s, write_refused);
    s.sum = 0;
    visit_all(&s, read_one);
    if (s.sum != before)
        complain(&s, "a write that was refused changed something", 0);
    visit_all(&s, write_allowed);
}
