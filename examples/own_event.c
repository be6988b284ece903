/*
 * own_event.c - counts an event of its own: loads whose result the very next instruction uses.
 *
 *     ./own_event program.elf
 *
 * Compilers try to put something useful between the two. Where they did not, a pipeline waits.
 */
#include <gumshoe/gumshoe.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 4096 }; /* a hash table of places, far more than a small program has */

typedef struct place {
    uint64_t pc, count;
    char text[64];
} place;

typedef struct counter {
    gs_disassembler *disassembler;
    unsigned loaded; /* the register that the instruction before has loaded, or GS_OPERAND_NONE */
    uint64_t loads, events;
    place places[SLOTS];
} counter;

static bool uses(gs_operands operands, unsigned reg)
{
    for (int i = 0; i < 3; i++) {
        if (reg != GS_OPERAND_NONE && operands.source[i] == reg)
            return true;
    }
    return false;
}

static void count_at(counter *c, uint64_t pc, const gs_insn *insn)
{
    for (size_t i = 0; i < SLOTS; i++) {
        place *p = &c->places[(pc / 2 + i) % SLOTS];
        if (p->count > 0 && p->pc != pc)
            continue; /* another place has this slot */
        if (p->count++ == 0)
            gs_disassemble(c->disassembler, insn, pc, p->text, sizeof p->text);
        p->pc = pc;
        return;
    }
}

/* Called after every instruction. */
static void retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    counter *c = self;
    gs_arch arch = gs_image_arch(gs_machine_image(machine));
    gs_operands operands = gs_insn_operands(arch, event->insn);
    if (uses(operands, c->loaded)) {
        c->events++;
        count_at(c, event->pc, event->insn);
    }
    bool is_load = gs_insn_is_load(arch, event->insn);
    c->loads += is_load;
    c->loaded = is_load ? operands.target[0] : GS_OPERAND_NONE;
}

static int larger_first(const void *a, const void *b)
{
    uint64_t x = ((const place *)a)->count, y = ((const place *)b)->count;
    return (x < y) - (x > y);
}

static void print(counter *c, const gs_image *image)
{
    printf("The next instruction uses what was loaded after %" PRIu64 " of %" PRIu64 " loads.\n",
           c->events, c->loads);
    qsort(c->places, SLOTS, sizeof c->places[0], larger_first);
    for (size_t i = 0; i < 5 && c->places[i].count > 0; i++) {
        const place *p = &c->places[i];
        const gs_function *function = gs_image_function_at(image, p->pc);
        printf("%10" PRIu64 "  %-24s %s+%" PRIu64 "\n", p->count, p->text,
               function ? function->name : "?", function ? p->pc - function->start : p->pc);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: own_event PROGRAM\n");
        return EXIT_FAILURE;
    }
    static counter events;
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_error err;
    gs_machine_options options = gs_machine_options_default();
    gs_status status = gs_image_open(&image, argv[1], &err);
    if (status == GS_OK)
        status = gs_machine_open(&machine, image, &options, &err);
    if (status == GS_OK)
        status = gs_disassembler_open(&events.disassembler, gs_image_arch(image), &err);
    if (status == GS_OK) {
        const gs_observer observer = {.retired = retired, .self = &events}, *list[] = {&observer};
        gs_run_options run = {.observers = list, .observer_count = 1};
        status = gs_run(machine, &run, &err);
    }
    if (status == GS_OK)
        print(&events, image);
    else
        fprintf(stderr, "own_event: %s\n", err.message);
    gs_disassembler_free(events.disassembler);
    gs_machine_free(machine);
    gs_image_free(image);
    return status == GS_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
