/*
 * Core descriptions: what is built in, what extending and setting do, what the numbers become.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"
#include "timing/core.h"

/* Up to eight `set` texts, to the NULL. */
static gs_core *open_core(const char *name, const char *set, ...)
{
    const char *sets[8];
    size_t count = 0;
    gs_core *core;
    gs_error err;
    va_list args;

    va_start(args, set);
    for (const char *one = set; one; one = va_arg(args, const char *))
        sets[count++] = one;
    va_end(args);
    if (gs_core_open(&core, name, sets, count, &err))
        fail_msg("%s", err.message);
    return core;
}

static gs_core *parse_core(const char *text)
{
    gs_core *core;
    gs_error err;
    if (gs_core_parse(&core, "dir/test.yaml", text, strlen(text), NULL, 0, &err))
        fail_msg("%s", err.message);
    return core;
}

#define MINIMAL "isa: rv32im\nclock_hz: 1\npipeline: classic\n"

/* Built in */

static void test_all_built_in_cores_open(void **state)
{
    (void)state;
    assert_true(gs_core_count() >= 9);
    assert_null(gs_core_builtin(gs_core_count()));
    for (size_t i = 0; i < gs_core_count(); i++) {
        gs_core *core = open_core(gs_core_builtin(i), NULL);
        assert_string_equal(gs_core_name(core), gs_core_builtin(i));
        assert_true(gs_core_summary(core)[0]);
        assert_true(core->evidence[0]);
        assert_true(gs_core_clock_hz(core) > 0);
        assert_null(core->changes);
        gs_core_free(core);
    }
}

/* The merged text is a description of the same core. */
static void test_merged_text_reads_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < gs_core_count(); i++) {
        gs_core *core = open_core(gs_core_builtin(i), NULL);
        gs_core *again = parse_core(gs_core_yaml(core));
        assert_string_equal(gs_core_yaml(again), gs_core_yaml(core));
        assert_int_equal(again->verified, core->verified);
        assert_memory_equal(&again->icache, &core->icache, sizeof core->icache);
        assert_memory_equal(&again->dcache, &core->dcache, sizeof core->dcache);
        assert_int_equal(again->memory.first, core->memory.first);
        for (int c = 0; c < GS_CLASS_COUNT; c++) {
            assert_int_equal(again->classes[c].cycles, core->classes[c].cycles);
            assert_int_equal(again->classes[c].latency, core->classes[c].latency);
        }
        gs_core_free(again);
        gs_core_free(core);
    }
}

static void test_reports_do_not_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < gs_core_count(); i++) {
        gs_core *core = open_core(gs_core_builtin(i), NULL);
        char *text = NULL;
        size_t size = 0;
        gs_error err;
        FILE *file = open_memstream(&text, &size);
        assert_int_equal(gs_report_core(file, core, false, &err), GS_OK);
        fflush(file);
        assert_null(strchr(text, '\033'));
        assert_null(strstr(text, " \n"));
        assert_int_equal(gs_report_core(file, core, true, &err), GS_OK);
        assert_int_equal(gs_report_core_json(file, core, &err), GS_OK);
        fclose(file);
        assert_non_null(strstr(text, "\033[1m"));
        assert_non_null(strstr(text, "\"gumshoe-core-1\""));
        free(text);
        gs_core_free(core);
    }
}

