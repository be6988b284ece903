/* Keeps profiles and rows in memory, and frees those used longest ago. */
#include "serve/shelf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/names.h"

gs_status gs_shelf_open(gs_shelf *shelf, const char *const *files, size_t count, gs_error *err)
{
    *shelf = (gs_shelf){0};
    if (count > GS_SHELF_FILES)
        return gs_fail(err, GS_E_ARGUMENT, "at most %d profile files at a time", GS_SHELF_FILES);
    for (size_t i = 0; i < count; i++) {
        gs_profile_file *file;
        gs_status status = gs_profile_file_open(&file, files[i], err);
        gs_profile_file_free(file);
        if (status == GS_OK && !(shelf->files[shelf->file_count++] = strdup(files[i])))
            status = gs_fail_no_memory(err);
        if (status != GS_OK) {
            gs_shelf_close(shelf);
            return status;
        }
    }
    return GS_OK;
}

static void close_table(gs_sorted *table)
{
    gs_view_close(&table->view);
    free(table->order);
    *table = (gs_sorted){0};
}

static void forget(gs_shelf *shelf, gs_stored *stored)
{
    for (size_t i = 0; i < GS_SHELF_TABLES; i++) {
        if (stored->profile && shelf->tables[i].profile == stored->profile)
            close_table(&shelf->tables[i]);
    }
    gs_profile_free(stored->profile);
    *stored = (gs_stored){0};
}

void gs_shelf_close(gs_shelf *shelf)
{
    for (size_t i = 0; i < GS_SHELF_PROFILES; i++)
        forget(shelf, &shelf->profiles[i]);
    for (size_t i = 0; i < GS_SHELF_FILES; i++)
        free(shelf->files[i]);
    *shelf = (gs_shelf){0};
}

/* The one that was read for this run, or else the one that was not asked for for longest. */
static gs_stored *find(gs_shelf *shelf, gs_run_name name, const struct stat *info)
{
    gs_stored *oldest = &shelf->profiles[0];
    for (size_t i = 0; i < GS_SHELF_PROFILES; i++) {
        gs_stored *stored = &shelf->profiles[i];
        bool same = stored->profile && stored->file == name.file && stored->run == name.run;
        if (same && stored->device == info->st_dev && stored->inode == info->st_ino)
            return stored;
        if (same)
            forget(shelf, stored); /* another file has its name now */
        if (stored->used < oldest->used)
            oldest = stored;
    }
    forget(shelf, oldest);
    return oldest;
}

gs_status gs_shelf_profile(gs_shelf *shelf, const gs_profile **out, gs_run_name name, gs_error *err)
{
    struct stat info;
    if (name.file >= shelf->file_count)
        return gs_fail(err, GS_E_NOT_FOUND, "there is no profile file number %zu", name.file + 1);
    const char *path = shelf->files[name.file];
    if (stat(path, &info) != 0)
        return gs_fail(err, GS_E_NOT_FOUND, "%s: is not there any more", path);
    gs_stored *stored = find(shelf, name, &info);
    stored->used = ++shelf->uses;
    if (!stored->profile) {
        char which[24];
        snprintf(which, sizeof which, "%" PRId64, name.run);
        gs_status status = gs_profile_load(&stored->profile, path, which, err);
        if (status != GS_OK)
            return status;
        stored->file = name.file;
        stored->run = name.run;
        stored->device = info.st_dev;
        stored->inode = info.st_ino;
    }
    *out = stored->profile;
    return GS_OK;
}

static gs_status make_table(gs_sorted *table, const gs_profile *profile,
                            const gs_report_options *options, gs_error *err)
{
    gs_status status = gs_view_open(&table->view, profile, options, err);
    if (status != GS_OK)
        return status;
    table->order = calloc(table->view.count + 1, sizeof *table->order);
    if (!table->order) {
        close_table(table);
        return gs_fail_no_memory(err);
    }
    for (size_t i = 0; i < table->view.count; i++)
        table->order[i] = (uint32_t)i;
    table->profile = profile;
    table->inlines = options->inlines;
    return GS_OK;
}

gs_status gs_shelf_table(gs_shelf *shelf, gs_sorted **out, const gs_profile *profile,
                         const gs_report_options *options, gs_error *err)
{
    gs_sorted *oldest = &shelf->tables[0];
    gs_metric metric;
    gs_status status = gs_report_metric(profile, options, &metric, err);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < GS_SHELF_TABLES; i++) {
        gs_sorted *table = &shelf->tables[i];
        if (table->profile == profile && table->view.by == options->by &&
            table->view.metric == metric && table->inlines == options->inlines) {
            table->used = ++shelf->uses;
            *out = table;
            return GS_OK;
        }
        if (table->used < oldest->used)
            oldest = table;
    }
    close_table(oldest);
    status = make_table(oldest, profile, options, err);
    if (status == GS_OK)
        oldest->used = ++shelf->uses;
    *out = oldest;
    return status;
}
