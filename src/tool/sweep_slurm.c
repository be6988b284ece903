/* Submits job arrays, waits for their rows, and is what the jobs execute. */
#include "tool/sweep_slurm.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/text.h"
#include "tool/child.h"
#include "tool/progress.h"
#include "tool/sweep_folder.h"
#include "tool/sweep_jobs.h"
#include "tool/target.h"
#include "tool/tool.h"

enum {
    ARRAY_MAX = 1000,   /* jobs of an array: what Slurm takes unless it is told otherwise */
    JOB_SECONDS = 60,   /* that a job should take */
    FRUITLESS_MAX = 3,  /* arrays in a row that have ended without a row */
    SUBMIT_TRIES = 150, /* a second apart: that is how long a controller may be away */
    OUTPUT_MAX = 512,
};

typedef enum queue_state {
    QUEUE_UNKNOWN, /* the controller does not answer */
    QUEUE_EMPTY,
    QUEUE_BUSY,
} queue_state;

typedef struct queue {
    const gs_sweep_slurm *request;
    gs_sweep_store *store;
    char *folder;    /* absolute */
    char name[64];   /* of the array, and of its files */
    unsigned arrays; /* so far */
    bool *pending;   /* groups */
    size_t done, points;
    size_t before; /* points that had a row when it began */
    double started;
} queue;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

/* -- rows ------------------------------------------------------------------------------------- */

/* Takes over the rows of all jobs, of earlier arrays too. */
static gs_status collect(queue *q, size_t *added, gs_error *err)
{
    gs_status status = GS_OK;
    DIR *all = opendir(q->folder);
    const struct dirent *entry;
    *added = 0;
    while (all && status == GS_OK && (entry = readdir(all))) {
        const char *end = strrchr(entry->d_name, '.');
        size_t more = 0;
        if (!end || strcmp(end, ".db") != 0)
            continue;
        char *path = gs_sweep_folder_join(q->folder, entry->d_name, "");
        status = path ? gs_sweep_store_merge(q->store, path, &more, err)
                      : gs_tool_error(err, "no memory");
        free(path);
        *added += more;
    }
    if (all)
        closedir(all);
    q->done += *added;
    return status;
}

/* -- Slurm ------------------------------------------------------------------------------------ */

static queue_state look_at_queue(const queue *q)
{
    char output[OUTPUT_MAX], name[sizeof q->name + 8];
    snprintf(name, sizeof name, "--name=%s", q->name);
    const char *const squeue[] = {"squeue", "--noheader", "--format=%i", name, NULL};
    if (!gs_child_ask(&(gs_child){.arguments = squeue}, output, sizeof output))
        return QUEUE_UNKNOWN;
    return output[0] ? QUEUE_BUSY : QUEUE_EMPTY;
}

static void cancel_jobs(const queue *q)
{
    char output[OUTPUT_MAX], name[sizeof q->name + 8];
    snprintf(name, sizeof name, "--name=%s", q->name);
    const char *const scancel[] = {"scancel", name, NULL};
    (void)gs_child_ask(&(gs_child){.arguments = scancel}, output, sizeof output);
}