static void test_flatfoot(void **state)
{
    (void)state;
    gs_core *core = open_core("flatfoot", NULL);
    assert_int_equal(core->pipeline, GS_PIPELINE_CLASSIC);
    assert_int_equal(core->arch, GS_ARCH_RV32);
    assert_string_equal(gs_core_isa(core), "rv32im_zicsr_zifencei");
    assert_int_equal(core->clock_hz, 50000000);
    assert_true(core->strict_alignment);
    assert_int_equal(core->issue_width, 1);
    assert_int_equal(core->classes[GS_CLASS_ALU].cycles, 1);
    assert_int_equal(core->classes[GS_CLASS_ALU].latency, 0);
    assert_int_equal(core->classes[GS_CLASS_LOAD].latency, 1);
    assert_int_equal(core->classes[GS_CLASS_MULH].latency, 1);
    assert_int_equal(core->classes[GS_CLASS_DIV].cycles, 33);
    assert_int_equal(core->branch.resolve, GS_RESOLVE_EXECUTE);
    assert_int_equal(core->branch.predictor.scheme, GS_PREDICTOR_NOT_TAKEN);
    assert_int_equal(core->branch.predictor.unit_bytes, 4);
    assert_true(core->has_icache && core->has_dcache);
    assert_int_equal(core->dcache.size_bytes, 8192);
    assert_int_equal(core->dcache.line_bytes, 16);
    assert_int_equal(core->dcache.ways, 1);
    assert_false(core->dcache.write_back || core->dcache.write_allocate);
    assert_int_equal(core->memory.first, 8);
    assert_int_equal(core->memory.next, 1);
    assert_int_equal(core->memory.width, 4);
    assert_int_equal(core->memory.write, 4);
    assert_int_equal(core->write_buffer, 2);
    assert_true(gs_core_has_class(core, GS_CLASS_CSR));
    assert_false(gs_core_has_class(core, GS_CLASS_MULT));
    assert_false(gs_core_has_class(core, GS_CLASS_FP_ADD));
    assert_true(gs_core_runs(core, GS_ARCH_RV32));
    assert_false(gs_core_runs(core, GS_ARCH_MIPS32));
    gs_core_free(core);
}

static void test_ideal_runs_everything(void **state)
{
    (void)state;
    gs_core *core = open_core("ideal", NULL);
    assert_true(core->any_isa);
    assert_int_equal(core->extensions, 0);
    assert_true(gs_core_runs(core, GS_ARCH_RV32) && gs_core_runs(core, GS_ARCH_MIPS32));
    for (int i = 0; i < GS_CLASS_COUNT; i++) {
        assert_true(gs_core_has_class(core, (gs_timing_class)i));
        assert_int_equal(core->classes[i].cycles, 1);
    }
    gs_core_free(core);
}

static void test_operand_rules(void **state)
{
    (void)state;
    gs_core *core = open_core("picorv32-fast", NULL);
    const gs_core_class *shift = &core->classes[GS_CLASS_SHIFT];
    assert_int_equal(shift->operand, GS_OPERAND_RULE_SHIFT_STEPS);
    assert_int_equal(shift->cycles, 4);
    assert_int_equal(shift->step, 4);
    assert_int_equal(core->classes[GS_CLASS_LOAD].cycles, 5); /* of the parent */
    assert_int_equal(core->classes[GS_CLASS_ALU].cycles, 3);
    assert_string_equal(core->extends, "picorv32");
    gs_core_free(core);

    core = open_core("ibex-small", NULL);
    assert_int_equal(core->classes[GS_CLASS_DIV].operand, GS_OPERAND_RULE_DIVISOR_ZERO);
    assert_int_equal(core->classes[GS_CLASS_DIV].special, 2);
    assert_false(core->strict_alignment);
    gs_core_free(core);

    core = parse_core(MINIMAL "classes: {MUL: {cycles: 2, operand: early-out, step: 8}}\n");
    assert_int_equal(core->classes[GS_CLASS_MUL].operand, GS_OPERAND_RULE_EARLY_OUT);
    assert_int_equal(core->classes[GS_CLASS_MUL].step, 8);
    gs_core_free(core);
}

