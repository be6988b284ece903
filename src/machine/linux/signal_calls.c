/* System calls for handlers, masks and sending of signals. */
#include "machine/linux/process.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static bool valid(const gs_linux_call *call, uint32_t signal)
{
    return signal >= 1 && signal <= call->process->abi->signal_max;
}

static bool uncatchable(const gs_linux_call *call, uint32_t signal)
{
    int host = gs_linux_signal_to_host(call->process, (int)signal);
    return host == SIGKILL || host == SIGSTOP;
}

int gs_linux_get_sigset(const gs_linux_call *call, gs_addr from, uint32_t size,
                        gs_linux_sigset *set)
{
    const gs_linux_abi *abi = call->process->abi;
    uint8_t bytes[16];
    if (size != abi->sigset_bytes)
        return -EINVAL;
    gs_wire wire = gs_linux_wire(call, bytes, abi->sigset_bytes);
    if (gs_linux_get(call, from, &wire))
        return -EFAULT;
    *set = gs_linux_take_sigset(&wire, abi);
    return 0;
}

static int put_sigset(const gs_linux_call *call, gs_addr to, const gs_linux_sigset *set)
{
    uint8_t bytes[16];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_linux_put_sigset(&wire, call->process->abi, set);
    return gs_linux_put(call, to, &wire);
}

/* struct sigaction: MIPS begins with the flags. The old call's mask has 32 bits. */
static int64_t sigaction_call(gs_linux_call *call, bool rt)
{
    gs_linux_process *process = call->process;
    const gs_linux_abi *abi = process->abi;
    bool flags_first = abi->flavor == GS_LINUX_MIPS;
    uint32_t signal = call->args[0], new_addr = call->args[1], old_addr = call->args[2];
    uint8_t bytes[8 + 16];
    size_t size = 8 + (rt ? abi->sigset_bytes : 4);
    if (!valid(call, signal) || (new_addr && uncatchable(call, signal)))
        return -EINVAL;
    gs_linux_action *action = &process->signals.actions[signal], next = *action;

    if (new_addr) {
        gs_wire wire = gs_linux_wire(call, bytes, size);
        if (gs_linux_get(call, new_addr, &wire))
            return -EFAULT;
        uint32_t first = gs_wire_take32(&wire), second = gs_wire_take32(&wire);
        next.flags = flags_first ? first : second;
        next.handler = flags_first ? second : first;
        next.mask =
            rt ? gs_linux_take_sigset(&wire, abi) : (gs_linux_sigset){{gs_wire_take32(&wire)}};
        gs_linux_sigset_remove(&next.mask, gs_linux_signal(process, SIGKILL));
        gs_linux_sigset_remove(&next.mask, gs_linux_signal(process, SIGSTOP));
    }
    if (old_addr) {
        gs_wire wire = gs_linux_wire(call, bytes, size);
        gs_wire_put32(&wire, flags_first ? action->flags : action->handler);
        gs_wire_put32(&wire, flags_first ? action->handler : action->flags);
        if (rt)
            gs_linux_put_sigset(&wire, abi, &action->mask);
        else
            gs_wire_put32(&wire, action->mask.words[0]);
        if (gs_linux_put(call, old_addr, &wire))
            return -EFAULT;
    }
    *action = next;
    return 0;
}

int64_t gs_linux_sys_rt_sigaction(gs_linux_call *call)
{
    if (call->args[3] != call->process->abi->sigset_bytes)
        return -EINVAL;
    return sigaction_call(call, true);
}

int64_t gs_linux_sys_sigaction(gs_linux_call *call)
{
    return sigaction_call(call, false);
}

/* MIPS counts the ways to change a mask from 1, everybody else from 0. */
static int change_mask(gs_linux_call *call, uint32_t how, const gs_linux_sigset *set)
{
    gs_linux_sigset *blocked = &call->process->signals.blocked;
    for (unsigned i = 0; i < 2; i++) {
        switch (how - (call->process->abi->flavor == GS_LINUX_MIPS)) {
        case 0: blocked->words[i] |= set->words[i]; break;
        case 1: blocked->words[i] &= ~set->words[i]; break;
        case 2: blocked->words[i] = set->words[i]; break;
        default: return -EINVAL;
        }
    }
    gs_linux_sigset_remove(blocked, gs_linux_signal(call->process, SIGKILL));
    gs_linux_sigset_remove(blocked, gs_linux_signal(call->process, SIGSTOP));
    return 0;
}

