/* Raises and delivers signals, and describes them to a handler. */
#include "machine/linux/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "machine/linux/process.h"

static uint64_t bit(int signal)
{
    return UINT64_C(1) << ((unsigned)(signal - 1) % 64);
}

bool gs_linux_sigset_has(const gs_linux_sigset *set, int signal)
{
    return set->words[(signal - 1) / 64] & bit(signal);
}

void gs_linux_sigset_add(gs_linux_sigset *set, int signal)
{
    set->words[(signal - 1) / 64] |= bit(signal);
}

void gs_linux_sigset_remove(gs_linux_sigset *set, int signal)
{
    set->words[(signal - 1) / 64] &= ~bit(signal);
}

int gs_linux_signal(const gs_linux_process *process, int host_signal)
{
    for (size_t i = 0; i < gs_linux_signal_row_count; i++) {
        if (gs_linux_signal_rows[i].host == host_signal)
            return gs_linux_signal_rows[i].guest[process->abi->flavor];
    }
    return 0;
}

static const gs_linux_signal_row *row_of(const gs_linux_process *process, int signal)
{
    for (size_t i = 0; i < gs_linux_signal_row_count; i++) {
        if (gs_linux_signal_rows[i].guest[process->abi->flavor] == signal)
            return &gs_linux_signal_rows[i];
    }
    return NULL;
}

int gs_linux_signal_to_host(const gs_linux_process *process, int signal)
{
    const gs_linux_signal_row *row = row_of(process, signal);
    if (row)
        return row->host;
    return signal < SIGRTMAX ? signal : SIGRTMAX;
}

const char *gs_linux_signal_name(const gs_linux_process *process, int signal)
{
    const gs_linux_signal_row *row = row_of(process, signal);
    return row ? row->name : "real-time signal";
}

static bool ignored_by_default(const gs_linux_process *process, int signal)
{
    switch (gs_linux_signal_to_host(process, signal)) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return true;
    default: return false;
    }
}

static bool is_ignored(const gs_linux_process *process, int signal)
{
    uint32_t handler = process->signals.actions[signal].handler;
    return handler == GS_LINUX_SIG_IGN ||
           (handler == GS_LINUX_SIG_DFL && ignored_by_default(process, signal));
}

bool gs_linux_wakes(const gs_linux_process *process, int signal)
{
    return !is_ignored(process, signal) && !gs_linux_sigset_has(&process->signals.blocked, signal);
}

void gs_linux_raise(gs_linux_process *process, int signal, gs_linux_siginfo info)
{
    gs_linux_signals *signals = &process->signals;
    if (is_ignored(process, signal) && !gs_linux_sigset_has(&signals->blocked, signal))
        return;
    if (gs_linux_sigset_has(&signals->pending, signal))
        return;
    gs_linux_sigset_add(&signals->pending, signal);
    signals->infos[signal] = info;
}

/* The lowest signal that is pending and not blocked, or 0. */
static int next_signal(const gs_linux_signals *signals)
{
    for (int i = 0; i < 2; i++) {
        uint64_t ready = signals->pending.words[i] & ~signals->blocked.words[i];
        if (ready)
            return 64 * i + __builtin_ctzll(ready) + 1;
    }
    return 0;
}

bool gs_linux_deliverable(const gs_linux_process *process)
{
    return next_signal(&process->signals) != 0;
}

static void kill_process(gs_linux_process *process, int signal)
{
    gs_machine *machine = process->machine;
    gs_exit end = {.kind = GS_EXIT_SIGNAL, .signal = gs_linux_signal_to_host(process, signal)};
    const gs_function *function = gs_image_function_at(machine->image, machine->hart.pc);
    snprintf(end.message, sizeof end.message, "ended by %s (%d) at 0x%08x%s%s",
             gs_linux_signal_name(process, signal), signal, machine->hart.pc,
             function ? " in " : "", function ? function->name : "");
    gs_machine_end(machine, end);
}

