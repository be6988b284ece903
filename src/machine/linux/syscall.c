/* Finds a system call by its number, fetches its arguments and returns its result. */
#include "machine/linux/process.h"

#include <errno.h>

static const gs_linux_syscall *find(const gs_linux_abi *abi, uint32_t number)
{
    uint32_t index = number - abi->first_call;
    if (index >= abi->call_count || !abi->calls[index].handler)
        return NULL;
    return &abi->calls[index];
}

int64_t gs_linux_sys_refuse(gs_linux_call *call)
{
    const gs_linux_syscall *known = find(call->process->abi, call->number);
    gs_machine_add_note(call->process->machine, "system call %s (%u) is not supported",
                        known ? known->name : "of unknown name", call->number);
    return -ENOSYS;
}

/* MIPS: the number is the first argument, and the others move up by one. */
int64_t gs_linux_sys_syscall(gs_linux_call *call)
{
    uint32_t number = call->args[0];
    const gs_linux_syscall *known = find(call->process->abi, number);
    if (number == call->number)
        return -ENOSYS;
    for (unsigned i = 0; i + 1 < GS_LINUX_ARGUMENTS; i++)
        call->args[i] = call->args[i + 1];
    call->args[GS_LINUX_ARGUMENTS - 1] = 0;
    call->number = number;
    return known ? known->handler(call) : gs_linux_sys_refuse(call);
}

void gs_linux_syscall_run(gs_linux_process *process)
{
    gs_machine *machine = process->machine;
    gs_hart *hart = &machine->hart;
    gs_linux_call call = {.process = process};
    process->abi->get_call(&call);

    bool in_delay_slot = hart->mips.in_delay_slot;
    hart->pc = in_delay_slot ? hart->mips.delay_target : hart->trap.pc + 4;
    hart->mips.in_delay_slot = false;
    hart->instret++;

    const gs_linux_syscall *known = find(process->abi, call.number);
    int64_t result = known ? known->handler(&call) : gs_linux_sys_refuse(&call);
    if (result == GS_LINUX_RESTART) {
        hart->pc = hart->trap.pc;
        hart->mips.in_delay_slot = in_delay_slot;
        hart->instret--;
        return;
    }
    if (result != GS_LINUX_NO_RESULT)
        process->abi->set_result(&call, result);
    if (machine->exit.kind == GS_EXIT_NONE)
        gs_linux_deliver(process);
}

uint64_t gs_linux_arg64(const gs_linux_call *call, unsigned index)
{
    if (call->process->abi->pairs_aligned)
        index += index & 1;
    uint32_t first = call->args[index], second = call->args[index + 1];
    return call->process->machine->memory.big_endian ? (uint64_t)first << 32 | second
                                                     : (uint64_t)second << 32 | first;
}

gs_wire gs_linux_wire(const gs_linux_call *call, void *bytes, size_t size)
{
    return (gs_wire){
        .bytes = bytes, .size = size, .big_endian = call->process->machine->memory.big_endian};
}

int gs_linux_put(const gs_linux_call *call, gs_addr to, const gs_wire *wire)
{
    return gs_memory_write(&call->process->machine->memory, to, wire->bytes, wire->at) ? 0
                                                                                       : -EFAULT;
}

int gs_linux_get(const gs_linux_call *call, gs_addr from, gs_wire *wire)
{
    return gs_memory_read(&call->process->machine->memory, from, wire->bytes, wire->size) ? 0
                                                                                          : -EFAULT;
}

int gs_linux_put_timespec(const gs_linux_call *call, gs_addr to, struct timespec ts, bool wide)
{
    uint8_t bytes[16];
    unsigned size = wide ? 8 : 4;
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put(&wire, (uint64_t)ts.tv_sec, size);
    gs_wire_put(&wire, (uint64_t)ts.tv_nsec, size);
    return gs_linux_put(call, to, &wire);
}

int gs_linux_get_timespec(const gs_linux_call *call, gs_addr from, struct timespec *ts, bool wide)
{
    uint8_t bytes[16];
    gs_wire wire = gs_linux_wire(call, bytes, wide ? 16 : 8);
    int status = gs_linux_get(call, from, &wire);
    if (status)
        return status;
    if (wide) {
        ts->tv_sec = (time_t)gs_wire_take64(&wire);
        /* The upper half may be padding, as in a 32-bit program's struct. */
        ts->tv_nsec = (int32_t)gs_wire_take64(&wire);
    } else {
        ts->tv_sec = (int32_t)gs_wire_take32(&wire);
        ts->tv_nsec = (int32_t)gs_wire_take32(&wire);
    }
    return 0;
}

int64_t gs_linux_host_result(int64_t value)
{
    if (value >= 0)
        return value;
    return errno == EINTR ? GS_LINUX_RESTART : -errno;
}
