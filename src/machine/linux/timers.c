/*
 * Interval timers and sleeping. Two clocks count: the monotonic one for ITIMER_REAL,
 * which a sleep moves on, and CPU time for the other two, which it does not.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

static const int timer_signals[GS_LINUX_TIMERS] = {SIGALRM, SIGVTALRM, SIGPROF};

static uint64_t clock_of(const gs_linux_process *process, unsigned timer)
{
    return timer == GS_LINUX_TIMER_REAL ? gs_linux_monotonic_ns(process) : gs_linux_cpu_ns(process);
}

/* Ticks of the machine until `ns` have passed, rounded up. */
static uint64_t ticks(const gs_linux_process *process, uint64_t ns)
{
    const uint64_t second = UINT64_C(1000000000);
    uint64_t hz = process->machine->clock_hz ? process->machine->clock_hz : second;
    unsigned __int128 wide = ((unsigned __int128)ns * hz + second - 1) / second;
    return wide < UINT64_MAX / 2 ? (uint64_t)wide : UINT64_MAX / 2;
}

uint64_t gs_linux_timers_run(gs_linux_process *process)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < GS_LINUX_TIMERS; i++) {
        gs_linux_timer *timer = &process->timers[i];
        if (!timer->deadline)
            continue;
        uint64_t now = clock_of(process, i);
        if (now >= timer->deadline) {
            gs_linux_siginfo info = {.code = GS_LINUX_SI_KERNEL};
            gs_linux_raise(process, gs_linux_signal(process, timer_signals[i]), info);
            if (timer->interval) {
                uint64_t missed = (now - timer->deadline) / timer->interval;
                timer->deadline += (missed + 1) * timer->interval;
            } else {
                timer->deadline = 0;
            }
        }
        if (timer->deadline) {
            uint64_t due = process->machine->time + ticks(process, timer->deadline - now);
            next = due < next ? due : next;
        }
    }
    return next;
}

bool gs_linux_sleep(gs_linux_process *process, uint64_t ns, const char *what)
{
    for (;;) {
        uint64_t now = gs_linux_monotonic_ns(process);
        uint64_t alarm = gs_linux_wakes(process, gs_linux_signal(process, SIGALRM))
                             ? process->timers[GS_LINUX_TIMER_REAL].deadline
                             : 0;
        if (gs_linux_deliverable(process))
            return false;
        if (now >= ns)
            return true;
        uint64_t wake = alarm && alarm < ns ? alarm : ns;
        if (wake == UINT64_MAX) {
            gs_exit end = {.kind = GS_EXIT_HALT};
            snprintf(end.message, sizeof end.message,
                     "the program waits for %s, which can never come, at 0x%08x", what,
                     process->machine->hart.trap.pc);
            gs_machine_end(process->machine, end);
            return false;
        }
        process->slept_ns += wake > now ? wake - now : 0;
        process->skipped_ns += wake > now ? wake - now : 0;
        gs_linux_timers_run(process);
    }
}

static gs_linux_timer timer_get(const gs_linux_process *process, unsigned which)
{
    gs_linux_timer timer = process->timers[which];
    uint64_t now = clock_of(process, which);
    /* A timer that is due but has not been looked at yet still runs. */
    if (timer.deadline)
        timer.deadline = timer.deadline > now ? timer.deadline - now : 1;
    return timer;
}

/* `deadline` is relative here; 0 disarms. */
static void timer_set(gs_linux_process *process, unsigned which, gs_linux_timer timer)
{
    const uint64_t longest = UINT64_MAX / 4;
    uint64_t now = clock_of(process, which);
    if (timer.deadline)
        timer.deadline = now + (timer.deadline < longest ? timer.deadline : longest);
    if (timer.interval > longest)
        timer.interval = longest;
    process->timers[which] = timer;
}

/* A struct timeval: 32-bit seconds and microseconds. */
static void put_timeval(gs_wire *wire, uint64_t ns)
{
    gs_wire_put32(wire, ns / 1000000000);
    gs_wire_put32(wire, ns % 1000000000 / 1000);
}

static bool take_timeval(gs_wire *wire, uint64_t *ns)
{
    int32_t seconds = (int32_t)gs_wire_take32(wire);
    int32_t microseconds = (int32_t)gs_wire_take32(wire);
    return gs_linux_to_ns(seconds, (int64_t)microseconds * 1000, ns);
}

static int put_itimer(gs_linux_call *call, gs_addr to, gs_linux_timer timer)
{
    uint8_t bytes[16];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    put_timeval(&wire, timer.interval);
    put_timeval(&wire, timer.deadline + 999); /* an armed timer never reads as zero */
    return gs_linux_put(call, to, &wire);
}

int64_t gs_linux_sys_getitimer(gs_linux_call *call)
{
    uint32_t which = call->args[0];
    if (which >= GS_LINUX_TIMERS)
        return -EINVAL;
    return put_itimer(call, call->args[1], timer_get(call->process, which));
}

int64_t gs_linux_sys_setitimer(gs_linux_call *call)
{
    uint32_t which = call->args[0];
    uint8_t bytes[16];
    gs_linux_timer next = {0};
    if (which >= GS_LINUX_TIMERS)
        return -EINVAL;
    if (call->args[1]) {
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        if (gs_linux_get(call, call->args[1], &wire))
            return -EFAULT;
        if (!take_timeval(&wire, &next.interval) || !take_timeval(&wire, &next.deadline))
            return -EINVAL;
    }
    if (call->args[2]) {
        int status = put_itimer(call, call->args[2], timer_get(call->process, which));
        if (status)
            return status;
    }
    timer_set(call->process, which, next);
    return 0;
}

int64_t gs_linux_sys_alarm(gs_linux_call *call)
{
    const uint64_t second = UINT64_C(1000000000);
    gs_linux_timer old = timer_get(call->process, GS_LINUX_TIMER_REAL);
    gs_linux_timer next = {.deadline = call->args[0] * second};
    timer_set(call->process, GS_LINUX_TIMER_REAL, next);
    /* To the nearest second, but never to zero. */
    uint64_t left = (old.deadline + second / 2) / second;
    return old.deadline && !left ? 1 : (int64_t)left;
}
