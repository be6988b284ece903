/* Writes everything that has been translated as C for people. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/fast/tier/compiler.h"
#include "engine/fast/tier/tier_parts.h"

static bool write_code(gs_tier *t, FILE *to)
{
    size_t total = 0;
    for (size_t i = 0; i < t->loaded.count; i++)
        total += t->loaded.items[i].count;
    gs_code *codes = calloc(total + 1, sizeof *codes);
    if (!codes)
        return false;
    total = 0;
    for (size_t i = 0; i < t->loaded.count; i++) {
        for (size_t k = 0; k < t->loaded.items[i].count; k++) {
            if (t->loaded.items[i].codes[k].count > 0)
                codes[total++] = t->loaded.items[i].codes[k];
        }
    }
    gs_translation_options options = {.machine = t->machine,
                                      .timing = t->timing,
                                      .lru_icache = gs_fast_icache_lru(t->fast)->cache,
                                      .bmi2 = gs_compiler_may_use_bmi2(),
                                      .for_people = true,
                                      .explain = gs_fast_automaton(t->fast)};
    gs_translate(to, &options, codes, total);
    free(codes);
    return true;
}

/* The file appears under its name when it is whole. */
static gs_status write_file(gs_tier *t, const char *part, const char *path, gs_error *err)
{
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (!to) {
        gs_status status = gs_fail(err, GS_E_IO, "cannot write %s: %s", path, strerror(errno));
        if (fd >= 0) {
            close(fd);
            unlink(part);
        }
        return status;
    }
    errno = 0;
    const bool had_memory = write_code(t, to);
    bool failed = fflush(to) != 0 || ferror(to);
    int why = errno;
    if (fclose(to) != 0 && !failed) {
        failed = true;
        why = errno;
    }
    if (had_memory && !failed && rename(part, path) == 0)
        return GS_OK;
    if (had_memory && !failed)
        why = errno;
    unlink(part);
    if (!had_memory)
        return gs_fail_no_memory(err);
    return gs_fail(err, GS_E_IO, "cannot write %s: %s", path, strerror(why ? why : EIO));
}

gs_status gs_tier_emit(gs_tier *t, const char *directory, gs_error *err)
{
    char *path = NULL, *part = NULL;
    gs_status status;
    if (asprintf(&path, "%s/program.c", directory) < 0)
        path = NULL;
    if (asprintf(&part, "%s/.program.c.%ld", directory, (long)getpid()) < 0)
        part = NULL;
    if (path && part)
        status = write_file(t, part, path, err);
    else
        status = gs_fail_no_memory(err);
    free(path);
    free(part);
    return status;
}
