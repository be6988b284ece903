/*
 * Waiting for files. Without any the wait is a sleep, which takes no time; with files
 * it is the host's, and the guest's clocks move on by as much as it took.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <poll.h>

static const uint64_t forever = UINT64_MAX;

/* Bits of poll(2) that differ: MIPS gives POLLWRBAND the place of POLLWRNORM. */
enum { SAME_BITS = 0xff, GENERIC_WRNORM = 0x100, GENERIC_WRBAND = 0x200, RDHUP = 0x2000 };
enum { MIPS_WRBAND = 0x100 };

static short events_to_host(gs_linux_flavor flavor, unsigned events)
{
    unsigned host = events & SAME_BITS;
    if (flavor == GS_LINUX_MIPS)
        host |= events & MIPS_WRBAND ? POLLWRBAND : 0;
    else
        host |=
            (events & GENERIC_WRNORM ? POLLWRNORM : 0) | (events & GENERIC_WRBAND ? POLLWRBAND : 0);
    return (short)(host | (events & RDHUP ? POLLRDHUP : 0));
}

static unsigned events_to_guest(gs_linux_flavor flavor, short host)
{
    unsigned events = (unsigned)host & SAME_BITS;
    if (flavor == GS_LINUX_MIPS)
        events |= host & POLLWRBAND ? MIPS_WRBAND : 0;
    else
        events |=
            (host & POLLWRNORM ? GENERIC_WRNORM : 0) | (host & POLLWRBAND ? GENERIC_WRBAND : 0);
    return events | (host & POLLRDHUP ? RDHUP : 0);
}

/* A wait in nanoseconds into an absolute time. */
static uint64_t deadline(const gs_linux_process *process, uint64_t ns)
{
    uint64_t now = gs_linux_monotonic_ns(process);
    if (ns == forever)
        return forever;
    return ns < forever - 1 - now ? now + ns : forever - 1;
}

static uint64_t host_ns(void)
{
    struct timespec ts = {0};
    uint64_t ns = 0;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, &ns);
    return ns;
}

/* poll(2) on the host: number of ready files, or a negative errno, or RESTART. */
static int64_t wait_for(gs_linux_process *process, struct pollfd *fds, nfds_t count, uint64_t ns)
{
    int ready = poll(fds, count, 0);
    bool any = false;
    if (ready != 0 || ns == 0)
        return gs_linux_host_result(ready);
    for (nfds_t i = 0; i < count; i++)
        any |= fds[i].fd >= 0;
    uint64_t end = deadline(process, ns);
    if (!any)
        return gs_linux_sleep(process, end, "a signal") ? 0 : -EINTR;
    for (;;) {
        uint64_t now = gs_linux_monotonic_ns(process);
        uint64_t alarm = process->timers[GS_LINUX_TIMER_REAL].deadline;
        uint64_t wake = alarm && alarm < end ? alarm : end;
        if (gs_linux_deliverable(process))
            return -EINTR;
        if (now >= end)
            return 0;
        uint64_t before = host_ns();
        struct timespec limit = gs_linux_timespec(wake > now ? wake - now : 0);
        ready = ppoll(fds, count, wake == forever ? NULL : &limit, NULL);
        if (ready != 0) {
            int error = errno;
            process->slept_ns += host_ns() - before;
            errno = error;
            return gs_linux_host_result(ready);
        }
        process->slept_ns += wake > now ? wake - now : 0;
        gs_linux_timers_run(process);
    }
}

