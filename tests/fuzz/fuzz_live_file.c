/*
 * What was collected live, in a profile file that others made: whatever its rows say, it is
 * reported by every writer, in text without control characters, or refused with a message.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/live.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static gs_report_live_writer *const writers[] = {gs_report_live_text, gs_report_live_json,
                                                 gs_report_live_csv, gs_report_live_perfetto,
                                                 gs_report_live_phases};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_message(gs_status status, const gs_error *err)
{
    require(status == GS_OK || (err->message[0] && !strchr(err->message, '\n')));
}

static void check_text(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        require(text[i] == '\n' || ((unsigned char)text[i] >= ' ' && text[i] != 0x7f));
}

static void report(gs_live_file *file, const gs_live_stream *stream)
{
    gs_error err;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&text, &size);
        require(to != NULL);
        const gs_status status = writers[i](to, file, stream, 80, &err);
        require(fclose(to) == 0);
        check_message(status, &err);
        if (writers[i] == gs_report_live_text)
            check_text(text, size);
        free(text);
    }
}

static bool take(void *self, const gs_live_interval *interval)
{
    size_t *left = self;
    require(interval->count <= GS_LIVE_COUNTERS);
    return --*left > 0;
}

static void read_some(gs_live_file *file, const gs_live_stream *stream)
{
    gs_error err;
    size_t left = 3;
    require(stream->setting.counters <= GS_LIVE_COUNTERS);
    for (unsigned i = 0; i < stream->setting.counters; i++)
        require(strlen(gs_live_file_name(file, stream, i)) < GS_LIVE_NAME);
    check_message(gs_live_file_read(file, stream, stream->interval, take, &left, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[] = "/dev/shm/fuzz-live-file-XXXXXX", on_disk[] = "/tmp/fuzz-live-file-XXXXXX";
    int fd = mkstemp(path); /* SQLite opens names, not descriptors */
    if (fd < 0) {
        fd = mkstemp(on_disk);
        strcpy(path, on_disk);
    }
    require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    gs_live_file *file = NULL;
    const gs_live_stream *stream = NULL;
    gs_error err;
    gs_status status = gs_live_file_open(&file, path, &err);
    check_message(status, &err);
    if (status == GS_OK)
        status = gs_live_file_find(&stream, file, "last", &err);
    check_message(status, &err);
    if (stream) {
        report(file, stream);
        read_some(file, stream);
    }
    gs_live_file_free(file);
    unlink(path);
    return 0;
}
