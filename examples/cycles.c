/*
 * cycles.c - runs a program on a core and prints how many cycles it took, and why.
 *
 *     ./cycles flatfoot program.elf [ARGUMENTS...]
 */
#include <gumshoe/gumshoe.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_exit(const gs_exit *exit)
{
    switch (exit->kind) {
    case GS_EXIT_CODE: printf("It exited with %d.\n", exit->code); break;
    case GS_EXIT_SIGNAL:
    case GS_EXIT_HALT: printf("It ended: %s.\n", exit->message); break;
    default: printf("It has not ended.\n"); break;
    }
}

static void print_cache(const char *name, gs_cache_counts counts)
{
    printf("%12" PRIu64 " %s misses in %" PRIu64 " accesses\n", counts.misses, name,
           counts.hits + counts.misses);
}

static void print_cycles(const gs_machine *machine, const gs_timing *timing)
{
    uint64_t instructions = gs_machine_instructions(machine);
    printf("%12" PRIu64 " instructions\n", instructions);
    printf("%12" PRIu64 " cycles on %s\n", gs_timing_cycles(timing),
           gs_core_name(gs_timing_core(timing)));
    printf("%12" PRIu64 "   in which an instruction was issued\n", gs_timing_issue_cycles(timing));
    for (size_t cause = 0; cause < gs_timing_stall_count(); cause++) {
        if (gs_timing_stalls(timing, cause) > 0)
            printf("%12" PRIu64 "   lost: %s\n", gs_timing_stalls(timing, cause),
                   gs_timing_stall_text(cause));
    }
    gs_cache_counts cache;
    if (gs_timing_icache(timing, &cache))
        print_cache("instruction cache", cache);
    if (gs_timing_dcache(timing, &cache))
        print_cache("data cache", cache);
    gs_branch_counts branches = gs_timing_branches(timing);
    printf("%12" PRIu64 " conditional branches, %" PRIu64 " of them taken\n", branches.executed,
           branches.taken);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: cycles CORE PROGRAM [ARGUMENTS...]\n");
        return EXIT_FAILURE;
    }
    gs_core *core = NULL;
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    gs_error err;

    /* A core, a program, the program in a machine made like the core, and the core's clock. */
    gs_status status = gs_core_open(&core, argv[1], NULL, 0, &err);
    if (status == GS_OK)
        status = gs_image_open(&image, argv[2], &err);
    if (status == GS_OK) {
        gs_machine_options options = gs_machine_options_default();
        options.argc = argc - 2;
        options.argv = (const char *const *)(argv + 2);
        gs_core_configure(core, &options);
        status = gs_machine_open(&machine, image, &options, &err);
    }
    if (status == GS_OK)
        status = gs_timing_open(&timing, core, machine, &err);
    if (status == GS_OK) {
        gs_run_options run = {.timing = timing};
        status = gs_run(machine, &run, &err);
    }

    if (status == GS_OK) {
        print_exit(gs_machine_exit(machine));
        print_cycles(machine, timing);
    } else
        fprintf(stderr, "cycles: %s\n", err.message);

    /* In the order in which they borrow from each other. Freeing NULL is fine. */
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    gs_core_free(core);
    return status == GS_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
