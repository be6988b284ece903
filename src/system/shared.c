/* Memory on the bus; mutexes, mailboxes, barriers, the CLINT of many harts, the test device. */
#include "system/shared.h"

#include <stdlib.h>

#include "base/vec.h"
#include "machine/bare/devices.h"

enum { MSIP = 0, MTIMECMP = 0x4000, MTIME = 0xbff8 };
/* Of a mailbox, and how far mailboxes are apart. */
enum { BOX_DATA = 0, BOX_STATUS = 4, BOX_INTERRUPT = 8, BOX_SIZE = 16 };
/* Of a barrier. */
enum { BARRIER_ARRIVE = 0, BARRIER_PASSED = 4, BARRIER_GOAL = 8, BARRIER_SIZE = 16 };
enum { TEST_EXIT = 0 };

static gs_status fail_memory(gs_error *err, const void *made)
{
    return made ? GS_OK : gs_fail_no_memory(err);
}

static gs_status init_part(gs_bus_part *part, const gs_bus_part_entry *entry, unsigned cores,
                           gs_error *err)
{
    gs_status status = GS_OK;
    part->entry = entry;
    switch (entry->type) {
    case GS_PART_MEMORY: part->bytes = calloc(entry->size, 1); return fail_memory(err, part->bytes);
    case GS_PART_MUTEXES:
        part->holders = calloc(entry->count, sizeof *part->holders);
        return fail_memory(err, part->holders);
    case GS_PART_BARRIERS:
        part->barriers = calloc(entry->count, sizeof *part->barriers);
        status = fail_memory(err, part->barriers);
        for (unsigned i = 0; status == GS_OK && i < entry->count; i++)
            part->barriers[i].goal = cores;
        return status;
    case GS_PART_MAILBOXES:
        part->boxes = calloc(cores, sizeof *part->boxes);
        status = fail_memory(err, part->boxes);
        for (unsigned i = 0; status == GS_OK && i < cores; i++) {
            part->boxes[i].words = calloc(entry->depth, sizeof *part->boxes[i].words);
            status = fail_memory(err, part->boxes[i].words);
        }
        return status;
    default: return GS_OK;
    }
}

gs_status gs_shared_init(gs_shared *shared, const gs_system_description *description, gs_error *err)
{
    gs_status status = GS_OK;
    shared->core_count = description->core_count;
    for (unsigned i = 0; i < description->core_count; i++) {
        shared->harts[i] = description->cores[i].hart;
        shared->timer_due[i] = UINT64_MAX;
    }
    for (unsigned i = 0; i < description->part_count && status == GS_OK; i++) {
        shared->part_count++;
        status = init_part(&shared->parts[i], &description->parts[i], shared->core_count, err);
    }
    return status;
}

void gs_shared_fini(gs_shared *shared)
{
    for (unsigned i = 0; i < shared->part_count; i++) {
        gs_bus_part *part = &shared->parts[i];
        for (unsigned c = 0; part->boxes && c < shared->core_count; c++)
            free(part->boxes[c].words);
        free(part->bytes);
        free(part->holders);
        free(part->boxes);
        free(part->barriers);
    }
}

gs_bus_part *gs_shared_part(gs_shared *shared, gs_addr address)
{
    for (unsigned i = 0; i < shared->part_count; i++) {
        const gs_bus_part_entry *entry = shared->parts[i].entry;
        if (address - entry->base < entry->size)
            return &shared->parts[i];
    }
    return NULL;
}

/* The core with this hart; the count of cores if there is none. */
static unsigned core_of(const gs_shared *shared, uint32_t hart)
{
    unsigned core = 0;
    while (core < shared->core_count && shared->harts[core] != hart)
        core++;
    return core;
}

/* A core's lines have changed; so they are seen from the cycle after the transfer on. */
static void tell_lines(gs_shared *shared, unsigned core)
{
    gs_bus_port *port = shared->machines[core]->port;
    gs_bus_port_change change = {.cycle = shared->transfer + 1,
                                 .lines = shared->software[core] ? GS_LINE_SOFTWARE : 0,
                                 .timer_due = shared->timer_due[core]};
    for (unsigned i = 0; i < shared->part_count; i++) {
        const gs_mailbox *boxes = shared->parts[i].boxes;
        if (boxes && boxes[core].interrupts && boxes[core].count > 0)
            change.lines |= GS_LINE_EXTERNAL;
    }
    if (!gs_vec_push(&port->changes, change))
        shared->out_of_memory = true;
}

