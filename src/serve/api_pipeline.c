/*
 * The way of some instructions through the pipeline. A profile does not have that, so its program
 * is run again, as far as those instructions: in its sandbox, which has no files, without input,
 * and for a few seconds at most. That is the same run only if the program got nothing else than it
 * gets now, so what executes is held against the profile.
 *
 * It runs in a process of its own, which has no descriptors of the server's, is confined by the
 * kernel, and sends what is to be answered through a pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "gumshoe/run.h"
#include "report/json_parts.h"
#include "report/pipeline.h"
#include "serve/api.h"
#include "timing/core.h"

enum { INSTRUCTIONS = 2000, SECONDS = 10, MORE_SECONDS = 5, ANSWER_MAX = 64 << 20 };

static const uint64_t MEMORY = UINT64_C(1) << 30, OUTPUT = 16 << 20;

typedef struct rerun {
    char *program; /* where it was found */
    char **variables;
    gs_core *core;
    gs_image *image;
    gs_machine *machine;
    gs_timing *timing;
    int null;
    uint64_t from, count;
    time_t end;
    volatile sig_atomic_t cancel;
} rerun;

/* NAME=VALUE lines as an array. */
static char **split_lines(const char *text)
{
    size_t count = 0;
    for (const char *c = text; *c; c++)
        count += *c == '\n';
    char **lines = calloc(count + 2, sizeof *lines);
    for (size_t i = 0; lines && *text; i++) {
        size_t length = strcspn(text, "\n");
        lines[i] = strndup(text, length);
        text += length + (text[length] == '\n');
    }
    return lines;
}

/* Everything that needs the profile. */
static gs_status prepare(rerun *r, gs_call *call, const gs_profile **profile, gs_error *err)
{
    uint64_t count = 60;
    gs_status status = gs_request_count(call->request, "from", INT64_MAX, &r->from, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "count", INSTRUCTIONS, &count, err);
    if (status == GS_OK)
        status = gs_api_profile(call, "run", profile, err);
    if (status == GS_OK)
        status = gs_api_open_core(&r->core, *profile, err);
    if (status != GS_OK)
        return status;
    const gs_profile_run *run = &(*profile)->run;
    r->count = count ? count : 1;
    if (strcmp(run->inherited, "nothing") != 0)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "the program was given the host's %.60s, so a run of now is another one",
                       run->inherited);
    r->program = gs_roots_find(&call->server->roots, run->program);
    if (!r->program)
        return gs_fail(err, GS_E_NOT_FOUND,
                       "the program %.200s is not below the directories of sources, and a "
                       "pipeline is drawn by running it again",
                       run->program);
    r->variables = split_lines(run->variables);
    return r->variables ? GS_OK : gs_fail_no_memory(err);
}

static gs_status open_machine(rerun *r, const gs_profile *profile, gs_error *err)
{
    gs_machine_options options = gs_machine_options_default();
    options.env = strcmp(profile->run.environment, "linux") == 0 ? GS_ENV_LINUX : GS_ENV_BARE;
    options.envp = options.env == GS_ENV_LINUX ? (const char *const *)r->variables : NULL;
    options.max_memory = MEMORY;
    options.max_output = OUTPUT;
    options.sandbox.files = GS_SANDBOX_LISTED;
    r->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (r->null < 0)
        return gs_fail(err, GS_E_IO, "/dev/null cannot be opened");
    for (int i = 0; i < 3; i++)
        options.stdio[i] = r->null;
    gs_status status = gs_image_open(&r->image, r->program, err);
    gs_core_configure(r->core, &options);
    if (status == GS_OK)
        status = gs_machine_open(&r->machine, r->image, &options, err);
    if (status == GS_OK)
        status = gs_timing_open(&r->timing, r->core, r->machine, err);
    if (status == GS_OK)
        status = gs_timing_record(r->timing, r->from, r->from + r->count - 1, err);
    return status;
}

