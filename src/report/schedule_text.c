/* A program's schedule for a statically scheduled core: all functions, or one in bundles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/core.h"
#include "report/names.h"
#include "report/schedule_json.h"
#include "report/text_table.h"
#include "schedule/schedule.h"
#include "timing/core.h"

enum { CELL_WIDTH = 26, TEXT_MAX = 96 };

typedef struct printer {
    FILE *to;
    const gs_image *image;
    const gs_core *core;
    const gs_vliw *target;
    gs_disassembler *disassembler;
} printer;

/* -- all functions ---------------------------------------------------------------------------- */

typedef struct sums {
    uint64_t instructions, operations, bundles, program_bytes, bytes;
    unsigned loops, pipelined, spilled;
} sums;

typedef struct all_functions {
    const printer *printer;
    const sums *of;
} all_functions;

static sums sum_of(const gs_scheduled_function *f)
{
    sums sum = {.program_bytes = f->end - f->start, .instructions = f->insn_count};
    for (uint32_t i = 0; i < f->region_count; i++) {
        const gs_vliw_region *region = &f->regions[i];
        sum.operations += region->operations;
        sum.bundles += region->bundles;
        sum.bytes += region->bytes;
        sum.loops += region->loops;
        sum.pipelined += region->interval > 0;
        sum.spilled += region->spilled;
    }
    return sum;
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const sums *sum = &((all_functions *)self)->of[row];
    const uint64_t cells[] = {sum->instructions, sum->operations, sum->bundles, sum->program_bytes,
                              sum->bytes};
    if (column < sizeof cells / sizeof *cells)
        snprintf(to, GS_TEXT_CELL, "%llu", (unsigned long long)cells[column]);
    else
        snprintf(to, GS_TEXT_CELL, "%.2f",
                 sum->bundles ? (double)sum->operations / (double)sum->bundles : 0.0);
}

static void put_name(FILE *to, void *self, size_t row, unsigned room)
{
    const printer *p = ((all_functions *)self)->printer;
    const size_t functions = gs_image_function_count(p->image);
    const char *name = row < functions ? gs_image_function(p->image, row)->name : "all";
    gs_report_put_fitted(to, name, room);
}

static unsigned name_width(void *self, size_t row)
{
    const gs_image *image = ((all_functions *)self)->printer->image;
    const bool is_sum = row >= gs_image_function_count(image);
    return is_sum ? 3 : (unsigned)strlen(gs_image_function(image, row)->name);
}

static gs_status print_all(const printer *p, gs_scheduler *scheduler, gs_error *err)
{
    static const gs_text_column columns[] = {
        {.heading = "instructions"}, {.heading = "operations"}, {.heading = "bundles"},
        {.heading = "RISC-V bytes"}, {.heading = "bytes"},      {.heading = "per bundle"}};
    const size_t count = gs_image_function_count(p->image);
    sums *of = calloc(count + 1, sizeof *of);
    if (!of)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const gs_scheduled_function *f =
            gs_scheduler_function_at(scheduler, (uint32_t)gs_image_function(p->image, i)->start);
        if (!f) {
            free(of);
            return gs_fail_no_memory(err);
        }
        of[i] = sum_of(f);
        of[count].instructions += of[i].instructions;
        of[count].operations += of[i].operations;
        of[count].bundles += of[i].bundles;
        of[count].program_bytes += of[i].program_bytes;
        of[count].bytes += of[i].bytes;
    }
    all_functions all = {p, of};
    const gs_text_table table = {
        .columns = columns,
        .count = sizeof columns / sizeof *columns,
        .rows = count + 1,
        .name = "function",
        .self = &all,
        .cell = put_cell,
        .put_name = put_name,
        .name_width = name_width,
    };
    gs_text_table_put(p->to, &table);
    free(of);
    return GS_OK;
}

/* -- one function ----------------------------------------------------------------------------- */

/* The text of an operation: of its last instruction, and with what it is fused as. */
static void text_of(const printer *p, const gs_scheduled_function *f, uint32_t insn,
                    char text[TEXT_MAX])
{
    const gs_scheduled_insn *at = &f->insns[insn];
    gs_insn decoded;
    char own[TEXT_MAX] = "";
    if (gs_image_insn_at(p->image, f->pcs[insn], &decoded))
        gs_disassemble(p->disassembler, &decoded, f->pcs[insn], own, sizeof own);
    if (at->fused >= 0)
        snprintf(text, TEXT_MAX, "%.20s: %.70s", p->target->fused[at->fused].name, own);
    else
        snprintf(text, TEXT_MAX, "%s", own);
}

/* The last instruction of the operation in a slot of a cycle; -1: the slot is empty. */
static int64_t find(const gs_scheduled_function *f, const gs_vliw_region *region, unsigned cycle,
                    unsigned slot)
{
    int64_t found = -1;
    for (uint32_t i = region->first; i < region->first + region->count; i++) {
        if (f->insns[i].cycle == cycle && f->insns[i].slot == slot)
            found = i;
    }
    return found;
}

