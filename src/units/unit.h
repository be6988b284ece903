/*
 * unit.h - a hardware unit, as a C model.
 *
 * A kind is a table entry: its options, how to make one, one function per beat of the trace
 * port, and what it reports. The model's state is that of the hardware, registers and
 * memories in their widths, and changes in `beat` only, so that the Verilog of the unit
 * driven by the same beats holds the same bits. Whatever explains a result but is not in the
 * hardware (an audit of what was charged where) is kept apart from that state.
 *
 * A unit borrows what its context names and lives as long as the set that opened it.
 */
#ifndef GS_UNITS_UNIT_H
#define GS_UNITS_UNIT_H

#include "units/options.h"
#include "probe/bulk.h"
#include "probe/port.h"
#include "units/result.h"
#include "units/truth.h"

/* Where a unit is attached. */
typedef struct gs_unit_context {
    const gs_image *image;
    const gs_isa *isa;
    const gs_core *core; /* NULL if the run is not timed */
    gs_machine *machine; /* to attach devices to before the run; NULL where nothing runs */
} gs_unit_context;

/* Something a kind can print without a run: "--signals", "--hash FORMAT PROGRAM". */
typedef struct gs_unit_print {
    const char *name;
    const char *argument; /* what it wants, or NULL */
    bool program;         /* needs a program, which is opened but not run */
    const char *help;     /* one line */
    gs_status (*print)(FILE *to, const void *config, const gs_unit_context *context,
                       const char *argument, gs_error *err);
} gs_unit_print;

/* How a unit counts what translated code executes, of which there are no beats: as in
 * gs_bulk_observer. */
typedef struct gs_unit_bulk {
    bool (*fits)(const void *self);              /* whether it can, as it is configured */
    void (*pause)(void *self, uint32_t pc);      /* beats pause where control is at `pc`; or NULL */
    void (*resume)(void *self, uint64_t clocks); /* so many later, they go on; or NULL */
    uint32_t (*weights)(void *self, size_t *count);
    void (*weigh)(void *self, const gs_bulk_run *run, int64_t *sums);
    void (*collect)(void *self, const int64_t *sums, const gs_bulk_run *last);
    uint64_t (*due)(void *self,
                    uint64_t clock); /* NULL: never. The clock is that of the last beat. */
} gs_unit_bulk;

typedef struct gs_unit_kind {
    const char *name;
    const char *summary; /* one line */
    const gs_unit_option *options;
    size_t option_count;
    size_t config_size; /* of the struct the options are parsed into */
    size_t state_size;  /* of a unit */
    const gs_unit_print *prints;
    size_t print_count;
    const struct gs_unit_hardware *hardware; /* hardware.h; NULL if there is no Verilog of it */

    /* `self` is zero. `config` lives as long as the unit. `before` is NULL, or the unit of an
     * earlier run of the same program that asked for another. */
    gs_status (*init)(void *self, const void *config, const gs_unit_context *context,
                      const void *before, gs_error *err);
    gs_port_reader *beat;
    const gs_unit_bulk *bulk;   /* NULL: it wants every beat */
    void (*finish)(void *self); /* the program has ended; or NULL */
    gs_status (*report)(void *self, const gs_truth *truth, gs_result *result, gs_error *err);
    bool (*again)(const void *self); /* after a report: wants another run; NULL for never */
    void (*fini)(void *self);        /* frees what `self` owns, also after init() has failed */
} gs_unit_kind;

/* What is the same in the table of every kind, from what its file calls `options`, `config`,
 * `unit`, `init`, `beat`, `report` and `fini`. */
#define GS_UNIT_KIND(unit_, summary_)                                                           \
    .name = #unit_, .summary = (summary_), .options = options,                                  \
    .option_count = sizeof options / sizeof *options, .config_size = sizeof(config),            \
    .hardware = &gs_##unit_##_hardware, .state_size = sizeof(unit), .init = init, .beat = beat, \
    .report = report, .fini = fini

/* A unit of a kind, initialised; see gs_unit_kind.init. *out is NULL on failure. */
gs_status gs_unit_open(void **out, const gs_unit_kind *kind, const void *config,
                       const gs_unit_context *context, const void *before, gs_error *err);
void gs_unit_close(const gs_unit_kind *kind, void *self); /* NULL is fine */

/* The kinds there are. */
size_t gs_unit_count(void);
const gs_unit_kind *gs_unit_at(size_t index);
const gs_unit_kind *gs_unit_find(const char *name); /* or NULL */

#endif
