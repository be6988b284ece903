/*
 * What a program needs of a core, and what becomes of it on one that lacks it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "gumshoe/core.h"
#include "image/image.h"
#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

#define BIT(extension) (UINT64_C(1) << (extension))

enum { BASE = 0x80000000, ATTRIBUTES = 0x70000003 };
enum {
    RET = 0x00008067,
    MUL = 0x02a50533,    /* mul a0, a0, a0 */
    C_NOPS = 0x00010001, /* two compressed nops */
    FADD_D = 0x02a57553, /* fadd.d fa0, fa0, fa0 */
    FRRM = 0x00202573,   /* csrr a0, frm */
    CYCLES = 0xb0002573, /* csrr a0, mcycle */
    JUMP_8 = 0x0080006f, /* j .+8 */
    LUI_T9 = 0x3c190000, /* lui $t9, 0 */
    MIPS_JR_RA = 0x03e00008,
    MIPS_NOP = 0,
    ADD_S = 0x46020000, /* add.s $f0, $f0, $f2 */
    JALR_T9 = 0x0320f809,
};

static gs_image *open_elf(elf_builder *elf)
{
    size_t size;
    gs_image *image;
    gs_error err;
    uint8_t *bytes = elf_finish(elf, &size);
    if (gs_image_open_memory(&image, bytes, size, "dir/program", &err))
        fail_msg("%s", err.message);
    free(bytes);
    return image;
}

/* A text of attributes as binutils writes them. */
static void add_attributes(elf_builder *elf, const char *arch)
{
    uint8_t bytes[128] = {'A'};
    size_t length = strlen(arch) + 1, inner = 1 + 4 + 1 + length, all = 4 + 6 + inner;
    elf_put32(elf, bytes + 1, (uint32_t)all);
    memcpy(bytes + 5, "riscv", 6);
    bytes[11] = 1;
    elf_put32(elf, bytes + 12, (uint32_t)inner);
    bytes[16] = 5;
    memcpy(bytes + 17, arch, length);
    elf_segment(elf, ATTRIBUTES, PF_R, 0, bytes, 17 + length, 0);
}

static gs_image *rv_image(const char *arch, const uint32_t *words, size_t count)
{
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, words, count);
    if (arch)
        add_attributes(&elf, arch);
    return open_elf(&elf);
}

static uint64_t needs(gs_image *image)
{
    uint64_t extensions;
    gs_error err;
    assert_int_equal(gs_image_needs(image, &extensions, &err), GS_OK);
    gs_image_free(image);
    return extensions;
}

#define RV_NEEDS(arch, ...)                               \
    needs(rv_image(arch, (const uint32_t[]){__VA_ARGS__}, \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / 4))

static void test_reached(void **state)
{
    (void)state;
    const uint64_t i = BIT(GS_RV_I), m = BIT(GS_RV_M), c = BIT(GS_RV_C), d = BIT(GS_RV_D);
    assert_int_equal(RV_NEEDS(NULL, RET), i);
    assert_int_equal(RV_NEEDS(NULL, MUL, C_NOPS, FADD_D, RET), i | m | c | d);
    /* A control register that comes with an extension. */
    assert_int_equal(RV_NEEDS(NULL, FRRM, RET), i | BIT(GS_RV_ZICSR) | BIT(GS_RV_F));
    assert_int_equal(RV_NEEDS(NULL, CYCLES, RET), i | BIT(GS_RV_ZICSR));
    assert_int_equal(RV_NEEDS("rv32imac_zicsr", FRRM, RET), i | BIT(GS_RV_ZICSR));
    /* What is jumped over does not count. */
    assert_int_equal(RV_NEEDS(NULL, JUMP_8, MUL, RET), i);
}