int64_t gs_linux_sys_rt_sigprocmask(gs_linux_call *call)
{
    gs_linux_sigset old = call->process->signals.blocked, set;
    if (call->args[3] != call->process->abi->sigset_bytes)
        return -EINVAL;
    if (call->args[1]) {
        int status = gs_linux_get_sigset(call, call->args[1], call->args[3], &set);
        if (status == 0)
            status = change_mask(call, call->args[0], &set);
        if (status)
            return status;
    }
    return call->args[2] ? put_sigset(call, call->args[2], &old) : 0;
}

/* The old calls know 32 signals, except MIPS's, which copy whole masks all the same. */
int64_t gs_linux_sys_sigprocmask(gs_linux_call *call)
{
    call->args[3] = call->process->abi->sigset_bytes;
    return gs_linux_sys_rt_sigprocmask(call);
}

int64_t gs_linux_sys_rt_sigpending(gs_linux_call *call)
{
    const gs_linux_signals *signals = &call->process->signals;
    gs_linux_sigset set;
    if (call->args[1] > call->process->abi->sigset_bytes)
        return -EINVAL;
    for (unsigned i = 0; i < 2; i++)
        set.words[i] = signals->pending.words[i] & signals->blocked.words[i];
    return put_sigset(call, call->args[0], &set);
}

int64_t gs_linux_sys_sigpending(gs_linux_call *call)
{
    call->args[1] = call->process->abi->sigset_bytes;
    return gs_linux_sys_rt_sigpending(call);
}

int64_t gs_linux_sys_rt_sigsuspend(gs_linux_call *call)
{
    gs_linux_sigset set;
    int status = gs_linux_get_sigset(call, call->args[0], call->args[1], &set);
    if (status)
        return status;
    gs_linux_set_temporary_mask(call->process, &set);
    gs_linux_sleep(call->process, UINT64_MAX, "a signal");
    return -EINTR;
}

int64_t gs_linux_sys_sigsuspend(gs_linux_call *call)
{
    call->args[1] = call->process->abi->sigset_bytes;
    return gs_linux_sys_rt_sigsuspend(call);
}

int64_t gs_linux_sys_pause(gs_linux_call *call)
{
    gs_linux_sleep(call->process, UINT64_MAX, "a signal");
    return -EINTR;
}

/* The lowest pending signal of a set, taken out of the pending ones, or 0. */
static int take_pending(gs_linux_process *process, const gs_linux_sigset *set)
{
    for (int signal = 1; signal <= GS_LINUX_SIGNAL_MAX; signal++) {
        if (gs_linux_sigset_has(set, signal) &&
            gs_linux_sigset_has(&process->signals.pending, signal)) {
            gs_linux_sigset_remove(&process->signals.pending, signal);
            return signal;
        }
    }
    return 0;
}

static int64_t wait_in_set(gs_linux_call *call, bool wide)
{
    gs_linux_process *process = call->process;
    gs_linux_sigset set;
    int status = gs_linux_get_sigset(call, call->args[0], call->args[3], &set);
    uint64_t until = UINT64_MAX, ns;
    if (status)
        return status;
    if (call->args[2]) {
        struct timespec ts;
        if (gs_linux_get_timespec(call, call->args[2], &ts, wide))
            return -EFAULT;
        if (!gs_linux_to_ns(ts.tv_sec, ts.tv_nsec, &ns))
            return -EINVAL;
        uint64_t now = gs_linux_monotonic_ns(process);
        until = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
    }
    int signal = take_pending(process, &set);
    if (!signal) {
        /* While waiting, the signals of the set end the sleep instead of being delivered. */
        gs_linux_sigset blocked = process->signals.blocked;
        for (unsigned i = 0; i < 2; i++)
            process->signals.blocked.words[i] &= ~set.words[i];
        bool timed_out = gs_linux_sleep(process, until, "a signal");
        process->signals.blocked = blocked;
        signal = take_pending(process, &set);
        if (!signal)
            return timed_out ? -EAGAIN : -EINTR;
    }
    if (call->args[1]) {
        uint8_t bytes[128];
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        gs_linux_put_siginfo(&wire, process->abi, signal, &process->signals.infos[signal]);
        if (gs_linux_put(call, call->args[1], &wire))
            return -EFAULT;
    }
    return signal;
}

