/* Builds, runs and profiles the small programs. */
#include "profile_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

void check(gs_status status, const gs_error *err)
{
    if (status != GS_OK)
        fail_msg("%s", err->message);
}

gs_profile *profile_of(const profile_program *p, const gs_profile_options *options)
{
    elf_builder elf;
    gs_image *image;
    gs_machine *machine;
    gs_core *core = NULL;
    gs_timing *timing = NULL;
    gs_recorder *recorder;
    gs_profile *profile;
    gs_error err;
    size_t size;

    elf_start(&elf, p->machine, false);
    uint32_t base = p->on_linux ? PROFILE_LINUX_BASE : PROFILE_BASE;
    elf.entry = base;
    elf_code(&elf, base, p->code, p->words);
    for (size_t i = 0; i < PROFILE_FUNCTIONS && p->functions[i].name; i++)
        elf_function(&elf, p->functions[i].name, base + p->functions[i].offset,
                     p->functions[i].size);
    uint8_t *bytes = elf_finish(&elf, &size);
    check(gs_image_open_memory(&image, bytes, size, "test.elf", &err), &err);
    free(bytes);

    gs_machine_options how = {.env = p->on_linux ? GS_ENV_LINUX : GS_ENV_BARE, .stdio = {0, 1, 2}};
    if (p->core) {
        check(gs_core_open(&core, p->core, NULL, 0, &err), &err);
        gs_core_configure(core, &how);
    }
    check(gs_machine_open(&machine, image, &how, &err), &err);
    if (core)
        check(gs_timing_open(&timing, core, machine, &err), &err);
    check(gs_recorder_open(&recorder, machine, timing, &err), &err);
    if (p->timeline)
        check(gs_recorder_keep_timeline(recorder, p->timeline, &err), &err);
    const gs_observer *observers[] = {gs_recorder_observer(recorder)};
    gs_run_options run = {
        .timing = timing,
        .observers = observers,
        .observer_count = 1,
        .max_instructions = p->limit,
    };
    check(gs_run(machine, &run, &err), &err);
    check(gs_recorder_finish(recorder, &err), &err);
    check(gs_profile_build(&profile, recorder, options, &err), &err);
    gs_recorder_free(recorder);
    gs_timing_free(timing);
    gs_machine_free(machine);
    gs_image_free(image);
    gs_core_free(core);
    return profile;
}

profile_program recursive_program(void)
{
    static uint32_t code[15];
    uint32_t made[] = {
        rv_lui(RV_SP, 0x80010),
        rv_addi(RV_A0, 0, 3),
        rv_addi(RV_A1, 0, 0),
        rv_call(0x10), /* 0c */
        rv_lui(RV_A5, 0xf0000),
        rv_sw(0, RV_A5), /* ends the run */
        rv_jump(0),
        rv_beq(0x1c), /* 1c: down */
        rv_addi(RV_SP, RV_SP, -4),
        rv_sw(RV_RA, RV_SP),
        rv_addi(RV_A0, RV_A0, -1),
        rv_call(-0x10), /* 2c */
        rv_lw(RV_RA, RV_SP),
        rv_addi(RV_SP, RV_SP, 4),
        RV_RET, /* 38 */
    };
    memcpy(code, made, sizeof made);
    return (profile_program){
        .machine = EM_RISCV,
        .core = "flatfoot",
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"_start", 0, 0x1c}, {"_ZN3gum4downEi", 0x1c, 0x20}},
    };
}
