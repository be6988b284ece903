/*
 * MIPS o32. Layouts as in the kernel's arch/mips/include/uapi/asm and
 * arch/mips/kernel/signal.c.
 */
#include "machine/linux/process.h"

#include <elf.h>
#include <sys/stat.h>

#include "machine/mips_cp0.h"
#include "machine/mips_trap.h"

enum { V0 = 2, V1 = 3, A0 = 4, A1 = 5, A2 = 6, A3 = 7, T9 = 25, SP = 29, RA = 31 };

static const gs_linux_syscall calls[] = {
#define SYSCALL(number, name, handler) [(number)-4000] = {#name, gs_linux_sys_##handler},
#include "machine/linux/syscalls_mips_o32.def"
#undef SYSCALL
};

/* What .MIPS.abiflags says of floating point registers; -1 if there is no such segment. */
static int fp_abi(const gs_machine *machine)
{
    const gs_addr fp_abi_offset = 7;
    gs_addr header = (gs_addr)gs_image_phdr_address(machine->image);
    unsigned count = header ? gs_image_phdr_count(machine->image) : 0;
    for (unsigned i = 0; i < count; i++, header += (gs_addr)sizeof(Elf32_Phdr)) {
        uint32_t type, address;
        uint8_t abi;
        if (gs_memory_read32(&machine->memory, header, &type) && type == PT_MIPS_ABIFLAGS &&
            gs_memory_read32(&machine->memory, header + offsetof(Elf32_Phdr, p_vaddr), &address) &&
            gs_memory_read(&machine->memory, address + fp_abi_offset, &abi, sizeof abi))
            return abi;
    }
    return -1;
}

/* As mips_set_personality_fp() in the kernel's arch/mips/kernel/elf.c: a program that can do with
 * registers of 32 or of 64 bits gets the latter. */
static bool wants_wide_registers(const gs_machine *machine)
{
    switch (fp_abi(machine)) {
    case -1: return gs_image_flags(machine->image) & EF_MIPS_FP64;
    case Val_GNU_MIPS_ABI_FP_OLD_64:
    case Val_GNU_MIPS_ABI_FP_XX:
    case Val_GNU_MIPS_ABI_FP_64:
    case Val_GNU_MIPS_ABI_FP_64A: return true;
    default: return false;
    }
}

static void start(gs_machine *machine, gs_addr entry)
{
    gs_mips_reset_user(machine, entry);
    if (wants_wide_registers(machine))
        machine->hart.mips.cp0_status |= GS_MIPS_STATUS_FR;
}

static uint32_t hwcap(const gs_machine *machine)
{
    (void)machine;
    return 0;
}

static void get_call(gs_linux_call *call)
{
    const gs_machine *machine = call->process->machine;
    const uint32_t *r = machine->hart.mips.r;
    call->number = r[V0];
    for (unsigned i = 0; i < 4; i++)
        call->args[i] = r[A0 + i];
    /* The rest lies above the home area of the first four. The kernel reads what it cannot
     * reach as zero, too. */
    for (unsigned i = 4; i < GS_LINUX_ARGUMENTS; i++) {
        if (!gs_memory_read32(&machine->memory, r[SP] + 4 * i, &call->args[i]))
            call->args[i] = 0;
    }
}

static void set_result(gs_linux_call *call, int64_t result)
{
    uint32_t *r = call->process->machine->hart.mips.r;
    r[A3] = result < 0;
    r[V0] = result < 0 ? (uint32_t)gs_linux_errno(GS_LINUX_MIPS, (int)-result) : (uint32_t)result;
    if (call->has_second)
        r[V1] = call->second;
}

static gs_addr stack_pointer(const gs_hart *hart)
{
    return hart->mips.r[SP];
}

static void set_stack_pointer(gs_hart *hart, gs_addr sp)
{
    hart->mips.r[SP] = sp;
}

enum { SIGRETURN = 4119, RT_SIGRETURN = 4193, TRAMPOLINE_SIZE = 8 };

static void put_trampoline(gs_wire *wire)
{
    const uint32_t li_v0 = 0x24020000, syscall_insn = 0x0000000c;
    gs_wire_put32(wire, li_v0 | SIGRETURN);
    gs_wire_put32(wire, syscall_insn);
    gs_wire_put32(wire, li_v0 | RT_SIGRETURN);
    gs_wire_put32(wire, syscall_insn);
}

