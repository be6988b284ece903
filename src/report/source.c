/* Reads source files on demand and finds their lines. */
#include "report/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"

enum { MAX_SOURCE = 64 << 20 };

gs_status gs_sources_open(gs_sources *sources, const gs_profile *profile, const char *folder,
                          const gs_roots *roots, gs_error *err)
{
    size_t count = profile->files.count;
    *sources = (gs_sources){.profile = profile, .folder = folder, .roots = roots};
    sources->files = calloc(count ? count : 1, sizeof *sources->files);
    return sources->files ? GS_OK : gs_fail_no_memory(err);
}

void gs_sources_close(gs_sources *sources)
{
    for (size_t i = 0; sources->files && i < sources->profile->files.count; i++) {
        gs_source *source = &sources->files[i];
        free(source->path);
        free(source->text);
        free(source->lines);
    }
    free(sources->files);
    *sources = (gs_sources){0};
}

/* In the folder, or where the compiler saw it. */
static char *find(const gs_sources *sources, const char *path)
{
    if (sources->roots)
        return gs_roots_find(sources->roots, path);
    char *found = sources->folder ? gs_roots_find_in(sources->folder, path) : NULL;
    return found ? found : gs_roots_is_file(path) ? strdup(path) : NULL;
}

/* When the program was built: before it was run, so a younger file is another program. */
static int64_t built_at(const gs_profile_run *run)
{
    struct stat info;
    bool known = stat(run->program, &info) == 0 && info.st_mtime <= run->started;
    return known ? info.st_mtime : run->started;
}

static bool split(gs_source *source, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += source->text[i] == '\n';
    source->lines = calloc(count + 1, sizeof *source->lines);
    if (!source->lines)
        return false;
    for (char *at = source->text, *end = at + size; at < end;) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        source->lines[source->line_count++] = at;
        if (!newline)
            break;
        *newline = '\0';
        if (newline > at && newline[-1] == '\r')
            newline[-1] = '\0';
        at = newline + 1;
    }
    return true;
}

static void look_for(gs_sources *sources, gs_source *source, const char *path)
{
    struct stat info = {0};
    gs_error err;
    size_t size;
    source->looked_for = true;
    source->path = find(sources, path);
    if (!source->path || stat(source->path, &info) != 0) {
        snprintf(source->reason, sizeof source->reason, "not found%s",
                 sources->roots ? " below the directories of sources" : "");
        return;
    }
    if (info.st_size > MAX_SOURCE ||
        gs_file_read(&source->text, &size, source->path, (size_t)info.st_size, &err) != GS_OK ||
        !split(source, size)) {
        snprintf(source->reason, sizeof source->reason, "cannot be read");
        return;
    }
    source->changed = info.st_mtime > built_at(&sources->profile->run);
}

const gs_source *gs_sources_get(gs_sources *sources, uint32_t file)
{
    if (file >= sources->profile->files.count)
        return NULL;
    gs_source *source = &sources->files[file];
    if (!source->looked_for)
        look_for(sources, source, sources->profile->files.items[file]);
    return source;
}

const char *gs_source_line(const gs_source *source, uint32_t line)
{
    return source && line > 0 && line <= source->line_count ? source->lines[line - 1] : NULL;
}
