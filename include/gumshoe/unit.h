/*
 * unit.h - on-chip profilers, modelled as they would be built.
 *
 * A set of units is attached to a machine before it runs and watches through the trace port
 * what the hardware would see. When the run is over it is concluded with the recorder of the
 * same run, which knows the truth; then it can be reported, and saved with the profile.
 *
 * A unit is asked for by a text: a kind, and options after a colon, such as
 * "leap:functions=64,hier".
 */
#ifndef GUMSHOE_UNIT_H
#define GUMSHOE_UNIT_H

#include "gumshoe/profile.h"

#pragma GCC visibility push(default)

/* The kinds there are, and their options. Texts are constant. */
typedef struct gs_unit_option_info {
    const char *name;
    const char *argument; /* what it wants: "N", "NAME"; NULL if nothing */
    const char *help;     /* one line */
} gs_unit_option_info;

size_t gs_unit_kind_count(void);
const char *gs_unit_kind_name(size_t kind);
const char *gs_unit_kind_summary(size_t kind);
bool gs_unit_kind_find(const char *name, size_t *kind);
size_t gs_unit_option_count(size_t kind);
gs_unit_option_info gs_unit_option_at(size_t kind, size_t option);

/* What a kind can print without running anything. */
typedef struct gs_unit_print_info {
    const char *name;
    const char *argument; /* what it wants, or NULL */
    bool program;         /* it is about a program: `machine` below is needed */
    const char *help;
} gs_unit_print_info;

size_t gs_unit_print_count(size_t kind);
gs_unit_print_info gs_unit_print_at(size_t kind, size_t print);
gs_status gs_unit_print_write(FILE *to, size_t kind, size_t print, const char *options,
                              gs_machine *machine, const gs_timing *timing, const char *argument,
                              gs_error *err);

typedef struct gs_units gs_units;

/* An empty set. Borrows machine and timing (which may be NULL: an instruction is a cycle). */
gs_status gs_units_open(gs_units **out, gs_machine *machine, const gs_timing *timing,
                        gs_error *err);
void gs_units_free(gs_units *units);

/* Attaches a unit. To be called before the run. */
gs_status gs_units_add(gs_units *units, const char *text, gs_error *err);
size_t gs_units_count(const gs_units *units);
const gs_observer *gs_units_observer(const gs_units *units);

/* After the run and gs_recorder_finish(): the units say what they have counted. Once. */
gs_status gs_units_conclude(gs_units *units, const gs_recorder *recorder, gs_error *err);

/* After that: whether a unit wants to see the program run once more, to know more. Then the same
 * unit is attached to a new machine, and takes over from the old one, which must still be there. */
bool gs_units_again(const gs_units *units, size_t unit);
gs_status gs_units_add_again(gs_units *units, const gs_units *before, size_t unit, gs_error *err);

/* After that: what the hardware says, next to the truth. */
gs_status gs_report_units(FILE *to, const gs_units *units, size_t top, gs_error *err);
gs_status gs_report_units_json(FILE *to, const gs_units *units, gs_error *err);

/* One table, all its rows: as CSV; or drawn, if its first two columns are shares. GS_E_ARGUMENT if
 * there is no such table. */
gs_status gs_report_units_csv(FILE *to, const gs_units *units, const char *table, gs_error *err);
gs_status gs_report_units_svg(FILE *to, const gs_units *units, const char *table, gs_error *err);

/* Adds the results to a profile that is going to be saved, and borrows them until then. */
gs_status gs_profile_add_units(gs_profile *profile, const gs_units *units, gs_error *err);

#pragma GCC visibility pop

#endif