static void check_time(void *self, const gs_machine *machine)
{
    rerun *r = self;
    struct timespec now;
    (void)machine;
    clock_gettime(CLOCK_MONOTONIC, &now);
    r->cancel = now.tv_sec >= r->end;
}

static gs_status confine(void *self, const char *cache, gs_error *err)
{
    const rerun *r = self;
    gs_confinement done;
    (void)cache;
    return gs_sandbox_confine_process(gs_machine_sandbox(r->machine), NULL, 0, &done, err);
}

static gs_status run(rerun *r, gs_error *err)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    r->end = now.tv_sec + SECONDS;
    /* Some more, so that the last ones have left the pipeline. */
    const gs_run_options options = {
        .max_instructions = r->from + r->count + 16,
        .timing = r->timing,
        .engine = GS_ENGINE_REFERENCE,
        .cancel = &r->cancel,
        .progress = check_time,
        .progress_self = r,
        .ready = confine,
        .ready_self = r,
    };
    gs_status status = gs_run(r->machine, &options, err);
    if (status == GS_OK && gs_machine_exit(r->machine)->kind == GS_EXIT_INTERRUPTED)
        status = gs_fail(err, GS_E_UNSUPPORTED,
                         "running the program up to there takes more than %d s: choose "
                         "instructions further to the beginning",
                         SECONDS);
    return status;
}

/* Whatever is executed now was executed then. */
static gs_status check(const rerun *r, const gs_profile *profile, gs_error *err)
{
    const gs_timing_view *view = r->timing->view;
    for (size_t i = 0; view && i < view->count; i++) {
        if (profile->run.region[0] == '\0' && !gs_profile_insn_at(profile, view->rows[i].pc))
            return gs_fail(err, GS_E_UNSUPPORTED,
                           "the program takes another way now: it was changed since, or it had "
                           "arguments, input or files");
    }
    if (!view || view->count == 0)
        return gs_fail(err, GS_E_NOT_FOUND, "the run has no instruction number %llu",
                       (unsigned long long)r->from);
    return GS_OK;
}

static void close_rerun(rerun *r)
{
    gs_timing_free(r->timing);
    gs_machine_free(r->machine);
    gs_image_free(r->image);
    gs_core_free(r->core);
    if (r->null >= 0)
        close(r->null);
    for (char **line = r->variables; line && *line; line++)
        free(*line);
    free(r->variables);
    free(r->program);
}

static gs_status write_rows(gs_call *call, rerun *r, gs_error *err)
{
    gs_api_begin(call, "gumshoe-pipeline-1");
    gs_json_uint(&call->json, "from", r->from);
    gs_status status = gs_pipeline_put_json(&call->json, r->timing, err);
    return status == GS_OK ? gs_api_end(call, err) : status;
}

/* -- the process --------------------------------------------------------------------------------
 */

static gs_status answer(gs_call *call, rerun *r, const gs_profile *profile, gs_error *err)
{
    gs_status status = open_machine(r, profile, err);
    if (status == GS_OK)
        status = run(r, err);
    if (status == GS_OK)
        status = check(r, profile, err);
    return status == GS_OK ? write_rows(call, r, err) : status;
}

static void send_all(int to, const void *bytes, size_t size)
{
    const char *at = bytes;
    ssize_t sent;
    while (size > 0 && ((sent = write(to, at, size)) > 0 || (sent < 0 && errno == EINTR))) {
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
}

/* Sends a gs_error, and the document if that says GS_OK. What it inherits of the server but memory
 * is closed. */
static _Noreturn void run_process(gs_call *call, rerun *r, const gs_profile *profile, int to)
{
    enum { PIPE = 3 };
    char *text = NULL;
    size_t size = 0;
    gs_error err = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (to != PIPE)
        (void)dup2(to, PIPE);
    (void)close_range(PIPE + 1, ~0U, 0);
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < PIPE && null >= 0; fd++)
        (void)dup2(null, fd);
    call->to = open_memstream(&text, &size);
    err.status = call->to ? answer(call, r, profile, &err) : gs_fail_no_memory(&err);
    if (call->to && fclose(call->to) != 0 && err.status == GS_OK)
        gs_fail_no_memory(&err);
    send_all(PIPE, &err, sizeof err);
    if (err.status == GS_OK)
        send_all(PIPE, text, size);
    _exit(0);
}

