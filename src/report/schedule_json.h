/*
 * schedule_json.h - schedules as JSON.
 *
 * For src/report only.
 */
#ifndef GS_REPORT_SCHEDULE_JSON_H
#define GS_REPORT_SCHEDULE_JSON_H

#include <stdio.h>

#include "gumshoe/image.h"
#include "schedule/schedule.h"
#include "timing/core.h"

/* Writes one function, or with NULL all of them: their regions, and for each instruction of the
 * program when and where it is issued. */
gs_status gs_schedule_write_json(FILE *to, const gs_image *image, const gs_core *core,
                                 gs_scheduler *scheduler, gs_disassembler *disassembler,
                                 const gs_function *one, gs_error *err);

#endif
