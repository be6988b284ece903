/* Lists the files that Gumshoe itself writes, for the kernel's sandbox. */
#include "tool/confine.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void gs_confine_begin(gs_confine *confine)
{
    *confine = (gs_confine){0};
    DIR *open_files = opendir("/proc/self/fd");
    if (!open_files)
        return;
    for (struct dirent *entry; (entry = readdir(open_files)) != NULL;) {
        int fd = atoi(entry->d_name);
        int *more = fd > STDERR_FILENO && fd != dirfd(open_files)
                        ? realloc(confine->inherited, (confine->inherited_count + 1) * sizeof *more)
                        : NULL;
        if (more) {
            confine->inherited = more;
            more[confine->inherited_count++] = fd;
        }
    }
    closedir(open_files);
}

/* What there is no memory for is refused by the kernel, which is no less safe. */
static void keep(gs_confine *confine, char *path, bool read_only)
{
    gs_sandbox_path *more =
        path ? realloc(confine->paths, (confine->count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(path);
        return;
    }
    confine->paths = more;
    more[confine->count++] = (gs_sandbox_path){path, read_only};
}

void gs_confine_directory(gs_confine *confine, const char *path)
{
    if (path)
        keep(confine, strdup(path), false);
}

void gs_confine_file(gs_confine *confine, const char *path)
{
    struct stat st;
    if (!path || strcmp(path, "-") == 0)
        return;
    const char *slash = strrchr(path, '/');
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        keep(confine, strdup(path), false); /* which is written itself */
    else
        keep(confine, slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), false);
}

void gs_confine_read(gs_confine *confine, const char *path)
{
    if (path)
        keep(confine, strdup(path), true);
}

void gs_confine_target(gs_confine *confine, const gs_target *target,
                       const gs_target_arguments *arguments)
{
    const char *file;
    confine->machine = target->machine;
    for (size_t i = 0; target->core && (file = gs_core_file(target->core, i)) != NULL; i++)
        gs_confine_read(confine, file);
    gs_confine_read(confine, arguments->machine.board);
}

gs_status gs_confine_ready(void *self, const char *cache, gs_error *err)
{
    gs_confine *confine = self;
    gs_confine_directory(confine, cache);
    for (size_t i = 0; i < confine->inherited_count; i++)
        (void)close(confine->inherited[i]);
    tzset(); /* reads a file */
    const gs_sandbox *sandbox = gs_machine_sandbox(confine->machine);
    confine->all_files = gs_sandbox_kind(sandbox) == GS_SANDBOX_ALL;
    return gs_sandbox_confine_process(sandbox, confine->paths, confine->count, &confine->done, err);
}

const char *gs_confine_remark(const gs_confine *confine)
{
    bool files = confine->all_files || confine->done.files;
    if (files && confine->done.calls)
        return NULL;
    return !files && !confine->done.calls
               ? "this kernel has neither Landlock nor seccomp: only Gumshoe keeps the program in "
                 "its sandbox"
           : files ? "this kernel has no seccomp: only Gumshoe keeps the program from system calls"
                   : "this kernel has no Landlock: only Gumshoe keeps the program in its sandbox";
}

void gs_confine_free(gs_confine *confine)
{
    for (size_t i = 0; i < confine->count; i++)
        free((char *)(uintptr_t)confine->paths[i].path);
    free(confine->paths);
    free(confine->inherited);
    *confine = (gs_confine){0};
}
