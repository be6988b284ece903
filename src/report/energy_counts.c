/*
 * The runs of a profile file as samples for an energy fit: how often each instruction was
 * executed and how many cycles were lost, a line per run, with room for what was measured.
 * timing/energy_samples.c reads them.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/energy.h"
#include "profile/profile.h"
#include "report/names.h"
#include "report/targets.h"
#include "timing/energy.h"
#include "timing/energy_samples.h"

enum { WIDTH = 1024 }; /* operations of an instruction set, at most */

typedef struct counter {
    const gs_isa *isa;
    gs_decoder decoder;
    bool *used;       /* by column of a sample */
    uint64_t *counts; /* by run, then column */
} counter;

static void count_profile(counter *c, const gs_profile *profile, uint64_t *counts)
{
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *from = &profile->insns.items[i];
        gs_insn insn;
        gs_decode(&insn, &c->decoder, from->word);
        unsigned column = gs_energy_is_nop(c->isa, &insn) ? GS_SAMPLE_NOP : insn.op;
        if (column == GS_OP_ILLEGAL)
            continue; /* its page was gone when the run ended */
        counts[column] += from->executions;
        c->used[column] = true;
    }
    for (unsigned m = GS_METRIC_FIRST_STALL; m < GS_METRIC_COUNT; m++)
        counts[GS_SAMPLE_STALL] += profile->total.value[m];
    c->used[GS_SAMPLE_STALL] = true;
}

static gs_status count_run(counter *c, gs_profile_file *file, const gs_run_info *run, size_t row,
                           gs_error *err)
{
    char number[24];
    gs_profile *profile;
    const char *path = gs_profile_file_path(file);
    if (!run->core[0])
        return gs_fail(err, GS_E_ARGUMENT,
                       "%s: run %" PRId64 " has no lost cycles, because it had no --core", path,
                       run->id);
    const gs_isa *isa = gs_report_isa(run->isa);
    if (!isa || (c->isa && c->isa != isa))
        return gs_fail(err, GS_E_ARGUMENT,
                       "%s: run %" PRId64 " is of another instruction set than the first", path,
                       run->id);
    if (!c->isa) {
        assert(isa->op_count <= WIDTH);
        c->isa = isa;
        gs_decoder_init(&c->decoder, isa, isa->all_extensions);
    }
    snprintf(number, sizeof number, "%" PRId64, run->id);
    gs_status status = gs_profile_file_load(&profile, file, number, err);
    if (status == GS_OK)
        count_profile(c, profile, c->counts + row * WIDTH);
    gs_profile_free(profile);
    return status;
}

static void put_label(FILE *to, const gs_run_info *run)
{
    const char *name = run->label[0] ? run->label : gs_report_last_part(run->program);
    fputc('"', to);
    gs_report_put_csv(to, name);
    fputc('"', to);
}

static void put_rows(FILE *to, const counter *c, gs_profile_file *file, const char *which)
{
    fputs("run,energy_uj", to);
    for (unsigned column = 0; column < c->isa->op_count; column++) {
        if (c->used[column])
            fprintf(to, ",%s", gs_sample_column_name(c->isa, column));
    }
    fputc('\n', to);
    size_t row = 0;
    for (size_t i = 0; i < gs_profile_file_run_count(file); i++) {
        const gs_run_info *run = gs_profile_file_run(file, i);
        if (which && run != gs_profile_file_find(file, which))
            continue;
        put_label(to, run);
        fputc(',', to); /* the energy, to be measured */
        for (unsigned column = 0; column < c->isa->op_count; column++) {
            if (c->used[column])
                fprintf(to, ",%" PRIu64, c->counts[row * WIDTH + column]);
        }
        fputc('\n', to);
        row++;
    }
}

gs_status gs_report_energy_counts(FILE *to, gs_profile_file *file, const char *which, gs_error *err)
{
    size_t runs = gs_profile_file_run_count(file), row = 0;
    if (which && !gs_profile_file_find(file, which))
        return gs_fail(err, GS_E_NOT_FOUND,
                       "%s: no run has the number or label '%s'; 'gumshoe runs' lists them",
                       gs_profile_file_path(file), which);
    if (runs == 0)
        return gs_fail(err, GS_E_NOT_FOUND, "%s: there is no run in it",
                       gs_profile_file_path(file));
    counter *c = calloc(1, sizeof *c);
    gs_status status = GS_OK;
    if (!c || !(c->used = calloc(WIDTH, sizeof *c->used)) ||
        !(c->counts = calloc((which ? 1 : runs) * WIDTH, sizeof *c->counts)))
        status = gs_fail_no_memory(err);
    for (size_t i = 0; i < runs && status == GS_OK; i++) {
        const gs_run_info *run = gs_profile_file_run(file, i);
        if (!which || run == gs_profile_file_find(file, which))
            status = count_run(c, file, run, row++, err);
    }
    if (status == GS_OK) {
        put_rows(to, c, file, which);
        status = gs_report_end(to, err);
    }
    if (c) {
        free(c->used);
        free(c->counts);
    }
    free(c);
    return status;
}
