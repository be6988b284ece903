/* Reads whole files, and takes file names apart. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gs_status fail_errno(gs_error *err, const char *verb, const char *path)
{
    int number = errno;
    gs_status status = number == ENOENT ? GS_E_NOT_FOUND : GS_E_IO;
    return gs_fail(err, status, "cannot %s %s: %s", verb, path, strerror(number));
}

/* Fills `buffer` up to `capacity`; -1 with errno on failure. */
static ssize_t read_all(int fd, char *buffer, size_t capacity)
{
    size_t have = 0;
    while (have < capacity) {
        ssize_t n = read(fd, buffer + have, capacity - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

gs_status gs_file_read(char **out, size_t *size, const char *path, size_t limit, gs_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(err, "open", path);

    char *buffer = malloc(limit + 1);
    ssize_t n = buffer ? read_all(fd, buffer, limit + 1) : 0;
    gs_status status = GS_OK;
    if (!buffer)
        status = gs_fail_no_memory(err);
    else if (n < 0)
        status = fail_errno(err, "read", path);
    else if ((size_t)n > limit)
        status = gs_fail(err, GS_E_FORMAT, "%s is longer than %zu bytes", path, limit);
    close(fd);
    if (status) {
        free(buffer);
        return status;
    }
    buffer[n] = '\0';
    *size = (size_t)n;
    *out = buffer;
    return GS_OK;
}

gs_status gs_file_parse(gs_file_parser *parse, void *out, const char *path, size_t limit,
                        gs_error *err)
{
    char *text;
    size_t size;
    gs_status status = gs_file_read(&text, &size, path, limit, err);
    if (status)
        return status;
    status = parse(out, path, text, size, err);
    free(text);
    return status;
}

char *gs_cache_directory(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = NULL;
    int size = -1;
    if (base && base[0] == '/')
        size = asprintf(&path, "%s/gumshoe", base);
    else if (home && home[0] == '/')
        size = asprintf(&path, "%s/.cache/gumshoe", home);
    return size < 0 ? NULL : path;
}

const char *gs_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
