/* Fills in the profile that small_profile.h draws. */
#include "small_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define PUSH(list, ...)                         \
    do {                                        \
        if (!gs_vec_push(&(list), __VA_ARGS__)) \
            abort();                            \
    } while (0)

static char *copy(const char *text)
{
    char *made = strdup(text);
    if (!made)
        abort();
    return made;
}

static gs_metrics cycles(uint64_t count)
{
    gs_metrics cost = {0};
    cost.value[GS_METRIC_CYCLES] = count;
    cost.value[GS_METRIC_INSTRUCTIONS] = count;
    return cost;
}

/* The same with stalls: the instructions that are left. */
static gs_metrics stalled(uint64_t count, uint64_t load_use, uint64_t read_miss)
{
    gs_metrics cost = cycles(count);
    cost.value[GS_METRIC_INSTRUCTIONS] -= load_use + read_miss;
    cost.value[GS_METRIC_STALL_LOAD_USE] = load_use;
    cost.value[GS_METRIC_STALL_D_READ] = read_miss;
    return cost;
}

gs_profile *empty_profile(void)
{
    gs_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        abort();
    profile->run.program = copy("/home/a<b>&c.elf");
    profile->run.label = copy("");
    profile->run.core = copy("flatfoot");
    profile->run.core_yaml = copy("");
    profile->run.isa = copy("rv32");
    profile->run.environment = copy("bare");
    profile->run.inherited = copy("nothing");
    profile->run.variables = copy("");
    profile->run.region = copy("");
    profile->run.commit = copy("");
    profile->run.version = copy("1.2.3");
    profile->run.clock_hz = 50000000;
    profile->run.exit = GS_EXIT_CODE;
    return profile;
}

static void add_function(gs_profile *profile, const char *name, uint32_t start, uint32_t file,
                         uint32_t line)
{
    gs_profile_function function = {copy(name), start, start + 16, file, line};
    gs_profile_block block = {start, start + 16, (uint32_t)profile->functions.count, 1};
    PUSH(profile->functions, function);
    PUSH(profile->blocks, block);
}

static void add_insn(gs_profile *profile, uint32_t function, uint32_t number, uint32_t loop,
                     gs_metrics cost)
{
    const gs_profile_function *in = &profile->functions.items[function];
    gs_profile_insn insn = {
        .pc = in->start + 4 * number,
        .length = 4,
        .function = function,
        .file = in->file,
        .line = in->line + number,
        .block = function,
        .loop = loop,
        .inlined = GS_PROFILE_NONE,
        .text = copy("addi a0,a0,1"),
        .executions = cost.value[GS_METRIC_INSTRUCTIONS],
        .cost = cost,
    };
    PUSH(profile->insns, insn);
    gs_metrics_add(&profile->total, &cost);
}

static void add_node(gs_profile *profile, uint32_t parent, uint32_t function, uint32_t site,
                     uint64_t calls, gs_metrics self)
{
    gs_profile_node node = {parent, function, site, GS_PROFILE_NONE, GS_FRAME_CALL, calls, self};
    PUSH(profile->nodes, node);
}

gs_profile *small_profile(void)
{
    const uint32_t none = GS_PROFILE_NONE;
    gs_profile *profile = empty_profile();
    PUSH(profile->files, copy("/src/main.c"));
    PUSH(profile->files, copy("/src/even & odd.h"));
    add_function(profile, "main", 0x1000, 0, 10);
    add_function(profile, "fib", 0x1010, 0, 20);
    add_function(profile, "e;<\"v&'en>\n", 0x1020, 1, 5);
    add_function(profile, "odd", 0x1030, none, 0);

    add_insn(profile, SMALL_MAIN, 0, none, stalled(60, 40, 10));
    add_insn(profile, SMALL_MAIN, 1, none, cycles(20));
    add_insn(profile, SMALL_MAIN, 2, none, cycles(20));
    add_insn(profile, SMALL_FIB, 0, 0, cycles(30));
    add_insn(profile, SMALL_FIB, 1, 1, cycles(5));
    add_insn(profile, SMALL_FIB, 2, none, cycles(2));
    add_insn(profile, SMALL_EVEN, 0, none, cycles(7));
    add_insn(profile, SMALL_EVEN, 1, none, cycles(4));
    add_insn(profile, SMALL_ODD, 1, none, cycles(3));
    profile->insns.items[4].file = 1; /* inlined from a header */
    profile->insns.items[4].line = 99;

    gs_profile_loop outer = {.header = 0x1010,
                             .function = SMALL_FIB,
                             .parent = none,
                             .depth = 0,
                             .entries = 2,
                             .iterations = 30};
    gs_profile_loop inner = {.header = 0x1014,
                             .function = SMALL_FIB,
                             .parent = 0,
                             .depth = 1,
                             .entries = 1,
                             .iterations = 5};
    PUSH(profile->loops, outer);
    PUSH(profile->loops, inner);

    add_node(profile, none, SMALL_MAIN, 0, 1, stalled(100, 40, 10));
    add_node(profile, 0, SMALL_FIB, 0x1004, 1, cycles(10));
    add_node(profile, 1, SMALL_FIB, 0x1014, 2, cycles(20));
    add_node(profile, 1, SMALL_FIB, 0x1018, 1, cycles(5));
    add_node(profile, 0, SMALL_EVEN, 0x1008, 1, cycles(7));
    add_node(profile, 4, SMALL_ODD, 0x1024, 1, cycles(3));
    add_node(profile, 5, SMALL_EVEN, 0x1034, 1, cycles(4));
    add_node(profile, 4, SMALL_FIB, 0x1020, 1, cycles(2));
    return profile;
}

gs_profile *deep_profile(size_t depth)
{
    gs_profile *profile = empty_profile();
    add_function(profile, "main", 0x1000, GS_PROFILE_NONE, 0);
    add_insn(profile, 0, 0, GS_PROFILE_NONE, cycles(depth));
    for (size_t i = 0; i < depth; i++)
        add_node(profile, i ? (uint32_t)i - 1 : GS_PROFILE_NONE, 0, 0x1000, 1, cycles(1));
    return profile;
}
