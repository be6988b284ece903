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
} gs_rtl_bus;

typedef struct gs_rtl_design {
    const gs_unit_kind *kind;
    const gs_unit_hardware *unit;
    const gs_hardware *hardware;
    const gs_rtl_bus *bus;
    const char *module;
    const char *program;
    const char *command;
} gs_rtl_design;

void gs_rtl_write_module(FILE *to, const gs_rtl_design *design);
void gs_rtl_write_example(FILE *to, const gs_rtl_design *design);

#endif
