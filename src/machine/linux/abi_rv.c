/*
 * RV32. Layouts as in the kernel's asm-generic and arch/riscv/include/uapi/asm. The
 * table of calls has, beside the kernel's, those of newlib's start-up library, which
 * the kernel's numbers leave room for.
 */
#include "machine/linux/process.h"

#include <sys/stat.h>

#include "machine/rv_trap.h"

enum { RA = 1, SP = 2, A0 = 10, A1 = 11, A2 = 12, A7 = 17 };

static const gs_linux_syscall calls[] = {
#define SYSCALL(number, name, handler) [number] = {#name, gs_linux_sys_##handler},
#include "machine/linux/syscalls_riscv32.def"
#undef SYSCALL
};

static void start(gs_machine *machine, gs_addr entry)
{
    const uint32_t fpu_initial = 1u << 13;
    gs_rv_reset(machine, entry);
    machine->hart.rv.mode = GS_RV_USER;
    machine->hart.rv.mstatus |= fpu_initial;
}

/* One bit per single-letter extension, as in misa. */
static uint32_t hwcap(const gs_machine *machine)
{
    const uint32_t letters = 0x03ffffff;
    return machine->hart.rv.misa & letters;
}

static void get_call(gs_linux_call *call)
{
    const uint32_t *x = call->process->machine->hart.rv.x;
    call->number = x[A7];
    for (unsigned i = 0; i < 7; i++)
        call->args[i] = x[A0 + i];
}

static void set_result(gs_linux_call *call, int64_t result)
{
    if (result < 0)
        result = -gs_linux_errno(GS_LINUX_GENERIC, (int)-result);
    call->process->machine->hart.rv.x[A0] = (uint32_t)result;
}

static gs_addr stack_pointer(const gs_hart *hart)
{
    return hart->rv.x[SP];
}

static void set_stack_pointer(gs_hart *hart, gs_addr sp)
{
    hart->rv.x[SP] = sp;
}

static void put_trampoline(gs_wire *wire)
{
    const uint32_t li_a7_rt_sigreturn = 0x08b00893, ecall = 0x00000073;
    gs_wire_put32(wire, li_a7_rt_sigreturn);
    gs_wire_put32(wire, ecall);
}

/* struct rt_sigframe: siginfo, then a ucontext whose registers are aligned to 16. Room is for
 * quad precision, of which double precision uses the first half. */
enum {
    FRAME_INFO = 0,
    FRAME_UCONTEXT = 128,
    UCONTEXT_MASK = 8 + 12,
    UCONTEXT_REGS = 160,
    REGS_SIZE = 32 * 4,
    FP_SIZE = 528,
    FRAME_SIZE = FRAME_UCONTEXT + UCONTEXT_REGS + REGS_SIZE + FP_SIZE
};

static bool enter_handler(gs_linux_process *process, int signal, const gs_linux_action *action,
                          const gs_linux_siginfo *info, const gs_linux_sigset *mask)
{
    gs_memory *memory = &process->machine->memory;
    gs_hart *hart = &process->machine->hart;
    gs_rv_state *rv = &hart->rv;
    uint8_t bytes[FRAME_SIZE];
    gs_wire wire = {.bytes = bytes, .size = sizeof bytes, .big_endian = memory->big_endian};
    gs_addr sp = rv->x[SP];

    gs_linux_put_siginfo(&wire, process->abi, signal, info);
    gs_wire_zero(&wire, 8); /* uc_flags, uc_link */
    gs_linux_put_altstack(&wire, process->abi, gs_linux_get_altstack(process, sp));
    gs_linux_put_sigset(&wire, process->abi, mask);
    gs_wire_zero(&wire, FRAME_UCONTEXT + UCONTEXT_REGS - wire.at);
    gs_wire_put32(&wire, hart->pc);
    for (unsigned i = 1; i < 32; i++)
        gs_wire_put32(&wire, rv->x[i]);
    for (unsigned i = 0; i < 32; i++)
        gs_wire_put64(&wire, rv->f[i]);
    gs_wire_put32(&wire, (uint32_t)rv->frm << 5 | rv->fp.flags);
    gs_wire_zero(&wire, FRAME_SIZE - wire.at);

    sp = (gs_linux_signal_stack(process, action, sp) - FRAME_SIZE) & ~(gs_addr)15;
    if (!gs_memory_write(memory, sp, bytes, wire.at))
        return false;
    hart->pc = action->handler;
    rv->reserved = false;
    rv->x[SP] = sp;
    rv->x[RA] = GS_LINUX_TRAMPOLINE;
    rv->x[A0] = (uint32_t)signal;
    rv->x[A1] = sp + FRAME_INFO;
    rv->x[A2] = sp + FRAME_UCONTEXT;
    return true;
}

