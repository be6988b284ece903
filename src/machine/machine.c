/* Opens a machine for a program, and answers questions about it. */
#include "machine/machine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/plain.h"
#include "base/vec.h"
#include "isa/rv/rv.h"
#include "machine/stops.h"

static const struct {
    const char *text;
    int signal;
} traps[GS_TRAP_COUNT] = {
#define TRAP(kind, text, mcause, exccode, signal) [GS_TRAP_##kind] = {text, signal},
#include "machine/traps.def"
#undef TRAP
};

const char *gs_trap_text(gs_trap_kind kind)
{
    return traps[kind].text;
}

int gs_trap_signal(gs_trap_kind kind)
{
    return traps[kind].signal;
}

gs_machine_options gs_machine_options_default(void)
{
    return (gs_machine_options){.stdio = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}};
}

static const char *const default_variables[] = {"HOME=/", "PATH=/usr/bin:/bin", NULL};

const char *const *gs_machine_variables(void)
{
    return default_variables;
}

/* One under the other; NULL when memory is out. */
static char *join_lines(const char *const *lines)
{
    size_t size = 1;
    for (size_t i = 0; lines[i]; i++)
        size += strlen(lines[i]) + 1;
    char *text = malloc(size), *at = text;
    if (!text)
        return NULL;
    *at = '\0';
    for (size_t i = 0; lines[i]; i++)
        at = stpcpy(stpcpy(at, i > 0 ? "\n" : ""), lines[i]);
    return text;
}

void gs_machine_inherited(const gs_machine *machine, char text[GS_MACHINE_INHERITED])
{
    static const char *const names[] = {"environment", "clock", "terminal"};
    char *at = stpcpy(text, machine->inherit ? "" : "nothing");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (machine->inherit & 1U << i)
            at = stpcpy(stpcpy(at, at > text ? ", " : ""), names[i]);
    }
}

/* What the guest is given, apart from its own arguments, is the same wherever it runs. */
static gs_status start(gs_machine *machine, const gs_machine_options *asked, gs_error *err)
{
    gs_machine_options options = *asked;
    bool inherits = options.inherit & GS_INHERIT_ENVIRONMENT;
    bool linux_guest = machine->environment == &gs_environment_linux;
    const char **argv = calloc((size_t)options.argc + 1, sizeof *argv);
    if (!options.envp)
        options.envp = default_variables;
    machine->inherit = options.inherit;
    machine->variables = linux_guest && !inherits ? join_lines(options.envp) : strdup("");
    if (!argv || !machine->variables) {
        free(argv);
        return gs_fail_no_memory(err);
    }
    for (int i = 0; i < options.argc; i++)
        argv[i] = i == 0 && !inherits ? gs_base_name(options.argv[0]) : options.argv[i];
    options.argv = argv;
    gs_status status = machine->environment->start(machine, &options, err);
    free(argv);
    return status;
}

static bool note_refusal(void *self, const char *text)
{
    return gs_machine_add_note(self, "%s", text);
}

/* What is asked for and could have no effect is refused. */
static gs_status check_environment(const gs_machine *machine, const gs_machine_options *options,
                                   gs_error *err)
{
    const char *name = gs_image_name(machine->image);
    bool linux_guest = machine->environment == &gs_environment_linux;
    if (linux_guest &&
        (options->board || options->ram_size || options->unmapped || options->events))
        return gs_fail(
            err, GS_E_ARGUMENT,
            "%s is a Linux program, which runs on no board: a board, its memory, what is "
            "unmapped and events are for bare hardware",
            name);
    if (!linux_guest && options->envp && !(options->inherit & GS_INHERIT_ENVIRONMENT))
        return gs_fail(err, GS_E_ARGUMENT,
                       "%s runs on bare hardware, where there are no environment variables", name);
    return GS_OK;
}

gs_status gs_machine_open(gs_machine **out, const gs_image *image,
                          const gs_machine_options *options, gs_error *err)
{
    const bool linux_guest =
        options->env == GS_ENV_AUTO ? gs_image_wants_linux(image) : options->env == GS_ENV_LINUX;
    return gs_machine_open_in(
        out, image, linux_guest ? &gs_environment_linux : &gs_environment_bare, options, err);
}

