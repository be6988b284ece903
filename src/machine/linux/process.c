/*
 * The process itself: what it is called, what it may use, how it ends.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int64_t gs_linux_sys_exit(gs_linux_call *call)
{
    gs_exit end = {.kind = GS_EXIT_CODE, .code = (int)(call->args[0] & 0xff)};
    gs_machine_end(call->process->machine, end);
    return GS_LINUX_NO_RESULT;
}

/* For calls that succeed without doing anything, as they only advise. */
int64_t gs_linux_sys_ignore(gs_linux_call *call)
{
    (void)call;
    return 0;
}

/* For calls that programs try first and can do without. */
int64_t gs_linux_sys_absent(gs_linux_call *call)
{
    (void)call;
    return -ENOSYS;
}

/* For calls that take more rights than a user has. */
int64_t gs_linux_sys_forbid(gs_linux_call *call)
{
    (void)call;
    return -EPERM;
}

int64_t gs_linux_sys_no_child(gs_linux_call *call)
{
    (void)call;
    return -ECHILD;
}

int64_t gs_linux_sys_getpid(gs_linux_call *call)
{
    (void)call;
    return GS_LINUX_PID;
}

int64_t gs_linux_sys_getppid(gs_linux_call *call)
{
    (void)call;
    return GS_LINUX_PPID;
}

static bool is_self(uint32_t pid)
{
    return pid == 0 || pid == GS_LINUX_PID;
}

/* The process leads its group and its session. */
int64_t gs_linux_sys_getpgid(gs_linux_call *call)
{
    return is_self(call->args[0]) ? GS_LINUX_PID : -ESRCH;
}

int64_t gs_linux_sys_setpgid(gs_linux_call *call)
{
    if (!is_self(call->args[0]))
        return -ESRCH;
    return is_self(call->args[1]) ? 0 : -EPERM;
}

/* struct new_utsname: six strings of 65 bytes. */
int64_t gs_linux_sys_uname(gs_linux_call *call)
{
    enum { FIELD = 65, FIELDS = 6 };
    const char *texts[FIELDS] = {
        "Linux", "gumshoe", "5.15.0", "#1 SMP", call->process->abi->machine, "(none)"};
    char bytes[FIELDS][FIELD] = {{0}};
    for (unsigned i = 0; i < FIELDS; i++)
        strncpy(bytes[i], texts[i], FIELD - 1);
    return gs_memory_write(&call->process->machine->memory, call->args[0], bytes, sizeof bytes)
               ? 0
               : -EFAULT;
}

/* struct sysinfo of a machine that has nothing else to do. */
int64_t gs_linux_sys_sysinfo(gs_linux_call *call)
{
    const uint64_t second = UINT64_C(1000000000), memory_bytes = UINT64_C(1) << 31;
    uint8_t bytes[64];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put32(&wire, gs_linux_monotonic_ns(call->process) / second);
    gs_wire_zero(&wire, 12); /* load averages */
    gs_wire_put32(&wire, memory_bytes);
    gs_wire_put32(&wire, memory_bytes / 2);
    gs_wire_zero(&wire, 16); /* shared and buffers; swap */
    gs_wire_put16(&wire, 1); /* processes */
    gs_wire_zero(&wire, 2 + 8);
    gs_wire_put32(&wire, 1); /* bytes per unit of memory */
    gs_wire_zero(&wire, 8);
    return gs_linux_put(call, call->args[0], &wire);
}

/* struct rusage: CPU time is all user time. */
int64_t gs_linux_sys_getrusage(gs_linux_call *call)
{
    const uint64_t second = UINT64_C(1000000000);
    uint8_t bytes[72];
    int32_t who = (int32_t)call->args[0];
    if (who < -1 || who > 1)
        return -EINVAL;
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    uint64_t cpu = who == -1 ? 0 : gs_linux_cpu_ns(call->process);
    gs_wire_put32(&wire, cpu / second);
    gs_wire_put32(&wire, cpu % second / 1000);
    gs_wire_zero(&wire, sizeof bytes - wire.at);
    return gs_linux_put(call, call->args[1], &wire);
}

