/* Energy of runs from a core's table, and tables fitted to measured runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/energy.h"
#include "profile_rig.h"
#include "timing/energy.h"
#include "timing/energy_fit.h"

static gs_core *open_core(const char *name)
{
    gs_core *core;
    gs_error err;
    check(gs_core_open(&core, name, NULL, 0, &err), &err);
    return core;
}

static gs_insn decode(const gs_core *core, uint32_t word)
{
    const gs_isa *isa = gs_isa_for(core->arch);
    static gs_decoder decoder;
    gs_insn insn;
    gs_decoder_init(&decoder, isa, isa->all_extensions);
    gs_decode(&insn, &decoder, word);
    return insn;
}

/*
 * addu is in group C. Executed 10 times, with 3 cycles lost to the data cache, 2 to a branch:
 *   table (a): (10 + 2) x 62.14 mW x 40 ns + 3 x 31.85 mW x 40 ns = 29,827,200 + 3,822,000 fJ
 *   table (b): 10 x 62.82 mW x 40 ns + 5 x 44.34 mW x 40 ns       = 25,128,000 + 8,868,000 fJ
 */
static void test_one_instruction(void **state)
{
    (void)state;
    uint64_t stalls[GS_STALL_COUNT] = {[GS_STALL_D_READ] = 3, [GS_STALL_BRANCH] = 2};
    gs_core *a = open_core("tiger-mips"), *b = open_core("tiger-mips-b");
    const gs_isa *isa = gs_isa_for(GS_ARCH_MIPS32);
    gs_insn addu = decode(a, MIPS_ADD), nop = decode(a, MIPS_NOP);
    assert_int_equal(gs_energy_of(a, isa, &addu, 10, stalls), 33649200);
    assert_int_equal(gs_energy_of(b, isa, &addu, 10, stalls), 33996000);
    assert_int_equal(gs_energy_group(a, isa, &addu), 2);
    assert_int_equal(gs_energy_group(a, isa, &nop), 4); /* E, though an sll is in D */
    gs_core *none = open_core("flatfoot");
    gs_insn add = decode(none, RV_ADD);
    assert_int_equal(gs_energy_of(none, gs_isa_for(GS_ARCH_RV32), &add, 10, stalls), 0);
    gs_core_free(a);
    gs_core_free(b);
    gs_core_free(none);
}

/* Instructions, call paths and the timing's own total, whatever is lost in between. */
static void test_adds_up(void **state)
{
    (void)state;
    static const char *const cores[] = {"tiger-mips", "tiger-mips-b", "tiger-mips-board"};
    uint32_t code[] = {
        mips_addiu(4, 0, 1), mips_addiu(5, 0, 1), mips_beq(0), MIPS_NOP, /* 08: a loop */
    };
    for (size_t i = 0; i < 3; i++) {
        profile_program p = {
            .machine = EM_MIPS,
            .core = cores[i],
            .code = code,
            .words = 4,
            .functions = {{"__start", 0, sizeof code}},
            .limit = 2 + 2 * 50,
        };
        gs_profile *profile = profile_of(&p, NULL);
        gs_core *core = open_core(cores[i]);
        uint64_t insns = 0, nodes = 0, total = profile->total.value[GS_METRIC_ENERGY];
        uint64_t by_hand = 2 * (uint64_t)core->energy.groups[3].cycle_fj +  /* addiu: D */
                           50 * (uint64_t)core->energy.groups[1].cycle_fj + /* beq: B */
                           50 * (uint64_t)core->energy.groups[core->energy.nop_group].cycle_fj;
        for (unsigned c = 0; c < GS_STALL_COUNT; c++) {
            uint64_t lost = profile->total.value[GS_METRIC_FIRST_STALL + c];
            bool hazard = c == GS_STALL_HAZARD || c == GS_STALL_LOAD_USE;
            bool cache_only = core->energy.stalls == GS_ENERGY_STALLS_CACHE;
            /* With table (a), waiting for a register costs what the beq does that waits, and
             * filling the pipeline what the first instruction does. */
            if (cache_only && hazard)
                by_hand += lost * core->energy.groups[1].cycle_fj;
            else if (cache_only && c == GS_STALL_STRUCTURAL)
                by_hand += lost * core->energy.groups[3].cycle_fj;
            else if (core->energy.stalls == GS_ENERGY_STALLS_ALL || c <= GS_STALL_D_WRITE)
                by_hand += lost * core->energy.stall_fj;
        }
        for (size_t n = 0; n < profile->insns.count; n++)
            insns += profile->insns.items[n].cost.value[GS_METRIC_ENERGY];
        for (size_t n = 0; n < profile->nodes.count; n++)
            nodes += profile->nodes.items[n].self.value[GS_METRIC_ENERGY];
        assert_int_equal(total, by_hand);
        assert_int_equal(insns, total);
        assert_int_equal(nodes, total);
        gs_core_free(core);
        gs_profile_free(profile);
    }
}

