/*
 * Signals: frames, masks, faults and timers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "linux_rig.h"

enum { HANDLER = RIG_CODE + 0x10, SI_TKILL_CODE = -6 };
static const gs_addr action_at = RIG_DATA + 0x1000, mask_at = RIG_DATA + 0x1100;

static uint32_t number(const linux_rig *rig, int host_signal)
{
    return (uint32_t)gs_linux_signal(rig->process, host_signal);
}

static void install(linux_rig *rig, int host_signal, uint32_t handler, uint32_t flags)
{
    bool mips = rig->kind != RIG_RV32;
    rig_put32(rig, action_at, mips ? flags : handler);
    rig_put32(rig, action_at + 4, mips ? handler : flags);
    for (gs_addr i = 0; i < 16; i += 4)
        rig_put32(rig, action_at + 8 + i, 0);
    uint32_t size = rig->process->abi->sigset_bytes;
    assert_int_equal(rig_call(rig, "rt_sigaction", number(rig, host_signal), action_at, 0, size),
                     0);
}

static uint32_t info_flag(const linux_rig *rig)
{
    return rig->process->abi->sa_siginfo;
}

/* Blocks one signal and no other. */
static void block(linux_rig *rig, int host_signal)
{
    uint32_t signal = number(rig, host_signal), size = rig->process->abi->sigset_bytes;
    uint32_t set_mask = rig->kind == RIG_RV32 ? 2 : 3;
    for (gs_addr i = 0; i < 16; i += 4)
        rig_put32(rig, mask_at + i, i / 4 == (signal - 1) / 32 ? 1u << (signal - 1) % 32 : 0);
    rig_call(rig, "rt_sigprocmask", set_mask, mask_at, 0, size);
}

/* Offsets in the frame of a handler with siginfo. */
static gs_addr frame_pc(linux_rig *rig)
{
    gs_addr context = *rig_arg(rig, 2);
    if (rig->kind == RIG_RV32)
        return context + 160;
    return context + 24 + 8 + (rig->memory->big_endian ? 4 : 0);
}

static gs_addr info_code(linux_rig *rig)
{
    return *rig_arg(rig, 1) + (rig->kind == RIG_RV32 ? 8 : 4);
}

static int64_t leave_handler(linux_rig *rig, bool rt)
{
    assert_int_equal(*rig_link(rig), GS_LINUX_TRAMPOLINE + (rt && rig->kind != RIG_RV32 ? 8 : 0));
    uint32_t call = rig_number(rig, rt ? "rt_sigreturn" : "sigreturn");
    if (rig->kind == RIG_RV32)
        rig->hart->rv.x[17] = call;
    else
        rig->hart->mips.r[2] = call;
    rig_trap(rig, GS_TRAP_SYSCALL, *rig_link(rig) + 4, 0);
    return 0;
}

static void test_handler(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        install(&rig, SIGUSR1, HANDLER, info_flag(&rig));
        gs_addr sp = *rig_sp(&rig);
        uint32_t tid = (uint32_t)rig_call(&rig, "gettid");
        rig.hart->mips.f[4] = 0x11111111;
        rig.hart->rv.f[4] = 0x2222222233333333;
        rig.hart->mips.hi = 77;
        *rig_link(&rig) = 0x1234;
        rig_call(&rig, "tkill", tid, number(&rig, SIGUSR1));

        assert_int_equal(rig.hart->pc, HANDLER);
        assert_int_equal(*rig_arg(&rig, 0), number(&rig, SIGUSR1));
        assert_true(*rig_sp(&rig) < sp);
        assert_int_equal(*rig_sp(&rig) & 7, 0);
        assert_int_equal(rig_get32(&rig, *rig_arg(&rig, 1)), number(&rig, SIGUSR1));
        assert_int_equal((int32_t)rig_get32(&rig, info_code(&rig)), SI_TKILL_CODE);
        assert_int_equal(rig_get32(&rig, *rig_arg(&rig, 1) + 12), GS_LINUX_PID);
        assert_int_equal(rig_get32(&rig, frame_pc(&rig)), RIG_CODE + 12);
        assert_true(gs_linux_sigset_has(&rig.process->signals.blocked, (int)number(&rig, SIGUSR1)));

        /* The handler changes everything; returning brings it back, the result included. */
        memset(rig.hart->mips.f, 0xff, sizeof rig.hart->mips.f);
        memset(rig.hart->rv.f, 0xff, sizeof rig.hart->rv.f);
        rig.hart->mips.hi = 0;
        leave_handler(&rig, true);
        assert_int_equal(rig.hart->pc, RIG_CODE + 12);
        assert_int_equal(*rig_sp(&rig), sp);
        assert_int_equal(*rig_link(&rig), 0x1234);
        if (kind == RIG_RV32) {
            assert_true(rig.hart->rv.f[4] == 0x2222222233333333);
            assert_int_equal(rig.hart->rv.x[10], 0);
        } else {
            assert_int_equal(rig.hart->mips.f[4], 0x11111111);
            assert_int_equal(rig.hart->mips.hi, 77);
            assert_int_equal(rig.hart->mips.r[2], 0);
            assert_int_equal(rig.hart->mips.r[7], 0);
        }
        assert_false(
            gs_linux_sigset_has(&rig.process->signals.blocked, (int)number(&rig, SIGUSR1)));
        rig_close(&rig);
    }
}

