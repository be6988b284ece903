/*
 * System calls that no run needs once it has begun, refused with EPERM: those that make processes
 * and sockets, that reach into other processes or into the kernel, and that change what the process
 * sees or may do. Threads of the process itself are allowed.
 *
 * Owners, modes, times and attributes of files are not Landlock's. Here they can be changed of open
 * files only, which Landlock has let through, and set-user-ID bits of none: a path can lead
 * anywhere, and a filter does not see it. A file's times can be set to the present by a path.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "machine/sandbox.h"

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifndef ARCH

gs_status gs_sandbox_restrict_calls(bool *done, gs_error *err)
{
    (void)done, (void)err;
    return GS_OK; /* system calls of this host are not known here */
}

#else

static const int refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_move_mount,
    SYS_open_tree,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_open_by_handle_at,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_personality,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_capset,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_name_to_handle_at,
    SYS_inotify_init1,
    SYS_fanotify_init,
    SYS_tkill,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_syslog,
    SYS_vhangup,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_setpgid,
    SYS_setsid,
    SYS_memfd_create,
    /* As on every host, and in no older header. */
    440, /* process_madvise */
    442, /* mount_setattr */
    443, /* quotactl_fd */
    448, /* process_mrelease */
    452, /* fchmodat2 */
    463, /* setxattrat */
    466, /* removexattrat */
    467, /* open_tree_attr */
    469, /* file_setattr */
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_inotify_init,
#endif
#ifndef __SANITIZE_ADDRESS__ /* whose search for leaks stops all threads with it */
    SYS_ptrace,
#endif
};

enum { REFUSED = sizeof refused / sizeof *refused, MOST = 2 * REFUSED + 128 };

typedef struct program {
    struct sock_filter code[MOST];
    unsigned short length;
} program;

static void add(program *p, uint16_t code, uint32_t operand, uint8_t yes, uint8_t no)
{
    p->code[p->length++] = (struct sock_filter){code, yes, no, operand};
}

static void load(program *p, size_t offset)
{
    add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(program *p, uint32_t what)
{
    add(p, BPF_RET | BPF_K, what, 0, 0);
}

#define ARGUMENT(n)   (offsetof(struct seccomp_data, args) + 8 * (n))
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

/* Refuses a call if a test of an argument (of 32 bits) against `value` holds: BPF_JEQ, it is that;
 * BPF_JSET, it has one of its bits. */
static void refuse_if(program *p, int call, size_t argument, uint16_t test, uint32_t value)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load(p, ARGUMENT(argument));
    add(p, BPF_JMP | test | BPF_K, value, 0, 1);
    answer(p, REFUSE(EPERM));
    load(p, offsetof(struct seccomp_data, nr));
}

/* Refuses a call neither of whose two arguments is NULL. */
static void refuse_both(program *p, int call, size_t first, size_t second)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 10);
    load(p, ARGUMENT(first));
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(p, ARGUMENT(first) + 4);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, 0);
    load(p, ARGUMENT(second));
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(p, ARGUMENT(second) + 4);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    answer(p, REFUSE(EPERM));
    load(p, offsetof(struct seccomp_data, nr));
}

/* What a thread is made with; under a sanitizer also what its search for leaks is, which shares all
 * memory. */
#ifdef __SANITIZE_ADDRESS__
#define THREADS (CLONE_THREAD | CLONE_UNTRACED)
#else
#define THREADS CLONE_THREAD
#endif

/* Allows a call only if its first argument has this value, or one of these bits. */
static void only_first(program *p, int call, uint16_t test, uint32_t value)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load(p, ARGUMENT(0));
    add(p, BPF_JMP | test | BPF_K, value, 1, 0);
    answer(p, REFUSE(EPERM));
    answer(p, SECCOMP_RET_ALLOW);
}

static void write_program(program *p)
{
    load(p, offsetof(struct seccomp_data, arch));
    add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    answer(p, SECCOMP_RET_KILL_PROCESS);
    load(p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    add(p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
    answer(p, REFUSE(EPERM));
#endif
    for (size_t i = 0; i < REFUSED; i++) {
        add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i], 0, 1);
        answer(p, REFUSE(EPERM));
    }
    /* The C library then makes threads with clone, which can be judged by its flags. */
    add(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    answer(p, REFUSE(ENOSYS));
    /* Typing into the terminal, and changing what drives it. */
    refuse_if(p, SYS_ioctl, 1, BPF_JEQ, TIOCSTI);
    refuse_if(p, SYS_ioctl, 1, BPF_JEQ, TIOCSETD);
    refuse_if(p, SYS_ioctl, 1, BPF_JEQ, 0x541c);     /* TIOCLINUX */
    refuse_if(p, SYS_ioctl, 1, BPF_JEQ, 0x40086602); /* FS_IOC_SETFLAGS */
    refuse_if(p, SYS_ioctl, 1, BPF_JEQ, 0x401c5820); /* FS_IOC_FSSETXATTR */
    /* Signals to other processes when something happens to a file. */
    refuse_if(p, SYS_fcntl, 1, BPF_JEQ, F_SETOWN);
    refuse_if(p, SYS_fcntl, 1, BPF_JEQ, F_SETOWN_EX);
    refuse_if(p, SYS_fchmod, 1, BPF_JSET, S_ISUID);
    refuse_if(p, SYS_mknodat, 2, BPF_JSET, S_ISUID | S_IFCHR);
    refuse_both(p, SYS_utimensat, 1, 2);
    only_first(p, SYS_clone, BPF_JSET, THREADS);
#ifndef __SANITIZE_ADDRESS__
    only_first(p, SYS_kill, BPF_JEQ, (uint32_t)getpid());
    only_first(p, SYS_tgkill, BPF_JEQ, (uint32_t)getpid());
#endif
    answer(p, SECCOMP_RET_ALLOW);
}

gs_status gs_sandbox_restrict_calls(bool *done, gs_error *err)
{
    program p = {.length = 0};
    write_program(&p);
    struct sock_fprog fprog = {.len = p.length, .filter = p.code};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &fprog) == 0) {
        *done = true;
        return GS_OK;
    }
    if (errno == ENOSYS || errno == EINVAL)
        return GS_OK; /* a kernel without filters */
    return gs_fail(err, GS_E_IO, "cannot confine the run with seccomp: %s", strerror(errno));
}

#endif