/*
 * Table VI of the LEAP paper, row by row. It prints mJ for what are nJ: the measured energy is
 * time times power. The correction factor is the one of gs_energy_correction(). The corrected
 * energies are not the energies times that factor, though, but times 1 + (33.9 - s) / s^2, s in
 * percent; and the powers printed are the corrected energies by the time of all cycles, stalls
 * included. Both errors follow, and so do their averages.
 */
static const struct {
    const char *name;
    double stall, cycles, power, energy, factor, corrected, time, true_power, truth, error,
        corrected_error;
} table_6[] = {
    {"adpcm", 37.3, 146468, 56.88, 532740.94, 0.99, 531430.45, 9312640, 53.95, 502416.93, 6.0, 5.8},
    {"aes", 46.0, 39924, 54.96, 163500.43, 0.97, 162562.87, 2881320, 49.03, 141271.12, 15.7, 15.1},
    {"blowfish", 12.3, 888221, 71.45, 2530356.30, 1.18, 2893418.97, 40507640, 71.91, 2912145.02,
     -13.1, -0.6},
    {"dfadd", 44.7, 14318, 55.35, 57556.45, 0.98, 57245.57, 1011720, 54.61, 55250.03, 4.2, 3.6},
    {"dfdiv", 33.9, 52898, 57.26, 183025.38, 1.00, 183036.18, 3226360, 55.51, 179095.24, 2.2, 2.2},
    {"dfmul", 55.0, 4969, 53.20, 23716.31, 0.96, 23550.46, 431200, 49.04, 21146.05, 12.2, 11.4},
    {"dfsin", 43.3, 2180140, 55.12, 8526386.48, 0.98, 8483392.37, 153907120, 54.80, 8434818.19, 1.1,
     0.6},
    {"gsm", 42.2, 29559, 56.90, 116914.53, 0.98, 116368.08, 2018160, 64.05, 129263.15, -9.6, -10.0},
    {"jpeg", 34.6, 4034329, 57.53, 14195382.50, 1.00, 14187192.49, 246168000, 63.06, 15548822.75,
     -8.7, -8.8},
    {"mips", 21.1, 34660, 61.79, 105358.20, 1.06, 108434.21, 1751480, 56.23, 98485.72, 7.0, 10.1},
    {"motion", 33.0, 17647, 58.27, 61332.44, 1.00, 61382.00, 1057160, 60.52, 63979.32, -4.1, -4.1},
    {"sha", 9.5, 1033449, 79.95, 2880061.19, 1.26, 3652738.91, 45690040, 82.05, 3748769.32, -23.2,
     -2.6},
    {"dhrystone", 27.9, 23394, 59.69, 76520.37, 1.02, 77149.23, 1280440, 58.68, 75136.22, 1.8, 2.7},
};

static void expect_near(double value, double printed, double tolerance)
{
    if (!(fabs(value - printed) <= tolerance))
        fail_msg("%g is not %g within %g", value, printed, tolerance);
}

static void test_published_table(void **state)
{
    (void)state;
    enum { ROWS = sizeof table_6 / sizeof *table_6 };
    double sum = 0, corrected_sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double s = table_6[i].stall, energy = table_6[i].energy, truth = table_6[i].truth;
        /* ns x mW = pJ. Exact for all but the four longest programs */
        expect_near(table_6[i].time * table_6[i].true_power / 1e3, truth,
                    table_6[i].time < 40e6 ? 0.02 : truth * 0.002);
        expect_near(gs_energy_correction(33.9, s), table_6[i].factor, 0.0085);
        /* 0.05% of rounding in s moves sha's factor most */
        expect_near(energy * (1 + (33.9 - s) / (s * s)), table_6[i].corrected, energy * 0.0035);
        double all_ns = table_6[i].cycles / (1 - s / 100) * 40;
        expect_near(table_6[i].corrected * 1e3 / all_ns, table_6[i].power, 0.25);
        double error = 100 * (energy - truth) / truth;
        double corrected_error = 100 * (table_6[i].corrected - truth) / truth;
        expect_near(error, table_6[i].error, 0.06);
        expect_near(corrected_error, table_6[i].corrected_error, 0.06);
        sum += fabs(error) / ROWS;
        corrected_sum += fabs(corrected_error) / ROWS;
    }
    expect_near(sum, 8.38, 0.01);
    expect_near(corrected_sum, 5.95, 0.01);
}

