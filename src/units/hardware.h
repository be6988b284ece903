/*
 * hardware.h - a unit's Verilog: what it is made of, and its parameters for a configuration of
 * the model.
 *
 * A kind that exists in Verilog has a gs_unit_hardware. Its `describe` says of a configuration
 * how the hardware is to be made so that it counts what the model does, or why it cannot be.
 * Everything added to a description lives in its arena; memory that runs out is noticed at the end.
 */
#ifndef GS_UNITS_HARDWARE_H
#define GS_UNITS_HARDWARE_H

#include "units/amount.h"
#include "units/registers.h"
#include "units/unit.h"

/* A Verilog parameter or, as a wire, an input that is constant. */
typedef struct gs_hardware_value {
    const char *name, *value, *text; /* the text says what it means; or NULL */
} gs_hardware_value;

/* A file for this one program. */
typedef struct gs_hardware_file {
    const char *name;
    const char *text;
    const char *about; /* what it is for */
} gs_hardware_file;

/* Of a register. */
typedef struct gs_hardware_write {
    uint32_t address, value;
} gs_hardware_write;

typedef struct gs_hardware {
    gs_arena arena;
    struct {
        gs_hardware_value *items;
        size_t count, capacity;
    } parameters, wires;
    struct {
        gs_hardware_file *items;
        size_t count, capacity;
    } files;
    struct {
        gs_hardware_write *items;
        size_t count, capacity;
    } boot; /* what sets the unit up for the program, and starts it */
    bool no_memory;
} gs_hardware;

typedef struct gs_unit_hardware {
    const char *module;          /* the top one */
    const char *network;         /* the one that has it on a network instead of a bus; or NULL */
    const char *const *includes; /* whose names the values use; ends with NULL */
    const gs_register_map *registers;
    const char *const *run_options; /* of the model, that are about a run; ends with NULL */
    gs_status (*describe)(gs_hardware *hardware, const void *config, const gs_unit_context *context,
                          gs_error *err);
} gs_unit_hardware;

void gs_hardware_fini(gs_hardware *hardware);

void gs_hardware_parameter(gs_hardware *hardware, const char *name, const char *text,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What `write` prints is the value of a wire, or the text of a file. */
typedef void gs_hardware_writer(FILE *to, const void *self);
void gs_hardware_wire(gs_hardware *hardware, const char *name, gs_hardware_writer *write,
                      const void *self);
void gs_hardware_add_file(gs_hardware *hardware, const char *name, const char *about,
                          gs_hardware_writer *write, const void *self);

void gs_hardware_boot(gs_hardware *hardware, uint32_t address, uint32_t value);

/* COUNT and STALLS for what the models call an amount. */
void gs_hardware_count(gs_hardware *hardware, gs_amount amount);

/* MIPS: which instruction set the program is in. */
void gs_hardware_isa(gs_hardware *hardware, const gs_unit_context *context);

/* The program's name, without directories. */
const char *gs_hardware_program(const gs_unit_context *context);

extern const gs_unit_hardware gs_leap_hardware, gs_snoopp_hardware, gs_loops_hardware,
    gs_stats_hardware;

#endif
