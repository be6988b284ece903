/* System calls that read clocks and sleep. */
#include "machine/linux/process.h"

#include <errno.h>

static const uint64_t second = UINT64_C(1000000000);

/* Some programs take a time of zero for "never". */
static const uint64_t uptime_at_start = UINT64_C(1000000000);

uint64_t gs_linux_cpu_ns(const gs_linux_process *process)
{
    gs_machine *machine = process->machine;
    uint64_t hz = machine->clock_hz ? machine->clock_hz : second;
    return (uint64_t)((unsigned __int128)gs_machine_show_time(machine) * second / hz);
}

uint64_t gs_linux_monotonic_ns(const gs_linux_process *process)
{
    return uptime_at_start + gs_linux_cpu_ns(process) + process->slept_ns;
}

struct timespec gs_linux_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / second), .tv_nsec = (long)(ns % second)};
}

struct timespec gs_linux_realtime(const gs_linux_process *process)
{
    if (!(process->machine->inherit & GS_INHERIT_CLOCK))
        return gs_linux_timespec(GS_MACHINE_EPOCH * second + gs_linux_cpu_ns(process) +
                                 process->slept_ns);
    process->machine->saw_time = true;
    struct timespec ts = {0}, skipped = gs_linux_timespec(process->skipped_ns);
    clock_gettime(CLOCK_REALTIME, &ts);
    ts.tv_sec += skipped.tv_sec;
    ts.tv_nsec += skipped.tv_nsec;
    if (ts.tv_nsec >= (long)second) {
        ts.tv_nsec -= (long)second;
        ts.tv_sec++;
    }
    return ts;
}

bool gs_linux_to_ns(int64_t seconds, int64_t nanoseconds, uint64_t *ns)
{
    if (seconds < 0 || nanoseconds < 0 || nanoseconds >= (int64_t)second)
        return false;
    unsigned __int128 wide = (unsigned __int128)seconds * second + (uint64_t)nanoseconds;
    *ns = wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;
    return true;
}

/* Clock numbers, the same in all ABIs. */
enum {
    CLOCK_OF_DAY = 0,
    CLOCK_STEADY = 1,
    CLOCK_PROCESS = 2,
    CLOCK_THREAD = 3,
    CLOCK_STEADY_RAW = 4,
    CLOCK_OF_DAY_COARSE = 5,
    CLOCK_STEADY_COARSE = 6,
    CLOCK_BOOT = 7,
    CLOCK_ATOMIC = 11,
};

/* The CPU clock of a process or thread by its number: clock_getcpuclockid(3). */
static bool is_own_cpu_clock(uint32_t id)
{
    uint32_t pid = ~id >> 3 & 0x1fffffff;
    return (int32_t)id < 0 && (id & 3) != 3 && (pid == 0 || pid == GS_LINUX_PID);
}

static bool read_clock(const gs_linux_process *process, uint32_t id, struct timespec *ts)
{
    switch (id) {
    case CLOCK_OF_DAY:
    case CLOCK_OF_DAY_COARSE:
    case CLOCK_ATOMIC: *ts = gs_linux_realtime(process); return true;
    case CLOCK_STEADY:
    case CLOCK_STEADY_RAW:
    case CLOCK_STEADY_COARSE:
    case CLOCK_BOOT: *ts = gs_linux_timespec(gs_linux_monotonic_ns(process)); return true;
    case CLOCK_PROCESS:
    case CLOCK_THREAD: *ts = gs_linux_timespec(gs_linux_cpu_ns(process)); return true;
    default: *ts = gs_linux_timespec(gs_linux_cpu_ns(process)); return is_own_cpu_clock(id);
    }
}

static int64_t get_time(gs_linux_call *call, bool wide)
{
    struct timespec ts;
    if (!read_clock(call->process, call->args[0], &ts))
        return -EINVAL;
    return gs_linux_put_timespec(call, call->args[1], ts, wide);
}

int64_t gs_linux_sys_clock_gettime(gs_linux_call *call)
{
    return get_time(call, false);
}

int64_t gs_linux_sys_clock_gettime64(gs_linux_call *call)
{
    return get_time(call, true);
}

static int64_t get_resolution(gs_linux_call *call, bool wide)
{
    const long tick = (long)(second / GS_LINUX_CLOCK_TICKS);
    struct timespec ts;
    if (!read_clock(call->process, call->args[0], &ts))
        return -EINVAL;
    bool coarse = call->args[0] == CLOCK_OF_DAY_COARSE || call->args[0] == CLOCK_STEADY_COARSE;
    ts = (struct timespec){.tv_nsec = coarse ? tick : 1};
    return call->args[1] ? gs_linux_put_timespec(call, call->args[1], ts, wide) : 0;
}

