/* Reserves and maps guest memory, and takes accesses that the fast bits do not allow. */
#include "machine/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* What is before the guest's memory, if lines of code are as short as can be; its 4 GiB, and a
 * little more, so that an access that begins at the last byte stays inside; all of it. */
static const size_t before_size = GS_MEMORY_PAGES + ((size_t)1 << 30);
static const size_t guest_size = ((size_t)1 << 32) + GS_PAGE_SIZE;
static const size_t region_size =
    before_size + guest_size + GS_MEMORY_DCACHE_NOTES + ((size_t)1 << 32) + GS_MEMORY_OVERSHOOT;

static size_t page_of(uint64_t addr)
{
    return (size_t)(addr >> GS_PAGE_SHIFT);
}

static void *host_reserve(size_t size, int prot)
{
    void *p = mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

gs_status gs_memory_init(gs_memory *memory, const gs_isa *isa, bool big_endian, gs_error *err)
{
    *memory = (gs_memory){
        .unit = isa->unit,
        .big_endian = big_endian,
        .strict_alignment = isa->arch == GS_ARCH_MIPS32,
    };
    /* The tables are mapped, not allocated: pages of them that no guest page needs cost nothing. */
    uint8_t *region = host_reserve(region_size, PROT_NONE);
    const size_t behind = before_size + guest_size;
    if (region && mprotect(region, before_size, PROT_READ) == 0 &&
        mprotect(region + behind, region_size - behind, PROT_READ) == 0)
        memory->bytes = region + before_size;
    else if (region)
        munmap(region, region_size);
    const int prot = PROT_READ | PROT_WRITE;
    if (memory->bytes && mprotect(memory->bytes - GS_MEMORY_ANCHOR, GS_MEMORY_ANCHOR, prot) == 0 &&
        mprotect(memory->bytes - GS_MEMORY_PAGES, GS_PAGE_COUNT, prot) == 0)
        memory->fast = memory->bytes - GS_MEMORY_PAGES;
    memory->prot = host_reserve(GS_PAGE_COUNT, PROT_READ | PROT_WRITE);
    memory->code = host_reserve(GS_PAGE_COUNT * sizeof *memory->code, PROT_READ | PROT_WRITE);
    if (memory->bytes && memory->fast && memory->prot && memory->code)
        return GS_OK;
    gs_memory_fini(memory);
    return gs_fail(err, GS_E_NO_MEMORY,
                   "cannot reserve 10 GiB of address space for the guest; is there a limit on "
                   "virtual memory (ulimit -v)?");
}

static uint8_t *clear_room(uint8_t *room, size_t size)
{
    if (mprotect(room, size, PROT_READ | PROT_WRITE) != 0 ||
        madvise(room, size, MADV_DONTNEED) != 0)
        return NULL;
    (void)madvise(room, size, MADV_NOHUGEPAGE); /* there is little in it, and far apart */
    return room;
}

static uint8_t *own_room(const gs_memory *memory)
{
    return memory->bytes + guest_size;
}

void *gs_memory_engine_room(gs_memory *memory)
{
    return clear_room(own_room(memory), GS_MEMORY_ENGINE_ROOM);
}

uint8_t *gs_memory_dcache_notes(gs_memory *memory)
{
    return clear_room(own_room(memory) + GS_MEMORY_DCACHE_NOTES, (size_t)1 << 32);
}

uint8_t *gs_memory_icache_notes(gs_memory *memory, unsigned shift)
{
    return clear_room(memory->bytes - gs_memory_icache_notes_distance(shift),
                      (size_t)1 << (32 - shift));
}

static void drop_page(gs_memory *memory, size_t page)
{
    free(memory->code[page]);
    memory->code[page] = NULL;
    memory->code_changes++;
}

void gs_memory_fini(gs_memory *memory)
{
    if (memory->code && memory->prot) {
        for (size_t page = 0; page < GS_PAGE_COUNT; page++) {
            /* Reading the table of pages costs memory where nothing was ever mapped. */
            if (memory->prot[page] && memory->code[page])
                free(memory->code[page]);
        }
    }
    if (memory->bytes)
        munmap(memory->bytes - before_size, region_size);
    if (memory->prot)
        munmap(memory->prot, GS_PAGE_COUNT);
    if (memory->code)
        munmap(memory->code, GS_PAGE_COUNT * sizeof *memory->code);
    *memory = (gs_memory){0};
}

/* What may skip the slow path follows from the protection and from decoded code. */
static void update_fast(gs_memory *memory, size_t page)
{
    unsigned prot = memory->prot[page], fast = 0;
    if (!(prot & (GS_PROT_DEVICE | GS_PROT_SPIED))) {
        if (prot & GS_PROT_READ)
            fast |= GS_FAST_LOAD;
        if ((prot & GS_PROT_WRITE) && !(prot & GS_PROT_WATCHED) && !memory->code[page])
            fast |= GS_FAST_STORE;
    }
    if (memory->fast[page] & ~fast)
        memory->map_changes++;
    memory->fast[page] = (uint8_t)fast;
}

/* Pages [*first, *last) that cover a range; false if the range leaves the address space. */
static bool page_range(gs_addr start, uint64_t size, size_t *first, size_t *last)
{
    uint64_t end = (uint64_t)start + size;
    if (size > (uint64_t)1 << 32 || end > (uint64_t)1 << 32)
        return false;
    *first = page_of(start);
    *last = page_of(end + GS_PAGE_SIZE - 1);
    return true;
}

gs_status gs_memory_map(gs_memory *memory, gs_addr start, uint64_t size, unsigned prot,
                        gs_error *err)
{
    size_t first, last;
    if (!page_range(start, size, &first, &last))
        return gs_fail(err, GS_E_ARGUMENT,
                       "memory at 0x%08x of 0x%llx bytes does not end below 4 GiB", start,
                       (unsigned long long)size);
    if (first == last)
        return GS_OK;
    uint64_t added = 0;
    for (size_t page = first; page < last; page++)
        added += !(memory->prot[page] & GS_PROT_MAPPED);
    if (memory->most_mapped && memory->mapped + added > memory->most_mapped) {
        memory->wants_more = true;
        return gs_fail(err, GS_E_NO_MEMORY,
                       "the program has more memory than its limit of %llu bytes: raise "
                       "--max-memory",
                       (unsigned long long)memory->most_mapped << GS_PAGE_SHIFT);
    }
    if (mprotect(memory->bytes + (first << GS_PAGE_SHIFT), (last - first) << GS_PAGE_SHIFT,
                 PROT_READ | PROT_WRITE) != 0)
        return gs_fail(err, GS_E_NO_MEMORY, "cannot map guest memory at 0x%08x: %s", start,
                       strerror(errno));
    memory->mapped += added;
    for (size_t page = first; page < last; page++) {
        if (memory->code[page])
            drop_page(memory, page);
        memory->prot[page] = (uint8_t)(prot | GS_PROT_MAPPED);
        update_fast(memory, page);
    }
    return GS_OK;
}

void gs_memory_unmap(gs_memory *memory, gs_addr start, uint64_t size)
{
    size_t first, last;
    if (!page_range(start, size, &first, &last) || first == last)
        return;
    for (size_t page = first; page < last; page++) {
        if (memory->code[page])
            drop_page(memory, page);
        memory->mapped -= (memory->prot[page] & GS_PROT_MAPPED) != 0;
        memory->prot[page] = 0;
        update_fast(memory, page);
    }
    uint8_t *host = memory->bytes + (first << GS_PAGE_SHIFT);
    size_t bytes = (last - first) << GS_PAGE_SHIFT;
    madvise(host, bytes, MADV_DONTNEED); /* private and anonymous: reads as zero afterwards */
    mprotect(host, bytes, PROT_NONE);
}

void gs_memory_protect(gs_memory *memory, gs_addr start, uint64_t size, unsigned prot)
{
    size_t first, last;
    if (!page_range(start, size, &first, &last))
        return;
    for (size_t page = first; page < last; page++) {
        if (!(memory->prot[page] & GS_PROT_MAPPED))
            continue;
        if (memory->code[page])
            drop_page(memory, page);
        memory->prot[page] = (uint8_t)(prot | GS_PROT_MAPPED);
        update_fast(memory, page);
    }
}

gs_status gs_memory_add_device(gs_memory *memory, const gs_device *device, gs_error *err)
{
    size_t first, last;
    if (memory->device_count == GS_DEVICE_MAX)
        return gs_fail(err, GS_E_ARGUMENT, "more than %d devices on one board", GS_DEVICE_MAX);
    if (!page_range(device->base, device->size, &first, &last))
        return gs_fail(err, GS_E_ARGUMENT, "device at 0x%08x does not end below 4 GiB",
                       device->base);
    memory->devices[memory->device_count++] = *device;
    for (size_t page = first; page < last; page++) {
        memory->prot[page] |= GS_PROT_DEVICE;
        update_fast(memory, page);
    }
    return GS_OK;
}

gs_status gs_memory_add_shared(gs_memory *memory, const gs_device *device, bool is_memory,
                               gs_error *err)
{
    size_t first, last;
    if (!page_range(device->base, device->size, &first, &last))
        return gs_fail(err, GS_E_ARGUMENT, "0x%x bytes at 0x%08x do not end below 4 GiB",
                       device->size, device->base);
    for (size_t page = first; page < last; page++) {
        if (memory->prot[page] & GS_PROT_MAPPED)
            return gs_fail(err, GS_E_ARGUMENT, "the core has memory of its own at 0x%08zx",
                           page << GS_PAGE_SHIFT);
    }
    gs_status status = gs_memory_add_device(memory, device, err);
    if (status != GS_OK)
        return status;
    const gs_device added = memory->devices[memory->device_count - 1];
    memmove(memory->devices + 1, memory->devices,
            (memory->device_count - 1) * sizeof *memory->devices);
    memory->devices[0] = added;
    for (size_t page = first; is_memory && page < last; page++)
        memory->prot[page] |= GS_PROT_SHARED;
    return GS_OK;
}

void gs_memory_watch(gs_memory *memory, gs_addr addr, gs_watch_fn *watch, void *self)
{
    memory->watch = watch;
    memory->watch_self = self;
    memory->prot[page_of(addr)] |= GS_PROT_WATCHED;
    update_fast(memory, page_of(addr));
}

void gs_memory_spy(gs_memory *memory, gs_addr start, uint64_t size,
                   void (*spy)(void *self, gs_addr addr, unsigned size, bool store), void *self)
{
    size_t first, last;
    if (!page_range(start, size, &first, &last))
        return;
    memory->spy = spy;
    memory->spy_self = self;
    for (size_t page = first; page < last; page++) {
        memory->prot[page] &= (uint8_t)~GS_PROT_SPIED;
        if (spy && (memory->prot[page] & GS_PROT_MAPPED))
            memory->prot[page] |= GS_PROT_SPIED;
        update_fast(memory, page);
    }
}

void gs_memory_forget_code(gs_memory *memory, gs_addr pc, bool changed)
{
    gs_insn *slots = memory->code[page_of(pc)];
    if (!slots)
        return;
    gs_insn *slot = &slots[(pc & (GS_PAGE_SIZE - 1)) / memory->unit];
    memory->code_changes += changed && slot->op != GS_OP_UNDECODED;
    slot->op = GS_OP_UNDECODED;
}

bool gs_memory_allows(const gs_memory *memory, gs_addr start, uint64_t size, unsigned prot)
{
    size_t first, last;
    if (!page_range(start, size, &first, &last))
        return false;
    for (size_t page = first; page < last; page++) {
        if ((memory->prot[page] & prot) != prot || (memory->prot[page] & GS_PROT_DEVICE))
            return false;
    }
    return true;
}

gs_addr gs_memory_find_free(const gs_memory *memory, gs_addr from, gs_addr below, uint64_t size)
{
    size_t wanted = page_of(size + GS_PAGE_SIZE - 1), run = 0;
    for (size_t page = page_of((uint64_t)from + GS_PAGE_SIZE - 1); page < page_of(below); page++) {
        run = memory->prot[page] ? 0 : run + 1;
        if (run >= wanted && wanted > 0)
            return (gs_addr)((page + 1 - wanted) << GS_PAGE_SHIFT);
    }
    return 0;
}

/* Marks every slot whose instruction could contain a byte of [start, start+size). An instruction
 * has four bytes at most, so one may begin up to 4 - unit bytes earlier. */
static void code_changed(gs_memory *memory, gs_addr start, uint64_t size)
{
    gs_addr reach = 4 - memory->unit;
    gs_addr from = start >= reach ? start - reach : 0;
    uint64_t end = (uint64_t)start + size;
    for (size_t page = page_of(from); page <= page_of(end - 1); page++) {
        gs_insn *slots = memory->code[page];
        if (!slots)
            continue;
        uint64_t base = (uint64_t)page << GS_PAGE_SHIFT;
        uint64_t low = from > base ? from - base : 0;
        uint64_t high = end < base + GS_PAGE_SIZE ? end - base : GS_PAGE_SIZE;
        for (uint64_t at = low / memory->unit; at * memory->unit < high; at++) {
            memory->code_changes += slots[at].op != GS_OP_UNDECODED;
            slots[at].op = GS_OP_UNDECODED;
        }
    }
}

bool gs_memory_store_is_plain(const gs_memory *memory, gs_addr addr, unsigned size)
{
    const unsigned wanted = GS_PROT_WRITE | GS_PROT_MAPPED;
    const unsigned prot = memory->prot[page_of(addr)];
    if ((addr & (size - 1)) || (prot & (wanted | GS_PROT_DEVICE | GS_PROT_WATCHED)) != wanted)
        return false;
    /* The units the store touches, and those before it that an instruction may reach over. */
    const gs_addr first = addr / memory->unit * memory->unit - (4 - memory->unit);
    for (gs_addr at = first; at - first < addr - first + size; at += memory->unit) {
        const gs_insn *slots = memory->code[page_of(at)];
        if (slots && slots[(at & (GS_PAGE_SIZE - 1)) / memory->unit].op != GS_OP_UNDECODED)
            return false;
    }
    return true;
}

bool gs_memory_read(const gs_memory *memory, gs_addr from, void *to, uint64_t size)
{
    if (!gs_memory_allows(memory, from, size, GS_PROT_READ))
        return false;
    if (size > 0)
        memcpy(to, memory->bytes + from, size);
    return true;
}

static bool write_allowed(gs_memory *memory, gs_addr to, const void *from, uint64_t size,
                          unsigned prot)
{
    if (!gs_memory_allows(memory, to, size, prot))
        return false;
    if (size > 0) {
        memcpy(memory->bytes + to, from, size);
        code_changed(memory, to, size);
        if (memory->written)
            memory->written(memory->written_self, to, from, size);
    }
    return true;
}

bool gs_memory_write(gs_memory *memory, gs_addr to, const void *from, uint64_t size)
{
    return write_allowed(memory, to, from, size, GS_PROT_WRITE);
}

bool gs_memory_poke(gs_memory *memory, gs_addr to, const void *from, uint64_t size)
{
    return write_allowed(memory, to, from, size, GS_PROT_MAPPED);
}

bool gs_memory_read_string(const gs_memory *memory, gs_addr from, char *to, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (from + i > UINT32_MAX || !gs_memory_read(memory, (gs_addr)(from + i), &to[i], 1))
            return false;
        if (to[i] == '\0')
            return true;
    }
    return false;
}

