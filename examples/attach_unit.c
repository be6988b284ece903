/*
 * attach_unit.c - lets an on-chip profiler watch a run, and compares its counts with the exact
 * ones.
 *
 *     ./attach_unit leap:functions=64 flatfoot program.elf
 *
 * `gumshoe unit` lists the profilers and their options.
 */
#include <gumshoe/gumshoe.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: attach_unit UNIT[:OPTIONS] CORE PROGRAM\n");
        return EXIT_FAILURE;
    }
    gs_core *core = NULL;
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    gs_recorder *recorder = NULL;
    gs_units *units = NULL;
    gs_error err;
    gs_machine_options options = gs_machine_options_default();
    gs_status status = gs_core_open(&core, argv[2], NULL, 0, &err);
    if (status == GS_OK)
        status = gs_image_open(&image, argv[3], &err);
    if (status == GS_OK) {
        gs_core_configure(core, &options);
        status = gs_machine_open(&machine, image, &options, &err);
    }
    if (status == GS_OK)
        status = gs_timing_open(&timing, core, machine, &err);

    /* The unit sees what its wires would carry; the recorder sees everything. */
    if (status == GS_OK)
        status = gs_recorder_open(&recorder, machine, timing, &err);
    if (status == GS_OK)
        status = gs_units_open(&units, machine, timing, &err);
    if (status == GS_OK)
        status = gs_units_add(units, argv[1], &err);
    if (status == GS_OK) {
        const gs_observer *both[] = {gs_recorder_observer(recorder), gs_units_observer(units)};
        gs_run_options run = {.timing = timing, .observers = both, .observer_count = 2};
        status = gs_run(machine, &run, &err);
    }
    if (status == GS_OK)
        status = gs_recorder_finish(recorder, &err);
    if (status == GS_OK)
        status = gs_units_conclude(units, recorder, &err);
    if (status == GS_OK)
        status = gs_report_units(stdout, units, 5, 0, &err);
    if (status != GS_OK)
        fprintf(stderr, "attach_unit: %s\n", err.message);

    gs_units_free(units);
    gs_recorder_free(recorder);
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    gs_core_free(core);
    return status == GS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
