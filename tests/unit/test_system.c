/*
 * Systems of several cores: the arbiters, interrupt lines with their cycles, and a message for
 * every mistake in a description.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "gumshoe/system.h"
#include "machine/bus_port.h"
#include "system/description.h"

enum { CORES = 4 };

static const gs_bus_rules round_robin = {.width = 4, .grant = 2};
static const gs_bus_rules fixed = {
    .arbiter = GS_ARBITER_FIXED, .width = 4, .priority = {3, 1, 2, 1}};
static const gs_bus_rules tdma = {
    .arbiter = GS_ARBITER_TDMA, .width = 4, .slot = 10, .slot_count = 3, .slots = {0, 1, 0}};

/* The bus decides in `cycle` for `core`, whose transfer takes `cycles`. */
static void serves(gs_bus *bus, uint64_t cycle, unsigned core, uint64_t cycles)
{
    uint64_t start;
    assert_int_equal(gs_bus_next(bus), cycle);
    assert_int_equal(gs_bus_decide(bus, &start), core);
    assert_int_equal(start, cycle + bus->rules->grant);
    gs_bus_transfer(bus, core, start + cycles - 1);
}

static void test_round_robin(void **state)
{
    gs_bus bus;
    (void)state;
    gs_bus_init(&bus, &round_robin, CORES);
    assert_int_equal(gs_bus_next(&bus), UINT64_MAX);
    gs_bus_request(&bus, 3, 10);
    gs_bus_request(&bus, 1, 10);
    serves(&bus, 10, 1, 5); /* up to 16 */
    gs_bus_request(&bus, 0, 12);
    gs_bus_request(&bus, 1, 20);
    serves(&bus, 17, 3, 3); /* up to 21 */
    serves(&bus, 22, 0, 1); /* up to 24 */
    serves(&bus, 25, 1, 1);
    assert_int_equal(gs_bus_next(&bus), UINT64_MAX);
    /* 3 waited from 10 on for 1; 0 from 12 on for 1, then for 3; 1 from 20 on for 3, then for 0. */
    assert_int_equal(bus.waited[3][1], 7);
    assert_int_equal(bus.waited[0][1], 5);
    assert_int_equal(bus.waited[0][3], 5);
    assert_int_equal(bus.waited[1][3], 2);
    assert_int_equal(bus.waited[1][0], 3);
    assert_int_equal(bus.busy, 7 + 5 + 3 + 3);
    assert_int_equal(bus.transfers, 4);
}

static void test_fixed(void **state)
{
    gs_bus bus;
    (void)state;
    gs_bus_init(&bus, &fixed, CORES);
    for (unsigned i = 0; i < CORES; i++)
        gs_bus_request(&bus, i, i == 2 ? 1 : 2);
    serves(&bus, 1, 2, 4); /* the only one in that cycle */
    serves(&bus, 5, 1, 1); /* of two with the same priority, the lower hart */
    serves(&bus, 6, 3, 1);
    serves(&bus, 7, 0, 1);
}

static void test_tdma(void **state)
{
    gs_bus bus;
    (void)state;
    gs_bus_init(&bus, &tdma, 2);
    gs_bus_request(&bus, 1, 3);
    serves(&bus, 10, 1, 12); /* past the end of its slot */
    gs_bus_request(&bus, 1, 23);
    gs_bus_request(&bus, 0, 25);
    serves(&bus, 25, 0, 1);
    serves(&bus, 40, 1, 1);
}

