/*
 * The process's address space. The guest's memory knows what is mapped; here is kept
 * where the break is, and which mappings are files.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

static const uint64_t address_space = (uint64_t)1 << 32;

static uint64_t page_up(uint64_t size)
{
    return (size + GS_PAGE_SIZE - 1) & ~(uint64_t)(GS_PAGE_SIZE - 1);
}

static bool page_aligned(uint32_t addr)
{
    return (addr & (GS_PAGE_SIZE - 1)) == 0;
}

static bool is_free(const gs_memory *memory, gs_addr start, uint64_t size)
{
    if (start + size > address_space)
        return false;
    for (uint64_t at = start; at < start + size; at += GS_PAGE_SIZE) {
        if (memory->prot[at >> GS_PAGE_SHIFT])
            return false;
    }
    return true;
}

/* Whether the guest may map or unmap there: in user space, and not what the kernel put there. */
static bool is_guests(const gs_linux_process *process, gs_addr start, uint64_t size)
{
    uint64_t end = start + size;
    bool trampoline = start < GS_LINUX_TRAMPOLINE + GS_PAGE_SIZE && end > GS_LINUX_TRAMPOLINE;
    return size <= process->abi->task_end && end <= process->abi->task_end && !trampoline;
}

static unsigned prot_from_guest(uint32_t prot)
{
    enum { READ = 1, WRITE = 2, EXEC = 4 };
    /* Neither architecture can map a page that is writable but not readable. */
    return (prot & (READ | WRITE) ? GS_PROT_READ : 0u) | (prot & WRITE ? GS_PROT_WRITE : 0u) |
           (prot & EXEC ? GS_PROT_EXEC | GS_PROT_READ : 0u);
}

/* Writes back the part of a shared mapping that lies in [start, end). */
static void write_back(gs_linux_process *process, const gs_linux_mapping *mapping, uint64_t start,
                       uint64_t end)
{
    const gs_memory *memory = &process->machine->memory;
    uint64_t low = start > mapping->start ? start : mapping->start;
    uint64_t high = end < mapping->start + mapping->size ? end : mapping->start + mapping->size;
    struct stat st;
    if (mapping->host < 0 || low >= high || fstat(mapping->host, &st) != 0)
        return;
    /* A mapping reaches to the end of its last page, but never makes the file longer. */
    uint64_t offset = mapping->offset + (low - mapping->start);
    if (offset >= (uint64_t)st.st_size)
        return;
    uint64_t size = high - low;
    if (size > (uint64_t)st.st_size - offset)
        size = (uint64_t)st.st_size - offset;
    if (!gs_machine_may_write(process->machine, size))
        return;
    for (uint64_t done = 0; done < size;) {
        ssize_t n =
            pwrite(mapping->host, memory->bytes + low + done, size - done, (off_t)(offset + done));
        if (n <= 0 && errno != EINTR)
            return;
        done += n > 0 ? (uint64_t)n : 0;
    }
}

static void remove_mapping(gs_linux_process *process, size_t index)
{
    gs_linux_mapping *items = process->mappings.items;
    if (items[index].host >= 0)
        close(items[index].host);
    items[index] = items[--process->mappings.count];
}

/* Files leave [start, end), which is about to be unmapped. */
static void forget_files(gs_linux_process *process, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < process->mappings.count;) {
        gs_linux_mapping *mapping = &process->mappings.items[i];
        uint64_t mapping_end = mapping->start + mapping->size;
        if (mapping->start >= end || mapping_end <= start) {
            i++;
            continue;
        }
        write_back(process, mapping, start, end);
        if (mapping->start >= start && mapping_end <= end) {
            remove_mapping(process, i);
            continue;
        }
        if (mapping->start >= start) { /* the beginning goes */
            mapping->offset += end - mapping->start;
            mapping->size = mapping_end - end;
            mapping->start = (gs_addr)end;
        } else {
            if (mapping_end > end) { /* the middle goes: a second mapping for the rest */
                gs_linux_mapping rest = *mapping;
                rest.start = (gs_addr)end;
                rest.size = mapping_end - end;
                rest.offset += end - mapping->start;
                rest.host = mapping->host < 0 ? -1 : fcntl(mapping->host, F_DUPFD_CLOEXEC, 0);
                mapping->size = start - mapping->start;
                if (!gs_vec_push(&process->mappings, rest) && rest.host >= 0)
                    close(rest.host);
            } else {
                mapping->size = start - mapping->start;
            }
        }
        i++;
    }
}

static void unmap(gs_linux_process *process, gs_addr start, uint64_t size)
{
    forget_files(process, start, start + size);
    gs_memory_unmap(&process->machine->memory, start, size);
    if (start < process->first_free && start >= GS_LINUX_MMAP_BASE)
        process->first_free = start;
}