/* Between the host's order and the guest's, either way. The host is little-endian or big. */
static uint64_t guest_order(const gs_memory *memory, uint64_t value, unsigned size)
{
    bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (memory->big_endian == host_big || size == 1)
        return value;
    return __builtin_bswap64(value) >> (64 - 8 * size);
}

bool gs_memory_read32(const gs_memory *memory, gs_addr from, uint32_t *value)
{
    uint32_t raw;
    if (!gs_memory_read(memory, from, &raw, sizeof raw))
        return false;
    *value = (uint32_t)guest_order(memory, raw, sizeof raw);
    return true;
}

bool gs_memory_write32(gs_memory *memory, gs_addr to, uint32_t value)
{
    uint32_t raw = (uint32_t)guest_order(memory, value, sizeof raw);
    return gs_memory_write(memory, to, &raw, sizeof raw);
}

static const gs_device *device_at(const gs_memory *memory, gs_addr addr, unsigned size)
{
    for (unsigned i = 0; i < memory->device_count; i++) {
        const gs_device *device = &memory->devices[i];
        if (addr - device->base < device->size && size <= device->size - (addr - device->base))
            return device;
    }
    return NULL;
}

static bool is_device(const gs_memory *memory, gs_addr addr)
{
    return memory->prot[page_of(addr)] & GS_PROT_DEVICE;
}

