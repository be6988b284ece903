/*
 * Plans of translations: whatever the text, it is followed to its end or left, and what comes of
 * it is C for code of the program. Nothing is compiled.
 */
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "encode.h"
#include "engine/fast/tier/tier_parts.h"
#include "timing/timing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CODE = 0x80000000 };

static char directory[] = "/tmp/gumshoe-fuzz-XXXXXX";

static void require(bool condition)
{
    if (!condition)
        abort();
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void remove_directory(void)
{
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Two functions, one with a loop and a call, and code of none. */
static gs_image *make_image(void)
{
    const uint32_t words[] = {
        RV_ADD, rv_beq(16),  rv_call(24), RV_ADD,     rv_jump(-12), RV_RET,     RV_NOP,  RV_NOP,
        RV_ADD, rv_beq(-4),  RV_JR_A5,    RV_CALL_A5, RV_ECALL,     rv_beq(12), RV_ADD,  RV_RET,
        RV_ADD, rv_jump(-8), RV_ADD,      0,          0xffffffff,   RV_NOP,     RV_MRET, RV_RET,
    };
    elf_builder elf;
    gs_image *image;
    gs_error err;
    size_t size;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = CODE;
    elf_code(&elf, CODE, words, sizeof words / sizeof *words);
    elf_function(&elf, "main", CODE, 0x20);
    elf_function(&elf, "leaf", CODE + 0x20, 0x20);
    uint8_t *file = elf_finish(&elf, &size);
    require(gs_image_open_memory(&image, file, size, "fuzz", &err) == GS_OK);
    free(file);
    return image;
}

static gs_tier *open_tier(void)
{
    static gs_run_options options; /* kept by the tier */
    gs_machine_options how = {.env = GS_ENV_BARE, .stdio = {-1, -1, -1}};
    gs_machine *machine;
    gs_core *core;
    gs_tier *tier;
    gs_error err;
    require(mkdtemp(directory) && setenv("XDG_CACHE_HOME", directory, 1) == 0 &&
            setenv("GUMSHOE_TIER", "optimizing", 1) == 0);
    atexit(remove_directory);
    require(gs_core_open(&core, "flatfoot", NULL, 0, &err) == GS_OK);
    gs_core_configure(core, &how);
    require(gs_machine_open(&machine, make_image(), &how, &err) == GS_OK);
    require(gs_timing_open(&options.timing, core, machine, &err) == GS_OK);
    require(gs_tier_open(&tier, machine, &options, &err) == GS_OK && tier && !tier->broken);
    return tier;
}

/* Forgets what the plan before has left. */
static void clear(gs_tier *t)
{
    gs_candidates_close(&t->candidates);
    require(gs_candidates_open(&t->candidates));
    gs_arena_free(&t->arena);
    free(t->plan.items);
    t->plan.items = NULL;
    t->plan.count = t->plan.capacity = t->plan_pointed = 0;
    t->executed = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gs_tier *tier; /* kept until the end */
    gs_error err;
    if (!tier)
        tier = open_tier();
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    tier->old_plan = text;
    (void)gs_plan_read(tier);
    (void)gs_plan_may_follow(tier, 1);
    require(gs_plan_follow(tier, &err) == GS_OK);
    require(!tier->old_plan && tier->loaded.count == 0);
    clear(tier);
    return 0;
}
