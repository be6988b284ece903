/*
 * What lies where. Memory is what the board has. On a board that is not strict, a
 * program linked for other addresses gets memory there too: around each segment, and
 * generously after it, since stacks and heaps that a linker script puts behind .bss
 * are in no segment. A device that lies where a segment does is left out.
 *
 * Segments go where a programmer of flash memory would put them: to their physical
 * addresses, from where start-up code copies them. Some programs run at a fixed distance
 * from their physical addresses (MIPS kseg0 and its like). Nothing but the entry point
 * can tell: whatever distance its own segment has, it runs with, so everything is
 * loaded that distance away.
 */
#include <stdlib.h>

#include "machine/bare/bare.h"

static const uint64_t address_space = UINT64_C(1) << 32;
static const uint64_t segment_align = 64 * 1024;
static const uint64_t segment_room = 16 * 1024 * 1024;

typedef struct range {
    uint64_t start, end;
} range;

static bool overlap(range a, range b)
{
    return a.start < b.end && b.start < a.end;
}

static range pages_of(range r)
{
    const uint64_t mask = ~(uint64_t)(GS_PAGE_SIZE - 1);
    return (range){r.start & mask, (r.end + GS_PAGE_SIZE - 1) & mask};
}

/* Where a segment runs. */
static range run_range(const gs_segment *segment)
{
    return (range){segment->address, segment->address + segment->memory_size};
}

/* Where its bytes are loaded, `distance` away from the physical address. */
static range load_range(const gs_segment *segment, uint64_t distance)
{
    uint64_t start = (segment->physical + distance) & (address_space - 1);
    return (range){start, start + segment->file_size};
}

static int by_start(const void *a, const void *b)
{
    const range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Physical addresses are only good for something if no two segments are loaded to the same one:
 * some linkers leave them all zero. `scratch` has room for all segments. */
static bool plausible(const gs_image *image, uint64_t distance, range *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        range r = load_range(gs_image_segment(image, i), distance);
        if (r.end > address_space)
            return false;
        if (r.end > r.start)
            scratch[count++] = r;
    }
    qsort(scratch, count, sizeof *scratch, by_start);
    for (size_t i = 1; i < count; i++) {
        if (scratch[i].start < scratch[i - 1].end)
            return false;
    }
    return true;
}

/* From where segments are loaded to where they are physically. False: ignore the latter. */
static bool find_distance(const gs_image *image, uint64_t *distance, range *scratch)
{
    uint64_t entry = gs_image_entry(image);
    *distance = 0;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        range r = run_range(segment);
        if (entry >= r.start && entry < r.end)
            *distance = segment->address - segment->physical;
    }
    return plausible(image, *distance, scratch);
}

/* All places a program occupies; count is twice the number of segments. */
typedef struct places {
    range *items;
    size_t count;
} places;

static gs_status find_places(gs_bare *bare, places *out, gs_error *err)
{
    const gs_image *image = bare->machine->image;
    size_t count = gs_image_segment_count(image);
    uint64_t distance;

    *out = (places){calloc(2 * count + 1, sizeof(range)), 2 * count};
    if (!out->items)
        return gs_fail_no_memory(err);
    bool by_physical = find_distance(image, &distance, out->items);
    for (size_t i = 0; i < count; i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        range run = run_range(segment);
        if (run.end > address_space || run.end < run.start)
            return gs_fail(err, GS_E_UNSUPPORTED,
                           "%s: the segment at 0x%llx of 0x%llx bytes does not end below 4 GiB",
                           gs_image_name(image), (unsigned long long)segment->address,
                           (unsigned long long)segment->memory_size);
        out->items[2 * i] = run;
        out->items[2 * i + 1] = (range){run.start, run.start + segment->file_size};
        if (by_physical)
            out->items[2 * i + 1] = load_range(segment, distance);
    }
    return GS_OK;
}

static range device_range(const gs_board_device *device)
{
    return pages_of((range){device->base, device->base + device->size});
}

/* The part of the board, other than memory `self`, that a range collides with; -1 for none. */
static int collision(const gs_board *board, range r, unsigned self)
{
    for (size_t i = 0; i < gs_board_part_count(board); i++) {
        gs_board_part part = gs_board_part_at(board, i);
        if (i != self && overlap(r, pages_of((range){part.base, part.base + part.size})))
            return (int)i;
    }
    return -1;
}

static gs_status map_memory(gs_bare *bare, uint64_t ram_size, gs_error *err)
{
    const gs_board *board = bare->board;

    for (unsigned i = 0; i < board->memory_count; i++) {
        const gs_board_memory *memory = &board->memory[i];
        uint64_t size = memory->size;
        if (i == 0 && ram_size) {
            range r = pages_of((range){memory->base, memory->base + ram_size});
            if (ram_size > address_space || r.end > address_space)
                return gs_fail(err, GS_E_ARGUMENT,
                               "RAM of 0x%llx bytes at 0x%llx does not end below 4 GiB",
                               (unsigned long long)ram_size, (unsigned long long)memory->base);
            int other = collision(board, r, 0);
            if (other >= 0)
                return gs_fail(err, GS_E_ARGUMENT,
                               "RAM of 0x%llx bytes at 0x%llx reaches the board's %s at 0x%llx",
                               (unsigned long long)ram_size, (unsigned long long)memory->base,
                               gs_board_part_at(board, (size_t)other).type,
                               (unsigned long long)gs_board_part_at(board, (size_t)other).base);
            size = ram_size;
        }
        gs_status status =
            gs_memory_map(&bare->machine->memory, (gs_addr)memory->base, size, memory->prot, err);
        if (status)
            return status;
    }
    return GS_OK;
}

