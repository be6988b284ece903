/* Steps reference engine and RTL side by side, and prints the first difference with its context. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gumshoe/insn.h"
#include "isa/rv/rv.h"
#include "units.h"
#include "timing/timing.h"
#include "gumshoe/run.h"

_Static_assert((int)RTL_STALLS == (int)GS_STALL_COUNT, "rtl.h has as many causes as stalls.def");

enum { RAM = 0x80000000, CONTEXT = 12, PATIENCE = 100000 };

typedef struct side {
    uint64_t cycle;
    uint32_t pc;
    char text[96];
} side;

typedef struct follower {
    comparison *c;
    const gs_machine *machine;
    const gs_timing *timing;
    volatile sig_atomic_t stop;
    bool differs;
    bool interrupt_seen;    /* the RTL has taken one that the reference has not told of yet */
    uint32_t registers[32]; /* as the RTL has written them */
    side past[CONTEXT];     /* what both did, a ring */
    uint64_t events;
} follower;

static void print_context(const follower *f)
{
    uint64_t from = f->events > CONTEXT ? f->events - CONTEXT : 0;
    for (uint64_t i = from; i < f->events; i++) {
        const side *s = &f->past[i % CONTEXT];
        printf("    cycle %-8" PRIu64 " %08" PRIx32 "  %s\n", s->cycle, s->pc, s->text);
    }
}

static void remember(follower *f, uint64_t cycle, uint32_t pc, const char *kind, uint32_t word)
{
    side *s = &f->past[f->events++ % CONTEXT];
    s->cycle = cycle;
    s->pc = pc;
    gs_insn insn;
    char text[64] = "";
    gs_decode(&insn, &f->machine->decoder, word);
    gs_rv_text(&insn, pc, text, sizeof text);
    snprintf(s->text, sizeof s->text, "%s%s", kind, text);
}

static void differ(follower *f, const char *what, uint64_t reference, uint64_t rtl)
{
    if (!f->differs) {
        printf("  after\n");
        print_context(f);
        printf("  %-20s reference %" PRIu64 " (0x%" PRIx64 "), RTL %" PRIu64 " (0x%" PRIx64 ")\n",
               what, reference, reference, rtl, rtl);
    } else {
        printf("  %-20s reference %" PRIu64 " (0x%" PRIx64 "), RTL %" PRIu64 " (0x%" PRIx64 ")\n",
               what, reference, reference, rtl, rtl);
    }
    f->differs = true;
    f->stop = 1;
}

static void expect(follower *f, const char *what, uint64_t reference, uint64_t rtl)
{
    if (reference != rtl)
        differ(f, what, reference, rtl);
}

/* The next event of the RTL, with what is common to all of them compared. */
static bool take(follower *f, rtl_event *event)
{
    comparison *c = f->c;
    if (!c->library->next(c->rtl, PATIENCE, event)) {
        differ(f, "cycle", gs_timing_cycles(f->timing), UINT64_MAX);
        return false;
    }
    if (event->rd)
        f->registers[event->rd] = event->rd_value;
    expect(f, "cycle", gs_timing_cycles(f->timing), event->cycle);
    const rtl_state *state = c->library->look(c->rtl);
    for (size_t i = 0; i < RTL_STALLS; i++)
        expect(f, gs_timing_stall_key(i), f->timing->stalls[i], state->stalls[i]);
    return true;
}

static void check_registers(follower *f)
{
    const uint32_t *x = f->machine->hart.rv.x;
    if (memcmp(x + 1, f->registers + 1, 31 * sizeof *x) == 0)
        return;
    for (unsigned i = 1; i < 32; i++) {
        char name[8];
        snprintf(name, sizeof name, "x%u", i);
        expect(f, name, x[i], f->registers[i]);
    }
}

static void check_access(follower *f, const gs_retired *event, const rtl_event *rtl)
{
    unsigned class = f->machine->isa->ops[event->insn->op].timing;
    uint32_t lanes = event->size ? ((1u << event->size) - 1) << (event->address & 3) : 0;
    bool stores = class == GS_CLASS_STORE;
    expect(f, "bytes read", stores ? 0 : lanes, rtl->read_lanes);
    expect(f, "bytes written", stores ? lanes : 0, rtl->write_lanes);
    if (event->size)
        expect(f, "address", event->address, rtl->address);
    if (stores) {
        uint32_t mask = event->size == 4 ? ~0u : (1u << 8 * event->size) - 1;
        expect(f, "data written", event->value[1] & mask,
               rtl->write_word >> 8 * (event->address & 3) & mask);
    }
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    follower *f = self;
    rtl_event rtl;
    (void)machine;
    if (f->differs)
        return;
    if (f->interrupt_seen)
        differ(f, "interrupt", 0, 1);
    if (!take(f, &rtl))
        return;
    expect(f, "retires", 1, rtl.retired);
    expect(f, "pc", event->pc, rtl.pc);
    expect(f, "instruction", event->insn->raw, rtl.insn);
    expect(f, "next pc", event->next_pc, rtl.next_pc);
    check_access(f, event, &rtl);
    check_registers(f);
    f->interrupt_seen = rtl.interrupted;
    if (f->differs) {
        printf("  at the retirement of\n");
        f->events = 0;
    }
    remember(f, gs_timing_cycles(f->timing), (uint32_t)event->pc, "", event->insn->raw);
    if (f->differs)
        print_context(f);
}

/* A trap; or an interrupt, which the RTL has told of with the instruction before, or does now, if
 * it comes out of sleep. */
