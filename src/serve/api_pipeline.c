/*
 * The way of some instructions through the pipeline. A profile does not have that, so its program
 * is run again, as far as those instructions: in its sandbox, which has no files, without input,
 * and for a few seconds at most. That is the same run only if the program got nothing else than it
 * gets now, so what executes is held against the profile.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "gumshoe/run.h"
#include "report/json_parts.h"
#include "report/pipeline.h"
#include "serve/api.h"
#include "timing/core.h"

enum { INSTRUCTIONS = 2000, SECONDS = 10 };

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

gs_status gs_api_pipeline(gs_call *call, gs_error *err)
{
    gs_server *server = call->server;
    rerun r = {.null = -1};
    const gs_profile *profile;
    if (pthread_mutex_trylock(&server->rerun) != 0)
        return gs_fail(err, GS_E_UNSUPPORTED, "another pipeline is being drawn: try again");
    pthread_mutex_lock(&server->lock);
    gs_status status = prepare(&r, call, &profile, err);
    if (status == GS_OK)
        status = open_machine(&r, profile, err);
    pthread_mutex_unlock(&server->lock);
    if (status == GS_OK)
        status = run(&r, err);
    pthread_mutex_lock(&server->lock);
    if (status == GS_OK)
        status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = check(&r, profile, err);
    pthread_mutex_unlock(&server->lock);
    if (status == GS_OK)
        status = write_rows(call, &r, err);
    close_rerun(&r);
    pthread_mutex_unlock(&server->rerun);
    return status;
}
