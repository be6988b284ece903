/*
 * rtl_units - runs programs with a hardware unit on the trace port, as C model and as Verilog.
 *
 *     rtl_units LIBRARY CORE UNIT:OPTIONS LIMIT SEED ELF...
 *
 * The unit sees the first LIMIT instructions, and in the end a random trace with the functions of
 * the last program. What the two count must be the same.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "compare.h"
#include "gumshoe/run.h"
#include "random_trace.h"
#include "rvfi_core.h"

static const comparison_kind *const kinds[] = {&compare_leap, &compare_live, &compare_loops,
                                               &compare_snoopp, &compare_stats};

typedef struct job {
    rtl_library library;
    const comparison_kind *kind;
    const char *options;
    const gs_core *core;
    uint64_t limit;
    uint64_t seed; /* of a random trace instead of the program's; 0 for none */
    int silence;   /* where programs write */

    comparison c;
    rvfi_core core_shown; /* with a unit behind rvfi_port.v */
    uint64_t clocks;
} job;

static bool open_library(rtl_library *library, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW);
    if (!handle) {
        fprintf(stderr, "rtl_units: %s\n", dlerror());
        return false;
    }
    *(void **)&library->open = dlsym(handle, "rtl_open");
    *(void **)&library->free = dlsym(handle, "rtl_free");
    *(void **)&library->clock = dlsym(handle, "rtl_clock");
    *(void **)&library->read = dlsym(handle, "rtl_read");
    *(void **)&library->write = dlsym(handle, "rtl_write");
    *(void **)&library->records = dlsym(handle, "rtl_records");
    *(void **)&library->identify = dlsym(handle, "rtl_identify");
    *(void **)&library->send = dlsym(handle, "rtl_send");
    *(void **)&library->settle = dlsym(handle, "rtl_settle");
    *(void **)&library->end = dlsym(handle, "rtl_end");
    *(void **)&library->frames = dlsym(handle, "rtl_frames");
    *(void **)&library->gaps = dlsym(handle, "rtl_gaps");
    *(void **)&library->clock_rvfi = dlsym(handle, "rtl_clock_rvfi");
    *(void **)&library->rvfi_style = dlsym(handle, "rtl_rvfi_style");
    return library->open && library->free && library->clock &&
           ((library->read && library->write && library->records) ||
            (library->identify && library->send && library->settle && library->end &&
             library->frames && library->gaps));
}

static void clock(job *j, const rtl_wires *wires)
{
    j->library.clock(j->c.rtl, wires);
    j->clocks++;
}

static uint8_t most_of(const gs_port *port)
{
    const uint8_t all[] = {port->icache_hits, port->icache_misses, port->dcache_hits,
                           port->dcache_misses};
    uint8_t most = 0;
    for (size_t i = 0; i < sizeof all; i++)
        most = all[i] > most ? all[i] : most;
    return most;
}

static void set_caches(rtl_wires *wires, const gs_port *port, uint8_t above)
{
    wires->icache_hit = port->icache_hits > above;
    wires->icache_miss = port->icache_misses > above;
    wires->dcache_hit = port->dcache_hits > above;
    wires->dcache_miss = port->dcache_misses > above;
}

/* A beat on wires, as docs/units/port.md has it: stalls by cause, then the retirement. A trap is a
 * clock that counts as none. */
static void beat(void *self, const gs_port *port)
{
    job *j = self;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++) {
        rtl_wires stalled = {.stalled = true, .stall = (uint8_t)cause};
        for (uint64_t i = 0; i < port->stall[cause]; i++)
            clock(j, &stalled);
    }
    /* What happened more than once with one instruction: in clocks that are none of the core's. */
    for (uint8_t again = 1; again < most_of(port); again++) {
        rtl_wires more = {0};
        set_caches(&more, port, again);
        clock(j, &more);
    }
    rtl_wires wires = {
        .valid = port->valid,
        .trap = port->trap,
        .pc = port->pc,
        .next_pc = port->next_pc,
        .insn = port->insn,
        .access = port->size > 0,
        .address = port->address,
        .read = port->read,
        .write = port->write,
        .mispredict = port->mispredict,
    };
    set_caches(&wires, port, 0);
    clock(j, &wires);
    j->kind->beat(&j->c, port);
}

/* The same, over RVFI. What is random accesses memory with any instruction: not here. */
static void beat_over_rvfi(void *self, const gs_port *port)
{
    job *j = self;
    gs_port copy = *port;
    if (j->seed) {
        copy.size = 0;
        copy.read = copy.write = false;
    }
    if (rvfi_core_beat(&j->core_shown, &copy))
        j->kind->beat(&j->c, &copy);
}

