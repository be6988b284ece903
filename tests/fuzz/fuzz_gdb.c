/*
 * What a debugger sends: whatever the bytes, the run ends, and the program's past is what it was.
 * The first byte says which program: instruction set and byte order; all else goes over the link.
 */
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "gumshoe/debug.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CODE = 0x80000000, RUN = 3000 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

typedef struct input {
    const uint8_t *bytes;
    size_t size;
} input;

/* All at once while it waits, and nothing while the program runs. */
static ptrdiff_t read_input(void *self, void *to, size_t size, bool wait)
{
    input *in = self;
    if (in->size == 0 || !wait)
        return wait ? -1 : 0;
    size = size < in->size ? size : in->size;
    memcpy(to, in->bytes, size);
    in->bytes += size;
    in->size -= size;
    return (ptrdiff_t)size;
}

static bool write_nowhere(void *self, const void *bytes, size_t size)
{
    (void)self;
    (void)bytes;
    return size > 0;
}

/* Counts in memory: a load, an addition, a store, and back. */
static gs_image *make_image(bool mips, bool big_endian)
{
    static const uint32_t rv[] = {0x800012b7, 0x0002a303, 0x00130313, 0x0062a023, 0xff5ff06f};
    static const uint32_t mips_code[] = {0x3c088000, 0x8d091000, 0x25290001,
                                         0xad091000, 0x1000fffc, 0x00000000};
    gs_image *image;
    gs_error err;
    size_t size;
    elf_builder elf;
    elf_start(&elf, mips ? EM_MIPS : EM_RISCV, big_endian);
    elf.entry = CODE;
    elf_code(&elf, CODE, mips ? mips_code : rv, mips ? 6 : 5);
    elf_function(&elf, "main", CODE, 20);
    uint8_t *file = elf_finish(&elf, &size);
    require(gs_image_open_memory(&image, file, size, "fuzz", &err) == GS_OK);
    free(file);
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1)
        return 0;
    gs_error err;
    gs_machine *machine;
    gs_debugger *debugger;
    gs_recorder *recorder;
    input in = {bytes + 1, size - 1};
    const gs_debug_link link = {.read = read_input, .write = write_nowhere, .self = &in, .fd = -1};
    gs_image *image = make_image(bytes[0] & 1, (bytes[0] & 3) == 3);
    gs_machine_options options = gs_machine_options_default();
    options.stdio[0] = options.stdio[1] = options.stdio[2] = -1;
    options.ram_size = 1 << 16;
    require(gs_machine_open(&machine, image, &options, &err) == GS_OK);
    require(gs_recorder_open(&recorder, machine, NULL, &err) == GS_OK);
    require(gs_debugger_open(&debugger, machine, NULL, recorder, &link, &err) == GS_OK);
    const gs_observer *observers[] = {gs_recorder_observer(recorder)};
    const gs_run_options run = {.max_instructions = RUN,
                                .observers = observers,
                                .observer_count = 1,
                                .control = gs_debugger_control(debugger),
                                .engine = GS_ENGINE_REFERENCE};
    require(gs_run(machine, &run, &err) == GS_OK);
    require(gs_machine_exit(machine)->kind != GS_EXIT_NONE);
    require(gs_machine_instructions(machine) <= RUN);
    gs_debugger_free(debugger);
    gs_recorder_free(recorder);
    gs_machine_free(machine);
    gs_image_free(image);
    return 0;
}
