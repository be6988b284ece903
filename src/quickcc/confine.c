/*
 * By Landlock without a single rule, and a seccomp filter that lists what is allowed. Everything
 * else fails with EPERM, which is an error in the text, such as a file that cannot be included.
 */
#include "quickcc/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/landlock.h"

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

static const int allowed[] = {
    SYS_brk,
    SYS_clock_gettime,
    SYS_close,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_getpid,
    SYS_getrandom,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_madvise,
    SYS_mmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_munmap,
    SYS_newfstatat,
    SYS_fstat,
    SYS_recvfrom,
    SYS_restart_syscall,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sendto,
    SYS_setitimer,
    SYS_write,
#ifdef __x86_64__
    SYS_alarm,
    SYS_time,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed, HEAD = 4 };

static void restrict_calls(void)
{
    struct sock_filter code[HEAD + ALLOWED + 2];
    unsigned short length = 0;
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < ALLOWED; i++) /* each skips the others and the refusal */
        code[length++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], (uint8_t)(ALLOWED - i), 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog filter = {length, code};
    (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

#else

static void restrict_calls(void)
{
    /* System calls of this host are not known here. */
}

#endif

void gs_quickcc_confine(void)
{
    gs_landlock rules;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return; /* a kernel without either */
    if (gs_landlock_open(&rules) == 0)
        (void)gs_landlock_enforce(&rules);
    restrict_calls();
}
