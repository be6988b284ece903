/* The bare-metal environment: start, traps (semihosting, UHI, HTIF, handlers), events and end. */
#include "machine/bare/bare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/bare/interrupts.h"
#include "machine/bare/past.h"
#include "machine/mips_trap.h"
#include "machine/rv_h3irq.h"
#include "machine/rv_trap.h"

/* A handler that traps at its first instruction this often will do so for ever. */
enum { STORM = 3 };

static gs_addr page_of(gs_addr addr)
{
    return addr & ~(gs_addr)(GS_PAGE_SIZE - 1);
}

bool gs_bare_strlen(const gs_bare *bare, gs_addr from, uint32_t *length)
{
    uint64_t at = from;
    while (at <= UINT32_MAX) {
        uint64_t border = (uint64_t)page_of((gs_addr)at) + GS_PAGE_SIZE;
        if (!gs_memory_allows(&bare->machine->memory, (gs_addr)at, 1, GS_PROT_READ))
            return false;
        const uint8_t *bytes = bare->machine->memory.bytes + at;
        const uint8_t *end = memchr(bytes, 0, border - at);
        if (end) {
            *length = (uint32_t)(at - from + (uint64_t)(end - bytes));
            return true;
        }
        at = border;
    }
    return false;
}

int gs_bare_string(const gs_bare *bare, gs_addr from, char *to, size_t size)
{
    uint32_t length;
    if (!gs_bare_strlen(bare, from, &length))
        return EFAULT;
    if (length >= size)
        return ENAMETOOLONG;
    gs_memory_read(&bare->machine->memory, from, to, length + 1);
    return 0;
}

void gs_bare_exit(gs_bare *bare, int code)
{
    gs_machine_end(bare->machine, (gs_exit){.kind = GS_EXIT_CODE, .code = code});
}

static gs_status copy_arguments(gs_bare *bare, const gs_machine_options *options, gs_error *err)
{
    if (options->argc <= 0)
        return GS_OK;
    bare->argv = calloc((size_t)options->argc, sizeof *bare->argv);
    if (!bare->argv)
        return gs_fail_no_memory(err);
    for (int i = 0; i < options->argc; i++) {
        bare->argv[i] = strdup(options->argv[i]);
        if (!bare->argv[i])
            return gs_fail_no_memory(err);
        bare->argc++;
    }
    return GS_OK;
}

static gs_status open_board(gs_bare *bare, const char *name, gs_error *err)
{
    gs_arch arch = bare->machine->isa->arch;
    gs_status status = name ? gs_board_open(&bare->board, name, err)
                            : gs_board_open_default(&bare->board, arch, err);
    if (!status && bare->board->arch != arch)
        return gs_fail(err, GS_E_ARGUMENT, "the board %s is not for %s programs like %s",
                       bare->board->name, bare->machine->isa->name,
                       gs_image_name(bare->machine->image));
    return status;
}

static void flush(gs_machine *machine)
{
    gs_bare *bare = machine->environment_state;
    gs_console_flush(&bare->console);
    if (machine->exit.kind != GS_EXIT_NONE)
        gs_unmapped_tell(&bare->unmapped);
    for (int i = 0; i < 2; i++) {
        if (bare->console.error[i])
            gs_machine_add_note(machine, "the program's %s could not be written: %s",
                                i == GS_CONSOLE_OUT ? "output" : "standard error",
                                strerror(bare->console.error[i]));
    }
}

static void stop(gs_machine *machine)
{
    gs_bare *bare = machine->environment_state;
    if (!bare)
        return;
    gs_console_flush(&bare->console);
    gs_console_fini(&bare->console);
    gs_files_fini(&bare->files);
    for (int i = 0; i < bare->argc; i++)
        free(bare->argv[i]);
    free(bare->argv);
    gs_bare_unload(bare);
    gs_script_free(bare->script);
    gs_board_free(bare->board);
    free(bare);
    machine->environment_state = NULL;
}

