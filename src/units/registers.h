/*
 * registers.h - a unit's registers on a bus, in one table.
 *
 * The names in Verilog, the header for firmware and the page for people are written from it:
 * rtl/units/NAME/NAME_registers.vh, include/gumshoe/firmware/NAME_registers.h, and the registers
 * in docs/units. tools/check-registers holds these files to it.
 *
 * Rows stand in the order of addresses. The fields of a register follow it. A block is an array:
 * registers behind it have offsets in its elements, and a block without any is itself a register.
 */
#ifndef GS_UNITS_REGISTERS_H
#define GS_UNITS_REGISTERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"

typedef enum gs_register_kind { GS_ROW_REGISTER, GS_ROW_FIELD, GS_ROW_BLOCK } gs_register_kind;

enum { GS_READ = 1, GS_WRITE = 2, GS_READ_WRITE = GS_READ | GS_WRITE };

typedef struct gs_register_row {
    gs_register_kind kind;
    const char *name; /* in capitals; unique in the unit */
    uint32_t at;      /* bytes from the start, or in the element; of a field, its lowest bit */
    uint32_t size;    /* of a field, in bits; of an element, in bytes */
    unsigned access;  /* 0 for a field, and a block with registers */
    const char *text; /* what it is; NULL for ID, which is the magic number */
} gs_register_row;

#define GS_REGISTER(name, offset, access, text)        \
    {                                                  \
        GS_ROW_REGISTER, name, offset, 4, access, text \
    }
#define GS_FIELD(name, lowest, bits, text)        \
    {                                             \
        GS_ROW_FIELD, name, lowest, bits, 0, text \
    }
#define GS_BLOCK(name, base, stride, access, text)     \
    {                                                  \
        GS_ROW_BLOCK, name, base, stride, access, text \
    }

/* What every unit begins with; the fields of CONFIG follow. */
#define GS_REGISTERS_ID_AND_CONFIG          \
    GS_REGISTER("ID", 0x00, GS_READ, NULL), \
        GS_REGISTER("CONFIG", 0x04, GS_READ, "how the unit is made")

typedef struct gs_register_map {
    const char *unit;      /* as in file names and, in capitals, in C: "leap" */
    const char *title;     /* for people: "LEAP" */
    const char *page;      /* that describes the unit */
    uint32_t magic;        /* what ID reads */
    unsigned offset_bits;  /* by which registers outside blocks are told apart */
    unsigned address_bits; /* of all */
    const gs_register_row *rows;
    size_t count;
} gs_register_map;

/* `array` is the table of rows. */
#define GS_REGISTER_MAP(name, for_people, id, bits_of_offset, bits_of_address, array)     \
    {                                                                                     \
        .unit = name, .title = for_people, .page = "docs/units/" name ".md", .magic = id, \
        .offset_bits = bits_of_offset, .address_bits = bits_of_address, .rows = array,    \
        .count = sizeof array / sizeof *array                                             \
    }

/* "verilog", "c" or "markdown". */
gs_status gs_register_map_write(FILE *to, const gs_register_map *registers, const char *format,
                                gs_error *err);

#endif
