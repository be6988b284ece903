/* Files beside a profile file, for the jobs of a cluster. */
#include "tool/sweep_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/tool.h"

char *gs_sweep_folder_join(const char *folder, const char *name, const char *end)
{
    char *path;
    return asprintf(&path, "%s/%s%s", folder, name, end) < 0 ? NULL : path;
}

static char *program_path(const char *folder, size_t build, const char *end)
{
    char *path;
    return asprintf(&path, "%s/program-%zu%s", folder, build, end) < 0 ? NULL : path;
}

gs_status gs_sweep_folder_write(const char *path, const char *text, gs_error *err)
{
    FILE *to = fopen(path, "we");
    const bool written = to && fputs(text, to) >= 0;
    const bool closed = to && fclose(to) == 0;
    return written && closed ? GS_OK : gs_tool_error(err, "%s: %s", path, strerror(errno));
}

bool gs_sweep_folder_read(const char *path, char *text, size_t size)
{
    FILE *from = fopen(path, "re");
    if (!from)
        return false;
    const size_t length = fread(text, 1, size - 1, from);
    text[length] = '\0';
    fclose(from);
    return true;
}

static gs_status copy_file(const char *from, const char *to, gs_error *err)
{
    char bytes[1 << 16];
    size_t count = 0;
    FILE *source = fopen(from, "re"), *target = source ? fopen(to, "we") : NULL;
    bool fits = target != NULL;
    while (fits && (count = fread(bytes, 1, sizeof bytes, source)) > 0)
        fits = fwrite(bytes, 1, count, target) == count;
    fits = fits && !ferror(source);
    if (source)
        fclose(source);
    if (target && fclose(target) != 0)
        fits = false;
    return fits ? GS_OK
                : gs_tool_error(err, "%s: cannot be copied to %s: %s", from, to, strerror(errno));
}

/* Under its own name, which the program may see, in a folder of its own. */
static gs_status put_program(const char *folder, size_t build, const char *from, gs_error *err)
{
    const char *last = strrchr(from, '/');
    char *own = program_path(folder, build, ""),
         *to = own ? gs_sweep_folder_join(own, last ? last + 1 : from, "") : NULL;
    gs_status status = to ? GS_OK : gs_tool_error(err, "no memory");
    if (status == GS_OK && mkdir(own, 0777) != 0 && errno != EEXIST)
        status = gs_tool_error(err, "%s: %s", own, strerror(errno));
    if (status == GS_OK)
        status = copy_file(from, to, err);
    free(own);
    free(to);
    return status;
}

gs_status gs_sweep_folder_put_programs(const char *folder, const gs_sweep *sweep, gs_error *err)
{
    gs_status status = GS_OK;
    for (size_t i = 0; i < gs_sweep_build_count(sweep) && status == GS_OK; i++) {
        const gs_sweep_build build = gs_sweep_build_at(sweep, i);
        if (build.sources && build.executable) {
            status = put_program(folder, i, build.executable, err);
        } else if (build.sources) {
            char *to = program_path(folder, i, ".failure");
            status = to ? gs_sweep_folder_write(to, build.failure, err)
                        : gs_tool_error(err, "no memory");
            free(to);
        }
    }
    return status;
}

/* The program that put_program() has put there; free() it. NULL if there is none. */
static char *find_program(const char *folder, size_t build)
{
    char *own = program_path(folder, build, ""), *found = NULL;
    DIR *all = own ? opendir(own) : NULL;
    const struct dirent *entry;
    while (all && !found && (entry = readdir(all))) {
        if (entry->d_name[0] != '.')
            found = gs_sweep_folder_join(own, entry->d_name, "");
    }
    if (all)
        closedir(all);
    free(own);
    return found;
}

gs_status gs_sweep_folder_remove(const char *folder, gs_error *err)
{
    gs_status status = GS_OK;
    DIR *all = opendir(folder);
    const struct dirent *entry;
    while (all && status == GS_OK && (entry = readdir(all))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *path = gs_sweep_folder_join(folder, entry->d_name, "");
        if (path && unlink(path) != 0 && errno == EISDIR)
            status = gs_sweep_folder_remove(path, err);
        free(path);
    }
    if (all)
        closedir(all);
    if (status == GS_OK && rmdir(folder) != 0 && errno != ENOENT)
        status = gs_tool_error(err, "%s: cannot be removed: %s", folder, strerror(errno));
    return status;
}

/* The folder of an array's path; free() it. */
static char *folder_of(const char *array)
{
    const char *end = strrchr(array, '/');
    return end ? strndup(array, (size_t)(end - array)) : NULL;
}

gs_status gs_sweep_folder_take_programs(gs_sweep *sweep, const char *array, gs_error *err)
{
    char *folder = folder_of(array);
    gs_status status = folder ? GS_OK : gs_tool_error(err, "%s: no path of an array", array);
    for (size_t i = 0; i < gs_sweep_build_count(sweep) && status == GS_OK; i++) {
        char failure[sizeof err->message] = "";
        char *path = find_program(folder, i), *reason = program_path(folder, i, ".failure");
        if (gs_sweep_build_at(sweep, i).sources) {
            const bool failed = reason && gs_sweep_folder_read(reason, failure, sizeof failure);
            status = failed ? gs_sweep_set_executable(sweep, i, NULL, failure, err)
                     : path ? gs_sweep_set_executable(sweep, i, path, NULL, err)
                            : gs_tool_error(err, "%s: program %zu is missing", folder, i);
        }
        free(path);
        free(reason);
    }
    free(folder);
    return status;
}

char *gs_sweep_folder_groups(const char *array, unsigned job)
{
    char *path, *line = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s.groups", array) < 0)
        return NULL;
    FILE *from = fopen(path, "re");
    free(path);
    bool found = from != NULL;
    for (unsigned i = 0; found && i <= job; i++)
        found = getline(&line, &size, from) > 0;
    if (from)
        fclose(from);
    if (found)
        return line;
    free(line);
    return NULL;
}