bool gs_memory_is_uncached(const gs_memory *memory, gs_addr addr)
{
    return (memory->prot[page_of(addr)] & (GS_PROT_DEVICE | GS_PROT_MAPPED)) != GS_PROT_MAPPED;
}

/* The bytes of one access, which may wrap around the end of the address space. */
static bool bytes_allowed(const gs_memory *memory, gs_addr addr, unsigned size, unsigned prot)
{
    gs_addr last = addr + size - 1;
    return gs_memory_allows(memory, addr, 1, prot) && gs_memory_allows(memory, last, 1, prot);
}

/* Whether an access may be made at all. *device is the device it goes to, NULL for memory. */
static inline gs_access reach(const gs_memory *memory, gs_addr addr, unsigned size, unsigned prot,
                              const gs_device **device)
{
    bool aligned = (addr & (size - 1)) == 0;
    *device = NULL;
    if (!aligned && memory->strict_alignment)
        return GS_ACCESS_MISALIGNED;
    if (gs_memory_is_uncached(memory, addr)) {
        *device = is_device(memory, addr) ? device_at(memory, addr, size) : NULL;
        if (!*device && memory->unmapped.load)
            *device = &memory->unmapped;
        if (!aligned && (*device || is_device(memory, addr)))
            return GS_ACCESS_MISALIGNED;
        return *device ? GS_ACCESS_OK : GS_ACCESS_FAULT;
    }
    return bytes_allowed(memory, addr, size, prot) ? GS_ACCESS_OK : GS_ACCESS_FAULT;
}

