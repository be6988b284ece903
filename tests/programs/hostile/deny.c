/*
 * deny landlock|openat2|seccomp... -- COMMAND: runs a command as on a kernel that does not have
 * these.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned call;
} known[] = {
    {"landlock", SYS_landlock_create_ruleset},
    {"openat2", SYS_openat2},
    {"seccomp", SYS_seccomp},
};

int main(int argc, char **argv)
{
    struct sock_filter code[16] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short size = 1;
    int at = 1;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(argv[at], known[i].name) != 0)
                continue;
            code[size++] =
                (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, known[i].call, 0, 1);
            code[size++] =
                (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
        }
    }
    code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {size, code};
    if (at + 1 >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("deny");
        return 1;
    }
    execv(argv[at + 1], argv + at + 1);
    perror(argv[at + 1]);
    return 1;
}
