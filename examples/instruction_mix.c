/*
 * instruction_mix.c - counts instructions by class, at the speed of the fast engine.
 *
 *     ./instruction_mix flatfoot program.elf [auto|reference|fast]
 *
 * An observer that is called for every instruction keeps the reference engine. This one also takes
 * counts in bulk: what translated code has executed how often. Both engines give the same counts.
 */
#include <gumshoe/gumshoe.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 64 };

typedef struct row {
    const char *name; /* as gs_insn_class() has it: one text for each class */
    int64_t executed;
} row;

typedef struct mix {
    gs_arch arch;
    size_t count;
    row rows[CLASSES];
} mix;

static void count(mix *m, const gs_insn *insn, int64_t times)
{
    const char *name = gs_insn_class(m->arch, insn);
    size_t i = 0;
    while (i < m->count && m->rows[i].name != name)
        i++;
    if (i == CLASSES)
        return;
    if (i == m->count)
        m->rows[m->count++].name = name;
    m->rows[i].executed += times;
}

/* What the reference engine executes comes here, one instruction at a time, */
static void retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    (void)machine;
    count(self, event->insn, 1);
}

/* and what translated code has executed comes here: instructions in a row, and how many times. */
static void add(void *self, const gs_bulk_run *run)
{
    for (size_t i = 0; i < gs_bulk_run_length(run); i++)
        count(self, gs_bulk_run_insn(run, i, NULL), gs_bulk_run_times(run));
}

static int larger_first(const void *a, const void *b)
{
    int64_t x = ((const row *)a)->executed, y = ((const row *)b)->executed;
    return (x < y) - (x > y);
}

static void print(mix *m, const gs_machine *machine)
{
    int64_t sum = 0;
    qsort(m->rows, m->count, sizeof m->rows[0], larger_first);
    for (size_t i = 0; i < m->count; i++) {
        printf("%12" PRIi64 "  %s\n", m->rows[i].executed, m->rows[i].name);
        sum += m->rows[i].executed;
    }
    printf("%12" PRIi64 "  of %" PRIu64 " instructions\n", sum, gs_machine_instructions(machine));
    if (gs_machine_reference_reason(machine))
        printf("Without the fast engine: %s.\n", gs_machine_reference_reason(machine));
}

int main(int argc, char **argv)
{
    gs_run_options run = {.engine = GS_ENGINE_AUTO};
    if (argc == 4 && strcmp(argv[3], "reference") == 0)
        run.engine = GS_ENGINE_REFERENCE;
    else if (argc == 4 && strcmp(argv[3], "fast") == 0)
        run.engine = GS_ENGINE_FAST;
    else if (argc < 3 || argc > 4 || (argc == 4 && strcmp(argv[3], "auto") != 0)) {
        fprintf(stderr, "usage: instruction_mix CORE PROGRAM [auto|reference|fast]\n");
        return EXIT_FAILURE;
    }
    mix counts = {0};
    gs_core *core = NULL;
    gs_image *image = NULL;
    gs_machine *machine = NULL;
    gs_error err;
    gs_machine_options options = gs_machine_options_default();
    gs_status status = gs_core_open(&core, argv[1], NULL, 0, &err);
    if (status == GS_OK)
        status = gs_image_open(&image, argv[2], &err);
    if (status == GS_OK) {
        gs_core_configure(core, &options);
        status = gs_machine_open(&machine, image, &options, &err);
    }
    if (status == GS_OK)
        status = gs_timing_open(&run.timing, core, machine, &err);
    if (status == GS_OK) {
        static const gs_bulk_observer bulk = {.add = add};
        const gs_observer observer = {.retired = retired, .bulk = &bulk, .self = &counts};
        const gs_observer *list[] = {&observer};
        counts.arch = gs_image_arch(image);
        run.observers = list;
        run.observer_count = 1;
        status = gs_run(machine, &run, &err);
    }
    if (status == GS_OK)
        print(&counts, machine);
    else
        fprintf(stderr, "instruction_mix: %s\n", err.message);
    gs_timing_free(run.timing);
    gs_machine_free(machine);
    gs_image_free(image);
    gs_core_free(core);
    return status == GS_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
