/*
 * rtl.h - what the writers of a configuration's files share.
 */
#ifndef GS_REPORT_RTL_H
#define GS_REPORT_RTL_H

#include <stdio.h>

#include "gumshoe/rtl.h"
#include "report/rtl_ports.h"
#include "units/hardware.h"

/* How registers reach the bus. */
typedef struct gs_rtl_bus {
    const char *name;
    const char *adapter; /* its module; NULL for the unit's own interface */
    const char *text;
    bool network; /* there are no registers, but datagrams */
} gs_rtl_bus;

/* A unit; or several behind one bus, in which case there are parts. */
typedef struct gs_rtl_design {
    const gs_unit_kind *kind;
    const gs_unit_hardware *unit;
    const gs_hardware *hardware;
    const gs_rtl_bus *bus;
    const char *top; /* the module that is written about, */
    char module[64]; /* and the one that has it with its parameters set */
    const char *program;
    const char *command;
    const struct gs_rtl_design *parts; /* on a plain bus each; or NULL */
    size_t part_count;
    bool boot; /* between bus and registers is a ROM of what is written after reset */
} gs_rtl_design;

enum {
    GS_RTL_WINDOW_BITS = 20, /* of several units, each has the registers in a window of this size */
    GS_RTL_UNITS_MAX = 8,
};

/* Of all its registers on the bus. */
unsigned gs_rtl_address_bits(const gs_rtl_design *design);

/* The ports of the module that is written, up to GS_RTL_PORTS_MAX; returns how many. */
size_t gs_rtl_design_ports(const gs_rtl_design *design, gs_rtl_port ports[GS_RTL_PORTS_MAX]);

void gs_rtl_write_module(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_set(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_set_header(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_boot(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_example(FILE *to, const gs_rtl_design *design);

/* Up to the table of files, and behind it. */
void gs_rtl_write_readme_head(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_readme_tail(FILE *to, const gs_rtl_design *design);

/* What the two have in common: the module's name and ports, and the bus adapter. */
void gs_rtl_print_head(FILE *to, const gs_rtl_design *design, const char *what);
void gs_rtl_print_adapter(FILE *to, const gs_rtl_design *design);
bool gs_rtl_is_register_port(const gs_rtl_port *port);

#endif