static void test_energy(void **state)
{
    (void)state;
    gs_core *core = open_core("tiger-mips", NULL);
    const gs_core_energy *energy = &core->energy;
    assert_int_equal(energy->group_count, 6);
    assert_string_equal(energy->groups[5].name, "F");
    assert_int_equal(energy->groups[5].power_uw, 83740);
    assert_int_equal(energy->stall_uw, 31850);
    assert_int_equal(energy->clock_hz, 25000000);
    assert_int_equal(energy->group_of[GS_MIPS_div], 0);
    assert_int_equal(energy->group_of[GS_MIPS_sllv], 5);
    assert_int_equal(energy->group_of[GS_MIPS_nor], 2); /* others */
    assert_int_equal(energy->group_of[GS_MIPS_sll], 3);
    assert_int_equal(energy->nop_group, 4);
    assert_int_equal(energy->groups[0].cycle_fj, 1890800); /* 47.27 mW for 40 ns */
    assert_int_equal(energy->stall_fj, 1274000);
    assert_int_equal(energy->stalls, GS_ENERGY_STALLS_CACHE);
    assert_int_equal(energy->average_stall, 0);
    gs_core_free(core);

    core = open_core("tiger-mips-b", NULL);
    assert_int_equal(core->energy.groups[4].power_uw, 75880);
    assert_int_equal(core->energy.group_of[GS_MIPS_mult], 4);
    assert_int_equal(core->energy.stalls, GS_ENERGY_STALLS_ALL);
    assert_int_equal(core->energy.average_stall, 33900);
    gs_core_free(core);

    core = open_core("flatfoot", NULL);
    assert_int_equal(core->energy.group_count, 0);
    gs_core_free(core);

    core = parse_core("isa: rv32i_zifencei\nclock_hz: 7000000\npipeline: sequential\n"
                      "energy: {stall_mw: 0.5, others: rest, groups: [{name: rest, power_mw: 1},\n"
                      "  {name: sync, power_mw: 2.125, instructions: [fence.i, fence]}]}\n");
    assert_int_equal(core->energy.stall_uw, 500);
    assert_int_equal(core->energy.clock_hz, 7000000);
    assert_int_equal(core->energy.stall_fj, 71429); /* 71428.57 */
    assert_int_equal(core->energy.nop_group, 0);    /* as addi */
    assert_int_equal(core->energy.groups[1].power_uw, 2125);
    assert_int_equal(core->energy.group_of[GS_RV_fence_i], 1);
    assert_int_equal(core->energy.group_of[GS_RV_add], 0);
    gs_core_free(core);
}

/* Keys */

static void test_defaults(void **state)
{
    (void)state;
    gs_core *core = parse_core(MINIMAL);
    assert_string_equal(core->name, "test");
    assert_string_equal(core->summary, "");
    assert_false(core->verified);
    assert_true(core->strict_alignment);
    assert_int_equal(core->issue_width, 1);
    assert_int_equal(core->trap_entry, 0);
    assert_int_equal(core->classes[GS_CLASS_DIV].cycles, 1);
    assert_int_equal(core->memory.first, 1);
    assert_int_equal(core->memory.width, 4);
    assert_false(core->has_icache || core->has_dcache);
    gs_core_free(core);
}

static void test_default_class(void **state)
{
    (void)state;
    gs_core *core = parse_core(MINIMAL "classes:\n"
                                       "  DEFAULT: {cycles: 3, latency: 2, why: usual}\n"
                                       "  MUL: {latency: 5}\n");
    assert_int_equal(core->classes[GS_CLASS_ALU].cycles, 3);
    assert_string_equal(core->classes[GS_CLASS_ALU].why, "usual");
    assert_int_equal(core->classes[GS_CLASS_MUL].cycles, 3);
    assert_int_equal(core->classes[GS_CLASS_MUL].latency, 5);
    assert_null(core->classes[GS_CLASS_MUL].why);
    gs_core_free(core);
}