static void put_sigcontext(gs_wire *wire, const gs_hart *hart)
{
    const uint32_t fpu_used = 1;
    const gs_mips_state *mips = &hart->mips;
    gs_wire_zero(wire, 8); /* sc_regmask, sc_status */
    gs_wire_put64(wire, hart->pc);
    gs_wire_put64(wire, 0);
    for (unsigned i = 1; i < 32; i++)
        gs_wire_put64(wire, mips->r[i]);
    for (unsigned i = 0; i < 64; i += 2)
        gs_wire_put64(wire, (uint64_t)mips->f[i + 1] << 32 | mips->f[i]);
    gs_wire_zero(wire, 4); /* sc_acx */
    gs_wire_put32(wire, mips->fcsr);
    gs_wire_zero(wire, 4); /* sc_fpc_eir */
    gs_wire_put32(wire, fpu_used);
    gs_wire_zero(wire, 8); /* sc_dsp and padding */
    gs_wire_put64(wire, mips->hi);
    gs_wire_put64(wire, mips->lo);
    gs_wire_zero(wire, 24); /* sc_hi1 to sc_lo3 */
}

static void take_sigcontext(gs_wire *wire, gs_hart *hart)
{
    gs_mips_state *mips = &hart->mips;
    gs_wire_skip(wire, 8);
    hart->pc = (gs_addr)gs_wire_take64(wire);
    gs_wire_skip(wire, 8);
    for (unsigned i = 1; i < 32; i++)
        mips->r[i] = (uint32_t)gs_wire_take64(wire);
    for (unsigned i = 0; i < 64; i += 2) {
        uint64_t value = gs_wire_take64(wire);
        mips->f[i] = (uint32_t)value;
        mips->f[i + 1] = (uint32_t)(value >> 32);
    }
    gs_wire_skip(wire, 4);
    gs_mips_fcsr_write(mips, gs_wire_take32(wire));
    gs_wire_skip(wire, 16);
    mips->hi = (uint32_t)gs_wire_take64(wire);
    mips->lo = (uint32_t)gs_wire_take64(wire);
    gs_wire_skip(wire, 24);
    mips->in_delay_slot = false;
    mips->linked = false;
}

/* Offsets in the two frames: arguments' home area and an unused trampoline come first. */
enum {
    FRAME_HEAD = 16 + 8,
    FRAME_SIZE = FRAME_HEAD + 592 + 16,
    RT_FRAME_INFO = FRAME_HEAD,
    RT_FRAME_UCONTEXT = RT_FRAME_INFO + 128,
    RT_FRAME_SIZE = RT_FRAME_UCONTEXT + 24 + 592 + 16
};

static bool enter_handler(gs_linux_process *process, int signal, const gs_linux_action *action,
                          const gs_linux_siginfo *info, const gs_linux_sigset *mask)
{
    gs_memory *memory = &process->machine->memory;
    gs_hart *hart = &process->machine->hart;
    uint8_t bytes[RT_FRAME_SIZE];
    gs_wire wire = {.bytes = bytes, .size = sizeof bytes, .big_endian = memory->big_endian};
    bool rt = action->flags & process->abi->sa_siginfo;
    gs_addr sp = hart->mips.r[SP];

    gs_wire_zero(&wire, FRAME_HEAD);
    if (rt) {
        gs_linux_put_siginfo(&wire, process->abi, signal, info);
        gs_wire_zero(&wire, 8); /* uc_flags, uc_link */
        gs_linux_put_altstack(&wire, process->abi, gs_linux_get_altstack(process, sp));
        gs_wire_zero(&wire, 4);
    }
    put_sigcontext(&wire, hart);
    gs_linux_put_sigset(&wire, process->abi, mask);

    /* The kernel spares 32 bytes for the FPU emulator's own trampoline. */
    sp = (gs_linux_signal_stack(process, action, sp - 32) - (gs_addr)wire.at) & ~(gs_addr)7;
    if (!gs_memory_write(memory, sp, bytes, wire.at))
        return false;
    hart->pc = hart->mips.r[T9] = action->handler;
    hart->mips.in_delay_slot = false;
    hart->mips.linked = false;
    hart->mips.r[SP] = sp;
    hart->mips.r[RA] = GS_LINUX_TRAMPOLINE + (rt ? TRAMPOLINE_SIZE : 0);
    hart->mips.r[A0] = (uint32_t)signal;
    hart->mips.r[A1] = rt ? sp + RT_FRAME_INFO : 0;
    hart->mips.r[A2] = sp + (rt ? RT_FRAME_UCONTEXT : FRAME_HEAD);
    return true;
}

