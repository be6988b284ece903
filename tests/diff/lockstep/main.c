/*
 * lockstep - programs on the reference engine and on flatfoot's RTL, cycle by cycle.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "random_program.h"

static const char help[] =
    "usage: lockstep --rtl LIBRARY [options] [ELF...]\n"
    "  --set KEY=VALUE   of the core description, as the library was built\n"
    "  --random N        run N random programs,\n"
    "  --seed N          from this seed on\n"
    "  --input TEXT      what the console says to the program\n"
    "  --units           the library has the profilers of soc_units\n"
    "  --exact           the same, and LEAP counts exactly\n"
    "  --limit N         compare only the first N instructions of each program\n"
    "  --write FILE      only write the random program of the seed\n"
    "  --verbose         a line per program, and what it prints\n";

enum { MAX_SETTINGS = 16 };

typedef struct options {
    const char *library, *write, *input;
    const char *set[MAX_SETTINGS];
    size_t settings;
    uint64_t seed, limit;
    unsigned programs;
    bool verbose, units, exact;
} options;

static bool open_library(rtl_library *library, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW);
    if (!handle) {
        fprintf(stderr, "lockstep: %s\n", dlerror());
        return false;
    }
    *(void **)&library->open = dlsym(handle, "rtl_open");
    *(void **)&library->free = dlsym(handle, "rtl_free");
    *(void **)&library->memory = dlsym(handle, "rtl_memory");
    *(void **)&library->reset = dlsym(handle, "rtl_reset");
    *(void **)&library->input = dlsym(handle, "rtl_input");
    *(void **)&library->next = dlsym(handle, "rtl_next");
    *(void **)&library->look = dlsym(handle, "rtl_look");
    return library->open && library->free && library->memory && library->reset && library->input &&
           library->next && library->look;
}

typedef struct totals {
    unsigned passed, failed;
    uint64_t instructions, cycles, traps, interrupts;
} totals;

static void compare(comparison *c, const gs_image *image, const char *name, const options *o,
                    totals *t)
{
    bool same = compare_program(c, image, name);
    if (same)
        t->passed++;
    else
        t->failed++;
    t->instructions += c->instructions;
    t->cycles += c->cycles;
    t->traps += c->traps;
    t->interrupts += c->interrupts;
    if (o->verbose)
        printf("%s: %" PRIu64 " instructions, %" PRIu64 " cycles, %" PRIu64 " traps, %" PRIu64
               " interrupts, exit %d\n",
               name, c->instructions, c->cycles, c->traps, c->interrupts, c->exit_code);
}

static void compare_file(comparison *c, const char *path, const options *o, totals *t)
{
    gs_image *image;
    gs_error err;
    if (gs_image_open(&image, path, &err) != GS_OK) {
        printf("%s\n", err.message);
        t->failed++;
        return;
    }
    compare(c, image, path, o, t);
    gs_image_free(image);
}

static void compare_random(comparison *c, uint64_t seed, const options *o, totals *t)
{
    char name[64];
    gs_image *image;
    gs_error err;
    size_t size;
    uint8_t *elf = random_program(seed, &size);
    snprintf(name, sizeof name, "random program %" PRIu64, seed);
    if (gs_image_open_memory(&image, elf, size, name, &err) != GS_OK) {
        printf("%s: %s\n", name, err.message);
        t->failed++;
    } else {
        compare(c, image, name, o, t);
        gs_image_free(image);
    }
    free(elf);
}

static int write_random(const options *o)
{
    size_t size;
    uint8_t *elf = random_program(o->seed, &size);
    FILE *to = fopen(o->write, "wb");
    bool written = to && fwrite(elf, 1, size, to) == size;
    if (to && fclose(to) != 0)
        written = false;
    free(elf);
    if (!written)
        perror(o->write);
    return written ? 0 : 3;
}

static int run(const options *o, char **files, int count)
{
    rtl_library library;
    gs_core *core;
    gs_error err;
    totals t = {0};
    if (!open_library(&library, o->library))
        return 3;
    if (gs_core_open(&core, "flatfoot", o->set, o->settings, &err) != GS_OK) {
        fprintf(stderr, "lockstep: %s\n", err.message);
        return 3;
    }
    comparison c = {.library = &library,
                    .rtl = library.open(),
                    .core = core,
                    .max_instructions = o->limit,
                    .show_output = o->verbose,
                    .units = o->units,
                    .exact = o->exact,
                    .input = (const uint8_t *)o->input,
                    .input_size = strlen(o->input)};
    for (int i = 0; i < count; i++)
        compare_file(&c, files[i], o, &t);
    for (unsigned i = 0; i < o->programs; i++)
        compare_random(&c, o->seed + i, o, &t);
    library.free(c.rtl);
    gs_core_free(core);
    printf("%" PRIu64 " instructions, %" PRIu64 " cycles, %" PRIu64 " traps, %" PRIu64
           " interrupts\n%u passed, %u failed\n",
           t.instructions, t.cycles, t.traps, t.interrupts, t.passed, t.failed);
    return t.failed || !t.passed ? 1 : 0;
}

int main(int argc, char **argv)
{
    enum { RTL = 256, SET, RANDOM, SEED, INPUT, UNITS, EXACT, LIMIT, WRITE, VERBOSE };
    static const struct option long_options[] = {
        {"rtl", required_argument, NULL, RTL},
        {"set", required_argument, NULL, SET},
        {"random", required_argument, NULL, RANDOM},
        {"seed", required_argument, NULL, SEED},
        {"input", required_argument, NULL, INPUT},
        {"units", no_argument, NULL, UNITS},
        {"exact", no_argument, NULL, EXACT},
        {"limit", required_argument, NULL, LIMIT},
        {"write", required_argument, NULL, WRITE},
        {"verbose", no_argument, NULL, VERBOSE},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    options o = {.seed = 1, .input = ""};
    int option;
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        switch (option) {
        case RTL: o.library = optarg; break;
        case SET:
            if (o.settings < MAX_SETTINGS)
                o.set[o.settings++] = optarg;
            break;
        case RANDOM: o.programs = (unsigned)strtoul(optarg, NULL, 0); break;
        case SEED: o.seed = strtoull(optarg, NULL, 0); break;
        case INPUT: o.input = optarg; break;
        case UNITS: o.units = true; break;
        case EXACT: o.units = o.exact = true; break;
        case LIMIT: o.limit = strtoull(optarg, NULL, 0); break;
        case WRITE: o.write = optarg; break;
        case VERBOSE: o.verbose = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: fputs(help, stderr); return 2;
        }
    }
    if (o.write)
        return write_random(&o);
    if (!o.library) {
        fputs(help, stderr);
        return 2;
    }
    return run(&o, argv + optind, argc - optind);
}
