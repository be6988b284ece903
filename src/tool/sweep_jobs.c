/* Processes that run groups of points; what they share is a page of counters. */
#include "tool/sweep_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/text.h"
#include "tool/confine.h"
#include "tool/progress.h"
#include "tool/tool.h"

enum { WORKER_DONE, WORKER_FAILED };

static const size_t no_group = SIZE_MAX;

/* Written by a process, read when it has ended, and not believed: an error in translated code may
 * have let a program write it. */
typedef struct worker {
    size_t group; /* it is at; or no_group */
    gs_error err;
} worker;

typedef struct shared {
    atomic_size_t next; /* group to be looked at */
    atomic_size_t done; /* points, of this time */
    atomic_bool no_landlock, no_seccomp;
    worker workers[GS_SWEEP_JOBS_MAX];
} shared;

typedef struct crew {
    const gs_sweep_jobs *jobs;
    shared *shared;
    pid_t pids[GS_SWEEP_JOBS_MAX]; /* of the workers; 0: it has ended */
    unsigned alive;
    double started;
    gs_error failure; /* the first */
} crew;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
    const struct timespec pause = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&pause, NULL);
}

/* The lock */

static char *lock_name(const char *path)
{
    char *name;
    return asprintf(&name, "%s.sweeping", path) < 0 ? NULL : name;
}