static bool leave_handler(gs_linux_process *process, bool rt)
{
    const gs_memory *memory = &process->machine->memory;
    gs_hart *hart = &process->machine->hart;
    uint8_t bytes[RT_FRAME_SIZE];
    gs_wire wire = {
        .bytes = bytes, .size = rt ? RT_FRAME_SIZE : FRAME_SIZE, .big_endian = memory->big_endian};
    if (!gs_memory_read(memory, hart->mips.r[SP], bytes, wire.size))
        return false;
    gs_linux_altstack stack = {0};
    gs_wire_skip(&wire, rt ? RT_FRAME_UCONTEXT + 8 : FRAME_HEAD);
    if (rt) {
        stack = gs_linux_take_altstack(&wire, process->abi);
        gs_wire_skip(&wire, 4);
    }
    take_sigcontext(&wire, hart);
    process->signals.blocked = gs_linux_take_sigset(&wire, process->abi);
    if (rt)
        gs_linux_set_altstack(process, stack, hart->mips.r[SP]);
    return true;
}

static void put_time(gs_wire *wire, const struct timespec *ts)
{
    gs_wire_put32(wire, (uint64_t)ts->tv_sec);
    gs_wire_put32(wire, (uint64_t)ts->tv_nsec);
}

static void put_times(gs_wire *wire, const struct stat *st)
{
    put_time(wire, &st->st_atim);
    put_time(wire, &st->st_mtim);
    put_time(wire, &st->st_ctim);
}

static void put_stat(gs_wire *wire, const struct stat *st)
{
    gs_wire_put32(wire, gs_linux_device(st->st_dev));
    gs_wire_zero(wire, 12);
    gs_wire_put32(wire, gs_linux_file_number(st->st_ino));
    gs_wire_put32(wire, st->st_mode);
    gs_wire_put32(wire, st->st_nlink);
    gs_wire_put32(wire, st->st_uid);
    gs_wire_put32(wire, st->st_gid);
    gs_wire_put32(wire, gs_linux_device(st->st_rdev));
    gs_wire_zero(wire, 8);
    gs_wire_put32(wire, (uint64_t)st->st_size);
    gs_wire_zero(wire, 4);
    put_times(wire, st);
    gs_wire_put32(wire, (uint64_t)st->st_blksize);
    gs_wire_put32(wire, (uint64_t)st->st_blocks);
    gs_wire_zero(wire, 14 * 4);
}

static void put_stat64(gs_wire *wire, const struct stat *st)
{
    gs_wire_put32(wire, gs_linux_device(st->st_dev));
    gs_wire_zero(wire, 12);
    gs_wire_put64(wire, gs_linux_file_number(st->st_ino));
    gs_wire_put32(wire, st->st_mode);
    gs_wire_put32(wire, st->st_nlink);
    gs_wire_put32(wire, st->st_uid);
    gs_wire_put32(wire, st->st_gid);
    gs_wire_put32(wire, gs_linux_device(st->st_rdev));
    gs_wire_zero(wire, 12);
    gs_wire_put64(wire, (uint64_t)st->st_size);
    put_times(wire, st);
    gs_wire_put32(wire, (uint64_t)st->st_blksize);
    gs_wire_zero(wire, 4);
    gs_wire_put64(wire, (uint64_t)st->st_blocks);
}

const gs_linux_abi gs_linux_abi_mips = {
    .flavor = GS_LINUX_MIPS,
    .machine = "mips",
    .platform = "mips",
    .pairs_aligned = true,
    .task_end = 0x7fff8000,
    .signal_max = 127,
    .sigset_bytes = 16,
    .sa_siginfo = 8,
    .first_call = 4000,
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
    .put_stat = put_stat,
    .put_stat64 = put_stat64,
};