static void test_caches(void **state)
{
    (void)state;
    gs_core *core =
        parse_core(MINIMAL "icache: {size: 4K, line: 32, ways: full, replacement: fifo}\n"
                           "dcache: {size: 16K, line: 64, ways: 4, replacement: random,\n"
                           "         seed: 0x1234, write: back}\n");
    assert_int_equal(core->icache.ways, GS_CACHE_FULLY_ASSOCIATIVE);
    assert_int_equal(core->icache.replacement, GS_CACHE_FIFO);
    assert_int_equal(core->dcache.replacement, GS_CACHE_RANDOM);
    assert_int_equal(core->dcache.seed, 0x1234);
    assert_true(core->dcache.write_back);
    assert_true(core->dcache.write_allocate); /* usual for write-back */
    gs_core_free(core);

    core = parse_core(MINIMAL "dcache: {size: 1K, line: 16, replacement: round-robin, ways: 2,\n"
                              "         write: through, allocate: yes}\n");
    assert_int_equal(core->dcache.replacement, GS_CACHE_ROUND_ROBIN);
    assert_true(core->dcache.write_allocate && !core->dcache.write_back);
    gs_core_free(core);
}

static void test_predictors(void **state)
{
    (void)state;
    gs_core *core = parse_core("isa: rv32imc\nclock_hz: 1\npipeline: classic\n"
                               "branch:\n  resolve: decode\n"
                               "  predictor: {scheme: gshare, entries: 1K, btb_entries: 64,\n"
                               "              return_stack: 8}\n");
    const gs_predictor_config *predictor = &core->branch.predictor;
    assert_int_equal(core->branch.resolve, GS_RESOLVE_DECODE);
    assert_int_equal(predictor->scheme, GS_PREDICTOR_GSHARE);
    assert_int_equal(predictor->entries, 1024);
    assert_int_equal(predictor->history_bits, 10); /* all that the table can use */
    assert_int_equal(predictor->counter_bits, 2);
    assert_int_equal(predictor->counter_start, 1);
    assert_int_equal(predictor->btb_entries, 64);
    assert_int_equal(predictor->stack_depth, 8);
    assert_int_equal(predictor->unit_bytes, 2);
    assert_int_equal(predictor->delay_slots, 0);
    gs_core_free(core);

    core = parse_core("isa: mips32r2\nclock_hz: 1\npipeline: classic\n"
                      "branch: {predictor: {scheme: bimodal, entries: 512, counter_bits: 1}}\n");
    assert_int_equal(core->branch.predictor.unit_bytes, 4);
    assert_int_equal(core->branch.predictor.delay_slots, 1);
    gs_core_free(core);
}

static void test_units(void **state)
{
    (void)state;
    gs_core *core = parse_core(MINIMAL "issue_width: 2\n"
                                       "units:\n"
                                       "  - {name: alu, count: 2, classes: [ALU, SHIFT]}\n"
                                       "  - {name: muldiv, classes: [MUL, MULH, DIV]}\n");
    assert_int_equal(core->unit_count, 2);
    assert_string_equal(core->units[0].name, "alu");
    assert_int_equal(core->units[0].count, 2);
    assert_int_equal(core->units[1].count, 1);
    assert_int_equal(core->classes[GS_CLASS_SHIFT].unit, 1);
    assert_int_equal(core->classes[GS_CLASS_DIV].unit, 2);
    assert_int_equal(core->classes[GS_CLASS_LOAD].unit, 0);
    gs_core_free(core);
}

static void test_one_wait_for_both(void **state)
{
    (void)state;
    gs_core *core = open_core("picorv32", "memory.wait=1", NULL);
    assert_int_equal(core->memory.wait, 1);
    assert_int_equal(core->memory.load_wait, 1);
    assert_int_equal(core->fetch.wait, 1);
    gs_core_free(core);

    core = open_core("ideal", "memory.wait=3", "fetch.wait=1", NULL);
    assert_int_equal(core->memory.load_wait, 3);
    assert_int_equal(core->fetch.wait, 1);
    gs_core_free(core);
}

/* Setting */