gs_status gs_machine_open_in(gs_machine **out, const gs_image *image,
                             const gs_environment *environment, const gs_machine_options *options,
                             gs_error *err)
{
    *out = NULL;
    gs_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return gs_fail_no_memory(err);
    machine->image = image;
    machine->isa = gs_isa_for(gs_image_arch(image));
    machine->extensions = options->extensions ? options->extensions : gs_image_extensions(image);
    machine->clock_hz = 100000000;
    machine->wake_fd = -1;
    gs_decoder_init(&machine->decoder, machine->isa, machine->extensions);

    machine->environment = environment;

    gs_status status = check_environment(machine, options, err);
    if (status == GS_OK)
        status = gs_memory_init(&machine->memory, machine->isa, gs_image_big_endian(image), err);
    if (status == GS_OK)
        status = gs_sandbox_open(&machine->sandbox, &options->sandbox, gs_image_name(image), err);
    if (status == GS_OK) {
        machine->sandbox->note = note_refusal;
        machine->sandbox->note_self = machine;
        machine->max_output = options->max_output;
        machine->memory.most_mapped = (options->max_memory + GS_PAGE_SIZE - 1) / GS_PAGE_SIZE;
        machine->memory.strict_alignment |= options->strict_alignment;
        status = start(machine, options, err);
        if (options->clock_hz)
            machine->clock_hz = options->clock_hz;
    }
    if (status != GS_OK) {
        gs_machine_free(machine);
        return status;
    }
    *out = machine;
    return GS_OK;
}

void gs_machine_free(gs_machine *machine)
{
    if (!machine)
        return;
    machine->environment->stop(machine);
    gs_memory_fini(&machine->memory);
    gs_sandbox_free(machine->sandbox);
    for (size_t i = 0; i < machine->notes.count; i++)
        free(machine->notes.items[i]);
    free(machine->notes.items);
    free(machine->variables);
    free(machine->markers.items);
    free(machine);
}

bool gs_machine_is_undecided(gs_machine *machine)
{
    gs_bus_port *port = machine->port;
    if (!port || machine->time <= port->known)
        return false;
    port->wait = GS_BUS_PORT_UNDECIDED;
    return true;
}

int gs_machine_decode(gs_machine *machine, gs_insn *slot, gs_addr pc)
{
    uint32_t word;
    const gs_stops *stops = machine->stops;
    if (stops && !(stops->lifted && stops->lifted_at == pc) && gs_stops_at(stops, pc))
        return GS_TRAP_STOP;
    switch (gs_memory_fetch(&machine->memory, machine->isa, pc, &word)) {
    case GS_ACCESS_OK: break;
    case GS_ACCESS_FAULT: return GS_TRAP_FETCH_FAULT;
    case GS_ACCESS_MISALIGNED: return GS_TRAP_FETCH_MISALIGNED;
    }
    gs_decode(slot, &machine->decoder, word);
    /* A store to the second half must reach this slot even if that half is on the next page. */
    if (slot->length == 4 && (pc + 2) >> GS_PAGE_SHIFT != pc >> GS_PAGE_SHIFT)
        (void)gs_memory_code_page(&machine->memory, pc + 2);
    return -1;
}

bool gs_machine_saw_time(const gs_machine *machine)
{
    return machine->saw_time;
}

const char *gs_machine_reference_reason(const gs_machine *machine)
{
    return machine->reference_reason[0] ? machine->reference_reason : NULL;
}

const char *gs_machine_optimizer_reason(const gs_machine *machine)
{
    return machine->optimizer_reason[0] ? machine->optimizer_reason : NULL;
}

void gs_machine_end(gs_machine *machine, gs_exit exit)
{
    gs_plain_text(exit.message, ""); /* it may have the name of a function in it */
    if (machine->exit.kind == GS_EXIT_NONE)
        machine->exit = exit;
    machine->hart.resync = true;
}

static void end_by_limit(gs_machine *machine, const char *which)
{
    gs_exit exit = {.kind = GS_EXIT_LIMIT};
    snprintf(exit.message, sizeof exit.message, "%s", which);
    gs_machine_end(machine, exit);
}

void gs_machine_wrote(gs_machine *machine, uint64_t bytes)
{
    machine->written += bytes;
    if (machine->max_output && machine->written > machine->max_output)
        end_by_limit(machine, "of output");
}

int gs_machine_made(gs_machine *machine, int status)
{
    if (status >= 0)
        gs_machine_wrote(machine, GS_MACHINE_NAME);
    return status;
}

bool gs_machine_may_write(gs_machine *machine, uint64_t bytes)
{
    if (machine->max_output && (machine->written > machine->max_output ||
                                bytes > machine->max_output - machine->written)) {
        end_by_limit(machine, "of output");
        return false;
    }
    machine->written += bytes;
    return true;
}

void gs_machine_mapped(gs_machine *machine)
{
    if (machine->memory.wants_more)
        end_by_limit(machine, "of memory");
}

/* "name+0x12", or nothing where no function is known. */
static void describe_place(const gs_image *image, gs_addr pc, char *to, size_t size)
{
    const gs_function *function = gs_image_function_at(image, pc);
    to[0] = '\0';
    if (function)
        snprintf(to, size, " in %s+0x%llx", function->name,
                 (unsigned long long)(pc - function->start));
}

/* The word, and what it would be on a core that has everything. A control register may be missing
 * where its instruction is not. */
