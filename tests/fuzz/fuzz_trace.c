/*
 * Traces in every format: whatever the bytes, playing one ends well or in a message of one line,
 * and what was told is what is counted. A trace in Gumshoe's own format is not compressed here:
 * what stands behind its magic number is compressed before it is read, unless it is already.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "elf_builder.h"
#include "gumshoe/profile.h"
#include "gumshoe/replay.h"
#include "replay/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CODE = 0x80000000, WORDS = 64, MOST = 20000 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* addi sp, sp, -16; jal to the next but one; sw; lw; beq back; ret; nops. */
static const uint32_t code[WORDS] = {0xff010113, 0x008000ef, 0xfe000ee3, 0x00112623, 0x00c12083,
                                     0x01010113, 0xfe000ae3, 0x00008067, 0x00000013, 0x00000073};

static gs_image *image_of_all(void)
{
    static gs_image *image;
    if (image)
        return image;
    gs_error err;
    size_t size;
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = CODE;
    elf_code(&elf, CODE, code, WORDS);
    elf_function(&elf, "main", CODE, 12);
    elf_function(&elf, "called", CODE + 12, WORDS * 4 - 12);
    uint8_t *file = elf_finish(&elf, &size);
    require(gs_image_open_memory(&image, file, size, "fuzz", &err) == GS_OK);
    free(file);
    return image;
}

static uint8_t *compressed(const uint8_t *bytes, size_t size, size_t *out)
{
    static const uint8_t zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    if (size < GS_TRACE_MAGIC_SIZE || memcmp(bytes, GS_TRACE_MAGIC, GS_TRACE_MAGIC_SIZE) != 0)
        return NULL;
    bytes += GS_TRACE_MAGIC_SIZE;
    size -= GS_TRACE_MAGIC_SIZE;
    if (size >= sizeof zstd_magic && memcmp(bytes, zstd_magic, sizeof zstd_magic) == 0)
        return NULL;
    const size_t room = ZSTD_compressBound(size);
    uint8_t *to = malloc(GS_TRACE_MAGIC_SIZE + room);
    require(to != NULL);
    memcpy(to, GS_TRACE_MAGIC, GS_TRACE_MAGIC_SIZE);
    const size_t used = ZSTD_compress(to + GS_TRACE_MAGIC_SIZE, room, bytes, size, 1);
    require(!ZSTD_isError(used));
    *out = GS_TRACE_MAGIC_SIZE + used;
    return to;
}

static void count(void *self, const gs_machine *machine, const gs_retired *event)
{
    uint64_t *retired = self;
    (void)machine;
    require(event->number == *retired);
    ++*retired;
}

static void play(gs_replay *replay)
{
    uint64_t retired = 0;
    gs_error err;
    gs_recorder *recorder;
    gs_profile *profile;
    const gs_observer counter = {.retired = count, .self = &retired, .name = "a counter"};
    require(gs_recorder_open(&recorder, gs_replay_machine(replay), gs_replay_timing(replay),
                             &err) == GS_OK);
    const gs_observer *observers[] = {&counter, gs_recorder_observer(recorder)};
    const gs_run_options options = {
        .max_instructions = MOST, .observers = observers, .observer_count = 2};
    if (gs_replay_run(replay, &options, &err) != GS_OK)
        require(err.message[0] && !strchr(err.message, '\n'));
    require(retired == gs_machine_instructions(gs_replay_machine(replay)));
    require(gs_recorder_finish(recorder, &err) == GS_OK);
    require(gs_recorder_count(recorder, GS_METRIC_INSTRUCTIONS) == retired);
    require(gs_profile_build(&profile, recorder, NULL, &err) == GS_OK);
    gs_profile_free(profile);
    gs_recorder_free(recorder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_replay *replay;
    gs_error err;
    size_t packed_size = size;
    uint8_t *packed = compressed(bytes, size, &packed_size);
    const gs_replay_options options = {.changing_code = true};
    if (gs_replay_open_memory(&replay, packed ? packed : bytes, packed_size, image_of_all(),
                              &options, &err) == GS_OK)
        play(replay);
    else
        require(!replay && err.message[0] && !strchr(err.message, '\n'));
    gs_replay_free(replay);
    free(packed);
    return 0;
}