static void test_settings_override(void **state)
{
    (void)state;
    gs_core *core = open_core("flatfoot", "dcache.size=16K", "dcache.ways=2", "dcache.size=32K",
                              "classes.DIV.cycles=20", "name=mine", NULL);
    assert_int_equal(core->dcache.size_bytes, 32768);
    assert_int_equal(core->dcache.line_bytes, 16);
    assert_int_equal(core->dcache.ways, 2);
    assert_int_equal(core->icache.size_bytes, 8192);
    assert_int_equal(core->classes[GS_CLASS_DIV].cycles, 20);
    assert_string_equal(core->name, "mine");
    assert_string_equal(core->changes, "dcache.size=16K, dcache.ways=2, dcache.size=32K, "
                                       "classes.DIV.cycles=20, name=mine");
    gs_core_free(core);

    core = open_core("flatfoot", "dcache=null", NULL);
    assert_false(core->has_dcache);
    assert_true(core->has_icache);
    gs_core_free(core);

    core = open_core("flatfoot", "branch={predictor: {scheme: bimodal, entries: 256}}", NULL);
    assert_int_equal(core->branch.predictor.entries, 256);
    gs_core_free(core);
}

/* What FP_DEFAULT says is for floating point, and before what DEFAULT says. */
static void test_float_default(void **state)
{
    (void)state;
    gs_core *core = open_core("flatfoot", "isa=rv32imf", "classes.DEFAULT.cycles=2",
                              "classes.FP_DEFAULT.latency=3", "classes.FP_DIV.cycles=20", NULL);
    assert_int_equal(core->classes[GS_CLASS_ALU].cycles, 2);
    assert_int_equal(core->classes[GS_CLASS_ALU].latency, 0);
    assert_int_equal(core->classes[GS_CLASS_FP_ADD].cycles, 2);
    assert_int_equal(core->classes[GS_CLASS_FP_ADD].latency, 3);
    assert_int_equal(core->classes[GS_CLASS_FP_DIV].cycles, 20);
    assert_int_equal(core->classes[GS_CLASS_FP_DIV].latency, 3);
    gs_core_free(core);
}

static void check_memory_text(gs_core *core, const char *expected)
{
    char text[GS_CORE_MEMORY_TEXT];
    assert_string_equal(gs_core_memory_text(core, text), expected);
    gs_core_free(core);
}

/* No cache is memory's latency unless the description says something else. */
static void test_memory_without_caches(void **state)
{
    (void)state;
    check_memory_text(open_core("flatfoot", NULL), "");
    check_memory_text(open_core("flatfoot", "dcache=null", NULL),
                      "no data cache: a load takes 10 cycles");
    check_memory_text(open_core("flatfoot", "dcache=null", "icache=null", "memory.width=2", NULL),
                      "no instruction cache: a fetch takes 11 cycles; no data cache: a load takes "
                      "11 cycles");
    check_memory_text(open_core("flatfoot", "dcache=null", "memory.load_wait=0", NULL),
                      "tightly coupled data memory");
    check_memory_text(
        open_core("flatfoot", "dcache=null", "icache=null", "fetch.wait=1", NULL),
        "instruction memory with 1 wait state; no data cache: a load takes 10 cycles");
    check_memory_text(
        open_core("flatfoot", "icache=null", "dcache=null", "memory=null", "memory.wait=2", NULL),
        "memory with 2 wait states");
    check_memory_text(open_core("picorv32", "memory.wait=1", NULL), "memory with 1 wait state");
    check_memory_text(open_core("ibex-small", NULL), "tightly coupled memory");
}

static void test_settings_make_equal_texts(void **state)
{
    (void)state;
    gs_core *one = open_core("flatfoot", "memory.first=9", "icache.ways=2", NULL);
    gs_core *other = open_core("flatfoot", "icache.ways=2", "memory.first=9", NULL);
    gs_core *third = open_core("flatfoot", "icache.ways=2", "memory.first=10", NULL);
    assert_string_equal(gs_core_yaml(one), gs_core_yaml(other));
    assert_string_not_equal(gs_core_yaml(one), gs_core_yaml(third));
    gs_core_free(one);
    gs_core_free(other);
    gs_core_free(third);
}

