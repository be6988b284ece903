/* Lists the files that Gumshoe itself writes, for the kernel's sandbox. */
#include "tool/confine.h"

#include <dirent.h>
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

static void keep(gs_confine *confine, char *path)
{
    if (path && confine->count < GS_CONFINE_PATHS)
        confine->paths[confine->count++] = path;
    else
        free(path);
}

void gs_confine_directory(gs_confine *confine, const char *path)
{
    if (path)
        keep(confine, strdup(path));
}

void gs_confine_file(gs_confine *confine, const char *path)
{
    struct stat st;
    if (!path || strcmp(path, "-") == 0)
        return;
    const char *slash = strrchr(path, '/');
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        keep(confine, strdup(path)); /* which is written itself */
    else
        keep(confine, slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."));
}

gs_status gs_confine_ready(void *self, const char *cache, gs_error *err)
{
    gs_confine *confine = self;
    gs_sandbox_path own[GS_CONFINE_PATHS + 1];
    size_t count = 0;
    for (; count < confine->count; count++)
        own[count] = (gs_sandbox_path){confine->paths[count], false};
    if (cache)
        own[count++] = (gs_sandbox_path){cache, false};
    for (size_t i = 0; i < confine->inherited_count; i++)
        (void)close(confine->inherited[i]);
    tzset(); /* reads a file */
    return gs_sandbox_confine_process(gs_machine_sandbox(confine->machine), own, count,
                                      &confine->done, err);
}

const char *gs_confine_remark(const gs_confine *confine)
{
    bool all = gs_sandbox_kind(gs_machine_sandbox(confine->machine)) == GS_SANDBOX_ALL;
    bool files = all || confine->done.files;
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
        free(confine->paths[i]);
    free(confine->inherited);
    *confine = (gs_confine){0};
}