static void describe_illegal(const gs_machine *machine, uint32_t word, char *to, size_t size)
{
    gs_decoder complete;
    gs_insn insn;
    gs_decoder_init(&complete, machine->isa, gs_image_extensions(machine->image));
    gs_decode(&insn, &machine->decoder, word);
    if (machine->isa->arch == GS_ARCH_RV32 && insn.op >= GS_OP_FIRST &&
        machine->isa->ops[insn.op].timing == GS_CLASS_CSR) {
        char text[48];
        gs_rv_text(&insn, 0, text, sizeof text);
        snprintf(to, size, " 0x%08x (%s: that register is not there, or closed)", word, text);
        return;
    }
    gs_decode(&insn, &complete, word);
    if (insn.op >= GS_OP_FIRST && machine->extensions != gs_image_extensions(machine->image))
        snprintf(to, size, " 0x%08x (%s, which this core does not have)", word,
                 machine->isa->ops[insn.op].name);
    else
        snprintf(to, size, " 0x%08x", word);
}

/* What the trap was, by what is at the address: nothing, a device, or memory that forbids it. */
static const char *describe_fault(const gs_memory *memory, const gs_trap *trap)
{
    static const char *const words[][3] = {
        [GS_TRAP_FETCH_FAULT] = {"jump to unmapped memory", "jump to a device",
                                 "jump to memory that cannot be executed"},
        [GS_TRAP_LOAD_FAULT] = {"load from unmapped memory", "load that no device answers",
                                "load from memory that cannot be read"},
        [GS_TRAP_STORE_FAULT] = {"store to unmapped memory", "store that no device answers",
                                 "store to memory that cannot be written"},
    };
    if (trap->kind >= sizeof words / sizeof *words || !words[trap->kind][0])
        return gs_trap_text(trap->kind);
    const gs_addr address = trap->kind == GS_TRAP_FETCH_FAULT ? trap->pc : trap->value;
    const unsigned prot = memory->prot[address >> GS_PAGE_SHIFT];
    return words[trap->kind][prot & GS_PROT_DEVICE ? 1 : prot & GS_PROT_MAPPED ? 2 : 0];
}

gs_exit gs_machine_fault(const gs_machine *machine, const gs_trap *trap)
{
    gs_exit exit = {.kind = GS_EXIT_SIGNAL, .signal = gs_trap_signal(trap->kind)};
    char place[128], detail[112] = "";
    describe_place(machine->image, trap->pc, place, sizeof place);
    switch (trap->kind) {
    case GS_TRAP_LOAD_FAULT:
    case GS_TRAP_STORE_FAULT:
    case GS_TRAP_LOAD_MISALIGNED:
    case GS_TRAP_STORE_MISALIGNED:
        snprintf(detail, sizeof detail, ", address 0x%08x", trap->value);
        break;
    case GS_TRAP_FETCH_MISALIGNED:
        snprintf(detail, sizeof detail, ", to 0x%08x", trap->value);
        break;
    case GS_TRAP_ILLEGAL: describe_illegal(machine, trap->value, detail, sizeof detail); break;
    default: break;
    }
    snprintf(exit.message, sizeof exit.message, "%s%s at pc 0x%08x%s",
             describe_fault(&machine->memory, trap), detail, trap->pc, place);
    return exit;
}

const gs_image *gs_machine_image(const gs_machine *machine)
{
    return machine->image;
}

const gs_sandbox *gs_machine_sandbox(const gs_machine *machine)
{
    return machine->sandbox;
}

const gs_exit *gs_machine_exit(const gs_machine *machine)
{
    return &machine->exit;
}

uint64_t gs_machine_instructions(const gs_machine *machine)
{
    return machine->hart.instret;
}

bool gs_machine_is_compiling(const gs_machine *machine)
{
    return machine->compiling;
}

size_t gs_machine_marker_count(const gs_machine *machine)
{
    return machine->markers.count;
}

const gs_marker *gs_machine_marker(const gs_machine *machine, size_t index)
{
    return &machine->markers.items[index];
}

enum { MAX_NOTES = 20 };

bool gs_machine_add_note(gs_machine *machine, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return false; /* no memory for a remark: do without it */
    gs_plain_text(text, "");
    bool wanted = machine->notes.count < MAX_NOTES;
    for (size_t i = 0; i < machine->notes.count && wanted; i++)
        wanted = strcmp(machine->notes.items[i], text) != 0;
    wanted = wanted && gs_vec_push(&machine->notes, text);
    if (!wanted)
        free(text);
    return wanted;
}

size_t gs_machine_note_count(const gs_machine *machine)
{
    return machine->notes.count;
}

const char *gs_machine_note(const gs_machine *machine, size_t index)
{
    return machine->notes.items[index];
}