/* The device as memory calls it. */
static gs_status make_device(gs_device *out, gs_bare *bare, unsigned index, gs_error *err)
{
    gs_status status = GS_OK;
    const gs_board_device *description = &bare->board->devices[index];
    gs_bare_device *state = &bare->devices[index];
    range pages = device_range(description);
    gs_device device = {.base = (gs_addr)pages.start, .size = (uint32_t)(pages.end - pages.start)};

    switch (description->type) {
    case GS_BOARD_CLINT:
        gs_clint_init(&state->clint, bare->machine, description->divider);
        device.load = gs_clint_load;
        device.store = gs_clint_store;
        device.self = &state->clint;
        break;
    case GS_BOARD_UART16550:
        gs_uart_init(&state->uart, bare->machine, &bare->console);
        state->uart.start = (uint32_t)(description->base - pages.start);
        state->uart.stride = description->stride;
        state->uart.width = description->width;
        device.load = gs_uart_load;
        device.store = gs_uart_store;
        device.self = &state->uart;
        break;
    case GS_BOARD_TEST:
        device.load = gs_testdev_load;
        device.store = gs_testdev_store;
        device.self = bare;
        break;
    case GS_BOARD_REGION:
        device.base = (gs_addr)description->base;
        device.size = (uint32_t)description->size;
        state->region =
            (gs_board_region){description->constant, description->refuses_loads,
                              description->refuses_stores, bare->machine->memory.big_endian};
        device.load = gs_board_region_load;
        device.store = gs_board_region_store;
        device.self = &state->region;
        break;
    case GS_BOARD_ALIAS:
        state->alias = (gs_alias){&bare->machine->memory, (gs_addr)description->target};
        device.load = gs_alias_load;
        device.store = gs_alias_store;
        device.self = &state->alias;
        break;
    case GS_BOARD_REGISTERS:
        device.base = (gs_addr)description->base;
        device.size = (uint32_t)description->size;
        status = gs_register_bank_init(&state->registers, description,
                                       bare->machine->memory.big_endian, err);
        device.load = gs_register_bank_load;
        device.store = gs_register_bank_store;
        device.self = &state->registers;
        break;
    case GS_BOARD_PL011:
        gs_pl011_init(&state->pl011, bare->machine, &bare->console, description->atomic);
        device.load = gs_pl011_load;
        device.store = gs_pl011_store;
        device.self = &state->pl011;
        break;
    case GS_BOARD_RP2350_MTIME:
        device.base = (gs_addr)description->base;
        device.size = (uint32_t)description->size;
        gs_clint_init(&state->clint, bare->machine, description->divider);
        device.load = gs_rp2350_mtime_load;
        device.store = gs_rp2350_mtime_store;
        device.self = &state->clint;
        break;
    case GS_BOARD_RP2350_TIMER:
        gs_rp2350_timer_init(&state->rp2350_timer, bare->machine, description->divider);
        device.load = gs_rp2350_timer_load;
        device.store = gs_rp2350_timer_store;
        device.self = &state->rp2350_timer;
        break;
    case GS_BOARD_PLIC:
        gs_plic_init(&state->plic, bare->machine);
        device.load = gs_plic_load;
        device.store = gs_plic_store;
        device.self = &state->plic;
        break;
    case GS_BOARD_SP804:
        gs_sp804_init(&state->sp804, bare->machine, description->divider);
        device.load = gs_sp804_load;
        device.store = gs_sp804_store;
        device.self = &state->sp804;
        break;
    case GS_BOARD_GPIO:
        gs_gpio_init(&state->gpio, bare->machine);
        device.load = gs_gpio_load;
        device.store = gs_gpio_store;
        device.self = &state->gpio;
        break;
    }
    *out = device;
    return status;
}

static gs_status attach_device(gs_bare *bare, unsigned index, gs_error *err)
{
    gs_device device;
    gs_status status = make_device(&device, bare, index, err);
    bare->devices[index].present = status == GS_OK;
    return status ? status : gs_memory_add_device(&bare->machine->memory, &device, err);
}

/* A program that lies where the default board has a device was not made for that board: only of one
 * that was asked for, a device that is left out is worth a note. */