static void test_old_frame(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    install(&rig, SIGUSR2, HANDLER, 0);
    gs_addr sp = *rig_sp(&rig);
    rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR2));
    assert_int_equal(rig.hart->pc, HANDLER);
    assert_int_equal(rig.hart->mips.r[25], HANDLER);
    assert_int_equal(*rig_arg(&rig, 1), 0);
    leave_handler(&rig, false);
    assert_int_equal(*rig_sp(&rig), sp);
    assert_int_equal(rig.hart->pc, RIG_CODE + 12);
    rig_close(&rig);
}

static void test_blocked(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        install(&rig, SIGUSR1, HANDLER, 0);
        block(&rig, SIGUSR1);
        rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR1));
        assert_int_equal(rig.hart->pc, RIG_CODE + 12);
        block(&rig, SIGUSR2);
        assert_int_equal(rig.hart->pc, HANDLER);
        rig_close(&rig);
    }
}

static void test_default_actions(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGCHLD));
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_NONE);
    rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR1));
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_SIGNAL);
    assert_int_equal(rig.machine->exit.signal, SIGUSR1);
    assert_non_null(strstr(rig.machine->exit.message, "SIGUSR1"));
    assert_non_null(strstr(rig.machine->exit.message, "main"));
    rig_close(&rig);
}

/* A trap, and the signal and code its handler sees. */
static void expect_fault(rig_kind kind, gs_trap_kind trap, uint32_t value, int host_signal,
                         int code, uint32_t address)
{
    linux_rig rig;
    rig_open(&rig, kind);
    install(&rig, host_signal, HANDLER, info_flag(&rig));
    uint64_t retired = rig.hart->instret;
    rig_trap(&rig, trap, RIG_CODE + 4, value);
    assert_int_equal(rig.hart->pc, HANDLER);
    assert_int_equal(rig.hart->instret, retired);
    assert_int_equal(*rig_arg(&rig, 0), number(&rig, host_signal));
    assert_int_equal(rig_get32(&rig, info_code(&rig)), code);
    assert_int_equal(rig_get32(&rig, *rig_arg(&rig, 1) + 12), address);
    assert_int_equal(rig_get32(&rig, frame_pc(&rig)), RIG_CODE + 4);
    rig_close(&rig);
}

static void test_faults(void **state)
{
    (void)state;
    const uint32_t here = RIG_CODE + 4;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        expect_fault(kind, GS_TRAP_LOAD_FAULT, 0x30, SIGSEGV, GS_LINUX_SEGV_MAPERR, 0x30);
        expect_fault(kind, GS_TRAP_STORE_FAULT, RIG_CODE, SIGSEGV, GS_LINUX_SEGV_ACCERR, RIG_CODE);
        expect_fault(kind, GS_TRAP_LOAD_MISALIGNED, 0x31, SIGBUS, GS_LINUX_BUS_ADRALN, 0x31);
    }
    expect_fault(RIG_RV32, GS_TRAP_ILLEGAL, 0, SIGILL, GS_LINUX_ILL_ILLOPC, here);
    expect_fault(RIG_RV32, GS_TRAP_BREAKPOINT, 0x00100073, SIGTRAP, GS_LINUX_TRAP_BRKPT, here);
    expect_fault(RIG_MIPSEL, GS_TRAP_ILLEGAL, 0, SIGILL, GS_LINUX_SI_KERNEL, 0);
    expect_fault(RIG_MIPSEL, GS_TRAP_OVERFLOW, 0, SIGFPE, GS_LINUX_FPE_INTOVF, here);
    /* break 5; break 7 with its code in either place; break 6 */
    expect_fault(RIG_MIPSEB, GS_TRAP_BREAKPOINT, 0x0005000d, SIGTRAP, GS_LINUX_TRAP_BRKPT, here);
    expect_fault(RIG_MIPSEB, GS_TRAP_BREAKPOINT, 0x0007000d, SIGFPE, GS_LINUX_FPE_INTDIV, here);
    expect_fault(RIG_MIPSEB, GS_TRAP_BREAKPOINT, 0x000001cd, SIGFPE, GS_LINUX_FPE_INTDIV, here);
    expect_fault(RIG_MIPSEB, GS_TRAP_BREAKPOINT, 0x0006000d, SIGFPE, GS_LINUX_FPE_INTOVF, here);
    /* teq $4, $0, 7: what compilers put before a division; tnei: no code */
    expect_fault(RIG_MIPSEL, GS_TRAP_CONDITION, 0x008001f4, SIGFPE, GS_LINUX_FPE_INTDIV, here);
    expect_fault(RIG_MIPSEL, GS_TRAP_CONDITION, 0x008e01c0 | 1u << 26, SIGTRAP, GS_LINUX_SI_KERNEL,
                 0);
}

