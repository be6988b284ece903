/*
 * pipeline.h - the instructions that a timing has recorded on their way through the pipeline.
 */
#ifndef GS_REPORT_PIPELINE_H
#define GS_REPORT_PIPELINE_H

#include "base/json.h"
#include "isa/disassembler.h"
#include "timing/view.h"

/* The instruction of a row, disassembled, with blanks for tabs. */
void gs_pipeline_text(gs_timing *timing, gs_disassembler *disassembler, const gs_pipeline_row *row,
                      char *text, size_t size);

/* The member "rows": each with its stages, and what it lost to which cause. */
gs_status gs_pipeline_put_json(gs_json *json, gs_timing *timing, gs_error *err);

#endif