int64_t gs_linux_sys_rt_sigtimedwait(gs_linux_call *call)
{
    return wait_in_set(call, false);
}

int64_t gs_linux_sys_rt_sigtimedwait_time64(gs_linux_call *call)
{
    return wait_in_set(call, true);
}

/* The process can send signals to itself only: there is no other. */
static int64_t send_signal(gs_linux_call *call, int32_t pid, uint32_t signal, gs_linux_siginfo info)
{
    bool self = pid == GS_LINUX_PID || pid == -GS_LINUX_PID || pid == 0;
    if (signal != 0 && !valid(call, signal))
        return -EINVAL;
    if (!self)
        return -ESRCH;
    if (signal != 0)
        gs_linux_raise(call->process, (int)signal, info);
    return 0;
}

static gs_linux_siginfo from_self(const gs_linux_call *call, int code)
{
    return (gs_linux_siginfo){.code = code, .fields = {GS_LINUX_PID, gs_linux_uid(call->process)}};
}

int64_t gs_linux_sys_kill(gs_linux_call *call)
{
    return send_signal(call, (int32_t)call->args[0], call->args[1],
                       from_self(call, GS_LINUX_SI_USER));
}

int64_t gs_linux_sys_tkill(gs_linux_call *call)
{
    int32_t tid = (int32_t)call->args[0];
    if (tid <= 0)
        return -EINVAL;
    return send_signal(call, tid, call->args[1], from_self(call, GS_LINUX_SI_TKILL));
}

int64_t gs_linux_sys_tgkill(gs_linux_call *call)
{
    int32_t group = (int32_t)call->args[0], tid = (int32_t)call->args[1];
    if (group <= 0 || tid <= 0)
        return -EINVAL;
    if (group != GS_LINUX_PID)
        return -ESRCH;
    return send_signal(call, tid, call->args[2], from_self(call, GS_LINUX_SI_TKILL));
}

static int64_t queue_signal(gs_linux_call *call, uint32_t pid, uint32_t signal, gs_addr info_addr)
{
    uint8_t bytes[24];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    if (gs_linux_get(call, info_addr, &wire))
        return -EFAULT;
    gs_wire_skip(&wire, call->process->abi->flavor == GS_LINUX_MIPS ? 4 : 8);
    gs_linux_siginfo info = {.code = (int32_t)gs_wire_take32(&wire)};
    wire.at = 12;
    for (unsigned i = 0; i < 3; i++)
        info.fields[i] = gs_wire_take32(&wire);
    return send_signal(call, (int32_t)pid, signal, info);
}

int64_t gs_linux_sys_rt_sigqueueinfo(gs_linux_call *call)
{
    return queue_signal(call, call->args[0], call->args[1], call->args[2]);
}

int64_t gs_linux_sys_rt_tgsigqueueinfo(gs_linux_call *call)
{
    return queue_signal(call, call->args[1], call->args[2], call->args[3]);
}

int64_t gs_linux_sys_sigaltstack(gs_linux_call *call)
{
    gs_linux_process *process = call->process;
    gs_addr sp = process->abi->sp(&process->machine->hart);
    gs_linux_altstack old = gs_linux_get_altstack(process, sp);
    uint8_t bytes[12];
    if (call->args[0]) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        if (gs_linux_get(call, call->args[0], &wire))
            return -EFAULT;
        int status =
            gs_linux_set_altstack(process, gs_linux_take_altstack(&wire, process->abi), sp);
        if (status)
            return status;
    }
    if (call->args[1]) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        gs_linux_put_altstack(&wire, process->abi, old);
        return gs_linux_put(call, call->args[1], &wire);
    }
    return 0;
}

static int64_t leave_handler(gs_linux_call *call, bool rt)
{
    gs_linux_process *process = call->process;
    if (!process->abi->leave_handler(process, rt)) {
        gs_linux_bad_frame(process);
        return GS_LINUX_NO_RESULT;
    }
    gs_linux_sigset_remove(&process->signals.blocked, gs_linux_signal(process, SIGKILL));
    gs_linux_sigset_remove(&process->signals.blocked, gs_linux_signal(process, SIGSTOP));
    return GS_LINUX_NO_RESULT;
}

int64_t gs_linux_sys_sigreturn(gs_linux_call *call)
{
    return leave_handler(call, false);
}

int64_t gs_linux_sys_rt_sigreturn(gs_linux_call *call)
{
    return leave_handler(call, true);
}