/* On failure, stop() frees what there is. */
static gs_status start(gs_machine *machine, const gs_machine_options *options, gs_error *err)
{
    gs_bare *bare = calloc(1, sizeof *bare);
    if (!bare)
        return gs_fail_no_memory(err);
    machine->environment_state = bare;
    bare->machine = machine;
    bare->started = machine->inherit & GS_INHERIT_CLOCK ? time(NULL) : GS_MACHINE_EPOCH;
    gs_console_init(&bare->console, options->stdio);
    bare->console.machine = machine;
    gs_files_init(&bare->files, &bare->console, machine->sandbox);

    gs_status status = copy_arguments(bare, options, err);
    if (!status)
        status = open_board(bare, options->board, err);
    if (!status && options->events)
        status = gs_script_open(&bare->script, options->events, err);
    if (!status && bare->script)
        status = gs_script_check(bare->script, bare->board, err);
    if (!status)
        status = gs_bare_load(bare, options, err);
    if (status)
        return status;
    gs_htif_init(bare);
    if (options->unmapped == GS_UNMAPPED_IGNORE)
        gs_unmapped_ignore(&bare->unmapped, machine);

    machine->clock_hz = bare->board->clock_hz;
    if (machine->isa->arch == GS_ARCH_RV32)
        gs_rv_reset(machine, (gs_addr)gs_image_entry(machine->image));
    else
        gs_mips_reset(machine, (gs_addr)gs_image_entry(machine->image));
    if (bare->board->interrupts == GS_BOARD_HAZARD3)
        gs_rv_h3irq_reset(&machine->hart.rv.h3irq);
    return GS_OK;
}

/* A MIPS exception vector always has memory, and zeros are instructions that do nothing: whether
 * there is a handler shows only in whether there is anything. */
static bool has_mips_handler(const gs_machine *machine)
{
    static const uint8_t nothing[128];
    uint8_t code[sizeof nothing];
    return !gs_memory_read(&machine->memory, machine->hart.pc, code, sizeof code) ||
           memcmp(code, nothing, sizeof code) != 0;
}

static bool enter_handler(gs_machine *machine, const gs_trap *trap)
{
    if (machine->isa->arch == GS_ARCH_RV32)
        return gs_rv_enter_trap(machine, trap);
    return gs_mips_enter_trap(machine, trap) && has_mips_handler(machine);
}

/*
 * A handler that cannot execute even its first instruction is entered again and again. The
 * program is as dead as one without a handler, and died of what it was entered for first.
 */
static bool is_storm(gs_bare *bare, const gs_trap *trap)
{
    const gs_hart *hart = &bare->machine->hart;
    if (trap->pc != bare->handler || hart->instret != bare->entered_at || bare->storm == 0) {
        bare->first_trap = *trap;
        bare->storm = 0;
    }
    return ++bare->storm > STORM;
}

/* The program has no handler for a trap: that ends it. */
static void die(gs_bare *bare, const gs_trap *trap)
{
    gs_unmapped_advise(bare->machine, trap, bare->board->name);
    gs_machine_end(bare->machine, gs_machine_fault(bare->machine, trap));
}

static void trap(gs_machine *machine)
{
    gs_bare *bare = machine->environment_state;
    gs_trap taken = machine->hart.trap;

    /* What a program asks of the host happens in the order of the machines' times. */
    if (taken.kind == GS_TRAP_BREAKPOINT && gs_machine_is_undecided(machine))
        return;
    if (taken.kind == GS_TRAP_BREAKPOINT &&
        (machine->isa->arch == GS_ARCH_RV32 ? gs_semihost_trap(bare) : gs_uhi_trap(bare)))
        return;
    if (is_storm(bare, &taken)) {
        die(bare, &bare->first_trap);
    } else if (!enter_handler(machine, &taken)) {
        die(bare, &taken);
    } else {
        bare->handler = machine->hart.pc;
        bare->entered_at = machine->hart.instret;
    }
}

static uint64_t events(gs_machine *machine, uint64_t now)
{
    return gs_bare_interrupts(machine->environment_state, now);
}

const gs_environment gs_environment_bare = {
    .name = "bare",
    .start = start,
    .trap = trap,
    .events = events,
    .flush = flush,
    .stop = stop,
    .save = gs_bare_save,
    .restore = gs_bare_restore,
    .keep_input = gs_bare_keep_input,
    .save_input = gs_bare_save_input,
    .restore_input = gs_bare_restore_input,
};
