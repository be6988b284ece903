/*
 * Which program runs on which core.
 */
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "isa/mips/mips.h"
#include "isa/rv/rv.h"
#include "timing/core.h"
#include "timing/isa_text.h"

#define BIT(extension) (UINT64_C(1) << (extension))

/* The first of these that has all a program needs is its core unless another is chosen. */
static const char *const defaults[] = {"flatfoot", "ibex-small", "rocket-rv32", "hazard3",
                                       "mips-4k",  "mips-24kf",  "ideal"};

typedef struct extension_name {
    unsigned extension;
    const char *name;
} extension_name;

static const extension_name rv_names[] = {
    {GS_RV_M, "M"},          {GS_RV_A, "A"},
    {GS_RV_F, "F"},          {GS_RV_D, "D"},
    {GS_RV_C, "C"},          {GS_RV_ZICSR, "Zicsr"},
    {GS_RV_PRIV, "Zicsr"},   {GS_RV_ZIFENCEI, "Zifencei"},
    {GS_RV_ZBA, "Zba"},      {GS_RV_ZBB, "Zbb"},
    {GS_RV_ZBB_ZBKB, "Zbb"}, {GS_RV_ZBKB, "Zbkb"},
    {GS_RV_ZCB, "Zcb"},      {GS_RV_ZCMP, "Zcmp"},
    {GS_RV_ZBS, "Zbs"},      {GS_RV_ZICOND, "Zicond"},
};
static const extension_name mips_names[] = {
    {GS_MIPS_II, "MIPS II"}, {GS_MIPS_R1, "MIPS32"},   {GS_MIPS_R2, "MIPS32 release 2"},
    {GS_MIPS_FPU, "an FPU"}, {GS_MIPS_FPUX, "an FPU"}, {GS_MIPS_FPU64, "an FPU"},
};

/* "M, A and C" */
static void name_extensions(char *to, size_t size, gs_arch arch, uint64_t extensions)
{
    const bool rv = arch == GS_ARCH_RV32;
    const extension_name *names = rv ? rv_names : mips_names;
    size_t count = rv ? sizeof rv_names / sizeof *rv_names : sizeof mips_names / sizeof *mips_names;
    const char *chosen[24];
    size_t chosen_count = 0, at = 0;
    to[0] = '\0';
    for (size_t i = 0; i < count && chosen_count < 24; i++) {
        bool twice = chosen_count && strcmp(chosen[chosen_count - 1], names[i].name) == 0;
        if (extensions >> names[i].extension & 1 && !twice)
            chosen[chosen_count++] = names[i].name;
    }
    for (size_t i = 0; i < chosen_count && at < size; i++) {
        const char *before = i == 0 ? "" : i + 1 == chosen_count ? " and " : ", ";
        at += (size_t)snprintf(to + at, size - at, "%s%s", before, chosen[i]);
    }
}

static uint64_t missing(const gs_core *core, uint64_t needs)
{
    return core->any_isa ? 0 : needs & ~core->extensions;
}

/* Whether the built-in core `name` has what is needed. */
static gs_status builtin_has(const char *name, gs_arch arch, uint64_t needs, bool *has,
                             gs_error *err)
{
    gs_core *core;
    gs_status status = gs_core_open(&core, name, NULL, 0, err);
    if (status)
        return status;
    *has = gs_core_runs(core, arch) && !missing(core, needs);
    gs_core_free(core);
    return GS_OK;
}

/* ", ideal, rocket-rv32" */
static gs_status list_builtins(char *to, size_t size, gs_arch arch, uint64_t needs, gs_error *err)
{
    size_t at = 0;
    to[0] = '\0';
    for (size_t i = 0; i < gs_core_count(); i++) {
        bool has;
        gs_status status = builtin_has(gs_core_builtin(i), arch, needs, &has, err);
        if (status)
            return status;
        if (has && at < size)
            at += (size_t)snprintf(to + at, size - at, "%s%s", at ? ", " : "", gs_core_builtin(i));
    }
    return GS_OK;
}

/* What makes a compiler keep to the core. Libraries come for sets of letters alone, and gcc takes
 * B for one since version 15 only. */
static void compiler_flags(char *to, size_t size, const gs_core *core)
{
    int base = (int)strcspn(core->isa_text, core->arch == GS_ARCH_RV32 ? "b_" : "_");
    if (core->arch == GS_ARCH_RV32) {
        const char *abi = core->extensions & BIT(GS_RV_D)   ? "ilp32d"
                          : core->extensions & BIT(GS_RV_F) ? "ilp32f"
                                                            : "ilp32";
        snprintf(to, size, "-march=%.*s -mabi=%s", base, core->isa_text, abi);
    } else {
        const bool fpu = core->extensions & BIT(GS_MIPS_FPU);
        snprintf(to, size, "-march=%.*s -mabi=32 -m%s", base, core->isa_text,
                 fpu ? "hard-float" : "soft-float, the C library as well");
    }
}

gs_status gs_core_check_image(const gs_core *core, const gs_image *image, gs_error *err)
{
    const gs_arch arch = gs_image_arch(image);
    char lacks[96], flags[96], others[160];
    uint64_t needs;
    const bool runs = gs_core_runs(core, arch);
    gs_status status = gs_image_needs(image, &needs, err);
    if (status || (runs && !missing(core, needs)))
        return status;
    status = list_builtins(others, sizeof others, arch, needs, err);
    if (status)
        return status;
    if (!runs)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%.100s: is a %s program; %.40s is %.40s. Take a core that runs it (%s)",
                       gs_image_name(image), arch == GS_ARCH_RV32 ? "RISC-V" : "MIPS", core->name,
                       core->isa_text, others);
    name_extensions(lacks, sizeof lacks, arch, missing(core, needs));
    compiler_flags(flags, sizeof flags, core);
    return gs_fail(
        err, GS_E_UNSUPPORTED,
        "%.100s: was compiled with %s; %.40s is %.40s. Take a core that has that (%s), or "
        "compile with %s",
        gs_image_name(image), lacks, core->name, core->isa_text, others, flags);
}

gs_status gs_core_choose(const char **name, const gs_image *image, gs_error *err)
{
    uint64_t needs;
    *name = NULL;
    gs_status status = gs_image_needs(image, &needs, err);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults && !status && !*name; i++) {
        bool has;
        status = builtin_has(defaults[i], gs_image_arch(image), needs, &has, err);
        if (!status && has)
            *name = defaults[i];
    }
    return status;
}
