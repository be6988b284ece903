/* Puts a system together, and answers questions about it. */
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static gs_status open_image(gs_system *system, gs_member *member, const char *program,
                            gs_error *err)
{
    const char *path = member->entry->program ? member->entry->program : program;
    if (!path)
        return gs_fail(err, GS_E_ARGUMENT,
                       "the system %s names no program for its core %s: give one",
                       system->description->name, member->entry->name);
    for (gs_member *other = system->members; other < member; other++) {
        const char *name = other->entry->program ? other->entry->program : program;
        if (!strcmp(name, path)) {
            member->image = other->image;
            return GS_OK;
        }
    }
    member->owns_image = true;
    return gs_image_open(&member->image, path, err);
}

/* Harts find out which they are. */
static void number_hart(gs_machine *machine, unsigned hart)
{
    if (machine->isa->arch == GS_ARCH_RV32) {
        machine->hart.rv.mhartid = hart;
        machine->hart.rv.x[10] = hart;
    } else {
        machine->hart.mips.cp0_ebase |= hart & GS_MIPS_EBASE_CPUNUM;
    }
}

static gs_status attach_parts(gs_system *system, unsigned index, gs_error *err)
{
    gs_member *member = &system->members[index];
    gs_status status = GS_OK;
    for (unsigned i = 0; i < system->shared.part_count && status == GS_OK; i++) {
        gs_bus_part *part = &system->shared.parts[i];
        member->views[i] = (gs_shared_view){&system->shared, index, part};
        gs_error why;
        const gs_device device = {.base = part->entry->base,
                                  .size = part->entry->size,
                                  .load = gs_shared_load,
                                  .store = gs_shared_store,
                                  .self = &member->views[i]};
        status = gs_memory_add_shared(&member->machine->memory, &device,
                                      part->entry->type == GS_PART_MEMORY, &why);
        if (status != GS_OK)
            return gs_fail(err, status, "%s cannot be on the bus for core %s: %s",
                           part->entry->name, member->entry->name, why.message);
    }
    return status;
}

static gs_status open_member(gs_system *system, unsigned index, const char *program,
                             const gs_machine_options *usual, gs_error *err)
{
    gs_member *member = &system->members[index];
    const gs_bus_port_change quiet = {.timer_due = UINT64_MAX};
    gs_machine_options options = usual ? *usual : gs_machine_options_default();
    member->entry = &system->description->cores[index];
    options.board = member->entry->board;
    options.env = GS_ENV_BARE;
    gs_status status =
        gs_core_open(&member->core, member->entry->core, (const char *const *)member->entry->set,
                     member->entry->set_count, err);
    if (status == GS_OK)
        status = open_image(system, member, program, err);
    if (status == GS_OK) {
        gs_core_configure(member->core, &options);
        status = gs_core_check_image(member->core, member->image, err);
    }
    if (status == GS_OK)
        status = gs_machine_open(&member->machine, member->image, &options, err);
    if (status == GS_OK)
        status = gs_timing_open(&member->timing, member->core, member->machine, err);
    if (status == GS_OK)
        status = gs_timing_check_bus(member->timing, err);
    if (status != GS_OK)
        return status;
    system->shared.machines[index] = member->machine;
    member->machine->port = &member->port;
    if (!gs_vec_push(&member->port.changes, quiet))
        return gs_fail_no_memory(err);
    number_hart(member->machine, member->entry->hart);
    return attach_parts(system, index, err);
}

gs_status gs_system_open(gs_system **out, const char *file, const char *program,
                         const gs_machine_options *machine, gs_error *err)
{
    *out = NULL;
    gs_system *system = calloc(1, sizeof *system);
    if (!system)
        return gs_fail_no_memory(err);
    gs_status status = gs_system_describe(&system->description, file, err);
    if (status == GS_OK)
        status = gs_shared_init(&system->shared, system->description, err);
    for (unsigned i = 0; status == GS_OK && i < system->description->core_count; i++) {
        system->count++;
        status = open_member(system, i, program, machine, err);
    }
    if (status != GS_OK) {
        gs_system_free(system);
        return status;
    }
    gs_bus_init(&system->bus, &system->description->bus, system->count);
    *out = system;
    return GS_OK;
}

void gs_system_free(gs_system *system)
{
    if (!system)
        return;
    for (unsigned i = 0; i < system->count; i++) {
        gs_member *member = &system->members[i];
        gs_timing_free(member->timing);
        gs_machine_free(member->machine);
        gs_core_free(member->core);
        free(member->port.changes.items);
    }
    for (unsigned i = 0; i < system->count; i++) {
        if (system->members[i].owns_image)
            gs_image_free(system->members[i].image);
    }
    gs_shared_fini(&system->shared);
    gs_system_description_free(system->description);
    free(system);
}

const char *gs_system_name(const gs_system *system)
{
    return system->description->name;
}

const char *gs_system_summary(const gs_system *system)
{
    return system->description->summary ? system->description->summary : "";
}

size_t gs_system_core_count(const gs_system *system)
{
    return system->count;
}

gs_system_core gs_system_core_at(const gs_system *system, size_t index)
{
    const gs_member *member = &system->members[index];
    return (gs_system_core){.name = member->entry->name,
                            .hart = member->entry->hart,
                            .machine = member->machine,
                            .timing = member->timing,
                            .spinning = member->spin.cycles,
                            .accesses = member->accesses};
}

gs_system_bus gs_system_bus_counts(const gs_system *system)
{
    return (gs_system_bus){system->bus.busy, system->bus.transfers};
}

uint64_t gs_system_waited(const gs_system *system, size_t core, size_t other)
{
    return system->bus.waited[core][other];
}

size_t gs_system_part_count(const gs_system *system)
{
    return system->shared.part_count;
}

gs_system_part gs_system_part_at(const gs_system *system, size_t index)
{
    const gs_bus_part_entry *entry = system->shared.parts[index].entry;
    return (gs_system_part){gs_bus_part_type_name(entry->type), entry->name, entry->base,
                            entry->size};
}

gs_system_use gs_system_use_at(const gs_system *system, size_t part, size_t core)
{
    const gs_bus_part_use *use = &system->shared.parts[part].use[core];
    return (gs_system_use){use->loads, use->stores, use->waited};
}

const gs_exit *gs_system_exit(const gs_system *system)
{
    return &system->exit;
}

uint64_t gs_system_cycles(const gs_system *system)
{
    uint64_t cycles = 0;
    for (unsigned i = 0; i < system->count; i++) {
        const uint64_t own = gs_timing_cycles(system->members[i].timing);
        cycles = own > cycles ? own : cycles;
    }
    return cycles;
}
