/*
 * The energy of a run, in joules. Group by group it is computed again from the instructions of
 * the profile and the table of its core; the functions are a view like any other.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "gumshoe/energy.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/views.h"
#include "timing/energy.h"

typedef struct group_sum {
    uint64_t executions, lost; /* cycles lost at the power of the instruction */
    uint64_t energy_fj;
} group_sum;

typedef struct summary {
    gs_core *core;
    group_sum groups[GS_CORE_GROUP_MAX];
    group_sum stalls;
    uint64_t total_fj;
    double stall_percent, factor; /* 1 if nothing is to be corrected */
    double seconds;
    gs_view functions;
} summary;

static void sum_up(summary *s, const gs_profile *profile)
{
    const gs_core_energy *energy = &s->core->energy;
    const gs_isa *isa = gs_isa_for(s->core->arch);
    gs_decoder decoder;
    gs_decoder_init(&decoder, isa, isa->all_extensions);
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *from = &profile->insns.items[i];
        gs_insn insn;
        gs_decode(&insn, &decoder, from->word);
        group_sum *group = &s->groups[gs_energy_group(s->core, isa, &insn)];
        group->executions += from->executions;
        for (unsigned c = 0; c < GS_STALL_COUNT; c++) {
            uint64_t cycles = from->cost.value[GS_METRIC_FIRST_STALL + c];
            if (gs_energy_is_stall(energy, (gs_stall)c))
                s->stalls.lost += cycles;
            else
                group->lost += cycles;
        }
    }
    for (unsigned i = 0; i < energy->group_count; i++)
        s->groups[i].energy_fj =
            (s->groups[i].executions + s->groups[i].lost) * energy->groups[i].cycle_fj;
    s->stalls.energy_fj = s->stalls.lost * energy->stall_fj;
}

static gs_status open_summary(summary *s, const gs_profile *profile,
                              const gs_energy_options *options, gs_error *err)
{
    const gs_profile_run *run = &profile->run;
    const gs_report_options view = {.metric = "energy-fj", .top = options->top};
    *s = (summary){.factor = 1, .total_fj = profile->total.value[GS_METRIC_ENERGY]};
    if (!run->core[0])
        return gs_fail(err, GS_E_UNSUPPORTED, "this run has no energy, because it had no --core");
    gs_status status =
        gs_core_parse(&s->core, run->core, run->core_yaml, strlen(run->core_yaml), NULL, 0, err);
    if (status != GS_OK)
        return status;
    status = gs_energy_check(s->core, options->correct, err);
    if (status != GS_OK)
        return status;
    uint64_t cycles = profile->total.value[GS_METRIC_CYCLES], stalls = 0;
    for (unsigned c = 0; c < GS_STALL_COUNT; c++)
        stalls += profile->total.value[GS_METRIC_FIRST_STALL + c];
    s->stall_percent = gs_report_percent(stalls, cycles);
    s->seconds = run->clock_hz ? (double)cycles / (double)run->clock_hz : 0;
    if (options->correct)
        s->factor = gs_energy_correction(gs_core_energy_average_stall(s->core), s->stall_percent);
    sum_up(s, profile);
    return gs_view_open(&s->functions, profile, &view, err);
}

static void close_summary(summary *s)
{
    gs_view_close(&s->functions);
    gs_core_free(s->core);
}

static double joules(const summary *s, uint64_t fj)
{
    return (double)fj * 1e-15 * s->factor;
}

static void put_group(FILE *to, const summary *s, const char *name, uint32_t power_uw,
                      const group_sum *group)
{
    char energy[32], executions[28], lost[28];
    fprintf(to, "%6.2f%%  %12s  %16s  %16s  %10.3f  %s\n",
            gs_report_percent(group->energy_fj, s->total_fj),
            gs_text_joules(energy, joules(s, group->energy_fj)),
            gs_text_digits(executions, group->executions), gs_text_digits(lost, group->lost),
            power_uw * 1e-3, name);
}

static void put_functions(FILE *to, const summary *s, const gs_profile *profile, unsigned width)
{
    enum { LEAD = 39 }; /* columns before the name */
    char own[32], all[32];
    fprintf(to, "\n%7s  %12s  %12s  %s\n", "self", "self", "total", "function");
    for (size_t i = 0; i < s->functions.count; i++) {
        const gs_view_row *row = &s->functions.items[i];
        uint64_t self = row->self.value[GS_METRIC_ENERGY];
        fprintf(to, "%6.2f%%  %12s  %12s  ", gs_report_percent(self, s->total_fj),
                gs_text_joules(own, joules(s, self)),
                gs_text_joules(all, joules(s, row->inclusive.value[GS_METRIC_ENERGY])));
        gs_report_put_short(to, gs_report_function_name(profile, row->function),
                            width > LEAD ? width - LEAD : 0);
        fputc('\n', to);
    }
    if (s->functions.all > s->functions.count)
        fprintf(to, "(%s more)\n", GS_TEXT_DIGITS(s->functions.all - s->functions.count));
}

