/* The Linux environment: start, system calls as traps, signals and timers between instructions. */
#include "machine/linux/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const gs_linux_abi *abi_for(const gs_machine *machine)
{
    return machine->isa->arch == GS_ARCH_RV32 ? &gs_linux_abi_rv32 : &gs_linux_abi_mips;
}

static void stop(gs_machine *machine)
{
    gs_linux_process *process = machine->environment_state;
    if (!process)
        return;
    gs_linux_unmap_files(process);
    gs_linux_files_fini(&process->files);
    free(process->shown_program);
    free(process);
    machine->environment_state = NULL;
}

static void set_limits(gs_linux_process *process)
{
    enum { STACK = 3, CORE = 4, OPEN_FILES = 7 };
    for (unsigned i = 0; i < GS_LINUX_LIMITS; i++)
        process->limits[i] = (gs_linux_limit){GS_LINUX_UNLIMITED, GS_LINUX_UNLIMITED};
    process->limits[STACK].soft = GS_LINUX_STACK_SIZE;
    process->limits[CORE].soft = 0;
    process->limits[OPEN_FILES] = (gs_linux_limit){GS_LINUX_FD_MAX, GS_LINUX_FD_MAX};
}

static gs_status start(gs_machine *machine, const gs_machine_options *options, gs_error *err)
{
    gs_linux_process *process = calloc(1, sizeof *process);
    if (!process)
        return gs_fail_no_memory(err);
    process->machine = machine;
    process->abi = abi_for(machine);
    process->signals.altstack.flags = GS_LINUX_SS_DISABLE;
    process->first_free = GS_LINUX_MMAP_BASE;
    set_limits(process);
    machine->environment_state = process;
    if (!gs_linux_files_init(&process->files, options->stdio, machine->sandbox->home)) {
        stop(machine);
        return gs_fail(err, GS_E_IO, "cannot open the current directory for the guest");
    }

    const char *name = gs_image_name(machine->image);
    const char *path = machine->sandbox->program_path;
    strncpy(process->name, gs_base_name(name), sizeof process->name - 1);
    if (machine->inherit & GS_INHERIT_ENVIRONMENT)
        process->shown_program = strdup(path);
    else if (asprintf(&process->shown_program, "/gumshoe/%s", gs_base_name(name)) < 0)
        process->shown_program = NULL;
    if (!process->shown_program) {
        stop(machine);
        return gs_fail_no_memory(err);
    }

    gs_status status = gs_linux_load(process, options, err);
    if (status != GS_OK)
        stop(machine);
    return status;
}

static void trap(gs_machine *machine)
{
    gs_linux_process *process = machine->environment_state;
    if (machine->hart.trap.kind == GS_TRAP_SYSCALL) {
        gs_linux_syscall_run(process);
        gs_machine_mapped(machine);
    } else {
        gs_linux_deliver_fault(process);
    }
}

static uint64_t events(gs_machine *machine, uint64_t now)
{
    gs_linux_process *process = machine->environment_state;
    machine->time = now;
    uint64_t next = gs_linux_timers_run(process);
    if (!gs_linux_deliverable(process))
        return next;
    /* A handler cannot come between a branch and its delay slot. */
    if (machine->hart.mips.in_delay_slot)
        return now + 1;
    gs_linux_deliver(process);
    return next;
}

const gs_environment gs_environment_linux = {
    .name = "linux",
    .start = start,
    .trap = trap,
    .events = events,
    .stop = stop,
};
