/*
 * own_report.c - writes a report of its own from a profile file: Markdown, for a wiki or a merge
 * request.
 *
 *     gumshoe run --core flatfoot -o gumshoe.db program.elf
 *     ./own_report gumshoe.db [RUN]
 *
 * RUN is a number, a label or "last".
 */
#include <gumshoe/gumshoe.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void list_runs(const gs_profile_file *file)
{
    printf("## Runs in %s\n\n", gs_profile_file_path(file));
    for (size_t i = 0; i < gs_profile_file_run_count(file); i++) {
        const gs_run_info *run = gs_profile_file_run(file, i);
        printf("%" PRIi64 ". %s on %s: %" PRIu64 " cycles%s%s\n", run->id, run->label,
               run->core[0] ? run->core : "no core", run->cycles,
               run->exit == GS_EXIT_CODE ? "" : ", did not end by itself",
               run->exit_code ? ", failed" : "");
    }
}

static void print_functions(const gs_rows *rows, uint64_t total)
{
    printf("\n| function | cycles | share | data misses |\n|---|---:|---:|---:|\n");
    for (size_t i = 0; i < gs_rows_count(rows); i++) {
        const char *name = gs_rows_function(rows, i);
        uint64_t cycles = gs_rows_self(rows, i, GS_METRIC_CYCLES);
        printf("| `%s` | %" PRIu64 " | %.1f%% | %" PRIu64 " |\n", name ? name : "(none)", cycles,
               percent(cycles, total), gs_rows_self(rows, i, GS_METRIC_D_MISSES));
    }
    if (gs_rows_omitted(rows) > 0)
        printf("\nand %zu more.\n", gs_rows_omitted(rows));
}

static void print_calls(const gs_rows *rows, uint64_t total)
{
    printf("\n");
    for (size_t i = 0; i < gs_rows_count(rows); i++) {
        const char *name = gs_rows_function(rows, i);
        printf("%*s- `%s` %.1f%%, called %" PRIu64 " times\n", 2 * (int)gs_rows_depth(rows, i), "",
               name ? name : "(none)", percent(gs_rows_inclusive(rows, i, GS_METRIC_CYCLES), total),
               gs_rows_calls(rows, i));
    }
}

static gs_status print(const gs_profile *profile, gs_report_by by,
                       void (*print_rows)(const gs_rows *rows, uint64_t total), gs_error *err)
{
    gs_report_options options = {.by = by, .top = 6};
    gs_rows *rows;
    gs_status status = gs_rows_open(&rows, profile, &options, err);
    if (status == GS_OK)
        print_rows(rows, gs_profile_total(profile, GS_METRIC_CYCLES));
    gs_rows_free(rows);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: own_report FILE [RUN]\n");
        return EXIT_FAILURE;
    }
    gs_profile_file *file = NULL;
    gs_profile *profile = NULL;
    gs_error err;
    gs_status status = gs_profile_file_open(&file, argv[1], &err);
    if (status == GS_OK) {
        list_runs(file);
        status = gs_profile_file_load(&profile, file, argc == 3 ? argv[2] : "last", &err);
    }
    if (status == GS_OK)
        status = print(profile, GS_REPORT_BY_FUNCTION, print_functions, &err);
    if (status == GS_OK)
        status = print(profile, GS_REPORT_BY_CALL, print_calls, &err);
    if (status != GS_OK)
        fprintf(stderr, "own_report: %s\n", err.message);
    gs_profile_free(profile);
    gs_profile_file_free(file);
    return status == GS_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
