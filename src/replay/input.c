/* Reads traces from front to end. */
#include "replay/input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static gs_status make(gs_input **out, const char *name, gs_error *err)
{
    gs_input *source = calloc(1, sizeof *source);
    *out = NULL;
    if (!source || !(source->name = strdup(name))) {
        free(source);
        return gs_fail_no_memory(err);
    }
    source->fd = -1;
    *out = source;
    return GS_OK;
}

gs_status gs_input_open(gs_input **out, const char *path, gs_error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    gs_status status = make(out, standard ? "standard input" : path, err);
    if (status != GS_OK)
        return status;
    (*out)->fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if ((*out)->fd >= 0)
        return GS_OK;
    status = gs_fail(err, errno == ENOENT ? GS_E_NOT_FOUND : GS_E_IO, "%s: cannot be opened: %s",
                     path, strerror(errno));
    gs_input_free(*out);
    *out = NULL;
    return status;
}

gs_status gs_input_open_memory(gs_input **out, const void *bytes, size_t size, gs_error *err)
{
    gs_status status = make(out, "trace", err);
    if (status != GS_OK)
        return status;
    (*out)->memory = bytes;
    (*out)->memory_size = size;
    return GS_OK;
}

static int spawn(gs_input *source, const char *const argv[], int to)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (!failed)
        failed =
            posix_spawnp(&source->child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

gs_status gs_input_open_program(gs_input **out, const char *name, const char *const argv[],
                                gs_error *err)
{
    int ends[2];
    gs_status status = make(out, name, err);
    if (status != GS_OK)
        return status;
    int failed = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (!failed) {
        (*out)->fd = ends[0];
        failed = spawn(*out, argv, ends[1]);
        close(ends[1]);
    }
    if (!failed)
        return GS_OK;
    status = gs_fail(err, failed == ENOENT ? GS_E_NOT_FOUND : GS_E_IO,
                     "%s: the program %s, which reads it, cannot be started: %s", name, argv[0],
                     strerror(failed));
    gs_input_free(*out);
    *out = NULL;
    return status;
}

void gs_input_free(gs_input *source)
{
    if (!source)
        return;
    if (source->fd >= 0)
        close(source->fd);
    if (source->child > 0) { /* it may still be writing */
        kill(source->child, SIGKILL);
        while (waitpid(source->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(source->name);
    free(source);
}

static gs_status read_more(gs_input *source, gs_error *err)
{
    size_t room = GS_INPUT_BUFFER - source->end;
    if (source->fd < 0) {
        size_t part = source->memory_size < room ? source->memory_size : room;
        if (part)
            memcpy(source->buffer + source->end, source->memory, part);
        source->memory += part;
        source->memory_size -= part;
        source->end += part;
        source->ended = source->memory_size == 0;
        return GS_OK;
    }
    ssize_t got;
    do
        got = read(source->fd, source->buffer + source->end, room);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return gs_fail(err, GS_E_IO, "%s: cannot be read: %s", source->name, strerror(errno));
    source->end += (size_t)got;
    source->ended = got == 0;
    return GS_OK;
}

gs_status gs_input_fill(gs_input *source, size_t wanted, gs_error *err)
{
    gs_status status = GS_OK;
    if (source->end - source->at >= wanted)
        return GS_OK;
    memmove(source->buffer, source->buffer + source->at, source->end - source->at);
    source->end -= source->at;
    source->at = 0;
    while (status == GS_OK && source->end < wanted && !source->ended)
        status = read_more(source, err);
    return status;
}

gs_status gs_input_line(gs_input *source, char **line, gs_error *err)
{
    *line = NULL;
    size_t looked = 0;
    for (;;) {
        uint8_t *from = source->buffer + source->at;
        size_t have = source->end - source->at;
        uint8_t *end = memchr(from + looked, '\n', have - looked);
        if (end || (source->ended && have > 0)) {
            size_t length = end ? (size_t)(end - from) : have;
            source->at += length + (end != NULL);
            source->lines++;
            if (length > 0 && from[length - 1] == '\r')
                length--;
            from[length] = '\0';
            *line = (char *)from;
            return GS_OK;
        }
        if (source->ended)
            return GS_OK;
        if (have >= GS_INPUT_LINE)
            return gs_fail(err, GS_E_FORMAT, "%s: line %llu has more than %d bytes", source->name,
                           (unsigned long long)source->lines + 1, GS_INPUT_LINE);
        looked = have;
        gs_status status = gs_input_fill(source, have + 1, err);
        if (status != GS_OK)
            return status;
    }
}

gs_status gs_input_finish(gs_input *source, gs_error *err)
{
    int how = 0;
    if (source->child <= 0)
        return GS_OK;
    while (waitpid(source->child, &how, 0) < 0 && errno == EINTR)
        ;
    source->child = 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return GS_OK;
    return gs_fail(err, GS_E_IO, "%s: the program that reads it has failed", source->name);
}