static gs_status run(job *j, gs_machine *machine, gs_timing *timing, gs_error *err)
{
    gs_port_feed feed;
    gs_port_reader *reader = j->library.clock_rvfi ? beat_over_rvfi : beat;
    if (j->seed) {
        random_trace(machine, j->seed, j->limit, reader, j);
        return GS_OK;
    }
    gs_port_feed_init(&feed, machine, timing, reader, j);
    const gs_observer *observers[] = {&feed.observer};
    gs_run_options options = {
        .timing = timing,
        .observers = observers,
        .observer_count = 1,
        .max_instructions = j->limit,
    };
    gs_status status = gs_run(machine, &options, err);
    const gs_exit *exit = gs_machine_exit(machine);
    if (status == GS_OK && exit->kind != GS_EXIT_CODE && exit->kind != GS_EXIT_LIMIT)
        status = gs_fail(err, GS_E_ARGUMENT, "%s", exit->message);
    return status;
}

static gs_status compare(job *j, gs_machine *machine, gs_timing *timing, gs_error *err)
{
    j->c.context = (gs_unit_context){
        .image = machine->image, .isa = machine->isa, .core = j->core, .machine = machine};
    gs_status status = j->kind->open(&j->c, j->options, err);
    const bool over_rvfi = j->library.clock_rvfi != NULL;
    if (status == GS_OK && over_rvfi)
        rvfi_core_open(&j->core_shown, &j->library, j->c.rtl);
    if (status == GS_OK)
        status = run(j, machine, timing, err);
    if (over_rvfi) {
        rvfi_core_end(&j->core_shown);
        j->clocks += j->core_shown.clocks;
    }
    if (status == GS_OK)
        j->kind->finish(&j->c);
    j->kind->free(&j->c);
    return status;
}

static gs_status compare_image(job *j, const gs_image *image, gs_error *err)
{
    gs_machine *machine = NULL;
    gs_timing *timing = NULL;
    gs_machine_options options = {.env = GS_ENV_BARE,
                                  .stdio = {j->silence, j->silence, j->silence}};
    gs_core_configure(j->core, &options);
    gs_status status = gs_machine_open(&machine, image, &options, err);
    if (status == GS_OK)
        status = gs_timing_open(&timing, j->core, machine, err);
    if (status == GS_OK)
        status = compare(j, machine, timing, err);
    gs_timing_free(timing);
    gs_machine_free(machine);
    return status;
}

static bool compare_file(job *j, const char *path)
{
    gs_image *image = NULL;
    gs_error err = {0};
    j->c = (comparison){.library = &j->library, .rtl = j->library.open(), .program = path};
    gs_status status = gs_image_open(&image, path, &err);
    if (status == GS_OK)
        status = compare_image(j, image, &err);
    gs_image_free(image);
    j->library.free(j->c.rtl);
    if (status != GS_OK)
        printf("%s: %s\n", path, err.message);
    return status == GS_OK && j->c.differences == 0;
}

static const comparison_kind *find_kind(const char *text, const char **options)
{
    size_t length = strcspn(text, ":");
    *options = text + length + (text[length] == ':');
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i]->name) == length && strncmp(kinds[i]->name, text, length) == 0)
            return kinds[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    job j = {.silence = open("/dev/null", O_RDWR)};
    gs_core *core;
    gs_error err;
    if (argc < 7 || !(j.kind = find_kind(argv[3], &j.options))) {
        fprintf(stderr, "usage: rtl_units LIBRARY CORE UNIT:OPTIONS LIMIT SEED ELF...\n");
        return 2;
    }
    j.limit = strtoull(argv[4], NULL, 0);
    if (!open_library(&j.library, argv[1]))
        return 3;
    if (gs_core_open(&core, argv[2], NULL, 0, &err) != GS_OK) {
        fprintf(stderr, "rtl_units: %s\n", err.message);
        return 3;
    }
    j.core = core;
    for (int i = 6; i <= argc; i++) {
        j.seed = i == argc ? strtoull(argv[5], NULL, 0) : 0;
        bool same = compare_file(&j, argv[i < argc ? i : argc - 1]);
        passed += same;
        failed += !same;
        if (j.seed && !same)
            printf("the trace is that of seed %" PRIu64 "\n", j.seed);
    }
    gs_core_free(core);
    close(j.silence);
    printf("%" PRIu64 " clocks\n%u passed, %u failed\n", j.clocks, passed, failed);
    return failed || !passed ? 1 : 0;
}