/* A claim holds for what was verified, and for nothing else. */
static void test_verified_is_not_inherited(void **state)
{
    (void)state;
    static const char text[] = "isa: rv32im\nclock_hz: 1\npipeline: sequential\n"
                               "verified: yes\nverified_over: [memory.load_wait]\n";
    static const char *const varied[] = {"memory.load_wait=3"};
    static const char *const other[] = {"trap_entry=3"};
    gs_core *core;
    gs_error err;
    assert_int_equal(gs_core_parse(&core, "t", text, strlen(text), NULL, 0, &err), GS_OK);
    assert_true(gs_core_verified(core));
    gs_core_free(core);
    assert_int_equal(gs_core_parse(&core, "t", text, strlen(text), varied, 1, &err), GS_OK);
    assert_true(gs_core_verified(core));
    gs_core_free(core);
    assert_int_equal(gs_core_parse(&core, "t", text, strlen(text), other, 1, &err), GS_OK);
    assert_false(gs_core_verified(core));
    gs_core_free(core);

    core = parse_core("extends: ibex-small\ntrap_entry: 50\n");
    assert_false(gs_core_verified(core));
    assert_string_equal(core->name, "test");
    assert_string_equal(core->summary, "a variant of ibex-small");
    assert_true(!strncmp(core->evidence, "as ibex-small, with changes: ", 29));
    assert_string_equal(core->extends, "ibex-small");
    gs_core_free(core);
}

/* Extending files */

typedef struct folder {
    char path[64];
} folder;

static int make_folder(void **state)
{
    folder *f = malloc(sizeof *f);
    strcpy(f->path, "/tmp/test_core.XXXXXX");
    *state = f;
    return f && mkdtemp(f->path) ? 0 : -1;
}

static int remove_folder(void **state)
{
    folder *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->path);
    int status = system(command);
    free(f);
    return status;
}

static const char *write_file(const folder *f, const char *name, const char *text)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void test_extending_files(void **state)
{
    folder *f = *state;
    char sub[100];
    snprintf(sub, sizeof sub, "%s/sub", f->path);
    assert_int_equal(mkdir(sub, 0700), 0);
    write_file(f, "base.yaml",
               "extends: flatfoot\nclock_hz: 60_000_000\n"
               "dcache: {ways: 2, replacement: fifo}\n"
               "units: [{name: a, classes: [MUL]}, {name: b, classes: [DIV]}]\n");
    write_file(f, "sub/mid.yaml",
               "extends: ../base.yaml\nname: middle\nicache: {line: 32}\n"
               "units: [{name: c, classes: [MUL, DIV]}]\n");
    const char *path =
        write_file(f, "sub/top.yaml", "extends: mid.yaml\ndcache: {replacement: null}\n");
    gs_core *core = open_core(path, "memory.first=20", NULL);
    assert_string_equal(core->name, "top");
    assert_string_equal(core->extends, "middle");
    assert_int_equal(core->clock_hz, 60000000);
    assert_int_equal(core->dcache.ways, 2);
    assert_int_equal(core->dcache.replacement, GS_CACHE_LRU);
    assert_int_equal(core->icache.line_bytes, 32);
    assert_int_equal(core->icache.size_bytes, 8192);
    assert_int_equal(core->unit_count, 1); /* a list replaces a list */
    assert_int_equal(core->memory.first, 20);
    assert_int_equal(core->memory.next, 1);
    gs_core_free(core);
}

static void assert_file_refused(const folder *f, const char *name, const char *format)
{
    char path[160], wanted[600];
    gs_core *core;
    gs_error err;
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    assert_int_not_equal(gs_core_open(&core, path, NULL, 0, &err), GS_OK);
    assert_null(core);
    size_t length = 0;
    for (const char *at = format; *at && length < sizeof wanted - 100; at++) {
        if (*at == '@')
            length += (size_t)sprintf(wanted + length, "%s", f->path);
        else
            wanted[length++] = *at;
    }
    wanted[length] = '\0';
    assert_string_equal(err.message, wanted);
}

