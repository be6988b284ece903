/* Finds source files below given directories, with all symbolic links followed first. */
#include "report/roots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool gs_roots_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

char *gs_roots_find_in(const char *directory, const char *path)
{
    for (const char *rest = path; rest; rest = strchr(rest, '/')) {
        char *tried;
        rest += *rest == '/';
        if (asprintf(&tried, "%s/%s", directory, rest) < 0)
            return NULL;
        if (gs_roots_is_file(tried))
            return tried;
        free(tried);
    }
    return NULL;
}

static bool is_below(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    if (length == 1) /* "/" */
        return true;
    return strncmp(path, directory, length) == 0 && path[length] == '/';
}

/* The real path of `path` if that is a file below `root`; takes `path`. */
static char *below(char *path, const char *root)
{
    char *real = path ? realpath(path, NULL) : NULL, *directory = realpath(root, NULL);
    bool good = real && directory && is_below(real, directory) && gs_roots_is_file(real);
    free(path);
    free(directory);
    if (good)
        return real;
    free(real);
    return NULL;
}

char *gs_roots_find(const gs_roots *roots, const char *path)
{
    char *found = NULL;
    for (size_t i = 0; i < roots->count && !found; i++) {
        if (path[0] == '/')
            found = below(strdup(path), roots->at[i]);
        if (!found)
            found = below(gs_roots_find_in(roots->at[i], path), roots->at[i]);
    }
    return found;
}