/* Whether the file behind `fd` still has its name. */
static bool is_there(int fd, const char *name)
{
    struct stat open, named;
    return fstat(fd, &open) == 0 && stat(name, &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

gs_status gs_sweep_lock_take(gs_sweep_lock *lock, const char *path, gs_error *err)
{
    const double patience = 3; /* compilers of a process that was killed end a little later */
    const double until = seconds_now() + patience;
    *lock = (gs_sweep_lock){.path = path, .file = lock_name(path), .fd = -1};
    if (!lock->file)
        return gs_tool_error(err, "no memory");
    for (;;) {
        lock->fd = open(lock->file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->fd < 0)
            return gs_tool_error(err, "%s: %s", lock->file, strerror(errno));
        if (flock(lock->fd, LOCK_EX | LOCK_NB) == 0 && is_there(lock->fd, lock->file))
            return GS_OK;
        close(lock->fd);
        lock->fd = -1;
        if (seconds_now() > until)
            return gs_tool_error(err, "%s: another process is running a sweep into it", path);
        rest(0.05);
    }
}

void gs_sweep_lock_release(gs_sweep_lock *lock)
{
    if (lock->fd >= 0) {
        unlink(lock->file);
        close(lock->fd);
    }
    free(lock->file);
    *lock = (gs_sweep_lock){.fd = -1};
}

bool gs_sweep_is_running(const char *path)
{
    char *name = lock_name(path);
    const int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    const bool running = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    free(name);
    return running;
}

/* A process */

typedef struct cell {
    shared *shared;
    gs_compilers *compilers;
    gs_confine confine;
} cell;

/* The kernel holds the process to what it has needed until now, and to what all runs read. */
static gs_status confine(void *self, const gs_machine *machine, gs_error *err)
{
    cell *own = self;
    if (own->confine.machine)
        return GS_OK;
    own->confine.machine = machine;
    gs_status status = gs_confine_ready(&own->confine, gs_compilers_cache(own->compilers), err);
    if (!own->confine.done.files)
        atomic_store(&own->shared->no_landlock, true);
    if (!own->confine.done.calls)
        atomic_store(&own->shared->no_seccomp, true);
    return status;
}

static void read_too(void *self, const char *path)
{
    gs_confine_read(self, path);
}

static gs_status open_cell(cell *own, const gs_sweep_jobs *jobs, gs_error *err)
{
    gs_confine_begin(&own->confine);
    gs_confine_file(&own->confine, jobs->path);
    gs_status status = gs_compilers_start(&own->compilers, err);
    return status == GS_OK ? gs_sweep_list_files(jobs->sweep, read_too, &own->confine, err)
                           : status;
}

static gs_status work_through(crew *c, worker *self)
{
    const gs_sweep_jobs *jobs = c->jobs;
    const size_t count = gs_sweep_group_count(jobs->sweep);
    cell own = {.shared = c->shared};
    gs_sweep_store *store = NULL;
    gs_status status = open_cell(&own, jobs, &self->err);
    const gs_sweep_running how = {
        .cancel = jobs->cancel, .compilers = own.compilers, .ready = confine, .self = &own};
    if (status == GS_OK)
        status = gs_sweep_store_open(&store, jobs->sweep, jobs->path, &self->err);
    while (status == GS_OK && !*jobs->cancel) {
        const size_t group = atomic_fetch_add(&c->shared->next, 1);
        if (group >= count)
            break;
        if (!jobs->groups[group])
            continue;
        self->group = group;
        status = gs_sweep_run_group(store, group, &how, &self->err);
        if (status == GS_OK && !*jobs->cancel)
            atomic_fetch_add(&c->shared->done, gs_sweep_group_size(jobs->sweep, group));
        self->group = no_group;
    }
    gs_sweep_store_close(store);
    gs_compilers_stop(own.compilers);
    gs_confine_free(&own.confine);
    return status;
}

static gs_status start_worker(crew *c, unsigned index, gs_error *err)
{
    const pid_t parent = getpid();
    worker *w = &c->shared->workers[index];
    *w = (worker){.group = no_group};
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        return gs_tool_error(err, "cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(WORKER_FAILED);
        _exit(work_through(c, w) == GS_OK ? WORKER_DONE : WORKER_FAILED);
    }
    c->pids[index] = pid;
    c->alive++;
    return GS_OK;
}

/* Its group's points get rows that say what happened, and another process takes its place. */
static gs_status replace_worker(crew *c, unsigned index, int status, gs_error *err)
{
    char text[120];
    const size_t group = c->shared->workers[index].group;
    gs_sweep_store *store;
    snprintf(text, sizeof text, "the process that ran it was ended by signal %d (%s)",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    gs_progress_stop(); /* its thread may hold locks that a new process would inherit */
    gs_status result = gs_sweep_store_open(&store, c->jobs->sweep, c->jobs->path, err);
    if (result == GS_OK && group < gs_sweep_group_count(c->jobs->sweep)) {
        result = gs_sweep_fail_group(store, group, text, err);
        atomic_fetch_add(&c->shared->done, gs_sweep_group_size(c->jobs->sweep, group));
    }
    gs_sweep_store_close(store);
    return result == GS_OK ? start_worker(c, index, err) : result;
}

static void stop_workers(crew *c)
{
    for (unsigned i = 0; i < c->jobs->processes; i++) {
        if (c->pids[i] > 0)
            kill(c->pids[i], SIGKILL);
    }
}

/* What it says went wrong. */
static gs_error failure_of(const worker *w)
{
    gs_error err = w->err;
    err.message[sizeof err.message - 1] = '\0';
    if (err.status == GS_OK)
        gs_tool_error(&err, "a process that ran the sweep failed");
    return err;
}

static void worker_ended(crew *c, pid_t pid, int status)
{
    unsigned index = 0;
    while (index < c->jobs->processes && c->pids[index] != pid)
        index++;
    if (index == c->jobs->processes)
        return; /* a process that has become ours: as the first of a container gets them */
    c->pids[index] = 0;
    c->alive--;
    if (c->failure.status != GS_OK)
        return;
    if (WIFEXITED(status) && WEXITSTATUS(status) != WORKER_DONE)
        c->failure = failure_of(&c->shared->workers[index]);
    else if (WIFSIGNALED(status) && !*c->jobs->cancel)
        (void)replace_worker(c, index, status, &c->failure);
    if (c->failure.status != GS_OK)
        stop_workers(c);
}

const char *gs_sweep_left(char text[GS_SWEEP_LEFT], double seconds)
{
    const double most = 1e9; /* with the first points, anything may come out */
    const unsigned long s = (unsigned long)(seconds < most ? seconds + 0.5 : most);
    if (s < 60)
        snprintf(text, GS_SWEEP_LEFT, "%lu s", s);
    else if (s < 3600)
        snprintf(text, GS_SWEEP_LEFT, "%lu min %lu s", s / 60, s % 60);
    else
        snprintf(text, GS_SWEEP_LEFT, "%lu h %lu min", s / 3600, s / 60 % 60);
    return text;
}

void gs_sweep_tell_progress(size_t before, size_t done, size_t points, double seconds)
{
    const size_t now = done - before;
    const double rate = seconds > 0 ? (double)now / seconds : 0;
    if (now == 0) {
        gs_progress_start("%s of %s points", GS_TEXT_DIGITS(done), GS_TEXT_DIGITS(points));
        return;
    }
    char left[GS_SWEEP_LEFT];
    gs_sweep_left(left, (double)(points - done) / rate);
    gs_progress_start("%s of %s points, %.1f a second, %s left", GS_TEXT_DIGITS(done),
                      GS_TEXT_DIGITS(points), rate, left);
}

static void tell_progress(const crew *c)
{
    const size_t before = c->jobs->done;
    gs_sweep_tell_progress(before, before + atomic_load(&c->shared->done), c->jobs->points,
                           seconds_now() - c->started);
}

gs_status gs_sweep_jobs_run(const gs_sweep_jobs *jobs, bool *interrupted, gs_error *err)
{
    crew c = {.jobs = jobs, .started = seconds_now()};
    gs_status status = GS_OK;
    double next_told = 0;
    *interrupted = false;
    c.shared =
        mmap(NULL, sizeof *c.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.shared == MAP_FAILED)
        return gs_tool_error(err, "no memory");
    for (unsigned i = 0; i < jobs->processes && status == GS_OK; i++)
        status = start_worker(&c, i, err);
    if (status != GS_OK)
        stop_workers(&c);
    while (c.alive > 0) {
        int ended;
        const pid_t pid = waitpid(-1, &ended, WNOHANG);
        if (pid > 0) {
            worker_ended(&c, pid, ended);
            continue;
        }
        if (seconds_now() >= next_told) {
            tell_progress(&c);
            next_told = seconds_now() + 0.25;
        }
        rest(0.005);
    }
    gs_progress_stop();
    *interrupted = *jobs->cancel != 0;
    const gs_confine held = {.done = {.files = !atomic_load(&c.shared->no_landlock),
                                      .calls = !atomic_load(&c.shared->no_seccomp)}};
    if (gs_confine_remark(&held))
        gs_complain("%s", gs_confine_remark(&held));
    munmap(c.shared, sizeof *c.shared);
    if (status == GS_OK && c.failure.status != GS_OK) {
        *err = c.failure;
        status = err->status;
    }
    return status;
}
