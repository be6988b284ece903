/*
 * Reports of profile files that others made: whatever a profile that can be loaded says, every
 * writer ends, with all of its document or a message, and what is for a terminal has no control
 * characters.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/report.h"
#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static gs_report_writer *const writers[] = {
    gs_report_text,      gs_report_json,       gs_report_csv,         gs_report_folded,
    gs_report_callgrind, gs_report_flamegraph, gs_report_gprof,       gs_report_pprof,
    gs_report_perfetto,  gs_report_phases,     gs_report_saved_units, gs_report_saved_units_json,
    gs_report_speedscope};

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* A document for programs goes nowhere, one for people is looked at. */
typedef struct document {
    FILE *to;
    char *text;
    size_t size;
} document;

static void open_document(document *d)
{
    *d = (document){0};
    d->to = open_memstream(&d->text, &d->size);
    require(d->to != NULL);
}

static void close_document(document *d, gs_status status, const gs_error *err, bool plain)
{
    require(fclose(d->to) == 0);
    require(status == GS_OK || (err->message[0] && !strchr(err->message, '\n')));
    for (size_t i = 0; plain && i < d->size; i++)
        require(d->text[i] == '\n' || ((unsigned char)d->text[i] >= ' ' && d->text[i] != 0x7f));
    free(d->text);
}

static void write_reports(const gs_profile *p)
{
    gs_error err;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        document d;
        open_document(&d);
        const gs_report_options options = {.inlines = i % 2 == 0};
        gs_status status = writers[i](d.to, p, &options, &err);
        close_document(&d, status, &err, writers[i] == gs_report_saved_units);
    }
    for (gs_report_by by = 0; by < GS_REPORT_BY_COUNT; by++) {
        document d;
        open_document(&d);
        const gs_report_options options = {.by = by, .width = 80, .inlines = true};
        close_document(&d, gs_report_text(d.to, p, &options, &err), &err, true);
    }
}

static void write_details(const gs_profile *p)
{
    gs_error err;
    const gs_annotate_options annotate = {.top = 3, .roots = NULL, .disassembly = true};
    const gs_diff_options diff = {.top = 3};
    document d;
    open_document(&d);
    close_document(&d, gs_report_annotate(d.to, p, &annotate, &err), &err, true);
    open_document(&d);
    close_document(&d, gs_report_annotate_json(d.to, p, &annotate, &err), &err, false);
    open_document(&d);
    close_document(&d, gs_report_diff(d.to, p, p, &diff, &err), &err, true);
    open_document(&d);
    close_document(&d, gs_report_diff_json(d.to, p, p, &diff, &err), &err, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[] = "/dev/shm/fuzz-reports-XXXXXX", on_disk[] = "/tmp/fuzz-reports-XXXXXX";
    int fd = mkstemp(path); /* SQLite opens names, not descriptors */
    if (fd < 0) {
        fd = mkstemp(on_disk);
        strcpy(path, on_disk);
    }
    require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    gs_profile_file *file;
    gs_profile *profile;
    gs_error err;
    if (gs_profile_file_open(&file, path, &err) == GS_OK) {
        if (gs_profile_file_load(&profile, file, "last", &err) == GS_OK) {
            write_reports(profile);
            write_details(profile);
        }
        gs_profile_free(profile);
        gs_profile_file_free(file);
    }
    unlink(path);
    return 0;
}
