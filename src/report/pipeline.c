/*
 * The pipeline as a picture: a row per instruction, a column per cycle.
 *
 * A capital letter is the first cycle in a stage, the small one every further cycle
 * there. Cycles in which nothing moves anywhere are folded into "~".
 */
#include "report/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/run.h"
#include "report/json_parts.h"

enum { FOLD_FROM = 4, TEXT_WIDTH = 28 };

typedef struct picture {
    uint64_t first, last; /* cycles */
    bool *moves;          /* per cycle: some instruction begins a stage, or leaves its last */
} picture;

static uint64_t row_end(const gs_pipeline_row *row)
{
    return row->stages[row->stage_count - 1].last;
}

static gs_status measure(picture *p, const gs_timing_view *view, gs_error *err)
{
    p->first = view->rows[0].stages[0].first;
    p->last = p->first;
    for (size_t i = 0; i < view->count; i++) {
        if (view->rows[i].stages[0].first < p->first)
            p->first = view->rows[i].stages[0].first;
        if (row_end(&view->rows[i]) > p->last)
            p->last = row_end(&view->rows[i]);
    }
    p->moves = calloc(p->last - p->first + 2, sizeof *p->moves);
    if (!p->moves)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < view->count; i++) {
        for (unsigned s = 0; s < view->rows[i].stage_count; s++)
            p->moves[view->rows[i].stages[s].first - p->first] = true;
        p->moves[row_end(&view->rows[i]) + 1 - p->first] = true;
    }
    return GS_OK;
}

/* Number of cycles after cycle `c` in which nothing moves. */
static uint64_t quiet_after(const picture *p, uint64_t c)
{
    uint64_t n = 0;
    while (c + n + 1 <= p->last && !p->moves[c + n + 1 - p->first])
        n++;
    return n;
}

static char cell(const gs_pipeline_row *row, uint64_t cycle)
{
    for (unsigned s = 0; s < row->stage_count; s++) {
        const gs_stage *stage = &row->stages[s];
        if (cycle == stage->first)
            return stage->letter;
        if (cycle > stage->first && cycle <= stage->last)
            return (char)(stage->letter | 0x20);
    }
    return ' ';
}

static void draw_row(FILE *to, const picture *p, const gs_pipeline_row *row)
{
    uint64_t end = row_end(row);
    for (uint64_t c = p->first; c <= end; c++) {
        fputc(cell(row, c), to);
        uint64_t quiet = quiet_after(p, c);
        if (quiet >= FOLD_FROM) {
            char here = cell(row, c + 1);
            fputc(here == ' ' ? ' ' : '~', to);
            c += quiet;
        }
    }
    const char *separator = "  ";
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        if (row->stalls[i] > 0) {
            fprintf(to, "%s%s %" PRIu64, separator, gs_timing_stall_key(i), row->stalls[i]);
            separator = ", ";
        }
    }
    fputc('\n', to);
}

void gs_pipeline_text(gs_timing *timing, gs_disassembler *disassembler, const gs_pipeline_row *row,
                      char *text, size_t size)
{
    gs_machine *machine = timing->machine;
    uint32_t word;
    gs_insn insn;
    snprintf(text, size, "?");
    if (gs_memory_fetch(&machine->memory, machine->isa, row->pc, &word) == GS_ACCESS_OK) {
        gs_decode(&insn, &machine->decoder, word);
        gs_disassemble(disassembler, &insn, row->pc, text, size);
    }
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
}

static void put_json_row(gs_json *json, const gs_pipeline_row *row, const char *text)
{
    gs_json_open_object(json, NULL);
    gs_json_uint(json, "number", row->number);
    gs_report_json_address(json, "address", row->pc);
    gs_json_string(json, "instruction", text);
    gs_json_open_array(json, "stages");
    for (unsigned s = 0; s < row->stage_count; s++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "stage", (char[]){row->stages[s].letter, '\0'});
        gs_json_uint(json, "first", row->stages[s].first);
        gs_json_uint(json, "last", row->stages[s].last);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    gs_json_open_object(json, "stalls");
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        if (row->stalls[i] > 0)
            gs_json_uint(json, gs_timing_stall_key(i), row->stalls[i]);
    }
    gs_json_close_object(json);
    gs_json_close_object(json);
}

gs_status gs_pipeline_put_json(gs_json *json, gs_timing *timing, gs_error *err)
{
    const gs_timing_view *view = timing->view;
    gs_disassembler *disassembler;
    gs_status status = gs_disassembler_open(&disassembler, timing->machine->isa->arch, err);
    if (status != GS_OK)
        return status;
    gs_json_open_array(json, "rows");
    for (size_t i = 0; view && i < view->count; i++) {
        char text[120];
        gs_pipeline_text(timing, disassembler, &view->rows[i], text, sizeof text);
        put_json_row(json, &view->rows[i], text);
    }
    gs_json_close_array(json);
    gs_disassembler_free(disassembler);
    return GS_OK;
}

gs_status gs_report_pipeline(FILE *to, gs_timing *timing, gs_error *err)
{
    const gs_timing_view *view = timing->view;
    if (!view || view->count == 0) {
        fputs("no instruction of that window was executed\n", to);
        return GS_OK;
    }
    picture p = {0};
    gs_disassembler *dis = NULL;
    gs_status status = measure(&p, view, err);
    if (status == GS_OK)
        status = gs_disassembler_open(&dis, timing->machine->isa->arch, err);
    if (status != GS_OK)
        goto out;
    fprintf(to, "%9s  %-8s  %-*s  from cycle %" PRIu64 "\n", "number", "pc", TEXT_WIDTH,
            "instruction", p.first);
    for (size_t i = 0; i < view->count; i++) {
        const gs_pipeline_row *row = &view->rows[i];
        char text[120];
        gs_pipeline_text(timing, dis, row, text, sizeof text);
        fprintf(to, "%9" PRIu64 "  %08" PRIx32 "  %-*.*s  ", row->number, row->pc, TEXT_WIDTH,
                TEXT_WIDTH, text);
        draw_row(to, &p, row);
    }
out:
    gs_disassembler_free(dis);
    free(p.moves);
    return status;
}