static void test_lines(void **state)
{
    gs_bus_port_change changes[] = {{0, 0, UINT64_MAX},
                                    {100, GS_LINE_SOFTWARE, 150},
                                    {120, 0, 150},
                                    {200, GS_LINE_EXTERNAL, 300}};
    gs_bus_port port = {.changes = {changes, 4, 4}};
    (void)state;
    assert_int_equal(gs_bus_port_lines(&port, 99), 0);
    assert_int_equal(gs_bus_port_next_change(&port, 99), 100);
    assert_int_equal(gs_bus_port_lines(&port, 100), GS_LINE_SOFTWARE);
    assert_int_equal(gs_bus_port_next_change(&port, 100), 120);
    assert_int_equal(gs_bus_port_lines(&port, 130), 0);
    assert_int_equal(gs_bus_port_next_change(&port, 130), 150);
    assert_int_equal(gs_bus_port_lines(&port, 150), GS_LINE_TIMER);
    assert_int_equal(gs_bus_port_next_change(&port, 150), 200);
    assert_int_equal(gs_bus_port_lines(&port, 200), GS_LINE_EXTERNAL);
    assert_int_equal(gs_bus_port_next_change(&port, 200), 300);
    assert_int_equal(gs_bus_port_lines(&port, 1000), GS_LINE_EXTERNAL | GS_LINE_TIMER);
    assert_int_equal(gs_bus_port_next_change(&port, 1000), UINT64_MAX);
}

#define TWO "name: s\ncores:\n- {name: a, core: flatfoot}\n- {name: b, core: flatfoot}\n"

static gs_status parse(gs_system_description **out, const char *text, gs_error *err)
{
    return gs_system_parse(out, "dir/s.yaml", text, strlen(text), err);
}

static void test_reads(void **state)
{
    gs_system_description *d;
    gs_error err;
    (void)state;
    assert_int_equal(
        parse(&d,
              "name: s\n"
              "cores:\n"
              "- {name: late, core: mine.yaml, hart: 9, program: sub/x.elf, board: rv-virt}\n"
              "- {name: early, core: flatfoot, hart: 2, program: /x.elf, priority: 77}\n"
              "bus: {arbiter: fixed, first: 3, grant: 1}\n"
              "memory: [{base: 0x4000_0000, size: 8K, write: 9}]\n"
              "devices: [{type: mutexes, base: 0x5000_0000, count: 2}]\n",
              &err),
        GS_OK);
    assert_int_equal(d->core_count, 2);
    assert_string_equal(d->cores[0].name, "early");
    assert_string_equal(d->cores[0].core, "flatfoot");
    assert_string_equal(d->cores[0].program, "/x.elf");
    assert_string_equal(d->cores[1].core, "dir/mine.yaml");
    assert_string_equal(d->cores[1].program, "dir/sub/x.elf");
    assert_string_equal(d->cores[1].board, "rv-virt");
    assert_int_equal(d->bus.priority[0], 77);
    assert_int_equal(d->bus.priority[1], 9);
    assert_int_equal(d->part_count, 2);
    assert_string_equal(d->parts[0].name, "memory");
    assert_int_equal(d->parts[0].first, 3);
    assert_int_equal(d->parts[0].write, 9);
    assert_int_equal(d->parts[1].size, 4096);
    assert_int_equal(d->parts[1].write, 4);
    gs_system_description_free(d);
}

static void test_refuses(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"name: s\ncores:\n- {name: a, core: f}\n- {name: b, core: f, hart: 0}\n",
         "dir/s.yaml:4: cores[1].hart: the core a has hart 0 already"},
        {"name: s\ncores:\n- {name: a, core: f}\n- {name: a, core: f}\n",
         "dir/s.yaml:4: cores[1].name: there are two cores 'a'"},
        {TWO "bus: {slots: [a]}\n", "dir/s.yaml:5: bus.slots: only the arbiter tdma has slots"},
        {TWO "bus: {arbiter: tdma, slots: [a]}\n",
         "dir/s.yaml:5: bus.slots: the core b has no slot"},
        {TWO "bus: {arbiter: tdma, slots: [a, c]}\n",
         "dir/s.yaml:5: bus.slots[1]: there is no core 'c'"},
        {TWO "bus: {width: 6}\n", "dir/s.yaml:5: bus.width: 6 is not allowed; allowed: 4, 8"},
        {TWO "memory: [{base: 0x10, size: 4K}]\n",
         "dir/s.yaml:5: memory[0].base: 0x10 is not a multiple of 4096"},
        {TWO "memory: [{base: 0, size: 8K}, {base: 4K, size: 4K, name: m}]\n",
         "dir/s.yaml:5: memory[1].base: m lies where memory is, at 0x00000000"},
        {TWO "devices: [{type: clint, base: 0xffff_f000}]\n",
         "dir/s.yaml:5: devices[0].base: 0x10000 bytes from here are past 4 GiB"},
        {TWO "devices: [{type: clint, base: 0}, {type: clint, base: 64K}]\n",
         "dir/s.yaml:5: devices[1].type: a system has at most one clint"},
        {TWO "devices: [{type: test, base: 0, count: 3}]\n",
         "dir/s.yaml:5: devices[0].count: only mutexes and barriers have this key"},
        {TWO "devices: [{type: test, base: 0, depth: 3}]\n",
         "dir/s.yaml:5: devices[0].depth: only mailboxes have this key"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gs_system_description *d;
        gs_error err = {0};
        assert_int_equal(parse(&d, wrong[i].text, &err), GS_E_FORMAT);
        assert_null(d);
        assert_string_equal(err.message, wrong[i].message);
    }
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

