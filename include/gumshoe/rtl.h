/*
 * rtl.h - the Verilog of on-chip profilers, configured for a program.
 *
 * A configuration is a set of files that need nothing else: the unit's sources, a module with its
 * parameters set, an example of its use, the program's own data, and the registers for firmware and
 * for people. All of it is made in memory; writing it somewhere is the caller's business. A gs_rtl
 * is the caller's and read-only, so any thread may read it; what it returns is borrowed from it.
 */
#ifndef GUMSHOE_RTL_H
#define GUMSHOE_RTL_H

#include "gumshoe/core.h"
#include "gumshoe/image.h"
#include "gumshoe/unit.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_rtl gs_rtl;

typedef struct gs_rtl_options {
    const char *bus;     /* "plain", "wishbone", "axi4lite" or "udp"; NULL for plain */
    bool boot;           /* the registers are written from a ROM after reset */
    const gs_core *core; /* that the unit listens to, where it matters; NULL for none named */
    const char *module;  /* a name; NULL for the unit's own with "_configured" behind it, or of
                            several "profilers" */
    const char
        *command; /* how this was asked for, to be remembered in the files; NULL for nothing */
} gs_rtl_options;

/* A unit, with a text of options or NULL. */
typedef struct gs_rtl_unit {
    size_t kind;
    const char *options;
} gs_rtl_unit;

typedef struct gs_rtl_file {
    const char *name; /* without directories */
    const char *text;
    size_t size;
} gs_rtl_file;

/* Of a kind of unit (unit.h): whether there is Verilog of it, and whether an option of the model
 * means something there. */
bool gs_rtl_exists(size_t kind);
bool gs_rtl_takes(size_t kind, size_t option);

/* Makes the files for units that watch the program in `image`: one, or several of different kinds
 * behind one bus. No argument is needed afterwards. *out is the caller's, NULL on failure:
 * GS_E_ARGUMENT for what the hardware cannot be, GS_E_NO_MEMORY. */
gs_status gs_rtl_make(gs_rtl **out, const gs_rtl_unit *units, size_t count, const gs_image *image,
                      const gs_rtl_options *how, gs_error *err);
void gs_rtl_free(gs_rtl *rtl); /* NULL is fine */

size_t gs_rtl_file_count(const gs_rtl *rtl);
gs_rtl_file gs_rtl_file_at(const gs_rtl *rtl, size_t index); /* lives as long as `rtl` */

/* Writes the registers of a unit alone, as "verilog", "c" or "markdown", to `to`, which stays the
 * caller's. GS_E_ARGUMENT for another format or for a unit without Verilog,
 * GS_E_IO. */
gs_status gs_rtl_write_registers(FILE *to, size_t kind, const char *format, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