static gs_status attach_or_leave_out(gs_bare *bare, unsigned index, const places *program,
                                     bool is_chosen, gs_error *err)
{
    const gs_board_device *description = &bare->board->devices[index];
    bool taken = false;
    for (size_t i = 0; i < program->count; i++)
        taken = taken || overlap(device_range(description), pages_of(program->items[i]));
    if (!taken)
        return attach_device(bare, index, err);
    if (bare->board->strict)
        return gs_fail(err, GS_E_ARGUMENT,
                       "%s has a segment where the board %s has a device at 0x%llx",
                       gs_image_name(bare->machine->image), bare->board->name,
                       (unsigned long long)description->base);
    if (is_chosen)
        gs_machine_add_note(bare->machine,
                            "the %s at 0x%08llx of the board %s is left out: the program itself "
                            "lies there",
                            gs_board_part_at(bare->board, bare->board->memory_count + index).type,
                            (unsigned long long)description->base, bare->board->name);
    return GS_OK;
}

/* Regions and registers come first: what they name on a device's page is theirs. */
static gs_status attach_devices(gs_bare *bare, const places *program, bool is_chosen, gs_error *err)
{
    gs_status status = GS_OK;
    for (int regions = 1; regions >= 0; regions--) {
        for (unsigned i = 0; i < bare->board->device_count && !status; i++) {
            if (gs_board_shares_pages(&bare->board->devices[i]) == (regions != 0))
                status = attach_or_leave_out(bare, i, program, is_chosen, err);
        }
    }
    return status;
}

/* Maps every page of the range that has nothing on it yet. */
static gs_status map_free(gs_memory *memory, range r, gs_error *err)
{
    const unsigned prot = GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC;
    size_t page = r.start >> GS_PAGE_SHIFT, end = r.end >> GS_PAGE_SHIFT;

    while (page < end) {
        size_t from = page;
        while (page < end && !memory->prot[page])
            page++;
        gs_status status = gs_memory_map(memory, (gs_addr)from << GS_PAGE_SHIFT,
                                         (uint64_t)(page - from) << GS_PAGE_SHIFT, prot, err);
        if (status)
            return status;
        while (page < end && memory->prot[page])
            page++;
    }
    return GS_OK;
}

static gs_status map_place(gs_bare *bare, range r, gs_error *err)
{
    gs_memory *memory = &bare->machine->memory;
    uint64_t size = r.end - r.start;

    if (size == 0 || gs_memory_allows(memory, (gs_addr)r.start, size, GS_PROT_MAPPED))
        return GS_OK;
    if (bare->board->strict)
        return gs_fail(err, GS_E_ARGUMENT,
                       "%s needs memory from 0x%llx to 0x%llx, which the board %s does not have",
                       gs_image_name(bare->machine->image), (unsigned long long)r.start,
                       (unsigned long long)r.end, bare->board->name);
    range generous = {r.start & ~(segment_align - 1), pages_of(r).end};
    if (generous.end < r.start + segment_room)
        generous.end = pages_of((range){0, r.start + segment_room}).end;
    if (generous.end > address_space)
        generous.end = address_space;
    return map_free(memory, generous, err);
}

/* What is in the board's memory before there is a program. */
static gs_status load_code(gs_bare *bare, gs_error *err)
{
    for (unsigned i = 0; i < bare->board->memory_count; i++) {
        const gs_board_memory *memory = &bare->board->memory[i];
        for (unsigned n = 0; n < memory->code_count; n++) {
            const uint32_t word = memory->code[n];
            const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                     (uint8_t)(word >> 24)};
            const gs_addr to = (gs_addr)(memory->code_at + n * sizeof bytes);
            if (!gs_memory_poke(&bare->machine->memory, to, bytes, sizeof bytes))
                return gs_fail(err, GS_E_ARGUMENT,
                               "the board %s has no memory for its code at 0x%08x",
                               bare->board->name, to);
        }
    }
    return GS_OK;
}

void gs_bare_unload(gs_bare *bare)
{
    for (unsigned i = 0; bare->board && i < bare->board->device_count; i++) {
        if (bare->devices[i].present && bare->board->devices[i].type == GS_BOARD_REGISTERS)
            gs_register_bank_fini(&bare->devices[i].registers);
    }
}

static gs_status load_segments(gs_bare *bare, const places *program, gs_error *err)
{
    gs_machine *machine = bare->machine;
    gs_status status = GS_OK;

    for (size_t i = 0; !status && i < program->count; i++)
        status = map_place(bare, program->items[i], err);
    for (size_t i = 0; !status && i < gs_image_segment_count(machine->image); i++) {
        const gs_segment *segment = gs_image_segment(machine->image, i);
        gs_addr to = (gs_addr)program->items[2 * i + 1].start;
        if (!gs_memory_poke(&machine->memory, to, segment->bytes, segment->file_size))
            status = gs_fail(err, GS_E_ARGUMENT, "%s: the segment at 0x%08x cannot be loaded",
                             gs_image_name(machine->image), to);
    }
    return status;
}

gs_status gs_bare_load(gs_bare *bare, const gs_machine_options *options, gs_error *err)
{
    places program = {NULL, 0};
    gs_status status = find_places(bare, &program, err);
    if (!status)
        status = map_memory(bare, options->ram_size, err);
    if (!status)
        status = attach_devices(bare, &program, options->board != NULL, err);
    if (!status)
        status = load_code(bare, err);
    if (!status)
        status = load_segments(bare, &program, err);
    free(program.items);
    return status;
}