/* Once an access has been made. */
static void tell_spy(const gs_memory *memory, gs_addr addr, unsigned size, bool store)
{
    const gs_addr last = addr + size - 1;
    if (((memory->prot[page_of(addr)] | memory->prot[page_of(last)]) & GS_PROT_SPIED) &&
        memory->spy)
        memory->spy(memory->spy_self, addr, size, store);
}

gs_access gs_memory_load(gs_memory *memory, gs_addr addr, unsigned size, uint64_t *value)
{
    const gs_device *device;
    gs_access access = reach(memory, addr, size, GS_PROT_READ, &device);
    if (access != GS_ACCESS_OK)
        return access;
    if (device)
        return device->load(device->self, addr - device->base, size, value) ? GS_ACCESS_OK
                                                                            : GS_ACCESS_FAULT;
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (memory->big_endian ? size - 1 - i : i);
        bits |= (uint64_t)memory->bytes[(gs_addr)(addr + i)] << shift;
    }
    *value = bits;
    tell_spy(memory, addr, size, false);
    return GS_ACCESS_OK;
}

gs_access gs_memory_store(gs_memory *memory, gs_addr addr, unsigned size, uint64_t value)
{
    const gs_device *device;
    gs_access access = reach(memory, addr, size, GS_PROT_WRITE, &device);
    if (access != GS_ACCESS_OK)
        return access;
    if (device)
        return device->store(device->self, addr - device->base, size, value) ? GS_ACCESS_OK
                                                                             : GS_ACCESS_FAULT;
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (memory->big_endian ? size - 1 - i : i);
        gs_addr at = addr + i;
        memory->bytes[at] = (uint8_t)(value >> shift);
        code_changed(memory, at, 1);
    }
    gs_addr last = addr + size - 1;
    if ((memory->prot[page_of(addr)] | memory->prot[page_of(last)]) & GS_PROT_WATCHED)
        memory->watch(memory->watch_self, addr, size);
    tell_spy(memory, addr, size, true);
    return GS_ACCESS_OK;
}