int64_t gs_linux_sys_clock_getres(gs_linux_call *call)
{
    return get_resolution(call, false);
}

int64_t gs_linux_sys_clock_getres_time64(gs_linux_call *call)
{
    return get_resolution(call, true);
}

static int64_t put_time_of_day(gs_linux_call *call, unsigned seconds_size)
{
    uint8_t bytes[16];
    struct timespec ts = gs_linux_realtime(call->process);
    if (call->args[0]) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        gs_wire_put(&wire, (uint64_t)ts.tv_sec, seconds_size);
        gs_wire_put(&wire, (uint64_t)(ts.tv_nsec / 1000), seconds_size);
        if (gs_linux_put(call, call->args[0], &wire))
            return -EFAULT;
    }
    if (call->args[1]) { /* struct timezone: Greenwich */
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        gs_wire_zero(&wire, 8);
        return gs_linux_put(call, call->args[1], &wire);
    }
    return 0;
}

int64_t gs_linux_sys_gettimeofday(gs_linux_call *call)
{
    return put_time_of_day(call, 4);
}

/* RV32 has no such call; newlib makes it, with the 64-bit seconds of its struct timeval. */
int64_t gs_linux_sys_gettimeofday_newlib(gs_linux_call *call)
{
    return put_time_of_day(call, 8);
}

int64_t gs_linux_sys_time(gs_linux_call *call)
{
    uint32_t now = (uint32_t)gs_linux_realtime(call->process).tv_sec;
    if (call->args[0] && !gs_memory_write32(&call->process->machine->memory, call->args[0], now))
        return -EFAULT;
    return now;
}

int64_t gs_linux_sys_times(gs_linux_call *call)
{
    const uint64_t tick = second / GS_LINUX_CLOCK_TICKS;
    uint32_t cpu = (uint32_t)(gs_linux_cpu_ns(call->process) / tick);
    if (call->args[0]) { /* struct tms: user, system, and the children's */
        uint8_t bytes[16];
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        gs_wire_put32(&wire, cpu);
        gs_wire_zero(&wire, 12);
        if (gs_linux_put(call, call->args[0], &wire))
            return -EFAULT;
    }
    /* A result that looks like an error is one to the guest; the kernel avoids it this way. */
    return gs_linux_monotonic_ns(call->process) / tick & INT32_MAX;
}

/* The remaining time of a sleep until `end` goes to `to` when a signal broke it off. */
static int64_t sleep_until(gs_linux_call *call, uint64_t end, gs_addr to, bool wide)
{
    gs_linux_process *process = call->process;
    if (gs_linux_sleep(process, end, "the end of a sleep"))
        return 0;
    uint64_t now = gs_linux_monotonic_ns(process);
    struct timespec rest = gs_linux_timespec(end > now ? end - now : 0);
    if (to && gs_linux_put_timespec(call, to, rest, wide))
        return -EFAULT;
    return -EINTR;
}

static uint64_t after(const gs_linux_process *process, uint64_t ns)
{
    /* UINT64_MAX is for good, which no sleep with an end is. */
    uint64_t now = gs_linux_monotonic_ns(process);
    return ns < UINT64_MAX - 1 - now ? now + ns : UINT64_MAX - 1;
}

int64_t gs_linux_sys_nanosleep(gs_linux_call *call)
{
    struct timespec ts;
    uint64_t ns;
    if (gs_linux_get_timespec(call, call->args[0], &ts, false))
        return -EFAULT;
    if (!gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, &ns))
        return -EINVAL;
    return sleep_until(call, after(call->process, ns), call->args[1], false);
}

static int64_t clock_sleep(gs_linux_call *call, bool wide)
{
    enum { ABSOLUTE = 1 }; /* TIMER_ABSTIME */
    struct timespec ts, now;
    uint64_t ns, now_ns = 0;
    if (!read_clock(call->process, call->args[0], &now) || call->args[0] == CLOCK_THREAD)
        return -EINVAL;
    if (gs_linux_get_timespec(call, call->args[2], &ts, wide))
        return -EFAULT;
    if (!gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, &ns))
        return -EINVAL;
    bool absolute = call->args[1] & ABSOLUTE;
    if (absolute) {
        gs_linux_to_ns(now.tv_sec, now.tv_nsec, &now_ns);
        ns = ns > now_ns ? ns - now_ns : 0;
    }
    return sleep_until(call, after(call->process, ns), absolute ? 0 : call->args[3], wide);
}

int64_t gs_linux_sys_clock_nanosleep(gs_linux_call *call)
{
    return clock_sleep(call, false);
}

int64_t gs_linux_sys_clock_nanosleep_time64(gs_linux_call *call)
{
    return clock_sleep(call, true);
}
