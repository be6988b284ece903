/*
 * microtime - how long the passes over a piece of code take.
 *
 *     microtime BOARD-DIR < JOBS
 *
 * A job is a line: the core's name, its settings separated by commas (or -), the ELF file,
 * and in hexadecimal the addresses of two instructions. The answer is a line: for each time
 * the second retires, the cycles since the first did, or "failed:" and why.
 * Nothing is added for measuring: the code runs as it would alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/run.h"

enum { MAX_SETTINGS = 16, MAX_LINE = 4096 };

typedef struct passes {
    const gs_timing *timing;
    uint64_t begin, end, since;
} passes;

static void retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    passes *p = self;
    (void)machine;
    if (event->pc == p->begin)
        p->since = gs_timing_cycles(p->timing);
    else if (event->pc == p->end)
        printf("%" PRIu64 " ", gs_timing_cycles(p->timing) - p->since);
}

typedef struct timing_job {
    char *core, *settings, *elf;
    uint64_t begin, end;
} timing_job;

static gs_status run_program(const gs_core *core, const timing_job *job, const char *boards,
                             gs_error *err)
{
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    char board[MAX_LINE];
    gs_status status = gs_image_open(&image, job->elf, err);
    if (status != GS_OK)
        return status;
    gs_machine_options options = {.env = GS_ENV_BARE, .stdio = {0, 1, 2}};
    if (gs_image_arch(image) == GS_ARCH_RV32) {
        snprintf(board, sizeof board, "%s/rv-low.yaml", boards);
        options.board = board;
    }
    gs_core_configure(core, &options);
    status = gs_machine_open(&machine, image, &options, err);
    if (status == GS_OK)
        status = gs_timing_open(&timing, core, machine, err);
    if (status == GS_OK) {
        passes p = {.timing = timing, .begin = job->begin, .end = job->end};
        gs_observer observer = {.retired = retired, .self = &p};
        const gs_observer *observers[] = {&observer};
        gs_run_options run = {
            .timing = timing,
            .observers = observers,
            .observer_count = 1,
            .max_instructions = 1000000,
        };
        status = gs_run(machine, &run, err);
        if (status == GS_OK && gs_machine_exit(machine)->kind != GS_EXIT_CODE)
            printf("failed: %s", gs_machine_exit(machine)->message);
    }
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    return status;
}

static gs_status open_core(gs_core **core, const timing_job *job, gs_error *err)
{
    const char *set[MAX_SETTINGS];
    size_t count = 0;
    char settings[MAX_LINE], *rest = settings;
    snprintf(settings, sizeof settings, "%s", job->settings);
    if (strcmp(settings, "-") != 0)
        for (char *one; count < MAX_SETTINGS && (one = strsep(&rest, ","));)
            set[count++] = one;
    return gs_core_open(core, job->core, set, count, err);
}

int main(int argc, char **argv)
{
    char line[MAX_LINE], known[2 * MAX_LINE] = "";
    gs_core *core = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: microtime BOARD-DIR < JOBS\n");
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line;
        timing_job job = {.core = strsep(&rest, " "), .settings = strsep(&rest, " ")};
        job.elf = strsep(&rest, " ");
        if (!rest) {
            fprintf(stderr, "microtime: not a job: %s\n", line);
            return 2;
        }
        job.begin = strtoull(rest, &rest, 16);
        job.end = strtoull(rest, NULL, 16);

        gs_error err = {0};
        gs_status status = GS_OK;
        char name[2 * MAX_LINE];
        snprintf(name, sizeof name, "%s %s", job.core, job.settings);
        if (strcmp(name, known) != 0) {
            gs_core_free(core);
            core = NULL;
            status = open_core(&core, &job, &err);
            snprintf(known, sizeof known, "%s", status == GS_OK ? name : "");
        }
        if (status == GS_OK)
            status = run_program(core, &job, argv[1], &err);
        if (status != GS_OK)
            printf("failed: %s", err.message);
        printf("\n");
    }
    gs_core_free(core);
    return 0;
}