gs_status gs_report_energy(FILE *to, const gs_profile *profile, const gs_energy_options *options,
                           gs_error *err)
{
    summary s;
    gs_status status = open_summary(&s, profile, options, err);
    if (status != GS_OK) {
        close_summary(&s);
        return status;
    }
    char all[GS_TEXT_NUMBER], power[GS_TEXT_NUMBER], time[GS_TEXT_NUMBER];
    const gs_core_energy *energy = &s.core->energy;
    gs_report_put(to, gs_report_last_part(profile->run.program), "");
    fprintf(to, " on %s: %s", profile->run.core, gs_text_joules(all, joules(&s, s.total_fj)));
    if (s.seconds > 0)
        fprintf(to, ", %s on average for %s",
                gs_text_watts(power, joules(&s, s.total_fj) / s.seconds),
                gs_text_seconds(time, s.seconds));
    fprintf(to, ", %.1f%% of it stalling\n", s.stall_percent);
    if (energy->source[0])
        fprintf(to, "table: %s\n", energy->source);
    if (options->correct)
        fprintf(to, "multiplied by %.4f, because the programs measured stalled for %g%%\n",
                s.factor, energy->average_stall * 1e-3);
    fprintf(to, "\n%7s  %12s  %16s  %16s  %10s  %s\n", "share", "energy", "instructions",
            "cycles lost", "mW", "group");
    for (unsigned i = 0; i < energy->group_count; i++)
        put_group(to, &s, energy->groups[i].name, energy->groups[i].power_uw, &s.groups[i]);
    put_group(to, &s, "(stalls)", energy->stall_uw, &s.stalls);
    put_functions(to, &s, profile, options->width);
    close_summary(&s);
    return gs_report_end(to, err);
}

static void json_group(gs_json *json, const char *name, double power_mw, const group_sum *group)
{
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", name);
    gs_json_double(json, "power_mw", power_mw);
    gs_json_uint(json, "instructions", group->executions);
    gs_json_uint(json, "cycles_lost", group->lost);
    gs_json_uint(json, "energy_fj", group->energy_fj);
    gs_json_close_object(json);
}

gs_status gs_report_energy_json(FILE *to, const gs_profile *profile,
                                const gs_energy_options *options, gs_error *err)
{
    summary s;
    gs_status status = open_summary(&s, profile, options, err);
    if (status != GS_OK) {
        close_summary(&s);
        return status;
    }
    gs_json json;
    const gs_core_energy *energy = &s.core->energy;
    gs_report_json_begin(&json, to, "gumshoe-energy-1");
    gs_json_string(&json, "program", profile->run.program);
    gs_json_string(&json, "core", profile->run.core);
    gs_json_string(&json, "source", energy->source);
    gs_json_uint(&json, "energy_fj", s.total_fj);
    gs_json_double(&json, "stall_percent", s.stall_percent);
    gs_json_double(&json, "correction", s.factor);
    gs_json_double(&json, "energy_j", joules(&s, s.total_fj));
    if (s.seconds > 0) {
        gs_json_double(&json, "seconds", s.seconds);
        gs_json_double(&json, "average_mw", joules(&s, s.total_fj) / s.seconds * 1e3);
    }
    gs_json_open_array(&json, "groups");
    for (unsigned i = 0; i < energy->group_count; i++)
        json_group(&json, energy->groups[i].name, energy->groups[i].power_uw * 1e-3, &s.groups[i]);
    json_group(&json, "stalls", energy->stall_uw * 1e-3, &s.stalls);
    gs_json_close_array(&json);
    gs_json_open_array(&json, "functions");
    for (size_t i = 0; i < s.functions.count; i++) {
        const gs_view_row *row = &s.functions.items[i];
        gs_json_open_object(&json, NULL);
        gs_json_string(&json, "function", gs_report_function_name(profile, row->function));
        gs_json_uint(&json, "self_fj", row->self.value[GS_METRIC_ENERGY]);
        gs_json_uint(&json, "total_fj", row->inclusive.value[GS_METRIC_ENERGY]);
        gs_json_close_object(&json);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    gs_json_end(&json);
    close_summary(&s);
    return gs_report_end(to, err);
}