/* -- memory ----------------------------------------------------------------------------------- */

static uint64_t load_bytes(const uint8_t *at, unsigned size, bool big_endian)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << 8 * (big_endian ? size - 1 - i : i);
    return value;
}

static void store_bytes(uint8_t *at, unsigned size, uint64_t value, bool big_endian)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * (big_endian ? size - 1 - i : i));
}

/* A store takes the reservations of other cores away from the words it goes to. */
static void break_reservations(gs_shared *shared, unsigned core, gs_addr address, unsigned size)
{
    const gs_addr from = address & ~(gs_addr)3, bytes = (address & 3) + size;
    for (unsigned i = 0; i < shared->core_count; i++) {
        gs_hart *hart = &shared->machines[i]->hart;
        if (i == core)
            continue;
        hart->rv.reserved &= hart->rv.reserved_addr - from >= bytes;
        hart->mips.linked &= hart->mips.linked_addr - from >= bytes;
    }
}

/* -- devices ---------------------------------------------------------------------------------- */

static bool load_mutex(gs_bus_part *part, unsigned hart, uint32_t offset, uint64_t *value)
{
    const uint32_t number = offset / 4;
    if (number >= part->entry->count)
        return false;
    *value = part->holders[number] == 0;
    if (*value)
        part->holders[number] = hart + 1;
    return true;
}

static bool store_mutex(gs_bus_part *part, uint32_t offset)
{
    const uint32_t number = offset / 4;
    if (number >= part->entry->count)
        return false;
    part->holders[number] = 0;
    return true;
}

static bool load_mailbox(gs_shared *shared, gs_bus_part *part, uint32_t offset, uint64_t *value)
{
    const unsigned core = core_of(shared, offset / BOX_SIZE);
    if (core == shared->core_count)
        return false;
    gs_mailbox *box = &part->boxes[core];
    const unsigned depth = part->entry->depth;
    switch (offset % BOX_SIZE) {
    case BOX_DATA:
        *value = 0;
        if (box->count > 0) {
            *value = box->words[box->first];
            box->first = (box->first + 1) % depth;
            box->count--;
            tell_lines(shared, core);
        }
        return true;
    case BOX_STATUS: *value = (depth - box->count) << 16 | box->count; return true;
    case BOX_INTERRUPT: *value = box->interrupts; return true;
    default: return false;
    }
}

static bool store_mailbox(gs_shared *shared, gs_bus_part *part, uint32_t offset, uint32_t value)
{
    const unsigned core = core_of(shared, offset / BOX_SIZE);
    if (core == shared->core_count)
        return false;
    gs_mailbox *box = &part->boxes[core];
    const unsigned depth = part->entry->depth;
    switch (offset % BOX_SIZE) {
    case BOX_DATA:
        if (box->count < depth)
            box->words[(box->first + box->count++) % depth] = value;
        break;
    case BOX_STATUS: box->count = 0; break;
    case BOX_INTERRUPT: box->interrupts = value & 1; break;
    default: return false;
    }
    tell_lines(shared, core);
    return true;
}

static bool load_barrier(const gs_bus_part *part, uint32_t offset, uint64_t *value)
{
    if (offset / BARRIER_SIZE >= part->entry->count)
        return false;
    const gs_barrier *barrier = &part->barriers[offset / BARRIER_SIZE];
    switch (offset % BARRIER_SIZE) {
    case BARRIER_ARRIVE: *value = barrier->arrived; return true;
    case BARRIER_PASSED: *value = barrier->passed; return true;
    case BARRIER_GOAL: *value = barrier->goal; return true;
    default: return false;
    }
}

