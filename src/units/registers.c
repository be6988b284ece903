/* Writes a register map as Verilog, as a C header, and as a table for people. */
#include "units/registers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

enum { COLUMNS = 96, NAME_MAX_LENGTH = 64 };

typedef const gs_register_row row;

static const char *access_words(unsigned access)
{
    static const char *const words[] = {"", "read", "write", "read, write"};
    return words[access];
}

/* "bit 3" or "bits 7..4" */
static void print_bits(FILE *to, row *field)
{
    if (field->size == 1)
        fprintf(to, "bit %" PRIu32, field->at);
    else
        fprintf(to, "bits %" PRIu32 "..%" PRIu32, field->at + field->size - 1, field->at);
}

/* The row behind the fields of the register `i`. */
static size_t after_fields(const gs_register_map *r, size_t i)
{
    for (i++; i < r->count && r->rows[i].kind == GS_ROW_FIELD; i++)
        continue;
    return i;
}

/* ID reads the same everywhere. */
static void text_of(char to[256], const gs_register_map *r, row *x)
{
    if (x->text)
        snprintf(to, 256, "%s", x->text);
    else
        snprintf(to, 256, "0x%08" PRIx32, r->magic);
}

/* --- Verilog --- */

static void write_verilog(FILE *to, const gs_register_map *r)
{
    bool writable = false;
    const char *owner = "";
    fprintf(to, "// SPDX-License-Identifier: Apache-2.0\n");
    fprintf(to, "// Written by 'gumshoe rtl %s --registers verilog'. %s.\n", r->unit, r->page);
    fprintf(to, "localparam [31:0] ID = 32'h%08" PRIx32 ";\n", r->magic);
    bool in_block = false;
    for (size_t i = 0; i < r->count; i++) {
        row *x = &r->rows[i];
        switch (x->kind) {
        case GS_ROW_BLOCK:
            if (!in_block)
                fprintf(to, "\n");
            in_block = true;
            owner = x->name;
            writable = x->access & GS_WRITE;
            fprintf(to, "localparam [%u:0] BASE_%s = %u'h%" PRIx32 "; // %" PRIu32 " bytes each\n",
                    r->address_bits - 1, x->name, r->address_bits, x->at, x->size);
            break;
        case GS_ROW_REGISTER:
            owner = x->name;
            writable = x->access & GS_WRITE;
            if (in_block)
                fprintf(to, "localparam [3:0] REG_%s = 4'h%" PRIx32 ";\n", x->name, x->at);
            else
                fprintf(to, "localparam [%u:0] OFFSET_%s = %u'h%02" PRIx32 ";\n",
                        r->offset_bits - 1, x->name, r->offset_bits, x->at);
            break;
        case GS_ROW_FIELD:
            if (writable)
                fprintf(to, "localparam %s_%s = %" PRIu32 ";\n", owner, x->name, x->at);
            break;
        }
    }
}

/* --- C --- */

/* A comment's text, wrapped, each line after the first behind `indent` spaces. */
static void print_wrapped(FILE *to, size_t column, const char *text, int indent)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column + length + 1 > COLUMNS) {
            fprintf(to, "\n *%*s", indent, "");
            column = (size_t)indent + 2;
        }
        fprintf(to, " %.*s", (int)length, text);
        column += length + 1;
        text += length + (text[length] == ' ');
    }
}

static void print_comment(FILE *to, const gs_register_map *r, size_t i, bool in_block)
{
    row *x = &r->rows[i];
    size_t end = after_fields(r, i);
    char head[NAME_MAX_LENGTH + 64], text[256];
    snprintf(head, sizeof head, "%s%s%s%s%s:", x->name, x->access ? ", " : "",
             access_words(x->access), x->kind == GS_ROW_BLOCK ? ", one for each i" : "",
             in_block ? ", in each" : "");
    fprintf(to, "\n/* %s", head);
    text_of(text, r, x);
    print_wrapped(to, 3 + strlen(head), text, 0);
    for (size_t f = i + 1; f < end; f++) {
        row *field = &r->rows[f];
        fprintf(to, "\n *   ");
        print_bits(to, field);
        fprintf(to, ", %s:", field->name);
        print_wrapped(to, 24 + strlen(field->name), field->text, 4);
    }
    fprintf(to, " */\n");
}

typedef struct definition {
    char name[NAME_MAX_LENGTH];
    uint32_t value;
} definition;