static void test_claims(void **state)
{
    (void)state;
    const uint64_t i = BIT(GS_RV_I), m = BIT(GS_RV_M), c = BIT(GS_RV_C), d = BIT(GS_RV_D);
    /* Neither a claim alone nor an instruction the file was not made for. */
    assert_int_equal(RV_NEEDS("rv32i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0", RET), i);
    assert_int_equal(RV_NEEDS("rv32i2p0_m2p0", MUL, C_NOPS, FADD_D, RET), i | m);
    assert_int_equal(RV_NEEDS("rv32imc", MUL, C_NOPS, FADD_D, RET), i | m | c);
    assert_int_equal(RV_NEEDS("rv32g", MUL, C_NOPS, FADD_D, RET), i | m | d);
    assert_int_equal(RV_NEEDS("rv32i2p1_zmmul1p0", MUL, RET), i | m);
    /* No letters: the base alone. */
    assert_int_equal(RV_NEEDS("", MUL, RET), i);
}

static uint64_t mips_needs(uint32_t arch, int fp_abi)
{
    /* The callee is reached through a register that two instructions load. */
    const uint32_t words[] = {0x3c198000, 0x27390018, JALR_T9,    MIPS_NOP, MIPS_JR_RA,
                              MIPS_NOP,   ADD_S,      MIPS_JR_RA, MIPS_NOP};
    elf_builder elf;
    elf_start(&elf, EM_MIPS, true);
    elf.entry = BASE;
    elf.flags = arch;
    elf_code(&elf, BASE, words, sizeof words / sizeof *words);
    uint8_t flags[24] = {0, 0, 32, 2, 1, 1, 0, (uint8_t)fp_abi};
    if (fp_abi >= 0)
        elf_segment(&elf, ATTRIBUTES, PF_R, 0, flags, sizeof flags, 0);
    return needs(open_elf(&elf));
}

static void test_mips(void **state)
{
    (void)state;
    enum { FP_DOUBLE = 1, FP_SOFT = 3, NO_ABIFLAGS = -1 };
    const uint64_t fpu = BIT(GS_MIPS_FPU);
    assert_int_equal(mips_needs(EF_MIPS_ARCH_32R2, FP_DOUBLE) & fpu, fpu);
    assert_int_equal(mips_needs(EF_MIPS_ARCH_32R2, FP_SOFT) & fpu, 0);
    assert_int_equal(mips_needs(EF_MIPS_ARCH_1, NO_ABIFLAGS) & fpu, fpu);
}

static void check_refused(const char *core_name, gs_image *image, const char *expected)
{
    gs_core *core;
    gs_error err = {0};
    assert_int_equal(gs_core_open(&core, core_name, NULL, 0, &err), GS_OK);
    gs_status status = gs_core_check_image(core, image, &err);
    if (expected) {
        assert_int_equal(status, GS_E_UNSUPPORTED);
        assert_string_equal(err.message, expected);
    } else {
        assert_int_equal(status, GS_OK);
    }
    gs_core_free(core);
}

static void check_chosen(gs_image *image, const char *expected)
{
    const char *name;
    gs_error err;
    assert_int_equal(gs_core_choose(&name, image, &err), GS_OK);
    assert_string_equal(name, expected);
    gs_image_free(image);
}

static void test_refused(void **state)
{
    (void)state;
    const uint32_t compressed[] = {MUL, C_NOPS, RET}, plain[] = {MUL, RET};
    const uint32_t wide[] = {C_NOPS, FADD_D, RET};
    gs_image *image = rv_image("rv32i2p1_m2p0_c2p0", compressed, 3);
    check_refused(
        "flatfoot", image,
        "dir/program: was compiled with C; flatfoot is rv32im_zicsr_zifencei. Take a core "
        "that has that (hazard3, ibex-small, ideal, picorv32, picorv32-fast, "
        "rocket-rv32), or "
        "compile with -march=rv32im -mabi=ilp32");
    check_refused("ibex-small", image, NULL);
    check_chosen(image, "ibex-small");
    image = rv_image(NULL, wide, 3);
    check_refused("flatfoot", image,
                  "dir/program: was compiled with D and C; flatfoot is rv32im_zicsr_zifencei. Take "
                  "a core that has that (ideal, rocket-rv32), or compile with -march=rv32im "
                  "-mabi=ilp32");
    check_chosen(image, "rocket-rv32");
    check_chosen(rv_image(NULL, plain, 2), "flatfoot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reached),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_mips),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
