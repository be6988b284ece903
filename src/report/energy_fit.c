/* A fitted energy table: a summary for people, and YAML to put into a core. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "gumshoe/energy.h"
#include "report/names.h"
#include "timing/energy_fit.h"

enum { SAMPLES_SIZE_MAX = 64 << 20, TEXT_WIDTH = 96 };

typedef struct writer {
    const gs_energy_fit_options *options;
    const gs_core *core;
    const gs_isa *isa;
    const char *path;
    const gs_energy_samples *samples;
    const gs_energy_fit *fit;
} writer;

/* A, B, ... Z, AA, ... */
static const char *group_name(char *to, size_t group)
{
    char *at = to;
    if (group >= 26)
        *at++ = (char)('A' + group / 26 - 1);
    *at++ = (char)('A' + group % 26);
    *at = '\0';
    return to;
}

static double power_mw(const writer *w, double joules)
{
    return joules * (double)gs_core_clock_hz(w->core) * 1e3;
}

static size_t members(const writer *w, size_t group)
{
    size_t count = 0;
    for (size_t i = 0; i < w->samples->column_count; i++)
        count += w->fit->group[i] == group;
    return count;
}

static void put_members(const writer *w, FILE *to, size_t group)
{
    size_t used = 0;
    fputs("      instructions: [", to);
    for (size_t i = 0; i < w->samples->column_count; i++) {
        if (w->fit->group[i] != group)
            continue;
        const char *name = gs_sample_column_name(w->isa, w->samples->columns[i]);
        if (used && used + strlen(name) > TEXT_WIDTH - 24) {
            fputs(",\n                     ", to);
            used = 0;
        } else if (used) {
            fputs(", ", to);
        }
        used += strlen(name) + 2;
        fputs(name, to);
    }
    fputs("]\n", to);
}

/* In double quotes: what could end them, or is no plain text, is replaced. */
static void put_plain(FILE *to, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e || *text == '"' ||
                      *text == '\\'
                  ? '?'
                  : *text,
              to);
}

static gs_status put_yaml(const writer *w, FILE *to, gs_error *err)
{
    const gs_energy_fit *fit = w->fit;
    char name[8];
    size_t largest = 0;
    for (size_t g = 0; g <= fit->groups; g++) {
        if (power_mw(w, fit->group_j[g]) > 1e6)
            return gs_fail(err, GS_E_FORMAT,
                           "%s: that would be more than a kilowatt at %" PRIu64
                           " Hz; is the energy in another unit?",
                           w->path, gs_core_clock_hz(w->core));
        if (g < fit->groups && members(w, g) > members(w, largest))
            largest = g;
    }
    fprintf(to, "name: \"");
    put_plain(to, w->options->name);
    fprintf(to, "\"\nextends: \"");
    put_plain(to, w->options->core);
    fprintf(to, "\"\nsummary: \"");
    put_plain(to, gs_core_name(w->core));
    fprintf(to,
            " with an energy table fitted to measurements\"\n\n"
            "energy:\n  source: \"fitted to %zu runs of ",
            w->samples->rows.count);
    put_plain(to, gs_report_last_part(w->path));
    fprintf(to, "; %.1f%% off on average for a run left out\"\n", 100 * fit->error);
    fprintf(to, "  clock_hz: %" PRIu64 "\n  stall_mw: %.3f\n  stalls: all\n",
            gs_core_clock_hz(w->core), power_mw(w, fit->group_j[fit->groups]));
    if (fit->average_stall >= 0.001)
        fprintf(to, "  average_stall_percent: %.3f\n", fit->average_stall);
    fprintf(to, "  groups:\n");
    for (size_t g = 0; g < fit->groups; g++) {
        fprintf(to, "    - name: %s\n      power_mw: %.3f\n", group_name(name, g),
                power_mw(w, fit->group_j[g]));
        put_members(w, to, g);
    }
    fprintf(to, "  others: %s\n", group_name(name, largest));
    return gs_report_end(to, err);
}

static void put_text(const writer *w, FILE *to)
{
    const gs_energy_fit *fit = w->fit;
    char name[8], joules[32], other[32];
    fprintf(to, "%zu runs, %zu instructions and the stall, %zu groups\n\n", w->samples->rows.count,
            w->samples->column_count - 1, fit->groups);
    fprintf(to, "%8s  %12s  %10s  %s\n", "group", "pJ", "mW", "instructions");
    for (size_t g = 0; g < fit->groups; g++)
        fprintf(to, "%8s  %12.3f  %10.3f  %zu\n", group_name(name, g), fit->group_j[g] * 1e12,
                power_mw(w, fit->group_j[g]), members(w, g));
    fprintf(to, "%8s  %12.3f  %10.3f\n\n", "stall", fit->group_j[fit->groups] * 1e12,
            power_mw(w, fit->group_j[fit->groups]));
    fprintf(to, "%12s  %12s  %8s  %s\n", "measured", "left out", "error", "run");
    for (size_t i = 0; i < w->samples->rows.count; i++) {
        const gs_energy_sample *row = &w->samples->rows.items[i];
        fprintf(to, "%12s  %12s  %+7.2f%%  ", gs_text_joules(joules, row->energy_j),
                gs_text_joules(other, fit->left_out_j[i]),
                100 * (fit->left_out_j[i] - row->energy_j) / row->energy_j);
        gs_report_put(to, row->name, "");
        fputc('\n', to);
    }
    fprintf(to, "\nA run that was left out of the fit is %.2f%% off on average, either way.\n",
            100 * fit->error);
    if (fit->rank < fit->columns)
        fprintf(to,
                "The runs say too little: %zu of %zu costs can be told apart. Measure runs with\n"
                "other mixtures of instructions, or take the table for mixtures like these only.\n",
                fit->rank, fit->columns);
}

gs_status gs_report_energy_fit(FILE *text, FILE *yaml, const char *path,
                               const gs_energy_fit_options *options, gs_error *err)
{
    gs_core *core = NULL;
    gs_energy_samples samples = {0};
    gs_energy_fit fit = {0};
    char *content = NULL;
    size_t size = 0;
    gs_status status = gs_core_open(&core, options->core, NULL, 0, err);
    if (status == GS_OK && core->any_isa)
        status =
            gs_fail(err, GS_E_ARGUMENT,
                    "core %s runs any instruction set; a table is for one of them", options->core);
    if (status == GS_OK)
        status = gs_file_read(&content, &size, path, SAMPLES_SIZE_MAX, err);
    if (status == GS_OK)
        status = gs_energy_samples_parse(&samples, core, path, content, size, err);
    if (status == GS_OK)
        status = gs_energy_fit_open(&fit, &samples, options->groups, err);
    if (status == GS_OK) {
        writer w = {options, core, gs_isa_for(core->arch), path, &samples, &fit};
        status = put_yaml(&w, yaml, err);
        if (status == GS_OK)
            put_text(&w, text);
    }
    gs_energy_fit_fini(&fit);
    gs_energy_samples_fini(&samples);
    free(content);
    gs_core_free(core);
    return status;
}
