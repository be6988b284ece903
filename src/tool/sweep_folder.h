/*
 * sweep_folder.h - the folder beside a profile file through which a sweep and its jobs on a cluster
 * speak.
 *
 * FILE.slurm has the programs that were compiled (program-N/NAME, or program-N.failure with what
 * the compiler said), and for each array ARRAY.groups, a line of groups for each job, ARRAY-N.db
 * with the rows of a job and ARRAY-N.log with what it printed. Texts returned are the caller's to
 * free().
 */
#ifndef GS_TOOL_SWEEP_FOLDER_H
#define GS_TOOL_SWEEP_FOLDER_H

#include "gumshoe/sweep.h"

/* "FOLDER/NAMEEND"; NULL when memory is out. */
char *gs_sweep_folder_join(const char *folder, const char *name, const char *end);

/* A small text as a file, and the start of one; false if there is none. */
gs_status gs_sweep_folder_write(const char *path, const char *text, gs_error *err);
bool gs_sweep_folder_read(const char *path, char *text, size_t size);

/* What was compiled here goes along: a node need not have a compiler. */
gs_status gs_sweep_folder_put_programs(const char *folder, const gs_sweep *sweep, gs_error *err);

/* Inside a job of `array`, the path that its files begin with: the other way round. */
gs_status gs_sweep_folder_take_programs(gs_sweep *sweep, const char *array, gs_error *err);

/* The groups that a job runs, as text; NULL: there are none, or the file is gone. */
char *gs_sweep_folder_groups(const char *array, unsigned job);

/* With all that is in it. */
gs_status gs_sweep_folder_remove(const char *folder, gs_error *err);

#endif