void gs_linux_unmap_files(gs_linux_process *process)
{
    while (process->mappings.count > 0) {
        write_back(process, &process->mappings.items[0], 0, address_space);
        remove_mapping(process, 0);
    }
    free(process->mappings.items);
    process->mappings.items = NULL;
    process->mappings.capacity = 0;
}

/* The kernel's answer to a break it will not set is the one there is. */
int64_t gs_linux_sys_brk(gs_linux_call *call)
{
    gs_linux_process *process = call->process;
    gs_memory *memory = &process->machine->memory;
    uint32_t wanted = call->args[0];
    uint64_t old_end = page_up(process->brk), new_end = page_up(wanted);
    uint64_t limit =
        process->brk_start < GS_LINUX_MMAP_BASE ? GS_LINUX_MMAP_BASE : process->abi->task_end;
    if (wanted < process->brk_start || new_end > limit)
        return process->brk;
    if (new_end > old_end) {
        uint64_t size = new_end - old_end;
        /* One page of distance to whatever comes next, as the kernel keeps to the stack. */
        if (!is_free(memory, (gs_addr)old_end, size + GS_PAGE_SIZE) ||
            !is_guests(process, (gs_addr)old_end, size) ||
            gs_memory_map(memory, (gs_addr)old_end, size, GS_PROT_READ | GS_PROT_WRITE, NULL) !=
                GS_OK)
            return process->brk;
    } else if (new_end < old_end) {
        unmap(process, (gs_addr)new_end, old_end - new_end);
    }
    process->brk = wanted;
    return wanted;
}

/* The address of `size` free bytes in a row, or 0. */
static gs_addr find_free(gs_linux_process *process, uint64_t size)
{
    const gs_memory *memory = &process->machine->memory;
    gs_addr first =
        gs_memory_find_free(memory, process->first_free, GS_LINUX_GUARD_LOW, GS_PAGE_SIZE);
    process->first_free = first ? first : GS_LINUX_GUARD_LOW;
    gs_addr start = gs_memory_find_free(memory, process->first_free, GS_LINUX_GUARD_LOW, size);
    if (!start && process->abi->task_end > GS_LINUX_TRAMPOLINE + GS_PAGE_SIZE)
        start = gs_memory_find_free(memory, GS_LINUX_TRAMPOLINE + 2 * GS_PAGE_SIZE,
                                    process->abi->task_end, size);
    return start;
}

/* mmap(2)'s flags. The type of sharing and MAP_FIXED are the same everywhere. */
enum { SHARED = 1, PRIVATE = 2, SHARED_VALIDATE = 3, TYPE = 15, FIXED = 16 };
enum { FIXED_NOREPLACE = 0x100000 };
static const uint32_t anonymous[GS_LINUX_FLAVORS] = {0x20, 0x800};

