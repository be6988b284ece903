/* Starts a process by way of another; see detach.h. */
#include "engine/fast/tier/detach.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* fork() without what the C library does before and after. */
static pid_t copy_process(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

bool gs_detach(void (*run)(void *self), void *self)
{
    int status = 0;
    const pid_t child = vfork();
    if (child == 0) {
        const pid_t process = copy_process();
        if (process == 0)
            run(self);
        _exit(process < 0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