/* Into the handler; false if the signal frame does not fit. */
static bool enter_handler(gs_linux_process *process, int signal)
{
    gs_linux_signals *signals = &process->signals;
    gs_linux_action action = signals->actions[signal];
    gs_linux_sigset mask = signals->restore_mask ? signals->saved_mask : signals->blocked;
    if (!process->abi->enter_handler(process, signal, &action, &signals->infos[signal], &mask))
        return false;
    signals->restore_mask = false;
    for (unsigned i = 0; i < 2; i++)
        signals->blocked.words[i] |= action.mask.words[i];
    if (!(action.flags & GS_LINUX_SA_NODEFER))
        gs_linux_sigset_add(&signals->blocked, signal);
    if (action.flags & GS_LINUX_SA_RESETHAND)
        signals->actions[signal].handler = GS_LINUX_SIG_DFL;
    if (signals->altstack.flags & GS_LINUX_SS_AUTODISARM)
        signals->altstack = (gs_linux_altstack){.flags = GS_LINUX_SS_DISABLE};
    return true;
}

/* What the kernel sends when there is no choice but to end the process or its handler runs. */
static void force(gs_linux_process *process, int signal, gs_linux_siginfo info)
{
    gs_linux_signals *signals = &process->signals;
    uint32_t *handler = &signals->actions[signal].handler;
    if (gs_linux_sigset_has(&signals->blocked, signal) || *handler == GS_LINUX_SIG_IGN) {
        *handler = GS_LINUX_SIG_DFL;
        gs_linux_sigset_remove(&signals->blocked, signal);
    }
    gs_linux_sigset_remove(&signals->pending, signal);
    signals->infos[signal] = info;
}

void gs_linux_deliver(gs_linux_process *process)
{
    gs_linux_signals *signals = &process->signals;
    const int segv = gs_linux_signal(process, SIGSEGV);
    int signal;
    while ((signal = next_signal(signals)) != 0) {
        gs_linux_sigset_remove(&signals->pending, signal);
        if (is_ignored(process, signal))
            continue;
        if (signals->actions[signal].handler == GS_LINUX_SIG_DFL) {
            kill_process(process, signal);
            return;
        }
        if (!enter_handler(process, signal)) {
            if (signal == segv)
                signals->actions[segv].handler = GS_LINUX_SIG_DFL;
            gs_linux_bad_frame(process);
        }
    }
    if (signals->restore_mask) {
        signals->restore_mask = false;
        signals->blocked = signals->saved_mask;
    }
}

void gs_linux_bad_frame(gs_linux_process *process)
{
    int segv = gs_linux_signal(process, SIGSEGV);
    gs_linux_siginfo info = {.code = GS_LINUX_SI_KERNEL};
    force(process, segv, info);
    gs_linux_sigset_add(&process->signals.pending, segv);
}

/* Which signal a trap is, and why. */
typedef struct fault {
    int host_signal;
    gs_linux_siginfo info;
} fault;

/* The code in `break` and the conditional traps: compilers tell what went wrong by it. */
static unsigned mips_trap_code(const gs_trap *trap)
{
    enum { OPCODE_SPECIAL = 0, OPCODE_REGIMM = 1, FUNCTION_BREAK = 0x0d };
    uint32_t word = trap->value;
    if (word >> 26 == OPCODE_REGIMM)
        return 0;
    if ((word & 0x3f) == FUNCTION_BREAK) {
        /* Assemblers have put the code into either half of its 20 bits. */
        unsigned code = word >> 6 & 0xfffff;
        return code >= 1 << 10 ? (code & 0x3ff) << 10 | code >> 10 : code;
    }
    return word >> 6 & 0x3ff;
}

static int float_code(const gs_mips_state *mips)
{
    /* All causes, enabled or not, in the order the kernel looks at them. */
    uint32_t causes = mips->fcsr >> GS_MIPS_FCSR_CAUSE_SHIFT & 31;
    if (causes & GS_FP_INVALID)
        return GS_LINUX_FPE_FLTINV;
    if (causes & GS_FP_DIVZERO)
        return GS_LINUX_FPE_FLTDIV;
    if (causes & GS_FP_OVERFLOW)
        return GS_LINUX_FPE_FLTOVF;
    if (causes & GS_FP_UNDERFLOW)
        return GS_LINUX_FPE_FLTUND;
    return GS_LINUX_FPE_FLTRES;
}