int64_t gs_linux_sys_personality(gs_linux_call *call)
{
    (void)call;
    return 0; /* PER_LINUX */
}

/* The kernel counts from 20 down, so that the result is never negative. */
int64_t gs_linux_sys_getpriority(gs_linux_call *call)
{
    (void)call;
    return 20;
}

int64_t gs_linux_sys_prctl(gs_linux_call *call)
{
    enum {
        SET_DEATH_SIGNAL = 1,
        GET_DUMPABLE = 3,
        SET_DUMPABLE = 4,
        SET_NAME = 15,
        GET_NAME = 16,
        SET_NO_NEW_PRIVILEGES = 38,
        GET_NO_NEW_PRIVILEGES = 39,
        SET_FP_MODE = 45,
        GET_FP_MODE = 46,
    };
    gs_linux_process *process = call->process;
    gs_memory *memory = &process->machine->memory;
    bool mips = process->abi->flavor == GS_LINUX_MIPS;
    bool fp_mode = process->machine->hart.mips.cp0_status & GS_MIPS_STATUS_FR;
    switch (call->args[0]) {
    case SET_DEATH_SIGNAL:
    case SET_DUMPABLE:
    case SET_NO_NEW_PRIVILEGES:
    case GET_NO_NEW_PRIVILEGES: return 0;
    case GET_DUMPABLE: return 1;
    case SET_NAME: {
        char name[sizeof process->name] = {0};
        for (size_t i = 0; i + 1 < sizeof name; i++) {
            if (!gs_memory_read(memory, call->args[1] + (gs_addr)i, &name[i], 1))
                return -EFAULT;
            if (name[i] == '\0')
                break;
        }
        memcpy(process->name, name, sizeof name);
        return 0;
    }
    case GET_NAME:
        return gs_memory_write(memory, call->args[1], process->name, sizeof process->name)
                   ? 0
                   : -EFAULT;
    /* Floating point registers have 64 bits or 32, and it stays so. */
    case SET_FP_MODE: return !mips ? -EINVAL : call->args[1] == fp_mode ? 0 : -EOPNOTSUPP;
    case GET_FP_MODE: return mips ? fp_mode : -EINVAL;
    default: return -EINVAL;
    }
}

int64_t gs_linux_sys_set_tid_address(gs_linux_call *call)
{
    call->process->clear_tid = call->args[0];
    return GS_LINUX_PID;
}

/* MIPS: the thread pointer, which `rdhwr $29` reads. */
int64_t gs_linux_sys_set_thread_area(gs_linux_call *call)
{
    call->process->machine->hart.mips.userlocal = call->args[0];
    return 0;
}

/* MIPS: a few calls from before they had numbers. Decoded code is never stale, so flushing
 * caches is nothing to do. */
int64_t gs_linux_sys_sysmips(gs_linux_call *call)
{
    enum { FLUSH_CACHE = 3, FIX_ALIGNMENT = 7, ATOMIC_SET = 2001 };
    gs_memory *memory = &call->process->machine->memory;
    switch (call->args[0]) {
    case FLUSH_CACHE:
    case FIX_ALIGNMENT: return 0;
    case ATOMIC_SET: {
        /* The result is the old value, which may be anything: never an error. */
        gs_hart *hart = &call->process->machine->hart;
        enum { V0 = 2, A3 = 7 };
        uint32_t old;
        if (call->args[1] & 3 || !gs_memory_read32(memory, call->args[1], &old) ||
            !gs_memory_write32(memory, call->args[1], call->args[2]))
            return -EFAULT;
        hart->mips.r[V0] = old;
        hart->mips.r[A3] = 0;
        return GS_LINUX_NO_RESULT;
    }
    default: return -EINVAL;
    }
}
