/*
 * hottest_loop.c - finds the loop that costs a program most, and shows what in it does.
 *
 *     ./hottest_loop flatfoot program.elf
 */
#include <gumshoe/gumshoe.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Rows come with the most expensive first; one of them is for everything that is in no loop. */
static void print_loop(const gs_rows *loops, uint64_t total)
{
    size_t i = 0;
    while (i < gs_rows_count(loops) && gs_rows_is_rest(loops, i))
        i++;
    if (i == gs_rows_count(loops)) {
        printf("There is no loop.\n");
        return;
    }
    uint64_t cycles = gs_rows_self(loops, i, GS_METRIC_CYCLES);
    uint64_t iterations = gs_rows_iterations(loops, i), entries = gs_rows_entries(loops, i);
    const char *function = gs_rows_function(loops, i), *file = gs_rows_file(loops, i);
    printf("The hottest loop is in %s, at 0x%" PRIx64, function ? function : "no function",
           gs_rows_address(loops, i));
    if (file)
        printf(", line %u of %s", gs_rows_line(loops, i), last_part(file));
    printf("\n");
    printf("  %.1f%% of all cycles, %.2f cycles an iteration, %.1f iterations an entry\n",
           100 * (double)cycles / (double)total, (double)cycles / (double)iterations,
           (double)iterations / (double)entries);
    for (unsigned m = GS_METRIC_STALL_I_MISS; m < GS_METRIC_COUNT; m++) {
        uint64_t lost = gs_rows_self(loops, i, (gs_metric)m);
        if (lost > cycles / 1000)
            printf("  %.1f%% of its cycles lost: %s\n", 100 * (double)lost / (double)cycles,
                   gs_metric_text((gs_metric)m));
    }
}

static gs_status report(const gs_profile *profile, gs_error *err)
{
    gs_report_options options = {.by = GS_REPORT_BY_LOOP};
    gs_rows *loops;
    gs_status status = gs_rows_open(&loops, profile, &options, err);
    if (status == GS_OK)
        print_loop(loops, gs_profile_total(profile, GS_METRIC_CYCLES));
    gs_rows_free(loops);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: hottest_loop CORE PROGRAM\n");
        return EXIT_FAILURE;
    }
    gs_core *core = NULL;
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    gs_recorder *recorder = NULL;
    gs_profile *profile = NULL;
    gs_error err;
    gs_machine_options options = gs_machine_options_default();
    gs_status status = gs_core_open(&core, argv[1], NULL, 0, &err);
    if (status == GS_OK)
        status = gs_image_open(&image, argv[2], &err);
    if (status == GS_OK) {
        gs_core_configure(core, &options);
        status = gs_machine_open(&machine, image, &options, &err);
    }
    if (status == GS_OK)
        status = gs_timing_open(&timing, core, machine, &err);

    /* The recorder watches the run; what it has seen becomes a profile. */
    if (status == GS_OK)
        status = gs_recorder_open(&recorder, machine, timing, &err);
    if (status == GS_OK) {
        const gs_observer *observer = gs_recorder_observer(recorder);
        gs_run_options run = {.timing = timing, .observers = &observer, .observer_count = 1};
        status = gs_run(machine, &run, &err);
    }
    if (status == GS_OK)
        status = gs_recorder_finish(recorder, &err);
    if (status == GS_OK)
        status = gs_profile_build(&profile, recorder, NULL, &err);
    if (status == GS_OK)
        status = report(profile, &err);
    if (status != GS_OK)
        fprintf(stderr, "hottest_loop: %s\n", err.message);

    gs_profile_free(profile);
    gs_recorder_free(recorder);
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    gs_core_free(core);
    return status == GS_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
