/* Writes a file beside its final name, and moves it there when it is complete. */
#include "tool/outfile.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gs_status fail(gs_error *err, const char *path, const char *what)
{
    err->status = GS_E_IO;
    snprintf(err->message, sizeof err->message, "%s: cannot %s: %s", path, what, strerror(errno));
    return GS_E_IO;
}

/* Of all files that are open: what a signal handler can read at any time. */
enum { OPEN_MAX_FILES = 8 };
static char *volatile temporaries[OPEN_MAX_FILES];

static void exchange(const char *from, char *to)
{
    size_t i = 0;
    while (i < OPEN_MAX_FILES && temporaries[i] != from)
        i++;
    if (i < OPEN_MAX_FILES)
        temporaries[i] = to;
}

void gs_outfile_remove_temporaries(void)
{
    for (size_t i = 0; i < OPEN_MAX_FILES; i++) {
        if (temporaries[i])
            unlink(temporaries[i]);
    }
}

static void forget_temporary(gs_outfile *file)
{
    exchange(file->temporary, NULL);
    free(file->temporary);
    file->temporary = NULL;
}

/* Makes the file; a signal comes before that, or when its handler knows of it. */
static int make_temporary(char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const int fd = mkstemp(path), error = errno;
    if (fd >= 0)
        exchange(NULL, path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

gs_status gs_outfile_open(gs_outfile *file, const char *path, gs_error *err)
{
    *file = (gs_outfile){.path = path};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return GS_OK;
    }
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        file->stream = fopen(path, "w");
        return file->stream ? GS_OK : fail(err, path, "open for writing");
    }
    if (asprintf(&file->temporary, "%s.XXXXXX", path) < 0) {
        file->temporary = NULL;
        return fail(err, path, "open for writing");
    }
    int fd = make_temporary(file->temporary);
    if (fd < 0) {
        gs_status status = fail(err, path, "create");
        free(file->temporary);
        file->temporary = NULL;
        return status;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask); /* mkstemp makes it private */
    file->stream = fdopen(fd, "w");
    if (!file->stream) {
        gs_status status = fail(err, path, "open for writing");
        close(fd);
        gs_outfile_abandon(file);
        return status;
    }
    return GS_OK;
}

static bool close_stream(gs_outfile *file)
{
    FILE *stream = file->stream;
    file->stream = NULL;
    bool good = fflush(stream) == 0 && !ferror(stream);
    if (stream != stdout && fclose(stream) != 0)
        good = false;
    return good;
}

gs_status gs_outfile_commit(gs_outfile *file, gs_error *err)
{
    gs_status status = GS_OK;
    if (!close_stream(file))
        status = fail(err, file->path, "write");
    else if (file->temporary && rename(file->temporary, file->path) != 0)
        status = fail(err, file->path, "create");
    else if (file->temporary)
        forget_temporary(file);
    gs_outfile_abandon(file);
    return status;
}

void gs_outfile_abandon(gs_outfile *file)
{
    if (file->stream)
        close_stream(file);
    if (file->temporary) {
        unlink(file->temporary);
        forget_temporary(file);
    }
}