static int64_t poll_files(gs_linux_call *call, uint64_t ns)
{
    gs_linux_process *process = call->process;
    const gs_linux_flavor flavor = process->abi->flavor;
    struct pollfd fds[GS_LINUX_FD_MAX];
    uint32_t count = call->args[1];
    gs_addr at = call->args[0];
    uint8_t bytes[8];
    if (count > GS_LINUX_FD_MAX)
        return -EINVAL;
    unsigned invalid = 0;
    for (uint32_t i = 0; i < count; i++) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        if (gs_linux_get(call, at + 8 * i, &wire))
            return -EFAULT;
        uint32_t fd = gs_wire_take32(&wire);
        const gs_linux_fd *entry = gs_linux_fd_get(process, fd);
        fds[i] = (struct pollfd){.fd = entry ? entry->host : -1,
                                 .events = events_to_host(flavor, (unsigned)gs_wire_take(&wire, 2)),
                                 .revents = 0};
        invalid += !entry && (int32_t)fd >= 0;
    }
    int64_t ready = wait_for(process, fds, count, invalid ? 0 : ns);
    if (ready < 0)
        return ready;
    ready = 0;
    for (uint32_t i = 0; i < count; i++) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        if (gs_linux_get(call, at + 8 * i, &wire))
            return -EFAULT;
        uint32_t fd = gs_wire_take32(&wire);
        unsigned revents = events_to_guest(flavor, fds[i].fd >= 0 ? fds[i].revents : 0);
        if (fds[i].fd < 0 && (int32_t)fd >= 0)
            revents = POLLNVAL;
        wire.at = 6;
        gs_wire_put16(&wire, revents);
        if (gs_linux_put(call, at + 8 * i, &wire))
            return -EFAULT;
        ready += revents != 0;
    }
    return ready;
}

int64_t gs_linux_sys_poll(gs_linux_call *call)
{
    const uint64_t millisecond = 1000000;
    int32_t timeout = (int32_t)call->args[2];
    return poll_files(call, timeout < 0 ? forever : (uint64_t)timeout * millisecond);
}

/* The timeout of ppoll and pselect6: 0 or a negative errno. */
static int get_timeout(gs_linux_call *call, gs_addr from, bool wide, uint64_t *ns)
{
    struct timespec ts;
    *ns = forever;
    if (from == 0)
        return 0;
    if (gs_linux_get_timespec(call, from, &ts, wide))
        return -EFAULT;
    return gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, ns) ? 0 : -EINVAL;
}

/* Before ppoll and pselect6: their signal mask, if they have one. 0 or a negative errno. */
static int use_mask(gs_linux_call *call, gs_addr from, uint32_t size)
{
    gs_linux_sigset set;
    if (from == 0)
        return 0;
    int status = gs_linux_get_sigset(call, from, size, &set);
    if (status == 0)
        gs_linux_set_temporary_mask(call->process, &set);
    return status;
}

/* After them: the old mask at once, unless a signal is to be delivered under the new one. */
static int64_t leave_mask(gs_linux_call *call, int64_t result)
{
    gs_linux_signals *signals = &call->process->signals;
    if (signals->restore_mask && result != -EINTR) {
        signals->restore_mask = false;
        signals->blocked = signals->saved_mask;
    }
    return result;
}

static int64_t ppoll_files(gs_linux_call *call, bool wide)
{
    uint64_t ns;
    int status = get_timeout(call, call->args[2], wide, &ns);
    if (status == 0)
        status = use_mask(call, call->args[3], call->args[4]);
    return status ? status : leave_mask(call, poll_files(call, ns));
}

int64_t gs_linux_sys_ppoll(gs_linux_call *call)
{
    return ppoll_files(call, false);
}

int64_t gs_linux_sys_ppoll_time64(gs_linux_call *call)
{
    return ppoll_files(call, true);
}

/* The three sets of select(2): arrays of 32-bit words. */
enum { SETS = 3, SET_WORDS = GS_LINUX_FD_MAX / 32 };
typedef struct select_sets {
    uint32_t words[SETS][SET_WORDS];
} select_sets;

/* What readiness means for each set, as the kernel sees it. */
static const short set_events[SETS] = {POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM, POLLPRI};
static const short set_ready[SETS] = {POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR,
                                      POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR, POLLPRI};

static int get_sets(gs_linux_call *call, uint32_t count, select_sets *sets)
{
    const gs_memory *memory = &call->process->machine->memory;
    for (unsigned s = 0; s < SETS; s++) {
        gs_addr from = call->args[1 + s];
        for (uint32_t i = 0; from && i < (count + 31) / 32; i++) {
            if (!gs_memory_read32(memory, from + 4 * i, &sets->words[s][i]))
                return -EFAULT;
        }
    }
    return 0;
}