static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    follower *f = self;
    rtl_event rtl = {0};
    if (f->differs)
        return;
    bool interrupt = machine->hart.rv.mcause >> 31;
    if (f->interrupt_seen) {
        expect(f, "interrupt", interrupt, 1);
        f->interrupt_seen = false;
    } else if (take(f, &rtl)) {
        expect(f, "interrupt", interrupt, rtl.interrupted);
        expect(f, "trap", !interrupt, rtl.trapped);
        if (!interrupt)
            expect(f, "pc of the trap", event->pc, rtl.pc);
        check_registers(f);
    }
    if (interrupt)
        f->c->interrupts++;
    else
        f->c->traps++;
    remember(f, gs_timing_cycles(f->timing), (uint32_t)event->pc,
             interrupt ? "interrupt before " : "trap of ", rtl.insn);
}

static void check_memory(follower *f)
{
    size_t bytes;
    const uint8_t *rtl = f->c->library->memory(f->c->rtl, &bytes);
    const uint8_t *reference = f->machine->memory.bytes + RAM;
    if (memcmp(rtl, reference, bytes) == 0)
        return;
    for (size_t i = 0; i < bytes; i++) {
        if (rtl[i] != reference[i]) {
            printf("  memory at 0x%08zx\n", RAM + i);
            differ(f, "byte", reference[i], rtl[i]);
            return;
        }
    }
}

static void check_output(follower *f, int written)
{
    const rtl_state *state = f->c->library->look(f->c->rtl);
    off_t size = lseek(written, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    bool same = text && pread(written, text, (size_t)size, 0) == size &&
                (size_t)size == state->output_size &&
                memcmp(text, state->output, state->output_size) == 0;
    free(text);
    if (!same)
        differ(f, "bytes of output", (uint64_t)size, state->output_size);
    if (f->c->show_output)
        fwrite(state->output, 1, state->output_size, stdout);
}

/* A program tells that it is content by ending with 0. The store that ends it has waited for those
 * before it, so that memory is up to date. */
static void check_end(follower *f, int written)
{
    const gs_exit *exit = gs_machine_exit(f->machine);
    const rtl_state *state = f->c->library->look(f->c->rtl);
    if (exit->kind == GS_EXIT_LIMIT && f->c->max_instructions)
        return;
    if (exit->kind != GS_EXIT_CODE || exit->code != 0) {
        printf("  ends with status %d%s%s\n", exit->code, *exit->message ? ": " : "",
               exit->message);
        f->differs = true;
    }
    expect(f, "ends", 1, state->exited);
    expect(f, "exit code", (uint32_t)exit->code, state->exit_code);
    check_output(f, written);
    check_memory(f);
}

/* The units' models, where the RTL has units; what programs read of either is compared like all
 * that they do. */
static gs_status follow_with_units(follower *f, const gs_image *image, const gs_run_options *how,
                                   gs_machine *machine, gs_error *err)
{
    comparison *c = f->c;
    units *models = NULL;
    gs_status status = units_open(&models, image, machine, f->timing, err);
    if (status == GS_OK) {
        const gs_observer *observers[] = {how->observers[0], units_observer(models)};
        gs_run_options with = *how;
        with.observers = observers;
        with.observer_count = 2;
        status = gs_run(machine, &with, err);
    }
    if (status == GS_OK && !f->differs && c->exact && units_check_exact(models) > 0)
        f->differs = true;
    units_free(models);
    return status;
}

static gs_status run(comparison *c, const gs_image *image, bool *differs, gs_error *err)
{
    int output = memfd_create("output", MFD_CLOEXEC), input = memfd_create("input", MFD_CLOEXEC);
    gs_machine_options options = {.env = GS_ENV_BARE, .stdio = {input, output, output}};
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    size_t bytes;
    uint8_t *memory = c->library->memory(c->rtl, &bytes);

    gs_core_configure(c->core, &options);
    options.ram_size = bytes;
    gs_status status = GS_OK;
    if (pwrite(input, c->input, c->input_size, 0) != (ssize_t)c->input_size)
        status = gs_fail(err, GS_E_IO, "no room for the input");
    if (status == GS_OK)
        status = gs_machine_open(&machine, image, &options, err);
    if (status == GS_OK)
        status = gs_timing_open(&timing, c->core, machine, err);
    if (status == GS_OK) {
        memcpy(memory, machine->memory.bytes + RAM, bytes);
        c->library->reset(c->rtl, (uint32_t)gs_image_entry(image));
        c->library->input(c->rtl, c->input, c->input_size);
        follower f = {.c = c, .machine = machine, .timing = timing};
        gs_observer observer = {.retired = on_retired, .trapped = on_trapped, .self = &f};
        const gs_observer *observers[] = {&observer};
        gs_run_options how = {.timing = timing,
                              .observers = observers,
                              .observer_count = 1,
                              .cancel = &f.stop,
                              .max_instructions = c->max_instructions};
        status = c->units ? follow_with_units(&f, image, &how, machine, err)
                          : gs_run(machine, &how, err);
        if (status == GS_OK && !f.differs)
            check_end(&f, output);
        *differs = f.differs;
        c->instructions = gs_machine_instructions(machine);
        c->cycles = gs_timing_cycles(timing);
        c->exit_code = gs_machine_exit(machine)->code;
    }
    gs_timing_free(timing);
    gs_machine_free(machine);
    close(output);
    close(input);
    return status;
}

bool compare_program(comparison *c, const gs_image *image, const char *name)
{
    gs_error err;
    bool differs = false;
    c->traps = c->interrupts = 0;
    if (run(c, image, &differs, &err) != GS_OK) {
        printf("%s: %s\n", name, err.message);
        return false;
    }
    if (differs)
        printf("%s: differs\n", name);
    return !differs;
}