static void test_fault_without_handler(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    rig_trap(&rig, GS_TRAP_STORE_FAULT, RIG_CODE + 4, 0x20);
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_SIGNAL);
    assert_int_equal(rig.machine->exit.signal, SIGSEGV);
    assert_non_null(strstr(rig.machine->exit.message, "0x00000020"));
    rig_close(&rig);
    /* Neither ignoring nor blocking helps. */
    rig_open(&rig, RIG_MIPSEL);
    install(&rig, SIGSEGV, GS_LINUX_SIG_IGN, 0);
    rig_trap(&rig, GS_TRAP_LOAD_FAULT, RIG_CODE + 4, 0x20);
    assert_int_equal(rig.machine->exit.signal, SIGSEGV);
    rig_close(&rig);
    rig_open(&rig, RIG_MIPSEL);
    install(&rig, SIGSEGV, HANDLER, 0);
    block(&rig, SIGSEGV);
    rig_trap(&rig, GS_TRAP_LOAD_FAULT, RIG_CODE + 4, 0x20);
    assert_int_equal(rig.machine->exit.signal, SIGSEGV);
    rig_close(&rig);
    /* No stack for the frame; a division by zero is named as such even then. */
    rig_open(&rig, RIG_MIPSEL);
    install(&rig, SIGFPE, HANDLER, 0);
    *rig_sp(&rig) = 64;
    rig_trap(&rig, GS_TRAP_CONDITION, RIG_CODE + 4, 0x008001f4);
    assert_int_equal(rig.machine->exit.signal, SIGFPE);
    rig_close(&rig);
}

static void test_fault_in_delay_slot(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    install(&rig, SIGSEGV, HANDLER, info_flag(&rig));
    rig.hart->mips.in_delay_slot = true;
    rig.hart->mips.delay_target = RIG_CODE + 0x100;
    rig_trap(&rig, GS_TRAP_LOAD_FAULT, RIG_CODE + 8, 0x20);
    assert_int_equal(rig.hart->pc, HANDLER);
    assert_false(rig.hart->mips.in_delay_slot);
    assert_int_equal(rig_get32(&rig, frame_pc(&rig)), RIG_CODE + 4);
    leave_handler(&rig, true);
    assert_int_equal(rig.hart->pc, RIG_CODE + 4);
    rig_close(&rig);
}

static void test_bad_frames(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        /* A handler whose frame does not fit, and a return without one. */
        linux_rig rig;
        rig_open(&rig, kind);
        install(&rig, SIGUSR1, HANDLER, 0);
        *rig_sp(&rig) = 0x100;
        rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR1));
        assert_int_equal(rig.machine->exit.signal, SIGSEGV);
        rig_close(&rig);
        rig_open(&rig, kind);
        *rig_sp(&rig) = 0x100;
        *rig_link(&rig) = GS_LINUX_TRAMPOLINE + (kind == RIG_RV32 ? 0 : 8);
        leave_handler(&rig, true);
        assert_int_equal(rig.machine->exit.signal, SIGSEGV);
        rig_close(&rig);
    }
}