/* The file's bytes into fresh memory. What lies beyond its end stays zero. */
static int copy_file(gs_linux_process *process, int host, gs_addr start, uint64_t size,
                     uint64_t offset)
{
    for (uint64_t done = 0; done < size;) {
        size_t part = size - done < GS_LINUX_BUFFER ? size - done : GS_LINUX_BUFFER;
        ssize_t n = pread(host, process->buffer, part, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            return 0;
        gs_memory_poke(&process->machine->memory, (gs_addr)(start + done), process->buffer,
                       (uint64_t)n);
        done += (uint64_t)n;
    }
    return 0;
}

/* Into memory mapped for it, and onto the list. What others write to the file meanwhile stays
 * unseen, and a shared mapping that can be written is written back whole. */
static int map_file(gs_linux_process *process, const gs_linux_fd *entry, gs_addr start,
                    uint64_t size, uint64_t offset, bool write_through)
{
    int status = copy_file(process, entry->host, start, size, offset);
    gs_linux_mapping mapping = {.start = start, .size = size, .offset = offset, .host = -1};
    if (status)
        return status;
    if (write_through) {
        mapping.host = gs_linux_fd_duplicate(process, entry);
        if (mapping.host < 0)
            return mapping.host;
    }
    if (gs_vec_push(&process->mappings, mapping))
        return 0;
    if (mapping.host >= 0)
        close(mapping.host);
    return -ENOMEM;
}

static int check_file(const gs_linux_fd *entry, uint32_t prot, bool shared)
{
    int mode = fcntl(entry->host, F_GETFL) & O_ACCMODE;
    if (entry->type != S_IFREG)
        return -ENODEV;
    if (mode == O_WRONLY || (shared && (prot & PROT_WRITE) && mode != O_RDWR))
        return -EACCES;
    return 0;
}

static int64_t map(gs_linux_call *call, uint64_t offset)
{
    gs_linux_process *process = call->process;
    gs_memory *memory = &process->machine->memory;
    uint32_t hint = call->args[0], prot = call->args[2], flags = call->args[3];
    uint64_t size = page_up(call->args[1]);
    bool is_anonymous = flags & anonymous[process->abi->flavor];
    bool fixed = flags & (FIXED | FIXED_NOREPLACE);
    uint32_t type = flags & TYPE;
    const gs_linux_fd *entry = is_anonymous ? NULL : gs_linux_fd_get(process, call->args[4]);
    bool shared = type == SHARED || type == SHARED_VALIDATE;

    if (size == 0 || (type != PRIVATE && !shared) || (fixed && !page_aligned(hint)))
        return -EINVAL;
    if (!is_anonymous && !entry)
        return -EBADF;
    int status = entry ? check_file(entry, prot, shared) : 0;
    if (status)
        return status;

    gs_addr start = hint & ~(gs_addr)(GS_PAGE_SIZE - 1);
    if (fixed) {
        if (start < GS_LINUX_LOWEST_MAP)
            return -EPERM;
        if (!is_guests(process, start, size))
            return -ENOMEM;
        if ((flags & FIXED_NOREPLACE) && !is_free(memory, start, size))
            return -EEXIST;
    } else if (start < GS_LINUX_LOWEST_MAP || !is_guests(process, start, size) ||
               !is_free(memory, start, size)) {
        start = find_free(process, size);
        if (!start)
            return -ENOMEM;
    }
    unmap(process, start, size);
    if (gs_memory_map(memory, start, size, prot_from_guest(prot), NULL) != GS_OK)
        return -ENOMEM;
    if (entry) {
        bool write_through = shared && (prot & PROT_WRITE);
        status = map_file(process, entry, start, size, offset, write_through);
        if (status) {
            unmap(process, start, size);
            return status;
        }
    }
    return start;
}

/* The offset in bytes, which must be a whole page. */
int64_t gs_linux_sys_mmap(gs_linux_call *call)
{
    return page_aligned(call->args[5]) ? map(call, call->args[5]) : -EINVAL;
}

/* The offset in units of 4096 bytes. */
int64_t gs_linux_sys_mmap2(gs_linux_call *call)
{
    return map(call, (uint64_t)call->args[5] << 12);
}

int64_t gs_linux_sys_munmap(gs_linux_call *call)
{
    uint64_t size = page_up(call->args[1]);
    if (!page_aligned(call->args[0]) || size == 0 || !is_guests(call->process, call->args[0], size))
        return -EINVAL;
    unmap(call->process, call->args[0], size);
    return 0;
}

int64_t gs_linux_sys_mprotect(gs_linux_call *call)
{
    gs_memory *memory = &call->process->machine->memory;
    gs_addr start = call->args[0];
    uint64_t size = page_up(call->args[1]);
    if (!page_aligned(start))
        return -EINVAL;
    if (size == 0)
        return 0;
    if (!is_guests(call->process, start, size) ||
        !gs_memory_allows(memory, start, size, GS_PROT_MAPPED))
        return -ENOMEM;
    gs_memory_protect(memory, start, size, prot_from_guest(call->args[2]));
    return 0;
}

/* The end of the run of pages from `at` on that are alike: files or not, one protection. */
static uint64_t alike_until(const gs_linux_process *process, uint64_t at, uint64_t end, bool *file)
{
    const uint8_t *prot = process->machine->memory.prot;
    uint64_t stop = at + GS_PAGE_SIZE;
    *file = false;
    while (stop < end && prot[stop >> GS_PAGE_SHIFT] == prot[at >> GS_PAGE_SHIFT])
        stop += GS_PAGE_SIZE;
    for (size_t i = 0; i < process->mappings.count; i++) {
        const gs_linux_mapping *mapping = &process->mappings.items[i];
        uint64_t mapping_end = mapping->start + mapping->size;
        if (mapping->start <= at && mapping_end > at) {
            *file = true;
            return stop < mapping_end ? stop : mapping_end;
        }
        if (mapping->start > at && mapping->start < stop)
            stop = mapping->start;
    }
    return stop;
}

int64_t gs_linux_sys_madvise(gs_linux_call *call)
{
    enum { DONTNEED = 4 };
    gs_linux_process *process = call->process;
    gs_memory *memory = &process->machine->memory;
    gs_addr start = call->args[0];
    uint64_t size = page_up(call->args[1]), end = start + size;
    if (!page_aligned(start))
        return -EINVAL;
    if (size == 0 || call->args[2] != DONTNEED)
        return 0;
    if (!is_guests(process, start, size) || !gs_memory_allows(memory, start, size, GS_PROT_MAPPED))
        return -ENOMEM;
    for (uint64_t at = start, stop; at < end; at = stop) {
        bool file;
        unsigned prot = memory->prot[at >> GS_PAGE_SHIFT];
        stop = alike_until(process, at, end, &file);
        if (file) /* would be read again; the copy is as good */
            continue;
        gs_memory_unmap(memory, (gs_addr)at, stop - at);
        if (gs_memory_map(memory, (gs_addr)at, stop - at, prot, NULL) != GS_OK)
            return -ENOMEM;
    }
    return 0;
}

/* Moves pages with what they allow to a free place. */
static bool move(gs_linux_process *process, gs_addr from, gs_addr to, uint64_t size)
{
    gs_memory *memory = &process->machine->memory;
    for (uint64_t at = 0; at < size; at += GS_PAGE_SIZE) {
        unsigned prot = memory->prot[(from + at) >> GS_PAGE_SHIFT];
        if (gs_memory_map(memory, (gs_addr)(to + at), GS_PAGE_SIZE, prot, NULL) != GS_OK)
            return false;
        gs_memory_poke(memory, (gs_addr)(to + at), memory->bytes + from + at, GS_PAGE_SIZE);
    }
    for (size_t i = 0; i < process->mappings.count; i++) {
        gs_linux_mapping *mapping = &process->mappings.items[i];
        if (mapping->start >= from && mapping->start + mapping->size <= from + size)
            mapping->start = mapping->start - from + to;
    }
    unmap(process, from, size);
    return true;
}

int64_t gs_linux_sys_mremap(gs_linux_call *call)
{
    enum { MAY_MOVE = 1, MOVE_TO = 2 };
    gs_linux_process *process = call->process;
    gs_memory *memory = &process->machine->memory;
    gs_addr old = call->args[0];
    uint64_t old_size = page_up(call->args[1]), new_size = page_up(call->args[2]);
    uint32_t flags = call->args[3];
    bool to_fixed = flags & MOVE_TO;
    gs_addr target = call->args[4];
    if (!page_aligned(old) || new_size == 0 || old_size == 0 ||
        flags & ~(uint32_t)(MAY_MOVE | MOVE_TO) || (to_fixed && !(flags & MAY_MOVE)))
        return -EINVAL;
    if (!is_guests(process, old, old_size) ||
        !gs_memory_allows(memory, old, old_size, GS_PROT_MAPPED))
        return -EFAULT;
    if (new_size > process->abi->task_end)
        return -ENOMEM;
    if (to_fixed) {
        bool overlaps = (uint64_t)target < old + old_size && target + new_size > old;
        if (!page_aligned(target) || target < GS_LINUX_LOWEST_MAP || overlaps ||
            !is_guests(process, target, new_size))
            return -EINVAL;
        unmap(process, target, new_size);
    }
    if (new_size < old_size) {
        unmap(process, (gs_addr)(old + new_size), old_size - new_size);
        old_size = new_size;
    }
    uint64_t grown = new_size - old_size;
    gs_addr tail = (gs_addr)(old + old_size);
    unsigned prot = memory->prot[(tail - 1) >> GS_PAGE_SHIFT];
    if (!to_fixed) {
        bool fits = grown == 0 || (is_guests(process, tail, grown) && is_free(memory, tail, grown));
        if (fits)
            return gs_memory_map(memory, tail, grown, prot, NULL) == GS_OK ? (int64_t)old : -ENOMEM;
        if (!(flags & MAY_MOVE))
            return -ENOMEM;
        target = find_free(process, new_size);
        if (!target)
            return -ENOMEM;
    }
    if (gs_memory_map(memory, target, new_size, prot, NULL) != GS_OK ||
        !move(process, old, target, old_size))
        return -ENOMEM;
    return target;
}

int64_t gs_linux_sys_msync(gs_linux_call *call)
{
    gs_linux_process *process = call->process;
    gs_addr start = call->args[0];
    uint64_t size = page_up(call->args[1]);
    if (!page_aligned(start))
        return -EINVAL;
    if (!gs_memory_allows(&process->machine->memory, start, size, GS_PROT_MAPPED))
        return -ENOMEM;
    for (size_t i = 0; i < process->mappings.count; i++)
        write_back(process, &process->mappings.items[i], start, start + size);
    return 0;
}

/* Everything that is mapped is in memory. */
int64_t gs_linux_sys_mincore(gs_linux_call *call)
{
    gs_memory *memory = &call->process->machine->memory;
    gs_addr start = call->args[0];
    uint64_t pages = page_up(call->args[1]) >> GS_PAGE_SHIFT;
    const uint8_t resident = 1;
    if (!page_aligned(start))
        return -EINVAL;
    if (!gs_memory_allows(memory, start, pages << GS_PAGE_SHIFT, GS_PROT_MAPPED))
        return -ENOMEM;
    for (uint64_t i = 0; i < pages; i++) {
        if (call->args[2] + i > UINT32_MAX ||
            !gs_memory_write(memory, (gs_addr)(call->args[2] + i), &resident, 1))
            return -EFAULT;
    }
    return 0;
}
