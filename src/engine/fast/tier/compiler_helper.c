/*
 * The process that starts compilers. It has been forked from a process that may have threads, so it
 * only makes system calls.
 */
#include "engine/fast/tier/compiler_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/landlock.h"

/* Stubs push their arguments, which must not overwrite what the compiler keeps below the stack
 * pointer. */
#ifdef __x86_64__
#define NO_RED_ZONE "-mno-red-zone",
#else
#define NO_RED_ZONE
#endif

static void use_null_for_standard_files(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        (void)dup2(null, fd);
    if (null >= 3)
        close(null);
}

/* What compilers are made of, and need of the system. */
static void confine(const gs_helper_settings *settings)
{
    static const char *const system[] = {"/usr",   "/bin",    "/sbin", "/lib",       "/lib32",
                                         "/lib64", "/libx32", "/opt",  "/nix/store", "/gnu/store"};
    static const char *const files[] = {"/etc/ld.so.cache", "/etc/ld.so.preload", "/dev/zero",
                                        "/dev/urandom"};
    enum {
        PROGRAMS = GS_LANDLOCK_READS | GS_LANDLOCK_EXECUTE,
        WRITES = GS_LANDLOCK_WRITE_FILE | GS_LANDLOCK_TRUNCATE,
        OWN = GS_LANDLOCK_READS | WRITES | GS_LANDLOCK_MAKE_REG | GS_LANDLOCK_REMOVE_FILE,
    };
    gs_landlock rules;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || gs_landlock_open(&rules) != 0)
        return; /* a kernel without it */
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        gs_landlock_allow_path(&rules, system[i], PROGRAMS);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        gs_landlock_allow_path(&rules, files[i], GS_LANDLOCK_READ_FILE);
    gs_landlock_allow_path(&rules, "/dev/null", GS_LANDLOCK_READ_FILE | WRITES);
    if (settings->file)
        gs_landlock_allow_path(&rules, settings->file, PROGRAMS);
    if (settings->prefix)
        gs_landlock_allow_path(&rules, settings->prefix, PROGRAMS);
    gs_landlock_allow_path(&rules, settings->directory, OWN);
    (void)gs_landlock_enforce(&rules);
}

/* The path of a file in the directory, which is shorter than what PATH_MAX leaves. */
static const char *path_of(char to[PATH_MAX], const gs_helper_settings *settings, const char *name)
{
    char *end = stpcpy(to, settings->directory);
    *end++ = '/';
    strcpy(end, name);
    return to;
}

static _Noreturn void run_compiler(const gs_helper_settings *settings,
                                   const gs_helper_request *request)
{
    const char *command = settings->command;
    char source[PATH_MAX], object[PATH_MAX];
    sigset_t none;
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    /* -O2 takes twice as long. Most of what it gains is this, and what the source itself asks for.
     * It would also load registers two at once that have been stored one by one, and a processor
     * waits then. -s: another run that compiles the same source at the same time makes the same
     * object. What it needs of the C library is there already. */
    const char *const arguments[] = {command,
                                     "-O1",
                                     "-foptimize-sibling-calls",
                                     "-w",
                                     "-shared",
                                     "-fPIC",
                                     "-fno-strict-aliasing",
                                     "-fno-stack-protector",
                                     "-fno-asynchronous-unwind-tables",
                                     "-ffp-contract=off",
                                     NO_RED_ZONE "-s",
                                     "-nostdlib",
                                     "-o",
                                     path_of(object, settings, request->object),
                                     path_of(source, settings, request->source),
                                     "-lgcc",
                                     NULL};
    (void)execvpe(command, (char *const *)(uintptr_t)arguments, settings->environment);
    _exit(127);
}

/* -- what has been started ----------------------------------------------------------------------
 */

/* Kills the children listed in `text`: those of the compiler become ours when it has ended. */
static bool kill_listed(const char *text, ssize_t size)
{
    bool any = false;
    pid_t pid = 0;
    for (ssize_t i = 0; i < size; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            pid = 10 * pid + (text[i] - '0');
            continue;
        }
        if (pid > 1)
            any |= kill(pid, SIGKILL) == 0;
        pid = 0;
    }
    return any;
}

