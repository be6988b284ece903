/*
 * rtl_ports.h - Verilog that is part of the library: its files, and the ports of its modules.
 *
 * Only for our own sources, which have one module per file and one port per line.
 */
#ifndef GS_REPORT_RTL_PORTS_H
#define GS_REPORT_RTL_PORTS_H

#include <stdbool.h>

#include "base/embedded.h"

enum { GS_RTL_PORTS_MAX = 64 };

typedef struct gs_rtl_port {
    bool output;
    char range[32]; /* "[31:0]", or "" */
    char name[40];
} gs_rtl_port;

/* A file by its name, "leap.v" or "trace_counts.vh"; NULL if there is none. */
const gs_embedded *gs_rtl_source(const char *name);

/* How many ports there are, up to GS_RTL_PORTS_MAX. */
size_t gs_rtl_ports(const gs_embedded *source, gs_rtl_port ports[GS_RTL_PORTS_MAX]);

/* Whether `source` instantiates or includes `other`. */
bool gs_rtl_needs(const gs_embedded *source, const gs_embedded *other);

/* The index-th Verilog file, or NULL after the last. */
const gs_embedded *gs_rtl_nth(size_t index);

#endif
