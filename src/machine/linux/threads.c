/*
 * What a program with one thread wants of the scheduler and of futexes.
 */
#include "machine/linux/process.h"

#include <errno.h>

/* Waits for another thread to wake this one; there is no other thread. */
static int64_t futex_wait(gs_linux_call *call, bool wide, bool absolute, bool realtime)
{
    gs_linux_process *process = call->process;
    uint32_t value;
    uint64_t end = UINT64_MAX;
    if (!gs_memory_read32(&process->machine->memory, call->args[0], &value))
        return -EFAULT;
    if (value != call->args[2])
        return -EAGAIN;
    if (call->args[3]) {
        struct timespec ts, now = gs_linux_realtime(process);
        uint64_t ns, start = gs_linux_monotonic_ns(process), base = start;
        if (gs_linux_get_timespec(call, call->args[3], &ts, wide))
            return -EFAULT;
        if (!gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, &ns))
            return -EINVAL;
        if (absolute && realtime)
            gs_linux_to_ns(now.tv_sec, now.tv_nsec, &base);
        if (absolute)
            ns = ns > base ? ns - base : 0;
        end = ns < UINT64_MAX - 1 - start ? start + ns : UINT64_MAX - 1;
    }
    return gs_linux_sleep(process, end, "another thread") ? -ETIMEDOUT : -EINTR;
}

static int64_t futex(gs_linux_call *call, bool wide)
{
    enum { WAIT, WAKE, REQUEUE = 3, CMP_REQUEUE, WAKE_OP, WAIT_BITSET = 9, WAKE_BITSET = 10 };
    enum { OPERATION = 127, CLOCK_REALTIME_BIT = 256 };
    gs_memory *memory = &call->process->machine->memory;
    bool realtime = call->args[1] & CLOCK_REALTIME_BIT;
    uint32_t value;
    if (call->args[0] & 3)
        return -EINVAL;
    switch (call->args[1] & OPERATION) {
    case WAIT: return futex_wait(call, wide, false, false);
    case WAIT_BITSET: return call->args[5] ? futex_wait(call, wide, true, realtime) : -EINVAL;
    case WAKE:
    case WAKE_BITSET:
    case REQUEUE: return gs_memory_read32(memory, call->args[0], &value) ? 0 : -EFAULT;
    case CMP_REQUEUE:
        if (!gs_memory_read32(memory, call->args[0], &value))
            return -EFAULT;
        return value == call->args[5] ? 0 : -EAGAIN;
    default: return -ENOSYS;
    }
}

int64_t gs_linux_sys_futex(gs_linux_call *call)
{
    return futex(call, false);
}

int64_t gs_linux_sys_futex_time64(gs_linux_call *call)
{
    return futex(call, true);
}

int64_t gs_linux_sys_sched_getaffinity(gs_linux_call *call)
{
    const uint32_t first_cpu = 1;
    if (call->args[0] != 0 && call->args[0] != GS_LINUX_PID)
        return -ESRCH;
    if (call->args[1] < 4 || call->args[1] & 3)
        return -EINVAL;
    return gs_memory_write32(&call->process->machine->memory, call->args[2], first_cpu) ? 4
                                                                                        : -EFAULT;
}

int64_t gs_linux_sys_sched_getparam(gs_linux_call *call)
{
    return gs_memory_write32(&call->process->machine->memory, call->args[1], 0) ? 0 : -EFAULT;
}

enum { POLICY_FIFO = 1, POLICY_ROUND_ROBIN = 2, POLICY_LAST = 6 };

int64_t gs_linux_sys_sched_get_priority_max(gs_linux_call *call)
{
    uint32_t policy = call->args[0];
    if (policy > POLICY_LAST)
        return -EINVAL;
    return policy == POLICY_FIFO || policy == POLICY_ROUND_ROBIN ? 99 : 0;
}

int64_t gs_linux_sys_sched_get_priority_min(gs_linux_call *call)
{
    uint32_t policy = call->args[0];
    if (policy > POLICY_LAST)
        return -EINVAL;
    return policy == POLICY_FIFO || policy == POLICY_ROUND_ROBIN ? 1 : 0;
}

int64_t gs_linux_sys_getcpu(gs_linux_call *call)
{
    gs_memory *memory = &call->process->machine->memory;
    for (unsigned i = 0; i < 2; i++) {
        if (call->args[i] && !gs_memory_write32(memory, call->args[i], 0))
            return -EFAULT;
    }
    return 0;
}

/* MEMBARRIER_CMD_QUERY finds none, the others are not asked for then. */
int64_t gs_linux_sys_membarrier(gs_linux_call *call)
{
    return call->args[0] == 0 ? 0 : -EINVAL;
}
