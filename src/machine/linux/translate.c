/* Flags, errors and signals by their numbers on guest and host. */
#include "machine/linux/abi.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/sysmacros.h>

static const struct {
    int host;
    uint16_t guest[GS_LINUX_FLAVORS];
} errnos[] = {
#define ERRNO(name, generic, mips) {name, {generic, mips}},
#include "machine/linux/errnos.def"
#undef ERRNO
};

int gs_linux_errno(gs_linux_flavor flavor, int host_errno)
{
    for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++) {
        if (errnos[i].host == host_errno)
            return errnos[i].guest[flavor];
    }
    return gs_linux_errno(flavor, EIO);
}

/* O_SYNC is two bits, one of which is O_DSYNC. */
#define HOST_SYNC_BIT (O_SYNC & ~O_DSYNC)

#ifdef O_TMPFILE
#define HOST_TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)
#else
#define HOST_TMPFILE_BIT 0
#endif

/* The access mode is in the lowest two bits everywhere. O_LARGEFILE means nothing to a 64-bit
 * host. Close-on-exec is kept in the table of descriptors, not here. */
static const struct {
    int host;
    uint32_t guest[GS_LINUX_FLAVORS];
} open_flags[] = {
    {O_CREAT, {0x40, 0x100}},         {O_EXCL, {0x80, 0x400}},
    {O_NOCTTY, {0x100, 0x800}},       {O_TRUNC, {0x200, 0x200}},
    {O_APPEND, {0x400, 0x8}},         {O_NONBLOCK, {0x800, 0x80}},
    {O_DSYNC, {0x1000, 0x10}},        {O_ASYNC, {0x2000, 0x1000}},
    {O_DIRECT, {0x4000, 0x8000}},     {O_DIRECTORY, {0x10000, 0x10000}},
    {O_NOFOLLOW, {0x20000, 0x20000}}, {O_NOATIME, {0x40000, 0x40000}},
    {O_CLOEXEC, {0x80000, 0x80000}},  {HOST_SYNC_BIT, {0x100000, 0x4000}},
    {O_PATH, {0x200000, 0x200000}},   {HOST_TMPFILE_BIT, {0x400000, 0x400000}},
};

int gs_linux_open_flags_to_host(gs_linux_flavor flavor, uint32_t flags)
{
    int host = (int)(flags & O_ACCMODE);
    for (size_t i = 0; i < sizeof open_flags / sizeof *open_flags; i++) {
        if (flags & open_flags[i].guest[flavor])
            host |= open_flags[i].host;
    }
    return host;
}

uint32_t gs_linux_open_flags(gs_linux_flavor flavor, int host_flags)
{
    uint32_t flags = (uint32_t)host_flags & O_ACCMODE;
    for (size_t i = 0; i < sizeof open_flags / sizeof *open_flags; i++) {
        if (host_flags & open_flags[i].host)
            flags |= open_flags[i].guest[flavor];
    }
    return flags;
}

/* 0: there is no such signal. */
const gs_linux_signal_row gs_linux_signal_rows[] = {
    {"SIGHUP", SIGHUP, {1, 1}},     {"SIGINT", SIGINT, {2, 2}},
    {"SIGQUIT", SIGQUIT, {3, 3}},   {"SIGILL", SIGILL, {4, 4}},
    {"SIGTRAP", SIGTRAP, {5, 5}},   {"SIGABRT", SIGABRT, {6, 6}},
    {"SIGBUS", SIGBUS, {7, 10}},    {"SIGFPE", SIGFPE, {8, 8}},
    {"SIGKILL", SIGKILL, {9, 9}},   {"SIGUSR1", SIGUSR1, {10, 16}},
    {"SIGSEGV", SIGSEGV, {11, 11}}, {"SIGUSR2", SIGUSR2, {12, 17}},
    {"SIGPIPE", SIGPIPE, {13, 13}}, {"SIGALRM", SIGALRM, {14, 14}},
    {"SIGTERM", SIGTERM, {15, 15}}, {"SIGSTKFLT", SIGSTKFLT, {16, 0}},
    {"SIGCHLD", SIGCHLD, {17, 18}}, {"SIGCONT", SIGCONT, {18, 25}},
    {"SIGSTOP", SIGSTOP, {19, 23}}, {"SIGTSTP", SIGTSTP, {20, 24}},
    {"SIGTTIN", SIGTTIN, {21, 26}}, {"SIGTTOU", SIGTTOU, {22, 27}},
    {"SIGURG", SIGURG, {23, 21}},   {"SIGXCPU", SIGXCPU, {24, 30}},
    {"SIGXFSZ", SIGXFSZ, {25, 31}}, {"SIGVTALRM", SIGVTALRM, {26, 28}},
    {"SIGPROF", SIGPROF, {27, 29}}, {"SIGWINCH", SIGWINCH, {28, 20}},
    {"SIGIO", SIGIO, {29, 22}},     {"SIGPWR", SIGPWR, {30, 19}},
    {"SIGSYS", SIGSYS, {31, 12}},   {"SIGEMT", SIGTRAP, {0, 7}},
};
const size_t gs_linux_signal_row_count = sizeof gs_linux_signal_rows / sizeof *gs_linux_signal_rows;

uint32_t gs_linux_device(uint64_t host_device)
{
    uint32_t high = major(host_device), low = minor(host_device);
    return (low & 0xff) | high << 8 | (low & ~0xffu) << 12;
}

uint64_t gs_linux_file_number(uint64_t host_number)
{
    return (host_number ^ host_number >> 32) & UINT32_MAX;
}