static void test_bad_extends(void **state)
{
    folder *f = *state;
    write_file(f, "self.yaml", "extends: self.yaml\n");
    write_file(f, "a.yaml", "# round and round\nextends: b.yaml\n");
    write_file(f, "b.yaml", "extends: a.yaml\n");
    write_file(f, "lost.yaml", "name: lost\nextends: gone.yaml\n");
    write_file(f, "unknown.yaml", "extends: z80\n");
    write_file(f, "wrong.yaml", "extends: child.yaml\n");
    write_file(f, "child.yaml", "clock_hz: 1\nisa: z80\npipeline: classic\n");
    write_file(f, "list.yaml", "extends: [a, b]\n");
    assert_file_refused(f, "self.yaml",
                        "@/self.yaml:1: extends: @/self.yaml extends itself in the end");
    assert_file_refused(f, "a.yaml", "@/b.yaml:1: extends: @/a.yaml extends itself in the end");
    assert_file_refused(f, "lost.yaml",
                        "@/lost.yaml:2: extends: cannot open @/gone.yaml: No such "
                        "file or directory");
    assert_file_refused(f, "list.yaml",
                        "@/list.yaml:1: extends: a single value belongs here, not a list");
    assert_file_refused(f, "wrong.yaml",
                        "@/child.yaml:2: isa: 'z80' is no instruction set Gumshoe knows; allowed "
                        "are forms like rv32imc_zicsr and mips32r2, and any");

    gs_core *core;
    gs_error err;
    char path[160];
    snprintf(path, sizeof path, "%s/unknown.yaml", f->path);
    assert_int_not_equal(gs_core_open(&core, path, NULL, 0, &err), GS_OK);
    assert_non_null(strstr(err.message, "unknown.yaml:1: extends: there is no core 'z80'; built "
                                        "in are flatfoot, "));
}

static void test_a_long_chain_ends(void **state)
{
    folder *f = *state;
    char name[32], text[64];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "c%d.yaml", i);
        snprintf(text, sizeof text, "extends: c%d.yaml\n", i + 1);
        write_file(f, name, text);
    }
    assert_file_refused(f, "c0.yaml",
                        "@/c16.yaml:1: extends: more than 16 files extend one another");
}

static void test_names_that_are_nothing(void **state)
{
    (void)state;
    gs_core *core;
    gs_error err;
    assert_int_equal(gs_core_open(&core, "z80", NULL, 0, &err), GS_E_NOT_FOUND);
    assert_true(!strncmp(err.message, "there is no core 'z80'; built in are flatfoot, ", 47));
    assert_int_equal(gs_core_open(&core, "/nowhere/z80.yaml", NULL, 0, &err), GS_E_NOT_FOUND);
    assert_int_equal(gs_core_open(&core, "/", NULL, 0, &err), GS_E_IO);
    assert_int_equal(gs_core_open(&core, "", NULL, 0, NULL), GS_E_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_built_in_cores_open),
        cmocka_unit_test(test_merged_text_reads_back),
        cmocka_unit_test(test_reports_do_not_fail),
        cmocka_unit_test(test_flatfoot),
        cmocka_unit_test(test_ideal_runs_everything),
        cmocka_unit_test(test_operand_rules),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_default_class),
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_predictors),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_one_wait_for_both),
        cmocka_unit_test(test_settings_override),
        cmocka_unit_test(test_float_default),
        cmocka_unit_test(test_memory_without_caches),
        cmocka_unit_test(test_settings_make_equal_texts),
        cmocka_unit_test(test_verified_is_not_inherited),
        cmocka_unit_test_setup_teardown(test_extending_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_bad_extends, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_long_chain_ends, make_folder, remove_folder),
        cmocka_unit_test(test_names_that_are_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