/* A word in quotes, for a shell. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (const char *at = text; *at; at++) {
        if (*at == '\'')
            fputs("'\\''", to);
        else
            fputc(*at, to);
    }
    fputc('\'', to);
}

/* What a job executes: this program, in the same directory. free() it; NULL when memory is out. */
static char *make_script(const queue *q)
{
    char self[PATH_MAX] = "", *text = NULL, *array = gs_sweep_folder_join(q->folder, q->name, "");
    size_t size;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    FILE *to = length > 0 && array ? open_memstream(&text, &size) : NULL;
    if (to) {
        self[length] = '\0';
        fputs("#!/bin/sh\nexec ", to);
        put_quoted(to, self);
        fputs(" sweep --slurm-job ", to);
        put_quoted(to, array);
        fputc(' ', to);
        put_quoted(to, q->request->description);
        fputc('\n', to);
        if (fclose(to) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(array);
    return text;
}

enum { WORDS_MAX = 16, WORD_MAX = PATH_MAX + 64 };

typedef struct words {
    const char *at[WORDS_MAX];
    char *made[WORDS_MAX];
    size_t count;
    bool failed;
} words;

/* "--time=" and "10:00"; nothing for NULL. */
static void add_word(words *w, const char *option, const char *value)
{
    char *word;
    if (!value)
        return;
    if (asprintf(&word, "%s%s", option, value) < 0) {
        w->failed = true;
        return;
    }
    w->at[w->count] = w->made[w->count] = word;
    w->at[++w->count] = NULL;
}

static bool ask_sbatch(const queue *q, size_t jobs, const char *script, char output[OUTPUT_MAX])
{
    const gs_slurm_options *options = q->request->options;
    char range[64], *log = gs_sweep_folder_join(q->folder, q->name, "-%a.log");
    words w = {0};
    if (options->throttle)
        snprintf(range, sizeof range, "0-%zu%%%llu", jobs - 1,
                 (unsigned long long)options->throttle);
    else
        snprintf(range, sizeof range, "0-%zu", jobs - 1);
    add_word(&w, "", "sbatch");
    add_word(&w, "--", "parsable");
    add_word(&w, "--", "requeue");
    add_word(&w, "--open-mode=", "append");
    add_word(&w, "--job-name=", q->name);
    add_word(&w, "--array=", range);
    add_word(&w, "--output=", log);
    add_word(&w, "--partition=", options->partition);
    add_word(&w, "--time=", options->time);
    add_word(&w, "--account=", options->account);
    const gs_child child = {.arguments = w.at, .input = script, .errors = true};
    const bool done = log && !w.failed && gs_child_ask(&child, output, OUTPUT_MAX);
    for (size_t i = 0; i < w.count; i++)
        free(w.made[i]);
    free(log);
    output[strcspn(output, "\n")] = '\0';
    return done;
}

/* Waits for a controller that is away, as long as there was one. */
static gs_status submit(const queue *q, size_t jobs, gs_error *err)
{
    char output[OUTPUT_MAX] = "";
    char *script = make_script(q);
    bool done = false;
    if (!script)
        return gs_tool_error(err, "no memory");
    for (unsigned i = 0; i < SUBMIT_TRIES && !done && !*q->request->cancel; i++) {
        if (i > 0)
            rest(1);
        done = ask_sbatch(q, jobs, script, output);
        if (!done && (q->done == q->before || look_at_queue(q) != QUEUE_UNKNOWN))
            break;
    }
    free(script);
    if (done || *q->request->cancel)
        return GS_OK;
    return gs_tool_error(err, "sbatch: %s", output[0] ? output : "it cannot be started");
}

/* -- arrays ----------------------------------------------------------------------------------- */

/* A name that no other array has, here or of another user at another time. */
static void name_array(queue *q)
{
    snprintf(q->name, sizeof q->name, "gumshoe-%llx-%x-%u", (unsigned long long)time(NULL),
             (unsigned)getpid(), q->arrays++);
}

/* Which groups each job runs: a line for each. */
static gs_status write_groups(const queue *q, size_t chunk, size_t *jobs, gs_error *err)
{
    char *path = gs_sweep_folder_join(q->folder, q->name, ".groups");
    FILE *to = path ? fopen(path, "we") : NULL;
    size_t written = 0;
    *jobs = 0;
    for (size_t g = 0; to && g < gs_sweep_group_count(q->request->sweep); g++) {
        if (!q->pending[g])
            continue;
        if (written % chunk == 0 && written > 0)
            fputc('\n', to);
        fprintf(to, "%zu ", g);
        written++;
    }
    *jobs = (written + chunk - 1) / chunk;
    const bool done = to && fputc('\n', to) != EOF;
    const bool closed = to && fclose(to) == 0;
    gs_status status =
        done && closed ? GS_OK : gs_tool_error(err, "%s: %s", q->folder, strerror(errno));
    free(path);
    return status;
}

static gs_status find_pending(queue *q, size_t *groups, gs_error *err)
{
    gs_status status = gs_sweep_store_pending(q->store, q->pending, &q->done, err);
    *groups = 0;
    for (size_t g = 0; g < gs_sweep_group_count(q->request->sweep); g++)
        *groups += q->pending[g];
    return status;
}

/* Runs groups on this machine, in a process that is held to what they may touch. */
static gs_status run_groups(const gs_sweep *sweep, const char *path, const bool *groups,
                            const volatile sig_atomic_t *cancel, gs_error *err)
{
    bool interrupted;
    const gs_sweep_jobs jobs = {
        .sweep = sweep,
        .path = path,
        .groups = groups,
        .points = gs_sweep_point_count(sweep),
        .processes = 1,
        .cancel = cancel,
    };
    return gs_sweep_jobs_run(&jobs, &interrupted, err);
}

static gs_status run_first(queue *q, size_t group, gs_error *err)
{
    const gs_sweep_slurm *request = q->request;
    bool *only = calloc(gs_sweep_group_count(request->sweep), sizeof *only);
    if (!only)
        return gs_tool_error(err, "no memory");
    only[group] = true;
    gs_status status = run_groups(request->sweep, request->path, only, request->cancel, err);
    free(only);
    return status;
}

/* How many groups make a job. Runs the first one here to see how long one takes, unless it is said.
 */
static gs_status choose_chunk(queue *q, size_t *chunk, gs_error *err)
{
    size_t first = 0, groups = 0;
    gs_status status = GS_OK;
    *chunk = (size_t)q->request->options->chunk;
    if (*chunk == 0) {
        while (!q->pending[first])
            first++;
        const double started = seconds_now();
        status = run_first(q, first, err);
        const double seconds = seconds_now() - started;
        *chunk = seconds * JOB_SECONDS < 1 ? (size_t)JOB_SECONDS * JOB_SECONDS
                                           : (size_t)(JOB_SECONDS / seconds) + 1;
    }
    if (status == GS_OK)
        status = find_pending(q, &groups, err);
    const size_t least = (groups + ARRAY_MAX - 1) / ARRAY_MAX;
    *chunk = *chunk < least ? least : *chunk;
    return status;
}

/* Puts what is pending into the queue. */
static gs_status start_array(queue *q, size_t chunk, gs_error *err)
{
    size_t jobs;
    char *current = gs_sweep_folder_join(q->folder, "current", "");
    name_array(q);
    gs_status status =
        current ? write_groups(q, chunk, &jobs, err) : gs_tool_error(err, "no memory");
    if (status == GS_OK)
        status = gs_sweep_folder_write(current, q->name, err);
    if (status == GS_OK)
        status = submit(q, jobs, err);
    free(current);
    return status;
}

static gs_status fail_fruitless(const queue *q, gs_error *err)
{
    char text[200] = "", *log = gs_sweep_folder_join(q->folder, q->name, "-0.log");
    if (log)
        gs_sweep_folder_read(log, text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    free(log);
    return gs_tool_error(err, "jobs end without results; %s/%s-0.log says: %s", q->folder, q->name,
                         text);
}

/* Until the array is no longer in the queue, or nothing is missing. */
static gs_status wait_for_array(queue *q, size_t *added, gs_error *err)
{
    gs_status status = GS_OK;
    unsigned gone = 0;
    *added = 0;
    while (status == GS_OK && q->done < q->points && gone < 2 && !*q->request->cancel) {
        size_t more;
        rest(gone ? 0.2 : 1);
        gone = look_at_queue(q) == QUEUE_EMPTY ? gone + 1 : 0;
        status = collect(q, &more, err);
        *added += more;
        gs_sweep_tell_progress(q->before, q->done, q->points, seconds_now() - q->started);
    }
    return status;
}

static gs_status run_arrays(queue *q, bool adopted, gs_error *err)
{
    size_t chunk = 0, groups = 0, added;
    unsigned fruitless = 0;
    gs_status status = adopted ? wait_for_array(q, &added, err) : GS_OK;
    if (status == GS_OK)
        status = find_pending(q, &groups, err);
    while (status == GS_OK && groups > 0 && !*q->request->cancel) {
        if (chunk == 0)
            status = choose_chunk(q, &chunk, err);
        if (status == GS_OK)
            status = find_pending(q, &groups, err);
        if (status != GS_OK || groups == 0)
            break;
        status = start_array(q, chunk, err);
        if (status == GS_OK)
            status = wait_for_array(q, &added, err);
        fruitless = added ? 0 : fruitless + 1;
        if (status == GS_OK)
            status = find_pending(q, &groups, err);
        if (status == GS_OK && groups > 0 && fruitless == FRUITLESS_MAX)
            status = fail_fruitless(q, err);
    }
    return status;
}

static gs_status open_queue(queue *q, gs_error *err)
{
    char *path = realpath(q->request->path, NULL); /* the store has made it */
    q->pending = calloc(gs_sweep_group_count(q->request->sweep) + 1, sizeof *q->pending);
    if (path && asprintf(&q->folder, "%s.slurm", path) < 0)
        q->folder = NULL;
    free(path);
    if (!q->folder || !q->pending)
        return gs_tool_error(err, "no memory");
    if (mkdir(q->folder, 0777) != 0 && errno != EEXIST)
        return gs_tool_error(err, "%s: %s", q->folder, strerror(errno));
    q->points = gs_sweep_point_count(q->request->sweep);
    q->started = seconds_now();
    return gs_sweep_folder_put_programs(q->folder, q->request->sweep, err);
}

/* Whether an earlier process of this has left an array in the queue. */
static bool adopt(queue *q)
{
    char *current = gs_sweep_folder_join(q->folder, "current", "");
    const bool found = current && gs_sweep_folder_read(current, q->name, sizeof q->name) &&
                       look_at_queue(q) == QUEUE_BUSY;
    free(current);
    return found;
}

gs_status gs_sweep_slurm_run(const gs_sweep_slurm *slurm, size_t *before, bool *interrupted,
                             gs_error *err)
{
    queue q = {.request = slurm};
    size_t added, groups;
    gs_status status = gs_sweep_store_open(&q.store, slurm->sweep, slurm->path, err);
    if (status == GS_OK)
        status = open_queue(&q, err);
    if (status == GS_OK)
        status = find_pending(&q, &groups, err);
    q.before = *before = q.done;
    if (status == GS_OK)
        status = collect(&q, &added, err);
    if (status == GS_OK && q.done < q.points)
        status = run_arrays(&q, adopt(&q), err);
    gs_progress_stop();
    *interrupted = *slurm->cancel != 0;
    if (*interrupted && q.name[0])
        cancel_jobs(&q);
    gs_sweep_store_close(q.store);
    if (status == GS_OK && !*interrupted)
        status = gs_sweep_folder_remove(q.folder, err);
    free(q.folder);
    free(q.pending);
    return status;
}

/* -- inside a job ----------------------------------------------------------------------------- */

gs_status gs_sweep_slurm_work(const gs_sweep *sweep, const char *array, gs_error *err)
{
    const char *number = getenv("SLURM_ARRAY_TASK_ID");
    const unsigned job = number ? (unsigned)strtoul(number, NULL, 10) : 0;
    gs_sweep_store *store = NULL;
    size_t done;
    char *path = NULL, *groups = number ? gs_sweep_folder_groups(array, job) : NULL;
    bool *pending = calloc(gs_sweep_group_count(sweep) + 1, sizeof *pending);
    bool *own = calloc(gs_sweep_group_count(sweep) + 1, sizeof *own);
    gs_status status = GS_OK;
    if (!groups)
        status =
            gs_tool_error(err, "--slurm-job is for the jobs that 'gumshoe sweep --slurm' starts");
    else if (!pending || !own || asprintf(&path, "%s-%u.db", array, job) < 0)
        status = gs_tool_error(err, "no memory");
    if (status == GS_OK)
        status = gs_sweep_store_open(&store, sweep, path, err);
    if (status == GS_OK)
        status = gs_sweep_store_pending(store, pending, &done, err);
    char *at = groups, *end;
    for (; status == GS_OK && at; at = end) {
        const size_t group = strtoull(at, &end, 10);
        if (end == at)
            break;
        if (group >= gs_sweep_group_count(sweep))
            status = gs_tool_error(err, "%s.groups: there is no group %zu", array, group);
        else
            own[group] = pending[group];
    }
    gs_sweep_store_close(store);
    if (status == GS_OK)
        status = run_groups(sweep, path, own, gs_catch_interrupts(), err);
    free(groups);
    free(own);
    free(path);
    free(pending);
    return status;
}