static void test_correction(void **state)
{
    (void)state;
    assert_true(gs_energy_correction(33.9, 33.9) == 1);
    assert_true(gs_energy_correction(0, 5) == 1);      /* nothing is known */
    assert_true(gs_energy_correction(33.9, 0) == 2);   /* the limit, */
    assert_true(gs_energy_correction(33.9, 0.1) == 2); /* without which this is 34.8 */
    assert_true(fabs(gs_energy_correction(33.9, 67.8) - 0.95) < 1e-12);
}

/* Samples */

static gs_status parse(gs_energy_samples *samples, const char *text, gs_error *err)
{
    gs_core *core = open_core("tiger-mips");
    gs_status status = gs_energy_samples_parse(samples, core, "s.csv", text, strlen(text), err);
    gs_core_free(core);
    return status;
}

static void test_samples(void **state)
{
    (void)state;
    gs_energy_samples samples;
    gs_error err;
    check(parse(&samples,
                "run,energy_uj,addu,stalls,nop,sll\r\n\"a, \"\"b\"\"\",1.5e3,10,2,3,0\r\n\n"
                "c , 2 ,1,0,1,0",
                &err),
          &err);
    assert_int_equal(samples.rows.count, 2);
    assert_int_equal(samples.column_count, 3); /* nothing was an sll */
    assert_int_equal(samples.columns[0], GS_SAMPLE_STALL);
    assert_int_equal(samples.columns[1], GS_SAMPLE_NOP);
    assert_string_equal(samples.rows.items[0].name, "a, \"b\"");
    assert_string_equal(samples.rows.items[1].name, "c");
    assert_int_equal(samples.rows.items[1].line, 4);
    assert_true(fabs(samples.rows.items[0].energy_j - 1.5e-3) < 1e-15);
    assert_true(samples.rows.items[0].counts[0] == 2 && samples.rows.items[0].counts[1] == 3 &&
                samples.rows.items[0].counts[2] == 10 && samples.rows.items[0].cycles == 15);
    gs_energy_samples_fini(&samples);
}

static void test_bad_samples(void **state)
{
    (void)state;
#define HEAD "run,energy_nj,stalls,addu\n"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "s.csv:1: at least two measured runs are needed"},
        {HEAD "a,1,1,1\n", "s.csv:2: at least two measured runs are needed"},
        {"run,energy_nj,addu\n", "s.csv:1: there is no column 'stalls', with lost cycles"},
        {"run,stalls,addu\n", "s.csv:1: there is no column with the measured energy: energy_j, or "
                              "_mj, _uj, _nj, _pj"},
        {"energy_j,stalls\n", "s.csv:1: there is no column for an instruction"},
        {"run,energy_j,stalls,add.u\n",
         "s.csv:1: there is no column 'add.u'; a column is run, energy_j (or _mj, _uj, _nj, _pj), "
         "stalls, or an instruction of the core"},
        {"energy_j,stalls,addu,addu\n", "s.csv:1: there are two columns 'addu'"},
        {"energy_j,energy_pj,stalls,addu\n", "s.csv:1: there are two columns 'energy_pj'"},
        {HEAD "a,1,1\n", "s.csv:2: this line has fewer cells than the header"},
        {HEAD "a,1,1,1,1\n", "s.csv:2: this line has more cells than the header"},
        {HEAD "a,,1,1\n",
         "s.csv:2: the energy of this run is missing; measure it, or remove the line"},
        {HEAD "a,0,1,1\n", "s.csv:2: an energy is a number above 0, not '0'"},
        {HEAD "a,-1,1,1\n", "s.csv:2: an energy is a number above 0, not '-1'"},
        {HEAD "a,nan,1,1\n", "s.csv:2: an energy is a number above 0, not 'nan'"},
        {HEAD "a,1e999,1,1\n", "s.csv:2: an energy is a number above 0, not '1e999'"},
        {HEAD "a,1,1,1\nb,1,0x10,1\n", "s.csv:3: a count is a whole number, not '0x10'"},
        {HEAD "a,1,1,0.5\n", "s.csv:2: a count is a whole number, not '0.5'"},
        {HEAD "a,1,0,0\n", "s.csv:2: nothing was executed in this run"},
        {HEAD "\"a,1,0,0\n", "s.csv:2: a quote does not end in its line"},
        {HEAD "\"a\"b,1,0,0\n", "s.csv:2: there is something behind a quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_energy_samples samples;
        gs_error err;
        assert_int_equal(parse(&samples, cases[i].text, &err), GS_E_FORMAT);
        assert_string_equal(err.message, cases[i].message);
    }
}