/* `list` is open on the list of our children, which the process cannot open any more. */
static bool kill_children(int list)
{
    char text[1024];
    return kill_listed(text, pread(list, text, sizeof text, 0));
}

/* Also kills processes that have left the compiler's group. */
static void kill_all_children(int list)
{
    while (kill_children(list) && waitpid(-1, NULL, 0) > 0)
        continue;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

static void kill_compiler(pid_t compiler, int list)
{
    (void)kill(-compiler, SIGKILL);
    (void)kill(compiler, SIGKILL);
    kill_all_children(list);
}

/* -- one compilation ----------------------------------------------------------------------------
 */

static int64_t milliseconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static uint64_t microseconds_of(const struct timeval *t)
{
    return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

/* Waits until a child has ended, or a message has come, or the other end of the socket is closed;
 * false if the time is up. SIGCHLD is blocked but for here. */
static bool wait_for_news(int socket, int64_t until, bool *message)
{
    struct pollfd other = {.fd = socket, .events = POLLIN};
    const int64_t left = until - milliseconds();
    const struct timespec wait = {left > 0 ? left / 1000 : 0, left > 0 ? left % 1000 * 1000000 : 0};
    sigset_t none;
    (void)sigemptyset(&none);
    int found = left > 0 ? ppoll(&other, 1, &wait, &none) : 0;
    *message = found > 0;
    return found != 0;
}

/* False: there is no reply to be sent, as the compilation has been cancelled. Any message means
 * that, and is left to be received. */
static bool compile(int socket, int list, const gs_helper_settings *settings,
                    const gs_helper_request *request, gs_helper_reply *reply)
{
    const int64_t until = milliseconds() + INT64_C(1000) * settings->time_limit;
    pid_t compiler = fork();
    reply->end = GS_HELPER_FAILED;
    if (compiler == 0)
        run_compiler(settings, request);
    if (compiler < 0)
        return true;
    (void)setpgid(compiler, compiler);
    for (;;) {
        struct rusage used;
        bool cancelled;
        int status;
        pid_t ended = wait4(compiler, &status, WNOHANG, &used);
        if (ended == compiler) {
            reply->microseconds = microseconds_of(&used.ru_utime) + microseconds_of(&used.ru_stime);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                reply->end = GS_HELPER_DONE;
            return true;
        }
        const bool in_time = wait_for_news(socket, until, &cancelled);
        if (cancelled || !in_time) {
            kill_compiler(compiler, list);
            reply->end = GS_HELPER_TOO_SLOW;
            return !cancelled;
        }
    }
}

/* -- life ---------------------------------------------------------------------------------------
 */

static void wake_up(int number)
{
    (void)number;
}

static bool is_name(const char text[GS_HELPER_NAME])
{
    return text[0] && text[0] != '.' && memchr(text, '\0', GS_HELPER_NAME) && !strchr(text, '/');
}

static bool is_nothing(const gs_helper_request *request)
{
    return !request->source[0] && !request->object[0];
}

_Noreturn void gs_compiler_help(int socket, const gs_helper_settings *settings)
{
    const struct sigaction action = {.sa_handler = wake_up};
    sigset_t child;
    (void)setsid(); /* Ctrl-C is not meant for the compiler */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_SETMASK, &child, NULL);
    (void)sigaction(SIGCHLD, &action, NULL);
    use_null_for_standard_files();
    int own = fcntl(socket, F_DUPFD_CLOEXEC, 3);
    if (own != 3) { /* to close all other descriptors */
        (void)dup3(socket, 3, O_CLOEXEC);
        own = 3;
    }
    (void)close_range(4, ~0U, 0);
    const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    confine(settings);
    for (;;) {
        gs_helper_request request;
        ssize_t size = recv(own, &request, sizeof request, 0);
        if (size < 0 && errno == EINTR)
            continue;
        if (size == (ssize_t)sizeof request && is_nothing(&request))
            continue; /* to be cancelled, and it has ended */
        if (size != (ssize_t)sizeof request || !is_name(request.source) || !is_name(request.object))
            break;
        gs_helper_reply reply = {.number = request.number};
        if (compile(own, list, settings, &request, &reply) &&
            send(own, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            break;
    }
    kill_all_children(list);
    _exit(0);
}
