/*
 * Instruction sets as people write them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"
#include "timing/isa_text.h"

#define BIT(extension) (UINT64_C(1) << (extension))

static void assert_isa(const char *text, gs_arch arch, uint64_t extensions)
{
    gs_isa_choice isa;
    gs_error err;
    if (gs_isa_parse(&isa, text, &err))
        fail_msg("%s", err.message);
    assert_false(isa.any);
    assert_int_equal(isa.arch, arch);
    assert_int_equal(isa.extensions, extensions);
}

static void test_riscv(void **state)
{
    (void)state;
    const uint64_t csr = BIT(GS_RV_ZICSR) | BIT(GS_RV_PRIV);
    const uint64_t f = BIT(GS_RV_F) | csr;
    const uint64_t g =
        BIT(GS_RV_I) | BIT(GS_RV_M) | BIT(GS_RV_A) | f | BIT(GS_RV_D) | BIT(GS_RV_ZIFENCEI);

    assert_isa("rv32i", GS_ARCH_RV32, BIT(GS_RV_I));
    assert_isa("rv32imc", GS_ARCH_RV32, BIT(GS_RV_I) | BIT(GS_RV_M) | BIT(GS_RV_C));
    assert_isa("rv32im_zicsr_zifencei", GS_ARCH_RV32,
               BIT(GS_RV_I) | BIT(GS_RV_M) | csr | BIT(GS_RV_ZIFENCEI));
    assert_isa("rv32if", GS_ARCH_RV32, BIT(GS_RV_I) | f);
    assert_isa("rv32ifc", GS_ARCH_RV32, BIT(GS_RV_I) | f | BIT(GS_RV_C) | BIT(GS_RV_CF));
    assert_isa("rv32id", GS_ARCH_RV32, BIT(GS_RV_I) | f | BIT(GS_RV_D));
    assert_isa("rv32g", GS_ARCH_RV32, g);
    assert_isa("rv32gc", GS_ARCH_RV32, g | BIT(GS_RV_C) | BIT(GS_RV_CF) | BIT(GS_RV_CD));
    const uint64_t zbb = BIT(GS_RV_ZBB) | BIT(GS_RV_ZBB_ZBKB);
    const uint64_t b = BIT(GS_RV_I) | BIT(GS_RV_ZBA) | zbb | BIT(GS_RV_ZBS);
    assert_isa("rv32i_zba_zbb_zbs", GS_ARCH_RV32, b);
    assert_isa("rv32ib", GS_ARCH_RV32, b);
    assert_isa("rv32i_zbkb", GS_ARCH_RV32, BIT(GS_RV_I) | BIT(GS_RV_ZBKB) | BIT(GS_RV_ZBB_ZBKB));
    const uint64_t zcb = BIT(GS_RV_I) | BIT(GS_RV_C) | BIT(GS_RV_ZCB);
    assert_isa("rv32ic_zcb_zcmp", GS_ARCH_RV32, zcb | BIT(GS_RV_ZCMP));
    assert_isa("rv32imc_zcb", GS_ARCH_RV32, zcb | BIT(GS_RV_M) | BIT(GS_RV_ZCB_M));
    assert_isa("rv32ic_zbb_zcb", GS_ARCH_RV32, zcb | zbb | BIT(GS_RV_ZCB_ZBB));
    assert_isa("rv32i_zicond", GS_ARCH_RV32, BIT(GS_RV_I) | BIT(GS_RV_ZICOND));
    assert_isa("rv32gcb_zicond_zbkb_zcb", GS_ARCH_RV32,
               gs_isa_rv32.all_extensions & ~BIT(GS_RV_ZCMP));
}

static void test_mips(void **state)
{
    (void)state;
    const uint64_t one = BIT(GS_MIPS_I) | BIT(GS_MIPS_CP0);
    const uint64_t two = one | BIT(GS_MIPS_II);
    const uint64_t r1 = two | BIT(GS_MIPS_R1);
    const uint64_t r2 = r1 | BIT(GS_MIPS_R2);

    assert_isa("mips1", GS_ARCH_MIPS32, one);
    assert_isa("mips2", GS_ARCH_MIPS32, two);
    assert_isa("mips32", GS_ARCH_MIPS32, r1);
    assert_isa("mips32_fpu", GS_ARCH_MIPS32, r1 | BIT(GS_MIPS_FPU));
    assert_isa("mips32r2", GS_ARCH_MIPS32, r2);
    assert_isa("mips32r2_fpu", GS_ARCH_MIPS32, gs_isa_mips32.all_extensions);
}

static void test_any(void **state)
{
    (void)state;
    gs_isa_choice isa;
    assert_int_equal(gs_isa_parse(&isa, "any", NULL), GS_OK);
    assert_true(isa.any);
    assert_int_equal(isa.extensions, 0);
}

static void assert_refused(const char *text, const char *start)
{
    gs_isa_choice isa;
    gs_error err;
    assert_int_equal(gs_isa_parse(&isa, text, &err), GS_E_FORMAT);
    err.message[strlen(start)] = '\0';
    assert_string_equal(err.message, start);
}

static void test_bad_texts(void **state)
{
    (void)state;
    assert_refused("", "'' is no instruction set Gumshoe knows; allowed are");
    assert_refused("x86", "'x86' is no instruction set Gumshoe knows; allowed are forms like");
    assert_refused("RV32I", "'RV32I' is no instruction set");
    assert_refused("rv32", "'rv32': 'rv32' is not a base; allowed are rv32i or rv32g");
    assert_refused("rv32e", "'rv32e': 'e' is not a base; allowed are");
    assert_refused("rv32m", "'rv32m': 'm' is not a base; allowed are");
    assert_refused("rv64i", "'rv64i' is no instruction set");
    assert_refused("rv32iq", "'rv32iq': 'q' is nothing Gumshoe knows; allowed are");
    assert_refused("rv32imm", "'rv32imm': 'm' is given twice; allowed are");
    assert_refused("rv32i_zicsr_zicsr", "'rv32i_zicsr_zicsr': 'zicsr' is given twice");
    assert_refused("rv32i_zfoo", "'rv32i_zfoo': 'zfoo' is nothing Gumshoe knows; allowed are");
    assert_refused("rv32i_", "'rv32i_': '' is nothing Gumshoe knows");
    assert_refused("rv32i__zba", "'rv32i__zba': '' is nothing Gumshoe knows");
    assert_refused("rv32i2p1", "'rv32i2p1': '2' is nothing Gumshoe knows");
    assert_refused("mips", "'mips': 'mips' is nothing Gumshoe knows; allowed are mips1, mips2");
    assert_refused("mips64", "'mips64': 'mips64' is nothing Gumshoe knows; allowed are mips1");
    assert_refused("mips32r2_dsp", "'mips32r2_dsp': 'dsp' is nothing Gumshoe knows; allowed");
    assert_refused("mips32_fpu_fpu", "'mips32_fpu_fpu': 'fpu' is given twice; allowed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_riscv),
        cmocka_unit_test(test_mips),
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_bad_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
