/*
 * Programs: whatever the instructions, a run of them ends as the limits say, with an exit, and
 * leaves the host alone. The first byte is where they run: instruction set, bare metal or Linux,
 * and whether a core counts cycles; the second what unmapped memory does on bare metal; then come
 * the instructions.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "gumshoe/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { BARE_CODE = 0x80000000, LINUX_CODE = 0x00400000, CODE_MAX = 4096, RUN = 2000 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

typedef struct place {
    bool mips, big_endian, linux_like, timed;
} place;

static gs_image *make_image(const place *in, const uint8_t *code, size_t size)
{
    uint32_t words[CODE_MAX / 4] = {0};
    gs_image *image;
    gs_error err;
    size_t file_size;
    elf_builder elf;
    elf_start(&elf, in->mips ? EM_MIPS : EM_RISCV, in->big_endian);
    elf.entry = in->linux_like ? LINUX_CODE : BARE_CODE;
    memcpy(words, code, size < sizeof words ? size : sizeof words);
    elf_code(&elf, elf.entry, words, sizeof words / sizeof *words);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, elf.entry + 2 * CODE_MAX, "data", 4, CODE_MAX);
    elf_function(&elf, "main", elf.entry, 64);
    elf_function(&elf, "rest", elf.entry + 64, CODE_MAX - 64);
    uint8_t *file = elf_finish(&elf, &file_size);
    require(gs_image_open_memory(&image, file, file_size, "fuzz", &err) == GS_OK);
    free(file);
    return image;
}

/* Opened once and for all. */
static const gs_core *core_of(const place *in)
{
    static gs_core *cores[2];
    gs_error err;
    gs_core **core = &cores[in->mips];
    if (!*core)
        require(gs_core_open(core, in->mips ? "mips-24kf" : "rocket-rv32", NULL, 0, &err) == GS_OK);
    return *core;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int null = -1;
    if (null < 0)
        null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (size < 2)
        return 0;
    const place in = {bytes[0] & 1, bytes[0] & 1 && bytes[0] & 2, bytes[0] & 4, bytes[0] & 8};
    gs_machine_options options = gs_machine_options_default();
    gs_machine *machine;
    gs_timing *timing = NULL;
    gs_error err;
    gs_image *image = make_image(&in, bytes + 2, size - 2);
    options.env = in.linux_like ? GS_ENV_LINUX : GS_ENV_BARE;
    for (unsigned i = 0; i < 3; i++)
        options.stdio[i] = null;
    options.max_memory = 256 << 20;
    options.max_output = 1 << 16;
    options.ram_size = in.linux_like ? 0 : 1 << 20;
    options.unmapped = !in.linux_like && bytes[1] & 1 ? GS_UNMAPPED_IGNORE : GS_UNMAPPED_TRAP;
    options.sandbox.files = GS_SANDBOX_LISTED;
    if (in.timed)
        gs_core_configure(core_of(&in), &options);
    require(gs_machine_open(&machine, image, &options, &err) == GS_OK);
    if (in.timed)
        require(gs_timing_open(&timing, core_of(&in), machine, &err) == GS_OK);
    const gs_run_options how = {
        .max_instructions = RUN, .timing = timing, .engine = GS_ENGINE_REFERENCE};
    require(gs_run(machine, &how, &err) == GS_OK);
    require(gs_machine_exit(machine)->kind != GS_EXIT_NONE);
    require(gs_machine_instructions(machine) <= RUN);
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    return 0;
}
