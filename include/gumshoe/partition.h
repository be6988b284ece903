/*
 * partition.h - what of a program to move into hardware.
 *
 * A partition is made from a profile and a description of a tool for high-level synthesis
 * (docs/partition.md). Software cycles are those of the profile, exact; cycles and area of hardware
 * are estimates. A gs_partition is its owner's, borrows its profile, and never changes once it is
 * open, so any thread may read it.
 */
#ifndef GUMSHOE_PARTITION_H
#define GUMSHOE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"
#include "gumshoe/profile.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_partition gs_partition;

typedef struct gs_partition_options {
    const char *hls;       /* a built-in description's name, or a file; NULL: legup-cyclone2 */
    uint64_t lut, ff, dsp; /* the budget; 0: what the description's device has */
    bool dsp_given;        /* 0 is a budget, too */
} gs_partition_options;

/* Finds candidates, and chooses. `options` is not needed afterwards. *out is the caller's, NULL on
 * failure: GS_E_NOT_FOUND and GS_E_FORMAT for the description, GS_E_ARGUMENT for a run without an
 * exact profile, GS_E_IO, GS_E_NO_MEMORY, GS_E_UNSUPPORTED if the choice could not be calculated.
 */
gs_status gs_partition_open(gs_partition **out, const gs_profile *profile,
                            const gs_partition_options *options, gs_error *err);
void gs_partition_free(gs_partition *partition); /* NULL is fine */

/* What was chosen, every candidate with why it was or was not, and the speed-up by budget: for
 * people (`top` candidates that were left out, 0 for all; `width` columns, 0 for any), candidates
 * as CSV, everything as JSON, and the curve as a picture. `to` stays the caller's. GS_E_IO,
 * GS_E_NO_MEMORY. */
gs_status gs_report_partition(FILE *to, const gs_partition *partition, size_t top, unsigned width,
                              gs_error *err);
gs_status gs_report_partition_csv(FILE *to, const gs_partition *partition, gs_error *err);
gs_status gs_report_partition_json(FILE *to, const gs_partition *partition, gs_error *err);
gs_status gs_report_partition_svg(FILE *to, const gs_partition *partition, gs_error *err);

/* The files that tools read, of what was chosen. */
typedef enum gs_hls_file {
    GS_HLS_FILE_LEGUP,     /* config.tcl */
    GS_HLS_FILE_BAMBU,     /* a command line, as a shell script */
    GS_HLS_FILE_BAMBU_XML, /* its constraints */
    GS_HLS_FILE_VITIS,     /* hls_config.cfg */
    GS_HLS_FILE_COUNT
} gs_hls_file;

/* GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_partition_write(FILE *to, const gs_partition *partition, gs_hls_file file,
                             gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
