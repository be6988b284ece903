/* Maps the segments of a program, its heap and the code that returns from signal handlers. */
#include "machine/linux/process.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static unsigned prot_of(const gs_segment *segment)
{
    if (segment->no_flags)
        return 0;
    return (segment->read ? GS_PROT_READ : 0u) | (segment->write ? GS_PROT_WRITE : 0u) |
           (segment->execute ? GS_PROT_EXEC : 0u);
}

static uint64_t page_down(uint64_t addr)
{
    return addr & ~(uint64_t)(GS_PAGE_SIZE - 1);
}

static uint64_t page_up(uint64_t addr)
{
    return page_down(addr + GS_PAGE_SIZE - 1);
}

static gs_status load_segment(gs_linux_process *process, const gs_segment *segment, gs_error *err)
{
    gs_memory *memory = &process->machine->memory;
    uint64_t end = segment->address + segment->memory_size;
    if (segment->address > UINT32_MAX || segment->memory_size > UINT32_MAX ||
        segment->file_size > segment->memory_size)
        return gs_fail(err, GS_E_FORMAT, "%s: a segment does not fit into 32 bits",
                       gs_image_name(process->machine->image));
    if (end > process->abi->task_end)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%s: a segment at 0x%08" PRIx64 " ends beyond user space (0x%08" PRIx32
                       "); is this a bare metal program?",
                       gs_image_name(process->machine->image), segment->address,
                       process->abi->task_end);
    if (segment->address < GS_LINUX_TRAMPOLINE + GS_PAGE_SIZE && end > GS_LINUX_GUARD_LOW)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%s: a segment at 0x%08" PRIx64 " lies where the stack goes",
                       gs_image_name(process->machine->image), segment->address);

    /* Two segments may share a page, which then allows what either does. */
    gs_addr start = (gs_addr)segment->address;
    unsigned before = memory->prot[start >> GS_PAGE_SHIFT];
    gs_status status = gs_memory_map(memory, start, segment->memory_size, prot_of(segment), err);
    if (status != GS_OK || segment->memory_size == 0)
        return status;
    if (before & GS_PROT_MAPPED)
        gs_memory_protect(memory, start, 1, prot_of(segment) | before);
    gs_memory_poke(memory, start, segment->bytes, segment->file_size);
    return GS_OK;
}

/* PT_GNU_STACK as the kernel reads it: a program without one may execute its stack. */
static bool stack_executable(const gs_linux_process *process)
{
    const gs_image *image = process->machine->image;
    const gs_memory *memory = &process->machine->memory;
    gs_addr phdr = (gs_addr)gs_image_phdr_address(image);
    for (unsigned i = 0; phdr && i < gs_image_phdr_count(image); i++) {
        gs_addr at = phdr + i * (gs_addr)sizeof(Elf32_Phdr);
        uint32_t type, flags;
        if (!gs_memory_read32(memory, at + (gs_addr)offsetof(Elf32_Phdr, p_type), &type) ||
            !gs_memory_read32(memory, at + (gs_addr)offsetof(Elf32_Phdr, p_flags), &flags))
            break;
        if (type == PT_GNU_STACK)
            return flags & PF_X;
    }
    return true;
}

static gs_status load_trampoline(gs_linux_process *process, gs_error *err)
{
    gs_memory *memory = &process->machine->memory;
    gs_status status =
        gs_memory_map(memory, GS_LINUX_TRAMPOLINE, GS_PAGE_SIZE, GS_PROT_READ | GS_PROT_EXEC, err);
    if (status != GS_OK)
        return status;
    uint8_t code[16];
    gs_wire wire = {.bytes = code, .size = sizeof code, .big_endian = memory->big_endian};
    process->abi->put_trampoline(&wire);
    gs_memory_poke(memory, GS_LINUX_TRAMPOLINE, code, wire.at);
    return GS_OK;
}

gs_status gs_linux_load(gs_linux_process *process, const gs_machine_options *options, gs_error *err)
{
    gs_machine *machine = process->machine;
    const gs_image *image = machine->image;
    uint64_t end = 0;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        gs_status status = load_segment(process, segment, err);
        if (status != GS_OK)
            return status;
        if (segment->address + segment->memory_size > end)
            end = segment->address + segment->memory_size;
    }
    process->brk_start = process->brk = (gs_addr)page_up(end);

    gs_status status = load_trampoline(process, err);
    if (status != GS_OK)
        return status;
    unsigned prot = GS_PROT_READ | GS_PROT_WRITE | (stack_executable(process) ? GS_PROT_EXEC : 0u);
    status = gs_memory_map(&machine->memory, GS_LINUX_STACK_LOW, GS_LINUX_STACK_SIZE, prot, err);
    if (status != GS_OK)
        return status;
    process->abi->start(machine, (gs_addr)gs_image_entry(image));
    return gs_linux_load_stack(process, options, err);
}
