/* What the tables' semantics say an instruction may do, for some rows and for all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"

enum {
    LOADS = GS_EFFECT_LOADS,
    STORES = GS_EFFECT_STORES,
    OFFSET = GS_EFFECT_OFFSET,
    PART = GS_EFFECT_PART,
    CONDITIONAL = GS_EFFECT_CONDITIONAL,
    DROPS_SLOT = GS_EFFECT_DROPS_SLOT,
    LINKS = GS_EFFECT_LINKS,
    TRAPS = GS_EFFECT_TRAPS,
    FLOAT = GS_EFFECT_FLOAT,
    WIDE_FLOAT = GS_EFFECT_WIDE_FLOAT,
    SYSTEM = GS_EFFECT_SYSTEM,
};

typedef struct expected {
    const char *name;
    unsigned effects;
} expected;

static void check(gs_arch arch, const expected *rows, size_t count)
{
    const gs_isa *isa = gs_isa_for(arch);
    for (size_t i = 0; i < count; i++) {
        unsigned op = GS_OP_FIRST;
        while (op < isa->op_count && strcmp(isa->ops[op].name, rows[i].name) != 0)
            op++;
        assert_true(op < isa->op_count);
        if (isa->ops[op].effects != rows[i].effects)
            fail_msg("%s: effects 0x%x, not 0x%x", rows[i].name, isa->ops[op].effects,
                     rows[i].effects);
    }
}

static void test_rv_rows(void **state)
{
    (void)state;
    static const expected rows[] = {
        {"add", 0},
        {"fence", 0},
        {"lb", LOADS | OFFSET | 1},
        {"lhu", LOADS | OFFSET | 2},
        {"sw", STORES | OFFSET | 4},
        {"jal", LINKS},
        {"jalr", LINKS},
        {"bltu", CONDITIONAL},
        {"ecall", TRAPS},
        {"fence_i", SYSTEM},
        {"csrrsi", SYSTEM},
        {"cm_push", STORES | SYSTEM | 4},
        {"cm_popret", LOADS | SYSTEM | 4},
        {"cm_mva01s", SYSTEM},
        {"brev8", 0},
        {"mret", SYSTEM},
        {"wfi", SYSTEM},
        {"lr_w", LOADS | STORES | 4},
        {"sc_w", LOADS | STORES | 4},
        {"amomax_w", LOADS | STORES | 4},
        {"flw", LOADS | OFFSET | FLOAT | 4},
        {"fsd", STORES | OFFSET | FLOAT | 8},
        {"fmadd_d", FLOAT},
        {"fcvt_w_s", FLOAT},
    };
    check(GS_ARCH_RV32, rows, sizeof rows / sizeof *rows);
}

static void test_mips_rows(void **state)
{
    (void)state;
    static const expected rows[] = {
        {"addu", 0},
        {"add", TRAPS},
        {"teq", TRAPS},
        {"ins", TRAPS},
        {"jr", 0},
        {"jalr", LINKS},
        {"beq", CONDITIONAL},
        {"bnel", CONDITIONAL | DROPS_SLOT},
        {"bgezal", CONDITIONAL | LINKS},
        {"bltzall", CONDITIONAL | DROPS_SLOT | LINKS},
        {"lbu", LOADS | OFFSET | 1},
        {"lwl", LOADS | 4},
        {"swr", STORES | PART | 4},
        {"ll", SYSTEM | LOADS | STORES | 4},
        {"sc", SYSTEM | LOADS | STORES | 4},
        {"synci", SYSTEM},
        {"rdhwr", SYSTEM},
        {"mtc0", SYSTEM},
        {"ei", SYSTEM},
        {"eret", SYSTEM},
        {"wait", SYSTEM},
        {"cfc1", SYSTEM | FLOAT},
        {"movf", FLOAT},
        {"add_s", TRAPS | FLOAT},
        {"c_lt_d", TRAPS | FLOAT},
        {"bc1tl", CONDITIONAL | DROPS_SLOT | FLOAT},
        {"ldc1", LOADS | OFFSET | FLOAT | 8},
        {"lwxc1", LOADS | FLOAT | 4},
        {"cvt_d_l", TRAPS | FLOAT | WIDE_FLOAT},
        {"suxc1", STORES | FLOAT | WIDE_FLOAT | 8},
    };
    check(GS_ARCH_MIPS32, rows, sizeof rows / sizeof *rows);
}

static unsigned accesses_of(gs_timing_class class)
{
    switch (class) {
    case GS_CLASS_LOAD:
    case GS_CLASS_FP_LOAD: return LOADS;
    case GS_CLASS_STORE:
    case GS_CLASS_FP_STORE: return STORES;
    case GS_CLASS_ATOMIC: return LOADS | STORES;
    default: return 0;
    }
}

/* A word of the semantics that is not seen, see effects.h, would be one of these. */
static void test_all_rows_agree_with_their_classes(void **state)
{
    (void)state;
    for (unsigned arch = 0; arch < 2; arch++) {
        const gs_isa *isa = gs_isa_for(arch ? GS_ARCH_MIPS32 : GS_ARCH_RV32);
        for (unsigned op = GS_OP_FIRST; op < isa->op_count; op++) {
            const gs_op_info *row = &isa->ops[op];
            const gs_timing_class class = (gs_timing_class)row->timing;
            const bool listed = strncmp(row->name, "cm_", 3) == 0;
            const bool system = listed || class == GS_CLASS_SYSTEM || class == GS_CLASS_CSR ||
                                class == GS_CLASS_FENCE_I;
            if ((row->effects & (LOADS | STORES)) != accesses_of(class) ||
                (gs_op_access_bytes(isa, op) != 0) != (accesses_of(class) != 0) ||
                gs_op_may(isa, op, CONDITIONAL) != (class == GS_CLASS_BRANCH) ||
                (system && !gs_op_may(isa, op, SYSTEM | TRAPS)) ||
                (class >= GS_CLASS_FP_MOVE && !gs_op_may(isa, op, FLOAT)))
                fail_msg("%s: effects 0x%x", row->name, row->effects);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rv_rows),
        cmocka_unit_test(test_mips_rows),
        cmocka_unit_test(test_all_rows_agree_with_their_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
