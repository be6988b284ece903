#include "engine/fast/tier/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *gs_compiler_command(void)
{
    const char *cc = getenv("GUMSHOE_CC");
    return cc && *cc ? cc : "cc";
}

bool gs_compiler_may_use_bmi2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* What translated code pushes when it asks must not be where the compiler has something. */
#ifdef __x86_64__
#define NO_RED_ZONE "-mno-red-zone",
#else
#define NO_RED_ZONE
#endif

static _Noreturn void run_compiler(const char *command, const char *source, const char *object)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        (void)dup2(null, fd);
    /* -O2 takes twice as long. Most of what it gains is this, and what the source itself asks for.
     * It would also load registers two at once that have been stored one by one, and a processor
     * waits then. -s: who else compiles the same source at the same time makes the same
     * object. What it needs of the C library is there already. */
    (void)execlp(command, command, "-O1", "-foptimize-sibling-calls", "-w", "-shared", "-fPIC",
                 "-fno-strict-aliasing", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
                 "-ffp-contract=off", NO_RED_ZONE "-s", "-nostdlib", "-o", object, source, "-lgcc",
                 (char *)NULL);
    _exit(127);
}

/* Tells by the pipe which group to kill, then how it ended. Only calls what is allowed between
 * fork and exec. */
static _Noreturn void supervise(int pipe_fd, const char *command, const char *source,
                                const char *object)
{
    pid_t own = getpid();
    (void)setpgid(0, 0); /* Ctrl-C is not for the compiler */
    if (write(pipe_fd, &own, sizeof own) != (ssize_t)sizeof own)
        _exit(1);
    pid_t compiler = fork();
    if (compiler == 0)
        run_compiler(command, source, object);
    int status = 1;
    if (compiler < 0 || waitpid(compiler, &status, 0) != compiler)
        status = 1;
    char done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    _exit(write(pipe_fd, &done, 1) != 1);
}

/*
 * The compiler must not be our child: the guest may be a program that waits for its children, and
 * those are ours, too. So a child of ours starts it and ends at once.
 */
bool gs_compiler_start(gs_compiler_job *job, const char *source, const char *object)
{
    const char *command = gs_compiler_command();
    int ends[2];
    *job = (gs_compiler_job){.fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            supervise(ends[1], command, source, object);
        _exit(0);
    }
    close(ends[1]);
    int status;
    bool ok = child > 0;
    while (ok && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    ok = ok && read(ends[0], &job->group, sizeof job->group) == (ssize_t)sizeof job->group;
    if (ok)
        job->fd = ends[0];
    else
        close(ends[0]);
    return ok;
}

gs_compiler_state gs_compiler_poll(gs_compiler_job *job, bool wait)
{
    struct pollfd ready = {.fd = job->fd, .events = POLLIN};
    int found = poll(&ready, 1, wait ? -1 : 0);
    if (found == 0 || (found < 0 && errno == EINTR)) /* who was interrupted may not want to wait */
        return GS_COMPILER_RUNS;
    char done = 0;
    bool told = read(job->fd, &done, 1) == 1;
    close(job->fd);
    job->fd = -1;
    return told && done ? GS_COMPILER_DONE : GS_COMPILER_FAILED;
}

void gs_compiler_kill(gs_compiler_job *job)
{
    if (job->fd < 0)
        return;
    (void)kill(-job->group, SIGKILL);
    close(job->fd);
    job->fd = -1;
}