static void test_alternate_stack(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        gs_addr stack = RIG_DATA + 0x4000, sp = *rig_sp(&rig);
        const uint32_t size = 0x4000;
        bool mips = kind != RIG_RV32;
        rig_put32(&rig, RIG_DATA, stack);
        rig_put32(&rig, RIG_DATA + 4, mips ? size : 0);
        rig_put32(&rig, RIG_DATA + 8, mips ? 0 : size);
        assert_int_equal(rig_call(&rig, "sigaltstack", RIG_DATA, 0), 0);
        install(&rig, SIGSEGV, HANDLER, GS_LINUX_SA_ONSTACK | info_flag(&rig));
        *rig_sp(&rig) = 0x100; /* overflowed */
        rig_trap(&rig, GS_TRAP_STORE_FAULT, RIG_CODE + 4, 0xfc);
        assert_int_equal(rig.hart->pc, HANDLER);
        assert_in_range(*rig_sp(&rig), stack, stack + size);
        gs_addr first = *rig_sp(&rig);
        /* On it, it cannot be changed, and another signal goes on below. */
        assert_int_equal(rig_call(&rig, "sigaltstack", RIG_DATA, 0), rig_error(&rig, EPERM));
        install(&rig, SIGUSR1, HANDLER, GS_LINUX_SA_ONSTACK | info_flag(&rig));
        rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR1));
        assert_in_range(*rig_sp(&rig), stack, first - 100);
        leave_handler(&rig, true);
        leave_handler(&rig, true);
        assert_int_equal(*rig_sp(&rig), 0x100);
        assert_int_equal(rig.process->signals.altstack.size, size);
        (void)sp;
        rig_close(&rig);
    }
}

static void test_flags(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    install(&rig, SIGUSR1, HANDLER, GS_LINUX_SA_RESETHAND | GS_LINUX_SA_NODEFER);
    rig_call(&rig, "kill", GS_LINUX_PID, number(&rig, SIGUSR1));
    assert_int_equal(rig.hart->pc, HANDLER);
    assert_false(gs_linux_sigset_has(&rig.process->signals.blocked, (int)number(&rig, SIGUSR1)));
    assert_int_equal(rig.process->signals.actions[number(&rig, SIGUSR1)].handler, GS_LINUX_SIG_DFL);
    rig_close(&rig);
}

static void test_broken_pipe(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    close(rig.out);
    assert_int_equal(rig_call(&rig, "write", 1, RIG_DATA, 1), rig_error(&rig, EPIPE));
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_SIGNAL);
    assert_int_equal(rig.machine->exit.signal, SIGPIPE);
    rig.out = dup(rig.guest_out);
    rig_close(&rig);
}

/* A timer of 1 ms on a machine of 1 MHz. */
static void test_timer(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        rig.machine->clock_hz = 1000000;
        rig.machine->time = 500;
        install(&rig, SIGALRM, HANDLER, 0);
        rig_put32(&rig, RIG_DATA, 0);
        rig_put32(&rig, RIG_DATA + 4, 2000); /* again after 2 ms */
        rig_put32(&rig, RIG_DATA + 8, 0);
        rig_put32(&rig, RIG_DATA + 12, 1000);
        assert_int_equal(rig_call(&rig, "setitimer", ITIMER_REAL, RIG_DATA, 0), 0);
        const gs_environment *environment = rig.machine->environment;
        assert_int_equal(environment->events(rig.machine, 500), 1500);
        assert_int_equal(environment->events(rig.machine, 1499), 1500);
        assert_int_equal(rig.hart->pc, RIG_CODE + 12);
        if (kind != RIG_RV32) { /* not between a branch and its delay slot */
            rig.hart->mips.in_delay_slot = true;
            assert_int_equal(environment->events(rig.machine, 1500), 1501);
            assert_int_equal(rig.hart->pc, RIG_CODE + 12);
            rig.hart->mips.in_delay_slot = false;
        }
        assert_int_equal(environment->events(rig.machine, 1501), 3500);
        assert_int_equal(rig.hart->pc, HANDLER);
        rig_close(&rig);
    }
}

/* A sleep that a timer interrupts takes no time of the machine's. */
static void test_interrupted_sleep(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    install(&rig, SIGALRM, HANDLER, 0);
    assert_int_equal(rig_call(&rig, "alarm", 3), 0);
    rig_put32(&rig, RIG_DATA, 10);
    rig_put32(&rig, RIG_DATA + 4, 0);
    rig_call(&rig, "nanosleep", RIG_DATA, RIG_DATA + 8);
    assert_int_equal(rig.hart->pc, HANDLER);
    assert_int_equal(rig_get32(&rig, RIG_DATA + 8), 7);
    assert_int_equal(rig.machine->time, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handler),
        cmocka_unit_test(test_old_frame),
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_default_actions),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_fault_without_handler),
        cmocka_unit_test(test_fault_in_delay_slot),
        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_alternate_stack),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_timer),
        cmocka_unit_test(test_interrupted_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
