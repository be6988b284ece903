/* Runs instructions one by one on a core, and checks their costs. */
#include "timed_run.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>

#include "elf_builder.h"
#include "timing/timing.h"
#include "gumshoe/run.h"

typedef struct recorder {
    const gs_timing *timing;
    timed_run *run;
    uint64_t last;
} recorder;

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    recorder *r = self;
    timed_run *run = r->run;
    (void)machine;
    assert_true(run->count < TIMED_MAX);
    if (r->timing->core->issue_width > 1)
        assert_true(gs_timing_issue_cycles(r->timing) <= event->number + 1);
    else
        assert_int_equal(gs_timing_issue_cycles(r->timing), event->number + 1);
    uint64_t now = gs_timing_cycles(r->timing);
    if (run->count == 0)
        run->first = now;
    else
        run->cost[run->count] = (unsigned)(now - r->last);
    r->last = now;
    run->count++;
}

static void check(gs_status status, const gs_error *err)
{
    if (status != GS_OK)
        fail_msg("%s", err->message);
}

/* With `pieces` the run is stopped and resumed after every instruction. */
static timed_run run_once(const timed_program *program, const gs_core *core, const gs_image *image,
                          bool pieces)
{
    gs_machine_options options = {.env = GS_ENV_BARE, .stdio = {0, 1, 2}};
    gs_machine *machine;
    gs_timing *timing;
    gs_error err;
    timed_run run = {0};

    gs_core_configure(core, &options);
    check(gs_machine_open(&machine, image, &options, &err), &err);
    check(gs_timing_open(&timing, core, machine, &err), &err);
    recorder record = {.timing = timing, .run = &run};
    gs_observer observer = {.retired = on_retired, .self = &record};
    const gs_observer *observers[] = {&observer};
    gs_run_options how = {.timing = timing, .observers = observers, .observer_count = 1};
    for (unsigned i = pieces ? 1 : program->run; i <= program->run; i++) {
        how.max_instructions = i;
        check(gs_run(machine, &how, &err), &err);
    }
    assert_int_equal(run.count, program->run);
    assert_int_equal(gs_timing_cycles(timing), record.last);
    for (size_t i = 0; i < gs_timing_stall_count(); i++)
        run.stalls[i] = gs_timing_stalls(timing, i);
    gs_timing_free(timing);
    gs_machine_free(machine);
    return run;
}

timed_run time_program(const timed_program *program)
{
    elf_builder elf;
    gs_core *core;
    gs_image *image;
    gs_error err;
    size_t size, settings = 0;

    elf_start(&elf, program->machine, false);
    elf.entry = program->address;
    elf_code(&elf, program->address, program->code, program->words);
    uint8_t *bytes = elf_finish(&elf, &size);
    check(gs_image_open_memory(&image, bytes, size, "test", &err), &err);
    free(bytes);
    while (program->set && program->set[settings])
        settings++;
    check(gs_core_open(&core, program->core, program->set, settings, &err), &err);

    timed_run whole = run_once(program, core, image, false);
    timed_run pieces = run_once(program, core, image, true);
    assert_memory_equal(&whole, &pieces, sizeof whole);
    gs_core_free(core);
    gs_image_free(image);
    return whole;
}

void check_costs(const timed_run *run, unsigned from, const unsigned *costs, size_t count,
                 const char *file, int line)
{
    for (size_t i = 0; i < count; i++) {
        if (run->cost[from + i] != costs[i]) {
            print_error("%s:%d: instruction %zu costs %u, not %u\n", file, line, i,
                        run->cost[from + i], costs[i]);
            fail();
        }
    }
}
