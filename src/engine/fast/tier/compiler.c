/* The run's end of the helper process that starts compilers; see compiler.h. */
#include "engine/fast/tier/compiler.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "engine/fast/tier/compiler_helper.h"
#include "engine/fast/tier/detach.h"

struct gs_compiler {
    int socket;
    uint32_t number; /* of the last request */
    bool busy;
    double started, cost;
};

const char *gs_compiler_command(void)
{
    const char *cc = getenv("GUMSHOE_CC");
    return cc && *cc ? cc : "cc";
}

bool gs_compiler_is_there(void)
{
    const char *command = gs_compiler_command();
    if (strchr(command, '/'))
        return access(command, X_OK) == 0;
    const char *path = getenv("PATH");
    for (const char *at = path; at;) {
        const char *end = strchrnul(at, ':');
        char name[PATH_MAX];
        if (snprintf(name, sizeof name, "%.*s/%s", (int)(end - at), at, command) <
                (int)sizeof name &&
            access(name, X_OK) == 0)
            return true;
        at = *end ? end + 1 : NULL;
    }
    return false;
}

unsigned gs_compiler_time_limit(void)
{
    enum { USUAL = 60, MOST = 24 * 60 * 60 };
    const char *text = getenv("GUMSHOE_CC_SECONDS");
    unsigned long seconds = text ? strtoul(text, NULL, 10) : 0;
    return seconds > 0 && seconds <= MOST ? (unsigned)seconds : USUAL;
}

bool gs_compiler_may_use_bmi2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct help {
    int socket;
    gs_helper_settings settings;
} help;

static void run_helper(void *self)
{
    const help *h = self;
    gs_compiler_help(h->socket, &h->settings);
}

gs_compiler *gs_compiler_start(void)
{
    int ends[2];
    gs_compiler *compiler = calloc(1, sizeof *compiler);
    if (!compiler || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        free(compiler);
        return NULL;
    }
    help h = {ends[1], {gs_compiler_command(), gs_compiler_time_limit()}};
    const bool started = gs_detach(run_helper, &h);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        free(compiler);
        return NULL;
    }
    compiler->socket = ends[0];
    return compiler;
}

void gs_compiler_stop(gs_compiler *compiler)
{
    if (!compiler)
        return;
    close(compiler->socket); /* which the helper process sees */
    free(compiler);
}

bool gs_compiler_request(gs_compiler *compiler, const char *source, const char *object)
{
    gs_helper_request request = {.number = ++compiler->number};
    if (snprintf(request.source, sizeof request.source, "%s", source) >=
            (int)sizeof request.source ||
        snprintf(request.object, sizeof request.object, "%s", object) >= (int)sizeof request.object)
        return false;
    ssize_t sent;
    do {
        sent = send(compiler->socket, &request, sizeof request, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    compiler->busy = sent == (ssize_t)sizeof request;
    compiler->started = now();
    return compiler->busy;
}

bool gs_compiler_is_busy(const gs_compiler *compiler)
{
    return compiler->busy;
}

/* Accepts nothing but a reply to the last request. */
static gs_compiler_state state_of(gs_compiler *compiler, const gs_helper_reply *reply, ssize_t size)
{
    if (size != (ssize_t)sizeof *reply || reply->number != compiler->number)
        return GS_COMPILER_FAILED;
    compiler->cost = (double)reply->microseconds * 1e-6;
    switch (reply->end) {
    case GS_HELPER_DONE: return GS_COMPILER_DONE;
    case GS_HELPER_TOO_SLOW: return GS_COMPILER_TOO_SLOW;
    default: return GS_COMPILER_FAILED;
    }
}

gs_compiler_state gs_compiler_poll(gs_compiler *compiler, int milliseconds)
{
    struct pollfd ready = {.fd = compiler->socket, .events = POLLIN};
    int found = poll(&ready, 1, milliseconds);
    if (found == 0 || (found < 0 && errno == EINTR))
        return GS_COMPILER_RUNS;
    gs_helper_reply reply = {0};
    ssize_t size = recv(compiler->socket, &reply, sizeof reply, MSG_DONTWAIT);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return GS_COMPILER_RUNS;
    compiler->busy = false;
    compiler->cost = gs_compiler_elapsed(compiler);
    return state_of(compiler, &reply, size);
}

double gs_compiler_cost(const gs_compiler *compiler)
{
    return compiler->cost;
}

double gs_compiler_elapsed(const gs_compiler *compiler)
{
    return now() - compiler->started;
}