/* Aligned, as clang-format wants them. */
static void print_definitions(FILE *to, const definition *d, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++)
        width = (int)strlen(d[i].name) > width ? (int)strlen(d[i].name) : width;
    for (size_t i = 0; i < count; i++)
        fprintf(to, "#define %-*s 0x%02" PRIx32 "u\n", width, d[i].name, d[i].value);
}

static void define(definition *d, const char *prefix, const char *name, const char *suffix,
                   uint32_t value)
{
    snprintf(d->name, sizeof d->name, "GS_%s_%s%s", prefix, name, suffix);
    d->value = value;
}

static void write_c(FILE *to, const gs_register_map *r)
{
    char prefix[NAME_MAX_LENGTH / 4] = "";
    bool in_block = false;
    for (size_t i = 0; r->unit[i] && i + 1 < sizeof prefix; i++)
        prefix[i] = (char)toupper((unsigned char)r->unit[i]);
    fprintf(
        to,
        "/*\n"
        " * %s_registers.h - the registers of %s.\n"
        " *\n"
        " * Written by 'gumshoe rtl %s --registers c'. Offsets are in bytes, registers words. A\n"
        " * field of one bit has its mask here, a wider one how far to shift down and the mask "
        "for\n"
        " * after that. %s describes the unit.\n"
        " */\n"
        "#ifndef GUMSHOE_FIRMWARE_%s_REGISTERS_H\n"
        "#define GUMSHOE_FIRMWARE_%s_REGISTERS_H\n",
        r->unit, r->title, r->unit, r->page, prefix, prefix);
    fprintf(to, "\n/* What ID reads. */\n#define GS_%s_MAGIC 0x%08" PRIx32 "u\n", prefix, r->magic);
    for (size_t i = 0, end; i < r->count; i = end) {
        definition d[64];
        size_t count = 0;
        row *x = &r->rows[i];
        end = after_fields(r, i);
        if (x->kind == GS_ROW_BLOCK)
            in_block = true;
        print_comment(to, r, i, in_block && x->kind == GS_ROW_REGISTER);
        define(&d[count++], prefix, x->name, "", x->at);
        if (x->kind == GS_ROW_BLOCK)
            define(&d[count++], prefix, x->name, "_STRIDE", x->size);
        for (size_t f = i + 1; f < end && count + 2 <= sizeof d / sizeof *d; f++) {
            row *field = &r->rows[f];
            uint32_t mask = (uint32_t)((UINT64_C(1) << field->size) - 1);
            if (field->size == 1) {
                define(&d[count++], prefix, field->name, "", UINT32_C(1) << field->at);
            } else {
                define(&d[count++], prefix, field->name, "_SHIFT", field->at);
                define(&d[count++], prefix, field->name, "_MASK", mask);
            }
        }
        print_definitions(to, d, count);
    }
    fprintf(to, "\n#endif\n");
}

/* --- Markdown --- */

static void write_markdown(FILE *to, const gs_register_map *r)
{
    row *block = NULL;
    char text[256];
    fprintf(to, "| offset | name | | |\n|---|---|---|---|\n");
    for (size_t i = 0, end; i < r->count; i = end) {
        row *x = &r->rows[i];
        end = after_fields(r, i);
        if (x->kind == GS_ROW_BLOCK) {
            block = x;
            if (!x->access)
                continue; /* its registers follow, each with its address */
        }
        fprintf(to, "| 0x%02" PRIx32, x->at + (block && block != x ? block->at : 0));
        if (block)
            fprintf(to, " + %" PRIu32 " i", block->size);
        text_of(text, r, x);
        fprintf(to, " | %s | %s | %s |\n", x->name, access_words(x->access), text);
        for (size_t f = i + 1; f < end; f++) {
            fprintf(to, "| ");
            print_bits(to, &r->rows[f]);
            fprintf(to, " | %s | | %s |\n", r->rows[f].name, r->rows[f].text);
        }
    }
}

gs_status gs_register_map_write(FILE *to, const gs_register_map *r, const char *format,
                                gs_error *err)
{
    static const struct {
        const char *name;
        void (*write)(FILE *to, const gs_register_map *r);
    } formats[] = {{"verilog", write_verilog}, {"c", write_c}, {"markdown", write_markdown}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].write(to, r);
            return GS_OK;
        }
    }
    return gs_fail(err, GS_E_ARGUMENT,
                   "registers are written as verilog, c or markdown, not '%.40s'", format);
}