gs_access gs_memory_fetch(const gs_memory *memory, const gs_isa *isa, gs_addr pc, uint32_t *word)
{
    if (pc & (isa->unit - 1))
        return GS_ACCESS_MISALIGNED;
    if (!gs_memory_allows(memory, pc, isa->unit, GS_PROT_EXEC))
        return GS_ACCESS_FAULT;
    if (isa->unit == 4) {
        uint32_t raw;
        memcpy(&raw, memory->bytes + pc, sizeof raw);
        *word = (uint32_t)guest_order(memory, raw, sizeof raw);
        return GS_ACCESS_OK;
    }
    /* Made of halves, each in the guest's order, the first half lowest. */
    uint16_t low, high = 0;
    memcpy(&low, memory->bytes + pc, sizeof low);
    low = (uint16_t)guest_order(memory, low, sizeof low);
    if (isa->length(low) == 4) {
        if (!gs_memory_allows(memory, pc + 2, 2, GS_PROT_EXEC))
            return GS_ACCESS_FAULT;
        memcpy(&high, memory->bytes + (gs_addr)(pc + 2), sizeof high);
        high = (uint16_t)guest_order(memory, high, sizeof high);
    }
    *word = (uint32_t)high << 16 | low;
    return GS_ACCESS_OK;
}

gs_insn *gs_memory_code_page(gs_memory *memory, gs_addr pc)
{
    size_t page = page_of(pc);
    if (memory->code[page])
        return memory->code[page];
    if (!gs_memory_allows(memory, pc, 1, GS_PROT_EXEC))
        return NULL;
    /* Two slots more than the page has: a four-byte instruction in the last half of a page
     * steps over the first of them. */
    size_t count = GS_PAGE_SIZE / memory->unit;
    gs_insn *slots = calloc(count + 2, sizeof *slots);
    if (!slots)
        return NULL;
    slots[count].op = slots[count + 1].op = GS_OP_PAGE_END;
    memory->code[page] = slots;
    update_fast(memory, page);
    return slots;
}
