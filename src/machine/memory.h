/*
 * memory.h - the guest's address space.
 *
 * One region of the host's address space stands for all 4 GiB of the guest's,
 * reserved at once and backed page by page, so that a guest address is a host
 * address after one addition. Beside it stand two bytes per page: what the guest
 * may do there, and which of that may skip the slow path. The latter lie before it, with
 * room for a byte per line of a cache. Devices, code pages and
 * everything unusual lack their fast bits and are handled out of line.
 *
 * Values travel in host order; bytes lie in memory in the guest's order.
 * A memory belongs to one machine and is not safe to share between threads.
 */
#ifndef GS_MACHINE_MEMORY_H
#define GS_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "isa/isa.h"

typedef uint32_t gs_addr;

enum {
    GS_PAGE_SHIFT = 12,
    GS_PAGE_SIZE = 1 << GS_PAGE_SHIFT,
    GS_PAGE_COUNT = 1 << (32 - GS_PAGE_SHIFT)
};

/* What the guest may do with a page. */
enum {
    GS_PROT_READ = 1,
    GS_PROT_WRITE = 2,
    GS_PROT_EXEC = 4,
    GS_PROT_MAPPED = 8,
    GS_PROT_DEVICE = 16,
    GS_PROT_WATCHED = 32,
    GS_PROT_SHARED = 64, /* a device that stands for memory on a bus: atomics work on it */
    GS_PROT_SPIED = 128
};

/* What needs no second look. */
enum { GS_FAST_LOAD = 1, GS_FAST_STORE = 2 };

typedef enum gs_access {
    GS_ACCESS_OK,
    GS_ACCESS_FAULT,      /* nothing there, or not allowed */
    GS_ACCESS_MISALIGNED, /* allowed there, but not at this address */
} gs_access;

/* A device. All of the pages it lies on are for devices; where two could answer, the one that was
 * added first does. Offsets are from `base`; the access is naturally aligned and `size` is 1, 2, 4
 * or 8. Return false to refuse: the guest sees an access fault. */
typedef struct gs_device {
    gs_addr base;
    uint32_t size;
    bool (*load)(void *self, uint32_t offset, unsigned size, uint64_t *value);
    bool (*store)(void *self, uint32_t offset, unsigned size, uint64_t value);
    void *self;
} gs_device;

enum { GS_DEVICE_MAX = 72 };

/* Told of every store by the guest to a watched page, when it has been made. */
typedef void gs_watch_fn(void *self, gs_addr addr, unsigned size);

/*
 * Around guest memory there is room for tables of the fast engine, so that translated code finds
 * them at fixed distances from guest memory and from each other. Nothing else uses that room. From
 * low to high:
 *
 *     a byte per I-cache line: gs_memory_icache_notes()
 *     a byte per page (`fast`), and three times as many that are 0: an access of a word finds one
 * of these if it rotates its address so that the low bits, which should be 0, are the highest
 *     GS_MEMORY_ANCHOR bytes right before the guest's first
 *     guest memory
 *     GS_MEMORY_ENGINE_ROOM bytes: gs_memory_engine_room()
 *     a byte per byte of guest memory: gs_memory_dcache_notes(). On either side of them are
 *         GS_MEMORY_OVERSHOOT bytes that are 0: what an access finds whose address and offset add
 *         up to more than 32 bits
 */
#define GS_MEMORY_ANCHOR      0x1000
#define GS_MEMORY_ENGINE_ROOM 0x4000000
enum { GS_MEMORY_OVERSHOOT = 1 << 16, GS_MEMORY_PAGES = GS_MEMORY_ANCHOR + (4 << 20) };
/* How far behind the start of the engine's room the notes on the data cache are. */
enum { GS_MEMORY_DCACHE_NOTES = GS_MEMORY_ENGINE_ROOM + GS_MEMORY_OVERSHOOT };

/* How far before `bytes` the notes on the I-cache are, with lines of 1 << shift bytes. */
static inline int64_t gs_memory_icache_notes_distance(unsigned shift)
{
    return GS_MEMORY_PAGES + ((int64_t)1 << (32 - shift));
}

typedef struct gs_memory {
    uint8_t *bytes; /* guest address 0 in the host */
    uint8_t *fast;  /* per page: GS_FAST_*; bytes - GS_MEMORY_PAGES */
    uint8_t *prot;  /* per page: GS_PROT_* */
    gs_insn **code; /* per page: decoded instructions, or NULL */
    unsigned unit;  /* bytes per decoded slot: the isa's smallest instruction */
    bool big_endian;
    bool strict_alignment; /* a misaligned access is a trap, not a slow access */
    uint32_t map_changes;  /* how often a page lost a fast bit, */
    uint32_t code_changes; /* or code that was decoded may have become other code */
    unsigned device_count;
    gs_device devices[GS_DEVICE_MAX];
    gs_device unmapped; /* what answers where nothing is mapped; load is NULL: nothing does */
    gs_watch_fn *watch; /* of watched pages, or NULL */
    void *watch_self;
    /* Told of every access by the guest to a page that is spied on, when it has been made. */
    void (*spy)(void *self, gs_addr addr, unsigned size, bool store);
    void *spy_self;
    /* Told of what gs_memory_write() and gs_memory_poke() have written; or NULL. */
    void (*written)(void *self, gs_addr to, const void *from, uint64_t size);
    void *written_self;
    uint64_t mapped, most_mapped; /* pages; 0 for no limit */
    bool wants_more;              /* something was not mapped because of the limit */
} gs_memory;