/* A process that has been started, and what comes from it. */
typedef struct helper {
    pid_t pid;
    int from;
} helper;

/* With the server's lock, so that the profile is whole in the new process. */
static gs_status start(helper *h, gs_call *call, rerun *r, const gs_profile *profile, gs_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gs_fail(err, GS_E_IO, "no pipe can be made: %s", strerror(errno));
    h->pid = fork();
    if (h->pid == 0)
        run_process(call, r, profile, ends[1]);
    close(ends[1]);
    h->from = ends[0];
    if (h->pid > 0)
        return GS_OK;
    close(ends[0]);
    return gs_fail(err, GS_E_IO, "no process can be started: %s", strerror(errno));
}

/* All that it sends; false if that is too much, or takes too long. */
static bool receive(const helper *h, FILE *to)
{
    const time_t end = time(NULL) + SECONDS + MORE_SECONDS;
    char bytes[4096];
    size_t total = 0;
    for (time_t now = time(NULL); now < end && total < ANSWER_MAX; now = time(NULL)) {
        struct pollfd news = {.fd = h->from, .events = POLLIN};
        if (poll(&news, 1, 1000 * (int)(end - now)) <= 0)
            continue;
        const ssize_t size = read(h->from, bytes, sizeof bytes);
        if (size == 0)
            return true;
        if (size > 0)
            total += fwrite(bytes, 1, (size_t)size, to);
    }
    return false;
}

/* Takes nothing on trust: an error of ours may have let the program write it. */
static gs_status pass_on(gs_call *call, const char *text, size_t size, gs_error *err)
{
    gs_error theirs;
    if (size < sizeof theirs)
        return gs_fail(err, GS_E_IO, "the program could not be run again");
    memcpy(&theirs, text, sizeof theirs);
    theirs.message[sizeof theirs.message - 1] = '\0';
    const bool known = theirs.status >= GS_OK && theirs.status <= GS_E_ARGUMENT;
    if (theirs.status != GS_OK)
        return gs_fail(err, known ? theirs.status : GS_E_IO, "%s", theirs.message);
    fwrite(text + sizeof theirs, 1, size - sizeof theirs, call->to);
    return GS_OK;
}

static gs_status finish(helper *h, gs_call *call, gs_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    const bool whole = to && receive(h, to);
    if (!whole)
        (void)kill(h->pid, SIGKILL);
    while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(h->from);
    const bool kept = to && fclose(to) == 0;
    gs_status status =
        !kept   ? gs_fail_no_memory(err)
        : whole ? pass_on(call, text, size, err)
                : gs_fail(err, GS_E_UNSUPPORTED, "running the program up to there takes too long");
    free(text);
    return status;
}

gs_status gs_api_pipeline(gs_call *call, gs_error *err)
{
    gs_server *server = call->server;
    rerun r = {.null = -1};
    helper h;
    const gs_profile *profile;
    if (pthread_mutex_trylock(&server->rerun) != 0)
        return gs_fail(err, GS_E_UNSUPPORTED, "another pipeline is being drawn: try again");
    pthread_mutex_lock(&server->lock);
    gs_status status = prepare(&r, call, &profile, err);
    if (status == GS_OK)
        status = start(&h, call, &r, profile, err);
    pthread_mutex_unlock(&server->lock);
    if (status == GS_OK)
        status = finish(&h, call, err);
    close_rerun(&r);
    pthread_mutex_unlock(&server->rerun);
    return status;
}
