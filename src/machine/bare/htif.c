/*
 * RV32 stores the doubleword in two halves. A request is complete with its low word:
 * the high word has to be in place by then, or be zero anyway.
 */
#include "machine/bare/htif.h"

#include <errno.h>

#include "machine/bare/bare.h"

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

    if (address > UINT32_MAX ||
        !gs_memory_read(&bare->machine->memory, (gs_addr)address, raw, sizeof raw))
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
    gs_memory_write(&bare->machine->memory, (gs_addr)address, raw, 8);
    respond(bare, 1);
}

static void check(gs_bare *bare)
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

static void on_store(void *self, gs_addr addr, unsigned size)
{
    gs_bare *bare = self;
    gs_addr tohost = bare->htif.tohost;
    if (addr - tohost < 8 || tohost - addr < size)
        check(bare);
}

/* The address of a doubleword in memory that a symbol names, or 0. */
static gs_addr find(const gs_machine *machine, const char *name)
{
    uint64_t at;
    bool usable = gs_image_find_symbol(machine->image, name, &at) && at % 8 == 0 &&
                  at <= UINT32_MAX &&
                  gs_memory_allows(&machine->memory, (gs_addr)at, 8, GS_PROT_READ | GS_PROT_WRITE);
    return usable ? (gs_addr)at : 0;
}

void gs_htif_init(gs_bare *bare)
{
    gs_machine *machine = bare->machine;
    if (machine->isa->arch != GS_ARCH_RV32)
        return;
    bare->htif = (gs_htif){find(machine, "tohost"), find(machine, "fromhost")};
    if (bare->htif.tohost)
        gs_memory_watch(&machine->memory, bare->htif.tohost, on_store, bare);
}