static void print_bundle(const printer *p, const gs_scheduled_function *f,
                         const gs_vliw_region *region, unsigned cycle)
{
    int pad = 0; /* up to the next column */
    fprintf(p->to, "%6u", cycle);
    for (unsigned slot = 0; slot < p->target->width; slot++) {
        const int64_t insn = find(f, region, cycle, slot);
        char text[TEXT_MAX] = ".";
        if (insn >= 0)
            text_of(p, f, (uint32_t)insn, text);
        fprintf(p->to, "%*s  %s", pad, "", text);
        pad = CELL_WIDTH - (int)strlen(text);
        pad = pad > 0 ? pad : 0;
    }
    fputc('\n', p->to);
}

/* What no schedule for this core could be better than. */
static void print_limit(const printer *p, const gs_vliw_region *region)
{
    const unsigned reached = region->interval ? region->interval : region->length;
    const unsigned chain = region->interval ? region->circles : region->chain;
    const char *name = region->interval ? "values that the next iteration needs"
                                        : "the longest chain of dependences";
    const unsigned best = chain > region->places ? chain : region->places;
    const unsigned branch = region->interval ? p->target->delay + 1 : 0;
    if (branch > best)
        name = "the branch and its delay";
    else if (region->places > chain)
        name = "slots and units";
    fprintf(p->to, "  limited by %s: %u of %u cycle%s\n", name, branch > best ? branch : best,
            reached, reached == 1 ? "" : "s");
}

static void print_region(const printer *p, const gs_scheduled_function *f,
                         const gs_vliw_region *region)
{
    fprintf(p->to, "%08x  ", f->pcs[region->first]);
    if (region->interval)
        fprintf(p->to, "loop, an iteration every %u cycle%s and %u for the last one",
                region->interval, region->interval == 1 ? "" : "s", region->length);
    else
        fprintf(p->to, "%s%u cycle%s", region->loops ? "loop, " : "", region->length,
                region->length == 1 ? "" : "s");
    fprintf(p->to, ", %u instruction%s, %u operation%s, %u bytes\n", region->count,
            region->count == 1 ? "" : "s", region->operations, region->operations == 1 ? "" : "s",
            region->bytes);
    print_limit(p, region);
    if (region->spilled)
        fprintf(p->to, "  %u value%s too many for the registers\n", region->spilled,
                region->spilled == 1 ? "" : "s");
    for (unsigned cycle = 0; cycle < region->bundles; cycle++)
        print_bundle(p, f, region, cycle);
}

static const gs_function *function_named(const gs_image *image, const char *name)
{
    for (size_t i = 0; i < gs_image_function_count(image); i++) {
        if (!strcmp(gs_image_function(image, i)->name, name))
            return gs_image_function(image, i);
    }
    return NULL;
}

static gs_status print_one(const printer *p, gs_scheduler *scheduler, const gs_function *function,
                           gs_error *err)
{
    const gs_scheduled_function *f = gs_scheduler_function_at(scheduler, (uint32_t)function->start);
    if (!f)
        return gs_fail_no_memory(err);
    for (uint32_t i = 0; i < f->region_count; i++) {
        if (i > 0)
            fputc('\n', p->to);
        print_region(p, f, &f->regions[i]);
    }
    return GS_OK;
}

gs_status gs_report_schedule(FILE *to, const gs_image *image, const gs_core *core,
                             const char *function, bool json, gs_error *err)
{
    gs_scheduler *scheduler;
    printer p = {.to = to, .image = image, .core = core, .target = &core->vliw};
    if (!gs_core_estimates(core))
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "core %s is not scheduled by its compiler; this is for cores with "
                       "'pipeline: vliw', such as vliw4",
                       core->name);
    if (gs_image_arch(image) != core->arch)
        return gs_fail(err, GS_E_UNSUPPORTED, "%s is not a program for %s", gs_image_name(image),
                       core->isa_text);
    const gs_function *one = function ? function_named(image, function) : NULL;
    if (function && !one)
        return gs_fail(err, GS_E_NOT_FOUND, "%s has no function '%s'", gs_image_name(image),
                       function);
    gs_status status = gs_disassembler_open(&p.disassembler, gs_image_arch(image), err);
    if (status == GS_OK)
        status = gs_scheduler_open(&scheduler, image, &core->vliw, err);
    if (status != GS_OK) {
        gs_disassembler_free(p.disassembler);
        return status;
    }
    if (json) {
        status = gs_schedule_write_json(to, image, core, scheduler, p.disassembler, one, err);
    } else {
        gs_report_put(to, function ? function : gs_image_name(image), "");
        fprintf(to, " on %s\n\n", core->title);
        status = one ? print_one(&p, scheduler, one, err) : print_all(&p, scheduler, err);
    }
    gs_scheduler_free(scheduler);
    gs_disassembler_free(p.disassembler);
    if (status == GS_OK && ferror(to))
        return gs_fail(err, GS_E_IO, "cannot write the schedule: %s", strerror(errno));
    return status;
}