/*
 * Energies made of known costs: 10 pJ for nop, 30 for addu and subu, 90 for lw and 5 for a stall,
 * with counts of all mixtures. Two groups cannot be told apart from three here: addu and subu
 * cost the same.
 */
static void test_fit(void **state)
{
    (void)state;
    char text[4096] = "run,energy_pj,stalls,nop,addu,subu,lw\n";
    uint32_t seed = 1;
    for (unsigned i = 0; i < 12; i++) {
        unsigned count[5];
        for (unsigned j = 0; j < 5; j++) {
            seed = seed * 1664525 + 1013904223;
            count[j] = 100 + (seed >> 16) % 1000;
        }
        unsigned energy = 5 * count[0] + 10 * count[1] + 30 * (count[2] + count[3]) + 90 * count[4];
        snprintf(text + strlen(text), sizeof text - strlen(text), "r%u,%u,%u,%u,%u,%u,%u\n", i,
                 energy, count[0], count[1], count[2], count[3], count[4]);
    }
    gs_energy_samples samples;
    gs_energy_fit fit;
    gs_error err;
    check(parse(&samples, text, &err), &err);
    check(gs_energy_fit_open(&fit, &samples, 3, &err), &err);
    assert_int_equal(fit.groups, 3);
    assert_int_equal(fit.rank, 5);
    expect_near(fit.group_j[0] * 1e12, 10, 1e-6);
    expect_near(fit.group_j[1] * 1e12, 30, 1e-6);
    expect_near(fit.group_j[2] * 1e12, 90, 1e-6);
    expect_near(fit.group_j[3] * 1e12, 5, 1e-6);
    assert_true(fit.error < 1e-9);
    gs_energy_fit_fini(&fit);

    /* With one group for all, a run left out is off, and that is what the error says. */
    check(gs_energy_fit_open(&fit, &samples, 1, &err), &err);
    assert_int_equal(fit.groups, 1);
    double sum = 0;
    for (size_t i = 0; i < 12; i++)
        sum += fabs(fit.left_out_j[i] / samples.rows.items[i].energy_j - 1) / 12;
    assert_true(sum > 0.05);
    expect_near(fit.error, sum, 1e-12);
    gs_energy_fit_fini(&fit);
    gs_energy_samples_fini(&samples);
}

/* What fit writes is a core description with the same numbers. */
static void test_fit_yaml(void **state)
{
    (void)state;
    char path[] = "/tmp/gumshoe-samples-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *csv = fdopen(descriptor, "w");
    /* 1 nJ for a nop, 3 nJ for an addu, half a nJ for a stall */
    fputs("run,energy_nj,stalls,nop,addu\na,105,10,100,0\nb,310,20,0,100\nc,240,80,50,50\n"
          "d,281.5,3,10,90\n",
          csv);
    fclose(csv);
    char *text, *yaml;
    size_t text_size, yaml_size;
    FILE *to_text = open_memstream(&text, &text_size), *to_yaml = open_memstream(&yaml, &yaml_size);
    gs_energy_fit_options options = {.core = "tiger-mips", .name = "mine", .groups = 6};
    gs_error err;
    gs_status status = gs_report_energy_fit(to_text, to_yaml, path, &options, &err);
    unlink(path);
    fclose(to_text);
    fclose(to_yaml);
    check(status, &err);
    gs_core *core;
    check(gs_core_parse(&core, "fit.yaml", yaml, yaml_size, NULL, 0, &err), &err);
    assert_string_equal(core->name, "mine");
    assert_int_equal(core->energy.group_count, 2);
    /* 10 of 110, 20 of 120, 80 of 180, 3 of 103 */
    assert_int_equal(core->energy.average_stall, 18279);
    assert_int_equal(core->energy.stall_uw, 12500); /* 0.5 nJ at 25 MHz */
    assert_int_equal(core->energy.groups[0].power_uw, 25000);
    assert_int_equal(core->energy.groups[1].power_uw, 75000);
    assert_int_equal(core->energy.stalls, GS_ENERGY_STALLS_ALL);
    assert_int_equal(core->energy.nop_group, 0);
    assert_non_null(strstr(text, "4 runs, 2 instructions and the stall, 2 groups"));
    gs_core_free(core);
    free(text);
    free(yaml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_instruction),
        cmocka_unit_test(test_adds_up),
        cmocka_unit_test(test_published_table),
        cmocka_unit_test(test_correction),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_bad_samples),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_fit_yaml),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
