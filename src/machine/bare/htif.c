/*
 * Only stores to tohost matter, but devices come by the page. So the page becomes a
 * device that passes everything through to the memory beneath it and looks at stores
 * to tohost, which is exact: the run ends with the instruction that asked for it.
 *
 * A device cannot be executed, and takes no atomic or misaligned accesses. The first
 * time a program does one of these to the page, it turns into plain memory again, and
 * tohost is looked at every `poll_interval` ticks instead. The answers are the same
 * then, only later. Linker scripts that give tohost a page of its own (riscv-tests)
 * or a page with data (most others) never come to that.
 *
 * RV32 stores the doubleword in two halves. A request is complete with its low word:
 * the high word has to be in place by then, or be zero anyway.
 */
#include "machine/bare/htif.h"

#include <errno.h>

#include "machine/bare/bare.h"

static const uint64_t poll_interval = 512;

enum { DEVICE_SYSCALL = 0, DEVICE_CONSOLE = 1, CONSOLE_PUT = 1 };
enum { PROXY_READ = 63, PROXY_WRITE = 64, PROXY_EXIT = 93 };

/* Little-endian, as RISC-V is. */
static uint64_t get(const gs_bare *bare, gs_addr at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bare->machine->memory.bytes[at + i] << 8 * i;
    return value;
}

static void set(gs_bare *bare, gs_addr at, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        bare->machine->memory.bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static bool page_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_bare *bare = self;
    *value = get(bare, bare->htif.page + offset, size);
    return true;
}

static bool page_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_bare *bare = self;
    gs_addr at = bare->htif.page + offset;
    if (!(bare->htif.prot & GS_PROT_WRITE))
        return false;
    set(bare, at, size, value);
    if (at - bare->htif.tohost < 8)
        gs_htif_check(bare);
    return true;
}

gs_status gs_htif_init(gs_bare *bare, gs_error *err)
{
    gs_machine *machine = bare->machine;
    gs_htif *htif = &bare->htif;
    uint64_t tohost, fromhost;

    if (machine->isa->arch != GS_ARCH_RV32 ||
        !gs_image_find_symbol(machine->image, "tohost", &tohost) || tohost > UINT32_MAX - 7 ||
        tohost % 8 || !gs_memory_allows(&machine->memory, (gs_addr)tohost, 8, GS_PROT_READ))
        return GS_OK;
    htif->tohost = (gs_addr)tohost;
    htif->page = htif->tohost & ~(gs_addr)(GS_PAGE_SIZE - 1);
    htif->prot = machine->memory.prot[htif->page >> GS_PAGE_SHIFT];
    if (gs_image_find_symbol(machine->image, "fromhost", &fromhost) && fromhost % 8 == 0 &&
        fromhost <= UINT32_MAX - 7 &&
        gs_memory_allows(&machine->memory, (gs_addr)fromhost, 8, GS_PROT_READ))
        htif->fromhost = (gs_addr)fromhost;
    htif->mode = GS_HTIF_WATCHED;
    gs_device device = {htif->page, GS_PAGE_SIZE, page_load, page_store, bare};
    return gs_memory_add_device(&machine->memory, &device, err);
}

/* Takes the request away and, unless `value` is 0, answers it. */
static void respond(gs_bare *bare, uint64_t value)
{
    set(bare, bare->htif.tohost, 8, 0);
    if (value && bare->htif.fromhost)
        set(bare, bare->htif.fromhost, 8, value);
    bare->machine->hart.resync = true;
}

/* A request is eight doublewords: the call's number, its arguments; the result replaces the
 * number. */
static void proxy_call(gs_bare *bare, uint64_t address)
{
    uint8_t raw[64];
    uint64_t request[8] = {0};

    if (address > UINT32_MAX || !gs_bare_read(bare, (gs_addr)address, raw, sizeof raw))
        return; /* not a request, or half of one */
    for (unsigned i = 0; i < sizeof raw; i++)
        request[i / 8] |= (uint64_t)raw[i] << 8 * (i % 8);

    int64_t result = -ENOSYS;
    uint32_t handle = (uint32_t)request[1], size = (uint32_t)request[3];
    gs_addr buffer = (gs_addr)request[2];
    switch (request[0]) {
    case PROXY_EXIT: gs_bare_exit(bare, (int)request[1]); return;
    case PROXY_READ:
        result = handle < 3 ? gs_files_read(bare, handle, buffer, size, -1) : -EBADF;
        break;
    case PROXY_WRITE:
        result = handle < 3 ? gs_files_write(bare, handle, buffer, size, -1) : -EBADF;
        break;
    default: break;
    }
    for (unsigned i = 0; i < 8; i++)
        raw[i] = (uint8_t)((uint64_t)result >> 8 * i);
    gs_bare_write(bare, (gs_addr)address, raw, 8);
    respond(bare, 1);
}

void gs_htif_check(gs_bare *bare)
{
    uint64_t value = get(bare, bare->htif.tohost, 8);
    uint64_t device = value >> 56, command = value >> 48 & 0xff;
    uint64_t payload = value & 0xffffffffffff;

    if ((uint32_t)value == 0)
        return;
    if (device == DEVICE_SYSCALL && command == 0) {
        if (payload & 1)
            gs_bare_exit(bare, (int)(payload >> 1));
        else
            proxy_call(bare, payload);
    } else if (device == DEVICE_CONSOLE && command == CONSOLE_PUT) {
        gs_console_put(&bare->console, (uint8_t)payload);
        respond(bare, device << 56 | command << 48 | 0x100 | (payload & 0xff));
    } else {
        respond(bare, 0); /* nothing spike would answer */
    }
}

bool gs_htif_yield(gs_bare *bare, const gs_trap *trap)
{
    gs_htif *htif = &bare->htif;
    gs_addr at = trap->value;

    if (htif->mode != GS_HTIF_WATCHED)
        return false;
    bool fetch = trap->kind == GS_TRAP_FETCH_FAULT;
    bool access = trap->kind == GS_TRAP_LOAD_FAULT || trap->kind == GS_TRAP_LOAD_MISALIGNED ||
                  trap->kind == GS_TRAP_STORE_FAULT || trap->kind == GS_TRAP_STORE_MISALIGNED;
    if (fetch)
        at = trap->pc;
    /* The access may only end in the page, with an instruction or a value that begins before. */
    gs_addr reach = fetch ? 2 : 7;
    if ((!fetch && !access) || at + reach - htif->page >= GS_PAGE_SIZE + reach)
        return false;
    htif->mode = GS_HTIF_POLLED;
    gs_memory_protect(&bare->machine->memory, htif->page, GS_PAGE_SIZE, htif->prot);
    return true;
}

uint64_t gs_htif_next(const gs_bare *bare, uint64_t now)
{
    return bare->htif.mode == GS_HTIF_POLLED ? now + poll_interval : UINT64_MAX;
}
