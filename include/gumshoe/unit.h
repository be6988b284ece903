/*
 * unit.h - on-chip profilers, modelled as they would be built.
 *
 * A set of units is attached to a machine before it runs and watches, through the trace port, what
 * the hardware would see. When the run is over the set is concluded with the recorder of the same
 * run, which has the exact counts; then it can be reported, and saved with the profile.
 *
 * A unit is asked for by a text: a kind, and options after a colon, such as
 * "leap:functions=64,hier". `gumshoe unit` and docs/units list them.
 *
 * A gs_units is the caller's and borrows machine and timing, which must outlive it. It is used by
 * the machine's thread only. Kinds and options are constants, which any thread may ask for.
 */
#ifndef GUMSHOE_UNIT_H
#define GUMSHOE_UNIT_H

#include "gumshoe/profile.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* An option of a kind. Texts are constant. */
typedef struct gs_unit_option_info {
    const char *name;
    const char *argument; /* what it wants: "N", "NAME"; NULL if nothing */
    const char *help;     /* one line */
} gs_unit_option_info;

/* The kinds there are: `kind` is below their count, `option` below the count of its options. */
size_t gs_unit_kind_count(void);
const char *gs_unit_kind_name(size_t kind);
const char *gs_unit_kind_summary(size_t kind);
bool gs_unit_kind_find(const char *name, size_t *kind); /* false if there is none of that name */
size_t gs_unit_option_count(size_t kind);
gs_unit_option_info gs_unit_option_at(size_t kind, size_t option);

/* What a kind can print without a run, such as a hash function or a list of ranges. */
typedef struct gs_unit_print_info {
    const char *name;
    const char *argument; /* what it wants, or NULL */
    bool program;         /* it is about a program: `machine` below is needed */
    const char *help;
} gs_unit_print_info;

size_t gs_unit_print_count(size_t kind);
gs_unit_print_info gs_unit_print_at(size_t kind, size_t print);

/* Prints it to `to`, which stays the caller's. `options` (or NULL) are those of the unit; `machine`
 * (or NULL) has the program, `timing` (or NULL) the core; `argument` is what the print wants. Fails
 * as gs_units_add() does, and with GS_E_IO. */
gs_status gs_unit_print_write(FILE *to, size_t kind, size_t print, const char *options,
                              gs_machine *machine, const gs_timing *timing, const char *argument,
                              gs_error *err);

typedef struct gs_units gs_units;

/* An empty set. `timing` may be NULL: then an instruction is a cycle. *out is the caller's. Fails
 * with GS_E_NO_MEMORY only. */
gs_status gs_units_open(gs_units **out, gs_machine *machine, const gs_timing *timing,
                        gs_error *err);
void gs_units_free(gs_units *units); /* NULL is fine; before the machine and the timing */

/* Attaches a unit. To be called before the run. GS_E_ARGUMENT, with what would be allowed, for a
 * text that describes no unit, or one that the program or the machine makes impossible;
 * GS_E_NO_MEMORY. */
gs_status gs_units_add(gs_units *units, const char *text, gs_error *err);
size_t gs_units_count(const gs_units *units);

/* For gs_run_options. Borrowed from the set. */
const gs_observer *gs_units_observer(const gs_units *units);

/* Reads the units' counters and compares them with the exact counts. To be called once, after the
 * run and gs_recorder_finish(), and before any of the functions below. */
gs_status gs_units_conclude(gs_units *units, const gs_recorder *recorder, gs_error *err);

/* Whether unit number `unit` wants to see the program run once more, as one that looks for the
 * busiest range step by step does. Then the same unit is attached to a machine that has not run
 * yet, and takes over from the one in `before`, which must still be there. */
bool gs_units_again(const gs_units *units, size_t unit);
gs_status gs_units_add_again(gs_units *units, const gs_units *before, size_t unit, gs_error *err);

/* Write what the hardware counted next to the exact counts; tables have at most `top` rows (0 for
 * all) and `width` columns of text (0 for any). Streams stay the caller's. GS_E_IO, GS_E_NO_MEMORY.
 */
gs_status gs_report_units(FILE *to, const gs_units *units, size_t top, unsigned width,
                          gs_error *err);
gs_status gs_report_units_json(FILE *to, const gs_units *units, gs_error *err);

/* Write one table with all its rows: as CSV; or as a drawing, if its first two columns are shares.
 * GS_E_ARGUMENT if there is no such table. */
gs_status gs_report_units_csv(FILE *to, const gs_units *units, const char *table, gs_error *err);
gs_status gs_report_units_svg(FILE *to, const gs_units *units, const char *table, gs_error *err);

/* Adds the results to a profile that is going to be saved. The profile borrows them: the set must
 * outlive it. */
gs_status gs_profile_add_units(gs_profile *profile, const gs_units *units, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