static uint64_t bus_stall(const gs_timing *timing)
{
    size_t cause = 0;
    while (strcmp(gs_timing_stall_key(cause), "bus") != 0)
        cause++;
    return gs_timing_stalls(timing, cause);
}

/* Every core loads a word and stores it once more, and exits. */
static void test_runs(void **state)
{
    static const uint32_t code[] = {
        0x400007b7, /* lui a5, 0x40000 */
        0x0007a703, /* lw a4, 0(a5) */
        0x00e7a223, /* sw a4, 4(a5) */
        0xf00007b7, /* lui a5, 0xf0000 */
        0x0007a023, /* sw zero, 0(a5) */
    };
    static const char text[] =
        TWO "bus: {grant: 1}\nmemory: [{base: 0x4000_0000, size: 4K, name: ram}]\n"
            "summary: of two\n";
    char directory[] = "/tmp/test_system-XXXXXX", file[64], program[64];
    elf_builder elf;
    size_t size;
    gs_system *system;
    gs_error err;
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/s.yaml", directory);
    snprintf(program, sizeof program, "%s/p.elf", directory);
    elf_start(&elf, EM_RISCV, false);
    elf.entry = 0x80000000;
    elf_code(&elf, elf.entry, code, sizeof code / sizeof *code);
    uint8_t *bytes = elf_finish(&elf, &size);
    write_file(program, bytes, size);
    write_file(file, text, sizeof text - 1);

    assert_int_equal(gs_system_open(&system, file, program, NULL, &err), GS_OK);
    assert_int_equal(gs_system_run(system, &(gs_system_run_options){0}, &err), GS_OK);
    assert_int_equal(gs_system_exit(system)->kind, GS_EXIT_CODE);
    assert_string_equal(gs_system_summary(system), "of two");
    assert_int_equal(gs_system_bus_counts(system).transfers, 4);
    assert_int_equal(gs_system_bus_counts(system).busy, 2 * (1 + 9) + 2 * (1 + 4));
    assert_int_equal(gs_system_part_count(system), 1);
    assert_string_equal(gs_system_part_at(system, 0).name, "ram");
    for (size_t i = 0; i < gs_system_core_count(system); i++) {
        const gs_system_core core = gs_system_core_at(system, i);
        const gs_system_use use = gs_system_use_at(system, 0, i);
        assert_int_equal(core.accesses, 2);
        assert_int_equal(use.loads + use.stores, 2);
        assert_int_equal(use.waited, bus_stall(core.timing));
        assert_int_equal(use.waited, gs_system_waited(system, i, 1 - i) + 2);
        assert_true(gs_timing_cycles(core.timing) <= gs_system_cycles(system));
    }
    /* Both ask for the first time in the same cycle: the other has the bus for 10 cycles. Its store
     * follows at once, 2 cycles of which are left when this core has its own. */
    assert_int_equal(gs_system_waited(system, 1, 0), 10 + 2);
    gs_system_free(system);
    free(bytes);
    unlink(file);
    unlink(program);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robin), cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_tdma),        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_reads),       cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
