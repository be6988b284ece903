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
    char *directory;
    uint32_t number; /* of the last request */
    bool busy;
    double started, cost;
};

const char *gs_compiler_command(void)
{
    const char *cc = getenv("GUMSHOE_CC");
    return cc && *cc ? cc : "cc";
}

/* The file that the command is; false if there is none. */
static bool find_command(char file[PATH_MAX])
{
    const char *command = gs_compiler_command();
    if (strchr(command, '/'))
        return snprintf(file, PATH_MAX, "%s", command) < PATH_MAX && access(file, X_OK) == 0;
    const char *path = getenv("PATH");
    for (const char *at = path; at;) {
        const char *end = strchrnul(at, ':');
        if (snprintf(file, PATH_MAX, "%.*s/%s", (int)(end - at), at, command) < PATH_MAX &&
            access(file, X_OK) == 0)
            return true;
        at = *end ? end + 1 : NULL;
    }
    return false;
}

bool gs_compiler_is_there(void)
{
    char file[PATH_MAX];
    return find_command(file);
}

/* Where a compiler that is not the system's is installed: above its directory bin, if there is a
 * compiler's lib beside that. A directory of scripts is none. */
static char *find_prefix(const char *file)
{
    static const char *const parts[] = {"lib/gcc", "lib64/gcc", "libexec/gcc", "lib/clang"};
    char path[PATH_MAX + 16], *prefix = realpath(file, NULL);
    const char *home = getenv("HOME");
    for (int i = 0; i < 2 && prefix; i++) {
        char *slash = strrchr(prefix, '/');
        *slash = '\0';
    }
    bool found = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && prefix && *prefix; i++) {
        if (snprintf(path, sizeof path, "%s/%s", prefix, parts[i]) < (int)sizeof path)
            found |= access(path, F_OK) == 0;
    }
    if (found && !(home && strcmp(home, prefix) == 0))
        return prefix;
    free(prefix);
    return NULL;
}

/* The environment with temporary files in the directory, and without a cache of a compiler's own,
 * which would lie elsewhere. `tmpdir` is "TMPDIR=DIRECTORY". NULL without memory. */
static char **make_environment(char *tmpdir)
{
    static char no_cache[] = "CCACHE_DISABLE=1";
    extern char **environ;
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **made = calloc(count + 3, sizeof *made);
    if (!made)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0 &&
            strncmp(environ[i], "CCACHE_DISABLE=", 15) != 0)
            made[kept++] = environ[i];
    }
    made[kept++] = tmpdir;
    made[kept] = no_cache;
    return made;
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

static bool start_helper(const char *directory, int socket)
{
    char file[PATH_MAX], *tmpdir = NULL;
    if (strlen(directory) + GS_HELPER_NAME >= PATH_MAX ||
        asprintf(&tmpdir, "TMPDIR=%s", directory) < 0)
        return false;
    const bool is_there = find_command(file);
    char *prefix = is_there ? find_prefix(file) : NULL;
    char **environment = make_environment(tmpdir);
    help h = {socket,
              {.command = gs_compiler_command(),
               .file = is_there ? file : NULL,
               .prefix = prefix,
               .directory = directory,
               .environment = environment,
               .time_limit = gs_compiler_time_limit()}};
    const bool started = environment && gs_detach(run_helper, &h);
    free(environment);
    free(prefix);
    free(tmpdir);
    return started;
}

gs_compiler *gs_compiler_start(const char *directory)
{
    int ends[2];
    gs_compiler *compiler = calloc(1, sizeof *compiler);
    if (!compiler || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        free(compiler);
        return NULL;
    }
    compiler->socket = ends[0];
    compiler->directory = strdup(directory);
    const bool started = compiler->directory && start_helper(directory, ends[1]);
    close(ends[1]);
    if (started)
        return compiler;
    gs_compiler_stop(compiler);
    return NULL;
}

void gs_compiler_stop(gs_compiler *compiler)
{
    if (!compiler)
        return;
    close(compiler->socket); /* which the helper process sees */
    free(compiler->directory);
    free(compiler);
}

/* The name in the directory; false if the path is none. */
static bool put_name(char name[GS_HELPER_NAME], const gs_compiler *compiler, const char *path)
{
    const size_t length = strlen(compiler->directory);
    if (strncmp(path, compiler->directory, length) != 0 || path[length] != '/')
        return false;
    return snprintf(name, GS_HELPER_NAME, "%s", path + length + 1) < GS_HELPER_NAME;
}

bool gs_compiler_request(gs_compiler *compiler, const char *source, const char *object)
{
    gs_helper_request request = {.number = ++compiler->number};
    if (!put_name(request.source, compiler, source) || !put_name(request.object, compiler, object))
        return false;
    ssize_t sent;
    do {
        sent = send(compiler->socket, &request, sizeof request, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    compiler->busy = sent == (ssize_t)sizeof request;
    compiler->started = now();
    return compiler->busy;
}

void gs_compiler_cancel(gs_compiler *compiler)
{
    const gs_helper_request nothing = {.number = compiler->number};
    if (compiler->busy)
        (void)send(compiler->socket, &nothing, sizeof nothing, MSG_NOSIGNAL);
    compiler->busy = false;
}

bool gs_compiler_is_busy(const gs_compiler *compiler)
{
    return compiler->busy;
}

/* Whether it is a reply to a request that was cancelled when it had been sent. */
static bool is_stale(const gs_compiler *compiler, const gs_helper_reply *reply, ssize_t size)
{
    return size == (ssize_t)sizeof *reply && reply->number != compiler->number &&
           compiler->number - reply->number < UINT32_MAX / 2;
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
    if ((size < 0 && (errno == EINTR || errno == EAGAIN)) || is_stale(compiler, &reply, size))
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