static fault fault_of(const gs_machine *machine)
{
    enum { BREAK_OVERFLOW = 6, BREAK_DIVZERO = 7 };
    const gs_linux_siginfo unspecific = {.code = GS_LINUX_SI_KERNEL};
    const gs_trap *trap = &machine->hart.trap;
    fault f = {.host_signal = gs_trap_signal(trap->kind), .info.fields = {trap->pc}};
    switch (trap->kind) {
    case GS_TRAP_FETCH_FAULT:
    case GS_TRAP_LOAD_FAULT:
    case GS_TRAP_STORE_FAULT:
        f.info.fields[0] = trap->kind == GS_TRAP_FETCH_FAULT ? trap->pc : trap->value;
        f.info.code = gs_memory_allows(&machine->memory, f.info.fields[0], 1, GS_PROT_MAPPED)
                          ? GS_LINUX_SEGV_ACCERR
                          : GS_LINUX_SEGV_MAPERR;
        break;
    case GS_TRAP_LOAD_MISALIGNED:
    case GS_TRAP_STORE_MISALIGNED:
        f.info.fields[0] = trap->value;
        f.info.code = GS_LINUX_BUS_ADRALN;
        break;
    case GS_TRAP_FETCH_MISALIGNED: f.info.code = GS_LINUX_BUS_ADRALN; break;
    case GS_TRAP_BREAKPOINT:
    case GS_TRAP_CONDITION:
        f.info.code = GS_LINUX_TRAP_BRKPT;
        if (trap->kind == GS_TRAP_CONDITION)
            f.info = unspecific;
        if (machine->isa->arch == GS_ARCH_MIPS32) {
            unsigned code = mips_trap_code(trap);
            if (code == BREAK_OVERFLOW || code == BREAK_DIVZERO) {
                f.host_signal = SIGFPE;
                f.info.fields[0] = trap->pc;
                f.info.code = code == BREAK_DIVZERO ? GS_LINUX_FPE_INTDIV : GS_LINUX_FPE_INTOVF;
            }
        }
        break;
    case GS_TRAP_OVERFLOW: f.info.code = GS_LINUX_FPE_INTOVF; break;
    case GS_TRAP_FLOAT: f.info.code = float_code(&machine->hart.mips); break;
    default:
        f.info.code = GS_LINUX_ILL_ILLOPC;
        if (machine->isa->arch == GS_ARCH_MIPS32)
            f.info = unspecific;
        break;
    }
    return f;
}

void gs_linux_deliver_fault(gs_linux_process *process)
{
    gs_machine *machine = process->machine;
    gs_hart *hart = &machine->hart;
    fault f = fault_of(machine);
    int signal = gs_linux_signal(process, f.host_signal);

    /* What goes into the frame, and where the program goes on after it: in a delay slot, the
     * branch before it. */
    hart->pc = hart->trap.pc - (hart->mips.in_delay_slot ? 4 : 0);
    force(process, signal, f.info);
    if (process->signals.actions[signal].handler != GS_LINUX_SIG_DFL &&
        enter_handler(process, signal)) {
        hart->mips.in_delay_slot = false;
        return;
    }
    gs_exit end = gs_machine_fault(machine, &hart->trap);
    end.signal = f.host_signal;
    gs_machine_end(machine, end);
}

void gs_linux_set_temporary_mask(gs_linux_process *process, const gs_linux_sigset *mask)
{
    gs_linux_signals *signals = &process->signals;
    signals->saved_mask = signals->blocked;
    signals->restore_mask = true;
    signals->blocked = *mask;
    gs_linux_sigset_remove(&signals->blocked, gs_linux_signal(process, SIGKILL));
    gs_linux_sigset_remove(&signals->blocked, gs_linux_signal(process, SIGSTOP));
}