static bool leave_handler(gs_linux_process *process, bool rt)
{
    (void)rt;
    const gs_memory *memory = &process->machine->memory;
    gs_hart *hart = &process->machine->hart;
    gs_rv_state *rv = &hart->rv;
    uint8_t bytes[FRAME_SIZE];
    gs_wire wire = {.bytes = bytes, .size = sizeof bytes, .big_endian = memory->big_endian};
    if (!gs_memory_read(memory, rv->x[SP], bytes, wire.size))
        return false;
    gs_wire_skip(&wire, FRAME_UCONTEXT + 8);
    gs_linux_altstack stack = gs_linux_take_altstack(&wire, process->abi);
    process->signals.blocked = gs_linux_take_sigset(&wire, process->abi);
    gs_wire_skip(&wire, FRAME_UCONTEXT + UCONTEXT_REGS - wire.at);
    hart->pc = gs_wire_take32(&wire);
    for (unsigned i = 1; i < 32; i++)
        rv->x[i] = gs_wire_take32(&wire);
    for (unsigned i = 0; i < 32; i++)
        rv->f[i] = gs_wire_take64(&wire);
    uint32_t fcsr = gs_wire_take32(&wire);
    rv->frm = (uint8_t)(fcsr >> 5 & 7);
    rv->fp.flags = (uint8_t)(fcsr & 31);
    rv->reserved = false;
    gs_linux_set_altstack(process, stack, rv->x[SP]);
    return true;
}

static void put_time(gs_wire *wire, const struct timespec *ts)
{
    gs_wire_put32(wire, (uint64_t)ts->tv_sec);
    gs_wire_put32(wire, (uint64_t)ts->tv_nsec);
}

static void put_stat64(gs_wire *wire, const struct stat *st)
{
    gs_wire_put64(wire, gs_linux_device(st->st_dev));
    gs_wire_put64(wire, gs_linux_file_number(st->st_ino));
    gs_wire_put32(wire, st->st_mode);
    gs_wire_put32(wire, st->st_nlink);
    gs_wire_put32(wire, st->st_uid);
    gs_wire_put32(wire, st->st_gid);
    gs_wire_put64(wire, gs_linux_device(st->st_rdev));
    gs_wire_zero(wire, 8);
    gs_wire_put64(wire, (uint64_t)st->st_size);
    gs_wire_put32(wire, (uint64_t)st->st_blksize);
    gs_wire_zero(wire, 4);
    gs_wire_put64(wire, (uint64_t)st->st_blocks);
    put_time(wire, &st->st_atim);
    put_time(wire, &st->st_mtim);
    put_time(wire, &st->st_ctim);
    gs_wire_zero(wire, 8);
}

const gs_linux_abi gs_linux_abi_rv32 = {
    .flavor = GS_LINUX_GENERIC,
    .machine = "riscv32",
    .platform = "riscv32",
    .pairs_aligned = false,
    .task_end = 0xc0000000,
    .signal_max = 64,
    .sigset_bytes = 8,
    .sa_siginfo = 4,
    .first_call = 0,
    .call_count = sizeof calls / sizeof *calls,
    .calls = calls,
    .start = start,
    .hwcap = hwcap,
    .get_call = get_call,
    .set_result = set_result,
    .sp = stack_pointer,
    .set_sp = set_stack_pointer,
    .put_trampoline = put_trampoline,
    .enter_handler = enter_handler,
    .leave_handler = leave_handler,
    .put_stat = put_stat64,
    .put_stat64 = put_stat64,
};
