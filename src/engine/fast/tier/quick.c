/* The run's end of the quick compiler; see quick.h. */
#include "engine/fast/tier/quick.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "engine/fast/tier/detach.h"
#include "engine/fast/tier/quick_wire.h"

enum { SECONDS = 10, MORE = 1 }; /* for a compilation: a thousand times what it takes */

struct gs_quick {
    int socket;
    char *desk;
    uint32_t number; /* of the last request */
    uint32_t used;   /* of the room for code */
    bool busy;
    double started;
    gs_quick_answer reply;
};

/* -- the program --------------------------------------------------------------------------------
 */

/* GUMSHOE_QUICKCC, or the program beside the library: in a build directory there, when installed
 * in libexec. */
static bool find_program(char *path, size_t size)
{
    static const char *const places[] = {"", "gumshoe/"};
    const char *given = getenv("GUMSHOE_QUICKCC");
    if (given && *given)
        return snprintf(path, size, "%s", given) < (int)size && access(path, X_OK) == 0;
    Dl_info library;
    const char *end = dladdr(__extension__(void *) find_program, &library) && library.dli_fname
                          ? strrchr(library.dli_fname, '/')
                          : NULL;
    for (size_t i = 0; end && i < sizeof places / sizeof *places; i++) {
        if (snprintf(path, size, "%.*s/%sgumshoe-quickcc", (int)(end - library.dli_fname),
                     library.dli_fname, places[i]) < (int)size &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Makes `fds` the descriptors from 3 on, and the only ones but for the standard files. */
static void pass_on(const int *fds, int count)
{
    int kept[2];
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        (void)dup2(null, fd);
    for (int i = 0; i < count; i++)
        kept[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, GS_QUICK_SOCKET + count);
    for (int i = 0; i < count; i++)
        (void)dup2(kept[i], GS_QUICK_SOCKET + i);
    (void)close_range((unsigned)(GS_QUICK_SOCKET + count), ~0U, 0);
}

typedef struct seed {
    const char *path;
    int socket, desk;
} seed;

/* Runs the helper process: becomes the compiler when there is something to compile. */
static void become_compiler(void *self)
{
    const seed *s = self;
    char *const arguments[] = {(char *)(uintptr_t)s->path, NULL};
    const int fds[] = {s->socket, s->desk};
    struct pollfd ready = {.fd = GS_QUICK_SOCKET, .events = POLLIN};
    (void)setsid(); /* Ctrl-C is not meant for the compiler */
    pass_on(fds, 2);
    while (poll(&ready, 1, -1) < 0 && errno == EINTR)
        continue;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGALRM, SIG_DFL);
    char first; /* of a request, or end of file */
    if (recv(GS_QUICK_SOCKET, &first, sizeof first, MSG_PEEK | MSG_DONTWAIT) > 0)
        (void)execv(s->path, arguments);
    _exit(127);
}

/* -- the desk -----------------------------------------------------------------------------------
 */

/* A file in memory, which lives as long as its descriptor. -1 if none can be made. */
static int make_desk(void)
{
    int fd = memfd_create("gumshoe-quickcc", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && ftruncate(fd, GS_QUICK_DESK_SIZE) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static char *map_at(uintptr_t address, int fd)
{
    void *wanted = (void *)address; // NOLINT: where there mostly is nothing
    void *text = mmap(wanted, GS_QUICK_TEXT_ROOM, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (text == MAP_FAILED)
        return NULL;
    void *code_wanted = (char *)wanted + GS_QUICK_TEXT_ROOM;
    void *code = text == wanted ? mmap(code_wanted, GS_QUICK_CODE_ROOM, PROT_READ | PROT_EXEC,
                                       MAP_SHARED | MAP_FIXED_NOREPLACE, fd, GS_QUICK_TEXT_ROOM)
                                : MAP_FAILED;
    if (code == code_wanted)
        return text;
    munmap(text, GS_QUICK_TEXT_ROOM);
    if (code != MAP_FAILED)
        munmap(code, GS_QUICK_CODE_ROOM);
    return NULL;
}

static char *map_desk(int fd)
{
    char *desk = NULL;
    for (uint64_t i = 0; i < GS_QUICK_ADDRESSES && !desk; i++)
        desk = map_at((uintptr_t)(GS_QUICK_ADDRESS + i * GS_QUICK_DISTANCE), fd);
    return desk;
}

gs_quick *gs_quick_start(void)
{
    char path[PATH_MAX];
    int ends[2];
    if (!find_program(path, sizeof path))
        return NULL;
    gs_quick *quick = calloc(1, sizeof *quick);
    int desk = quick ? make_desk() : -1;
    if (desk >= 0)
        quick->desk = map_desk(desk);
    bool ok = desk >= 0 && quick->desk &&
              socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
    if (ok) {
        quick->socket = ends[0];
        seed s = {path, ends[1], desk};
        ok = gs_detach(become_compiler, &s);
        close(ends[1]);
        if (!ok)
            close(ends[0]);
    }
    if (desk >= 0)
        close(desk);
    if (ok)
        return quick;
    if (quick && quick->desk)
        munmap(quick->desk, GS_QUICK_DESK_SIZE);
    free(quick);
    return NULL;
}

void gs_quick_stop(gs_quick *quick)
{
    if (!quick)
        return;
    close(quick->socket); /* which the process sees */
    munmap(quick->desk, GS_QUICK_DESK_SIZE);
    free(quick);
}

/* -- requests -----------------------------------------------------------------------------------
 */

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool gs_quick_request(gs_quick *quick, const char *text, size_t size)
{
    if (size >= GS_QUICK_TEXT_ROOM)
        return false;
    memcpy(quick->desk, text, size);
    quick->desk[size] = '\0';
    const gs_quick_question request = {.address = (uintptr_t)quick->desk,
                                       .number = ++quick->number,
                                       .text_size = (uint32_t)size,
                                       .code_from = quick->used,
                                       .seconds = SECONDS};
    ssize_t sent;
    do {
        sent = send(quick->socket, &request, sizeof request, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    quick->busy = sent == (ssize_t)sizeof request;
    quick->started = now();
    return quick->busy;
}

bool gs_quick_is_busy(const gs_quick *quick)
{
    return quick->busy;
}

/* Accepts nothing but a reply to the last request, about memory that is there. */
static gs_compiler_state state_of(gs_quick *quick, ssize_t size)
{
    gs_quick_answer *reply = &quick->reply;
    if (size != (ssize_t)sizeof *reply || reply->number != quick->number) {
        *reply = (gs_quick_answer){.why = "it has ended"};
        reply->microseconds = (uint64_t)(gs_quick_elapsed(quick) * 1e6);
        return GS_COMPILER_FAILED;
    }
    reply->why[sizeof reply->why - 1] = '\0';
    if (!reply->done || reply->code_size > GS_QUICK_CODE_ROOM - quick->used)
        return GS_COMPILER_FAILED;
    char *code = quick->desk + GS_QUICK_TEXT_ROOM + quick->used;
    __builtin___clear_cache(code, code + reply->code_size);
    quick->used += reply->code_size;
    return GS_COMPILER_DONE;
}

gs_compiler_state gs_quick_poll(gs_quick *quick, int milliseconds)
{
    struct pollfd ready = {.fd = quick->socket, .events = POLLIN};
    int found = poll(&ready, 1, milliseconds);
    if (found == 0 && gs_quick_elapsed(quick) > SECONDS + MORE) {
        quick->busy = false;
        return state_of(quick, 0);
    }
    if (found == 0 || (found < 0 && errno == EINTR))
        return GS_COMPILER_RUNS;
    ssize_t size = recv(quick->socket, &quick->reply, sizeof quick->reply, MSG_DONTWAIT);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return GS_COMPILER_RUNS;
    quick->busy = false;
    return state_of(quick, size);
}

void gs_quick_rest(gs_quick *quick)
{
    while (quick->busy)
        (void)gs_quick_poll(quick, 100);
    quick->used = 0;
}

gs_fast_function *const *gs_quick_functions(const gs_quick *quick, size_t count)
{
    const char *code = quick->desk + GS_QUICK_TEXT_ROOM;
    const uint32_t at = quick->reply.functions;
    if (at % sizeof(gs_fast_function *) != 0 || at > quick->used ||
        count > (quick->used - at) / sizeof(gs_fast_function *))
        return NULL;
    gs_fast_function *const *functions = (gs_fast_function *const *)(const void *)(code + at);
    for (size_t i = 0; i < count; i++) {
        const uintptr_t place = (uintptr_t)functions[i] - (uintptr_t)code;
        if (place >= quick->used)
            return NULL;
    }
    return functions;
}

const char *gs_quick_why(const gs_quick *quick)
{
    return quick->reply.why;
}

double gs_quick_cost(const gs_quick *quick)
{
    return (double)quick->reply.microseconds * 1e-6;
}

double gs_quick_elapsed(const gs_quick *quick)
{
    return now() - quick->started;
}
