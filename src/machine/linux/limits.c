/* System calls for resource limits. */
#include "machine/linux/process.h"

#include <errno.h>

/* MIPS numbers the limits from 5 to 9 in its own way. */
static bool limit_index(const gs_linux_call *call, uint32_t number, unsigned *index)
{
    static const uint8_t from_mips[] = {0, 1, 2, 3, 4, 7, 9, 5, 6, 8};
    if (number >= GS_LINUX_LIMITS)
        return false;
    bool differs = call->process->abi->flavor == GS_LINUX_MIPS && number < sizeof from_mips;
    *index = differs ? from_mips[number] : number;
    return true;
}

/* The largest number there is stands for no limit; MIPS's old calls stop at the sign bit. */
static uint64_t unlimited(const gs_linux_call *call, bool wide)
{
    if (wide)
        return UINT64_MAX;
    return call->process->abi->flavor == GS_LINUX_MIPS ? INT32_MAX : UINT32_MAX;
}

static int put_limit(const gs_linux_call *call, gs_addr to, gs_linux_limit limit, bool wide)
{
    uint8_t bytes[16];
    uint64_t none = unlimited(call, wide);
    unsigned size = wide ? 8 : 4;
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put(&wire, limit.soft < none ? limit.soft : none, size);
    gs_wire_put(&wire, limit.hard < none ? limit.hard : none, size);
    return gs_linux_put(call, to, &wire);
}

static int get_limit(const gs_linux_call *call, gs_addr from, gs_linux_limit *limit, bool wide)
{
    uint8_t bytes[16];
    uint64_t none = unlimited(call, wide);
    unsigned size = wide ? 8 : 4;
    gs_wire wire = gs_linux_wire(call, bytes, 2 * (size_t)size);
    if (gs_linux_get(call, from, &wire))
        return -EFAULT;
    limit->soft = gs_wire_take(&wire, size);
    limit->hard = gs_wire_take(&wire, size);
    if (limit->soft >= none)
        limit->soft = GS_LINUX_UNLIMITED;
    if (limit->hard >= none)
        limit->hard = GS_LINUX_UNLIMITED;
    return 0;
}

static int64_t change_limit(gs_linux_call *call, uint32_t number, gs_addr next_addr,
                            gs_addr old_addr, bool wide)
{
    unsigned index;
    gs_linux_limit next;
    if (!limit_index(call, number, &index))
        return -EINVAL;
    gs_linux_limit *limit = &call->process->limits[index], old = *limit;
    if (next_addr) {
        if (get_limit(call, next_addr, &next, wide))
            return -EFAULT;
        if (next.soft > next.hard)
            return -EINVAL;
        if (next.hard > limit->hard)
            return -EPERM;
        *limit = next;
    }
    return old_addr ? put_limit(call, old_addr, old, wide) : 0;
}

int64_t gs_linux_sys_getrlimit(gs_linux_call *call)
{
    return change_limit(call, call->args[0], 0, call->args[1], false);
}

int64_t gs_linux_sys_setrlimit(gs_linux_call *call)
{
    return change_limit(call, call->args[0], call->args[1], 0, false);
}

int64_t gs_linux_sys_prlimit64(gs_linux_call *call)
{
    if (call->args[0] != 0 && call->args[0] != GS_LINUX_PID)
        return -ESRCH;
    return change_limit(call, call->args[1], call->args[2], call->args[3], true);
}