static bool store_barrier(gs_bus_part *part, uint32_t offset, uint32_t value)
{
    if (offset / BARRIER_SIZE >= part->entry->count)
        return false;
    gs_barrier *barrier = &part->barriers[offset / BARRIER_SIZE];
    switch (offset % BARRIER_SIZE) {
    case BARRIER_ARRIVE:
        if (++barrier->arrived >= barrier->goal) {
            barrier->arrived = 0;
            barrier->passed++;
        }
        return true;
    case BARRIER_GOAL: barrier->goal = value; return true;
    default: return false;
    }
}

static bool load_clint(const gs_shared *shared, uint32_t offset, uint64_t *value)
{
    uint64_t whole = shared->transfer;
    if (offset < MTIMECMP) {
        const unsigned core = core_of(shared, (offset - MSIP) / 4);
        *value = core < shared->core_count && shared->software[core];
        return true;
    }
    if (offset < MTIME) {
        const unsigned core = core_of(shared, (offset - MTIMECMP) / 8);
        whole = core < shared->core_count ? shared->timer_due[core] : 0;
    }
    *value = (uint32_t)(whole >> 8 * (offset & 4));
    return true;
}

static bool store_clint(gs_shared *shared, uint32_t offset, uint32_t value)
{
    const bool software = offset < MTIMECMP;
    const unsigned core = core_of(shared, software ? (offset - MSIP) / 4 : (offset - MTIMECMP) / 8);
    if (core == shared->core_count || offset >= MTIME)
        return true;
    if (software) {
        shared->software[core] = value & 1;
    } else {
        const unsigned shift = 8 * (offset & 4);
        const uint64_t mask = UINT64_C(0xffffffff) << shift;
        shared->timer_due[core] = (shared->timer_due[core] & ~mask) | (uint64_t)value << shift;
    }
    tell_lines(shared, core);
    return true;
}

static bool store_test(const gs_shared_view *view, uint32_t offset, unsigned size, uint64_t value)
{
    gs_machine *machine = view->shared->machines[view->core];
    if (!gs_testdev_store(machine->environment_state, offset, size, value))
        return false;
    view->shared->ended |= offset == TEST_EXIT;
    return true;
}

/* -- accesses --------------------------------------------------------------------------------- */

static bool load_device(const gs_shared_view *view, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_shared *shared = view->shared;
    gs_bus_part *part = view->part;
    if (size != 4)
        return false;
    switch (part->entry->type) {
    case GS_PART_CLINT: return load_clint(shared, offset, value);
    case GS_PART_MUTEXES: return load_mutex(part, shared->harts[view->core], offset, value);
    case GS_PART_MAILBOXES: return load_mailbox(shared, part, offset, value);
    case GS_PART_BARRIERS: return load_barrier(part, offset, value);
    default:
        return gs_testdev_load(shared->machines[view->core]->environment_state, offset, size,
                               value);
    }
}

bool gs_shared_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_shared_view *view = self;
    const gs_bus_part *part = view->part;
    const gs_machine *machine = view->shared->machines[view->core];
    bool done = gs_bus_port_access(machine->port, part->entry->base + offset, size, false);
    if (done && part->bytes)
        *value = load_bytes(part->bytes + offset, size, machine->memory.big_endian);
    else if (done)
        done = load_device(view, offset, size, value);
    view->shared->loaded = done ? *value : 0;
    return done;
}

bool gs_shared_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    const gs_shared_view *view = self;
    gs_shared *shared = view->shared;
    gs_bus_part *part = view->part;
    gs_machine *machine = shared->machines[view->core];
    const gs_addr address = part->entry->base + offset;
    if (!gs_bus_port_access(machine->port, address, size, true))
        return false;
    if (part->bytes) {
        store_bytes(part->bytes + offset, size, value, machine->memory.big_endian);
        break_reservations(shared, view->core, address, size);
        return true;
    }
    if (size != 4)
        return false;
    machine->hart.resync = true;
    switch (part->entry->type) {
    case GS_PART_CLINT: return store_clint(shared, offset, (uint32_t)value);
    case GS_PART_MUTEXES: return store_mutex(part, offset);
    case GS_PART_MAILBOXES: return store_mailbox(shared, part, offset, (uint32_t)value);
    case GS_PART_BARRIERS: return store_barrier(part, offset, (uint32_t)value);
    default: return store_test(view, offset, size, value);
    }
}
