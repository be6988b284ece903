/* The process and its limits, and calls that must fail cleanly. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static void result(const char *what, long value)
{
    if (value < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, value);
}

static void identity(void)
{
    printf("pid %d tid %d\n", getpid() > 0, syscall(SYS_gettid) == getpid());
    printf("ids %d %d\n", getuid() == geteuid(), getgid() == getegid());
    uid_t r, e, s;
    printf("resuid %d %d\n", getresuid(&r, &e, &s), r == getuid() && e == geteuid());
    result("setuid", setuid(getuid()));
    result("setpgid", setpgid(0, 0) <= 0 ? 0 : 1);
    printf("groups %d\n", getgroups(0, NULL) >= 0);
    result("wait", wait(NULL));
    struct utsname u;
    result("uname", uname(&u));
    printf("%s %s\n", u.sysname, u.machine);
    char name[17] = "";
    result("set name", prctl(PR_SET_NAME, "a name that is too long"));
    prctl(PR_GET_NAME, name);
    printf("%s\n", name);
    result("bad prctl", prctl(12345, 0));
    result("host name", gethostname(name, 1) < 0 || name[0] != 0 ? 0 : 0);
}

static void limits(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    printf("stack %d\n", limit.rlim_cur >= 1 << 20);
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("files %d\n", limit.rlim_cur >= 64);
    limit.rlim_cur = 20;
    result("set files", setrlimit(RLIMIT_NOFILE, &limit));
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("files %ld\n", (long)limit.rlim_cur);
    int last = 0, fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0)
        last = fd;
    printf("last %d: %s\n", last, strerror(errno));
    result("dup", dup(0));
    for (fd = 3; fd <= last; fd++)
        close(fd);
    limit.rlim_cur = limit.rlim_max;
    result("more files", setrlimit(RLIMIT_NOFILE, &limit));
    getrlimit(RLIMIT_CORE, &limit);
    result("bad limit", getrlimit(77, &limit));
    limit.rlim_cur = 2, limit.rlim_max = 1;
    result("upside down", setrlimit(RLIMIT_CPU, &limit));
    struct rlimit64 wide;
    result("prlimit", prlimit64(0, RLIMIT_FSIZE, NULL, &wide));
    printf("unlimited %d\n", wide.rlim_cur == RLIM64_INFINITY);
    printf("page %ld, ticks %ld, open %d\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK),
           sysconf(_SC_OPEN_MAX) > 0);
    struct sysinfo info;
    result("sysinfo", sysinfo(&info));
    printf("memory %d unit %d\n", info.totalram > 0, info.mem_unit > 0);
    cpu_set_t set;
    result("affinity", sched_getaffinity(0, sizeof set, &set));
    printf("cpus %d\n", CPU_COUNT(&set) >= 1);
    result("yield", sched_yield());
    result("max", sched_get_priority_max(SCHED_FIFO));
    result("min", sched_get_priority_min(SCHED_FIFO));
    result("scheduler", sched_getscheduler(0));
    errno = 0;
    printf("nice %d\n", getpriority(PRIO_PROCESS, 0));
    unsigned char random[64] = {0};
    result("random", getrandom(random, sizeof random, 0));
    int different = 0;
    for (int i = 1; i < 64; i++)
        different += random[i] != random[0];
    printf("varied %d\n", different > 50);
    result("random flags", getrandom(random, sizeof random, 0x100));
}

static void futexes(void)
{
    int word = 5;
    struct timespec moment = {0, 1000000};
    result("wake", syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL));
    result("wait for another value", syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL));
    result("wait", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &moment));
    result("wait nowhere", syscall(SYS_futex, 4, FUTEX_WAIT, 5, &moment));
    result("misaligned", syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 5, &moment));
}

/* Addresses that cannot be, in every place where one goes. */
static void bad_addresses(void)
{
    char *const nowhere = (char *)0x00001234;
    char *const end = (char *)0x7ffffff0;
    char text[64];
    int fd = open("/dev/zero", O_RDWR);
    result("stat", syscall(SYS_stat64, "/", nowhere));
    result("stat path", syscall(SYS_stat64, nowhere, text));
    result("read end", read(fd, end, 4096));
    result("write end", write(fd, end, 4096));
    result("read all", read(fd, text, 0));
    struct iovec bad[] = {{text, 10}, {nowhere, 10}};
    result("readv partly", readv(fd, bad, 2));
    result("writev partly", writev(fd, bad, 2));
    result("readv negative count", readv(fd, bad, -1));
    result("readv nowhere", syscall(SYS_readv, fd, nowhere, 2));
    result("getcwd", syscall(SYS_getcwd, nowhere, 4096));
    result("uname", syscall(SYS_uname, nowhere));
    result("pipe2", syscall(SYS_pipe2, nowhere, 0));
    result("sigaction", syscall(SYS_rt_sigaction, SIGUSR1, nowhere, 0, 16));
    result("sigaction size", syscall(SYS_rt_sigaction, SIGUSR1, 0, 0, 3));
    result("sigprocmask", syscall(SYS_rt_sigprocmask, SIG_BLOCK, nowhere, 0, 16));
    result("poll", syscall(SYS_poll, nowhere, 3, 0));
    result("select", syscall(SYS__newselect, 10, nowhere, 0, 0, 0));
    result("getdents", syscall(SYS_getdents64, open(".", O_RDONLY), nowhere, 4096));
    result("readlink", readlink("/proc/self/exe", nowhere, 100));
    result("rlimit", syscall(SYS_getrlimit, RLIMIT_CPU, nowhere));
    result("rusage", syscall(SYS_getrusage, 0, nowhere));
    result("random", syscall(SYS_getrandom, nowhere, 16, 0));
    result("gettimeofday", syscall(SYS_gettimeofday, nowhere, 0));
    result("mmap", syscall(SYS_mmap2, 0, 0, 3, 0x802, -1, 0));
    result("utimensat", syscall(SYS_utimensat, AT_FDCWD, "/", nowhere, 0));
    result("symlink", symlink(nowhere, "x"));
    result("rename", rename("x", nowhere));
    result("indirect", syscall(SYS_getpid) == syscall(4000 /* syscall */, SYS_getpid));
    close(fd);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    identity();
    limits();
    futexes();
    bad_addresses();
    char here[2];
    printf("stdin %ld\n", (long)read(0, here, 2));
    int own = open("/dev/stdout", O_WRONLY);
    fflush(stdout);
    result("own", write(own, "through /dev/stdout\n", 20));
    own = open("/proc/self/fd/1", O_WRONLY);
    result("own", write(own, "through /proc\n", 14));
    return 0;
}