gs_status gs_memory_init(gs_memory *memory, const gs_isa *isa, bool big_endian, gs_error *err);
void gs_memory_fini(gs_memory *memory);

/* The fast engine's tables. Each call clears the table: all bytes are 0. NULL when memory is out.
 *
 * Its notes on the data cache: a byte for every byte of guest memory. */
uint8_t *gs_memory_dcache_notes(gs_memory *memory);

/* Its notes on the I-cache: a byte for every line of 1 << shift bytes, at least 4, at
 * bytes - gs_memory_icache_notes_distance(shift). */
uint8_t *gs_memory_icache_notes(gs_memory *memory, unsigned shift);

/* GS_MEMORY_ENGINE_ROOM bytes for its other tables. */
void *gs_memory_engine_room(gs_memory *memory);

/* Page-granular: `start` and `size` are rounded outwards. Mapping zeroes what was not
 * mapped before and keeps what was. All of it lies below 4 GiB or the call fails. */
gs_status gs_memory_map(gs_memory *memory, gs_addr start, uint64_t size, unsigned prot,
                        gs_error *err);
void gs_memory_unmap(gs_memory *memory, gs_addr start, uint64_t size);
void gs_memory_protect(gs_memory *memory, gs_addr start, uint64_t size, unsigned prot);

gs_status gs_memory_add_device(gs_memory *memory, const gs_device *device, gs_error *err);

/* The same for what lies on a bus, on whole pages: it takes the place of devices that are there
 * already. `is_memory`: atomic instructions may be used on it. GS_E_ARGUMENT if there is memory. */
gs_status gs_memory_add_shared(gs_memory *memory, const gs_device *device, bool is_memory,
                               gs_error *err);

/* Whether `addr` lies in memory on a bus. */
static inline bool gs_memory_is_shared(const gs_memory *memory, gs_addr addr)
{
    return memory->prot[addr >> GS_PAGE_SHIFT] & GS_PROT_SHARED;
}

/* Watches the mapped page `addr` lies in. It stays memory in every other way; stores to it are
 * slow. One watcher per memory; mapping or protecting the page anew ends it. */
void gs_memory_watch(gs_memory *memory, gs_addr addr, gs_watch_fn *watch, void *self);

/* Tells `spy` of all accesses to the mapped pages of a range, or no longer if it is NULL: they are
 * slow. One spy per memory; mapping or protecting a page anew ends it there. */
void gs_memory_spy(gs_memory *memory, gs_addr start, uint64_t size,
                   void (*spy)(void *self, gs_addr addr, unsigned size, bool store), void *self);

/* Empties the slot of the instruction at `pc`, so that it is decoded before it is executed again.
 * `changed`: as if it had become another one. */
void gs_memory_forget_code(gs_memory *memory, gs_addr pc, bool changed);

/* Whether all of [start, start+size) has every bit of `prot`. Devices never do. */
bool gs_memory_allows(const gs_memory *memory, gs_addr start, uint64_t size, unsigned prot);

/* Lowest free range of `size` bytes at or above `from`, or 0 when there is none. */
gs_addr gs_memory_find_free(const gs_memory *memory, gs_addr from, gs_addr below, uint64_t size);

/* Copies in and out for loaders and system calls: all or nothing, obeying READ and WRITE.
 * Writing drops decoded instructions it hits. */
bool gs_memory_read(const gs_memory *memory, gs_addr from, void *to, uint64_t size);
bool gs_memory_write(gs_memory *memory, gs_addr to, const void *from, uint64_t size);

/* For loaders: the same, whatever the protection, for mapped pages only. */
bool gs_memory_poke(gs_memory *memory, gs_addr to, const void *from, uint64_t size);

/* A NUL-terminated string into `to`; false if it faults or does not fit. */
bool gs_memory_read_string(const gs_memory *memory, gs_addr from, char *to, size_t size);

/* Words in the guest's byte order for environments; false on a fault. */
bool gs_memory_read32(const gs_memory *memory, gs_addr from, uint32_t *value);
bool gs_memory_write32(gs_memory *memory, gs_addr to, uint32_t value);

/* The slow path of loads and stores: devices, misalignment, code pages, faults. */
/* Whether an access to `addr` does not go through a cache: to a device, or to where nothing is. */
bool gs_memory_is_uncached(const gs_memory *memory, gs_addr addr);

gs_access gs_memory_load(gs_memory *memory, gs_addr addr, unsigned size, uint64_t *value);
gs_access gs_memory_store(gs_memory *memory, gs_addr addr, unsigned size, uint64_t value);

/* Whether a naturally aligned store is one to plain memory in which no code has been decoded. */
bool gs_memory_store_is_plain(const gs_memory *memory, gs_addr addr, unsigned size);

/* Fetches one instruction word (its first half in the low 16 bits where code is made of
 * halves). Reads no byte beyond the instruction. */
gs_access gs_memory_fetch(const gs_memory *memory, const gs_isa *isa, gs_addr pc, uint32_t *word);

/* The decoded slots of the page `pc` lies in, made if need be; NULL when the page cannot be
 * executed, or when the host is out of memory. Slots stay where they are until the page is
 * unmapped or protected; a store into the page marks the slots it hits as undecoded, so decoded
 * code is never stale and a fence.i or cacheflush has nothing to do. */
gs_insn *gs_memory_code_page(gs_memory *memory, gs_addr pc);

#endif