static int put_sets(gs_linux_call *call, uint32_t count, const select_sets *sets)
{
    gs_memory *memory = &call->process->machine->memory;
    for (unsigned s = 0; s < SETS; s++) {
        gs_addr to = call->args[1 + s];
        for (uint32_t i = 0; to && i < (count + 31) / 32; i++) {
            if (!gs_memory_write32(memory, to + 4 * i, sets->words[s][i]))
                return -EFAULT;
        }
    }
    return 0;
}

static int64_t select_files(gs_linux_call *call, uint64_t ns)
{
    gs_linux_process *process = call->process;
    uint32_t count = call->args[0];
    select_sets sets = {{{0}}}, results = {{{0}}};
    struct pollfd fds[GS_LINUX_FD_MAX];
    if ((int32_t)count < 0)
        return -EINVAL;
    if (count > GS_LINUX_FD_MAX)
        count = GS_LINUX_FD_MAX;
    if (get_sets(call, count, &sets))
        return -EFAULT;
    for (uint32_t fd = 0; fd < count; fd++) {
        fds[fd] = (struct pollfd){.fd = -1};
        for (unsigned s = 0; s < SETS; s++) {
            if (!(sets.words[s][fd / 32] >> fd % 32 & 1))
                continue;
            const gs_linux_fd *entry = gs_linux_fd_get(process, fd);
            if (!entry)
                return -EBADF;
            fds[fd].fd = entry->host;
            fds[fd].events = (short)(fds[fd].events | set_events[s]);
        }
    }
    int64_t ready = wait_for(process, fds, count, ns);
    if (ready < 0)
        return ready;
    ready = 0;
    for (uint32_t fd = 0; fd < count; fd++) {
        for (unsigned s = 0; s < SETS; s++) {
            bool wanted = sets.words[s][fd / 32] >> fd % 32 & 1;
            if (fds[fd].fd >= 0 && wanted && fds[fd].revents & set_ready[s]) {
                results.words[s][fd / 32] |= 1u << fd % 32;
                ready++;
            }
        }
    }
    int status = put_sets(call, count, &results);
    return status ? status : ready;
}

/* select(2) proper has a struct timeval, and puts what is left of it back. */
int64_t gs_linux_sys__newselect(gs_linux_call *call)
{
    struct timespec ts;
    uint64_t ns = forever;
    if (call->args[4]) {
        if (gs_linux_get_timespec(call, call->args[4], &ts, false))
            return -EFAULT;
        if (ts.tv_sec < 0 || ts.tv_nsec < 0 ||
            !gs_linux_to_ns(ts.tv_sec + ts.tv_nsec / 1000000, ts.tv_nsec % 1000000 * 1000, &ns))
            return -EINVAL;
    }
    uint64_t end = deadline(call->process, ns);
    int64_t result = select_files(call, ns);
    if (call->args[4] && (result >= 0 || result == -EINTR)) {
        uint64_t now = gs_linux_monotonic_ns(call->process);
        struct timespec left = gs_linux_timespec(end > now && result != 0 ? end - now : 0);
        left.tv_nsec /= 1000;
        (void)gs_linux_put_timespec(call, call->args[4], left, false);
    }
    return result;
}

static int64_t pselect_files(gs_linux_call *call, bool wide)
{
    uint64_t ns;
    uint32_t mask_addr = 0, mask_size = 0;
    int status = get_timeout(call, call->args[4], wide, &ns);
    if (status)
        return status;
    if (call->args[5]) { /* a pointer to the address and the size of the mask */
        const gs_memory *memory = &call->process->machine->memory;
        if (!gs_memory_read32(memory, call->args[5], &mask_addr) ||
            !gs_memory_read32(memory, call->args[5] + 4, &mask_size))
            return -EFAULT;
        status = use_mask(call, mask_addr, mask_size);
        if (status)
            return status;
    }
    return leave_mask(call, select_files(call, ns));
}

int64_t gs_linux_sys_pselect6(gs_linux_call *call)
{
    return pselect_files(call, false);
}

int64_t gs_linux_sys_pselect6_time64(gs_linux_call *call)
{
    return pselect_files(call, true);
}