static bool on_altstack(const gs_linux_altstack *stack, gs_addr sp)
{
    return !(stack->flags & (GS_LINUX_SS_DISABLE | GS_LINUX_SS_AUTODISARM)) && sp > stack->start &&
           sp - stack->start <= stack->size;
}

gs_addr gs_linux_signal_stack(const gs_linux_process *process, const gs_linux_action *action,
                              gs_addr sp)
{
    const gs_linux_altstack *stack = &process->signals.altstack;
    if (!(action->flags & GS_LINUX_SA_ONSTACK) || (stack->flags & GS_LINUX_SS_DISABLE) ||
        on_altstack(stack, sp))
        return sp;
    return stack->start + stack->size;
}

gs_linux_altstack gs_linux_get_altstack(const gs_linux_process *process, gs_addr sp)
{
    gs_linux_altstack stack = process->signals.altstack;
    if (on_altstack(&stack, sp))
        stack.flags |= GS_LINUX_SS_ONSTACK;
    return stack;
}

int gs_linux_set_altstack(gs_linux_process *process, gs_linux_altstack next, gs_addr sp)
{
    enum { SMALLEST = 2048 }; /* MINSIGSTKSZ */
    uint32_t mode = next.flags & ~GS_LINUX_SS_AUTODISARM;
    if (on_altstack(&process->signals.altstack, sp))
        return -EPERM;
    if (mode != 0 && mode != GS_LINUX_SS_ONSTACK && mode != GS_LINUX_SS_DISABLE)
        return -EINVAL;
    if (mode == GS_LINUX_SS_DISABLE)
        next.start = next.size = 0;
    else if (next.size < SMALLEST)
        return -ENOMEM;
    next.flags &= ~(uint32_t)GS_LINUX_SS_ONSTACK;
    process->signals.altstack = next;
    return 0;
}

void gs_linux_put_siginfo(gs_wire *wire, const gs_linux_abi *abi, int signal,
                          const gs_linux_siginfo *info)
{
    bool code_first = abi->flavor == GS_LINUX_MIPS;
    gs_wire_put32(wire, (uint64_t)signal);
    gs_wire_put32(wire, code_first ? (uint64_t)info->code : 0);
    gs_wire_put32(wire, code_first ? 0 : (uint64_t)info->code);
    for (unsigned i = 0; i < 3; i++)
        gs_wire_put32(wire, info->fields[i]);
    gs_wire_zero(wire, 128 - 24);
}

/* Masks are arrays of 32-bit words, the lowest signals in the first, in either byte order. */
void gs_linux_put_sigset(gs_wire *wire, const gs_linux_abi *abi, const gs_linux_sigset *set)
{
    for (unsigned i = 0; i < abi->sigset_bytes / 4; i++)
        gs_wire_put32(wire, set->words[i / 2] >> 32 * (i % 2));
}

gs_linux_sigset gs_linux_take_sigset(gs_wire *wire, const gs_linux_abi *abi)
{
    gs_linux_sigset set = {{0}};
    for (unsigned i = 0; i < abi->sigset_bytes / 4; i++)
        set.words[i / 2] |= (uint64_t)gs_wire_take32(wire) << 32 * (i % 2);
    return set;
}

void gs_linux_put_altstack(gs_wire *wire, const gs_linux_abi *abi, gs_linux_altstack stack)
{
    bool size_first = abi->flavor == GS_LINUX_MIPS;
    gs_wire_put32(wire, stack.start);
    gs_wire_put32(wire, size_first ? stack.size : stack.flags);
    gs_wire_put32(wire, size_first ? stack.flags : stack.size);
}

gs_linux_altstack gs_linux_take_altstack(gs_wire *wire, const gs_linux_abi *abi)
{
    uint32_t start = gs_wire_take32(wire), second = gs_wire_take32(wire),
             third = gs_wire_take32(wire);
    if (abi->flavor == GS_LINUX_MIPS)
        return (gs_linux_altstack){start, second, third};
    return (gs_linux_altstack){start, third, second};
}
