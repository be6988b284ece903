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

typedef struct gs_rtl_design {
    const gs_unit_kind *kind;
    const gs_unit_hardware *unit;
    const gs_hardware *hardware;
    const gs_rtl_bus *bus;
    const char *top;    /* the module that is written about, */
    const char *module; /* and the one that has it with its parameters set */
    const char *program;
    const char *command;
} gs_rtl_design;

void gs_rtl_write_module(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_example(FILE *to, const gs_rtl_design *design);

#endif
