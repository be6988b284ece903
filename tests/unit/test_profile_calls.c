/*
 * Call paths: small programs that each do one thing, on the core `ideal`, where every instruction
 * is a cycle. All numbers are derived from the listings beside them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "profile_rig.h"

enum { RV_T0 = 5, RV_S0 = 8, RV_S1 = 9 };

static uint64_t cycles(const gs_metrics *cost)
{
    return cost->value[GS_METRIC_CYCLES];
}

static const char *function_of(const gs_profile *p, const gs_profile_node *node)
{
    return node->function == GS_PROFILE_NONE ? "?" : p->functions.items[node->function].name;
}

/* Whether the functions from the root to the node are those of `path`: "_start/f/g". */
static bool is_path(const gs_profile *p, size_t node, const char *path)
{
    size_t length = strlen(path);
    for (uint32_t at = (uint32_t)node; at != GS_PROFILE_NONE; at = p->nodes.items[at].parent) {
        const char *name = function_of(p, &p->nodes.items[at]);
        size_t own = strlen(name);
        if (length < own || memcmp(path + length - own, name, own) != 0)
            return false;
        length -= own;
        if (length == 0)
            return p->nodes.items[at].parent == GS_PROFILE_NONE;
        if (path[--length] != '/')
            return false;
    }
    return false;
}

/* There is one such path, called so often and with so many cycles of its own. */
static void expect(const gs_profile *p, const char *path, gs_frame_kind kind, uint64_t calls,
                   uint64_t self)
{
    size_t found = 0;
    for (size_t i = 0; i < p->nodes.count; i++) {
        const gs_profile_node *node = &p->nodes.items[i];
        if (!is_path(p, i, path))
            continue;
        found++;
        if (node->kind != kind || node->calls != calls || cycles(&node->self) != self)
            fail_msg(
                "%s: kind %d, %llu calls, %llu cycles; wanted kind %d, %llu calls, %llu cycles",
                path, (int)node->kind, (unsigned long long)node->calls,
                (unsigned long long)cycles(&node->self), (int)kind, (unsigned long long)calls,
                (unsigned long long)self);
    }
    if (found != 1)
        fail_msg("%zu paths %s", found, path);
}

static gs_profile *profile_on_ideal(profile_program p)
{
    p.core = "ideal";
    gs_profile *profile = profile_of(&p, NULL);
    assert_int_equal(profile->run.desyncs, 0);
    return profile;
}

#define CODE(array) .code = (array), .words = sizeof(array) / sizeof *(array)

/*
 * _start calls first, which ends in a jump to second; then it calls second itself.
 * first 2, second 2 each; _start 2 calls and 2 to end.
 */
static void test_tail_call(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_call(0x10),            /* 00: _start */
        rv_call(0x14),            /* 04 */
        rv_lui(RV_A5, 0xf0000),   /* 08 */
        rv_sw(0, RV_A5),          /* 0c: ends the run */
        rv_addi(RV_A0, RV_A0, 1), /* 10: first */
        rv_jump(0x04),            /* 14 */
        rv_addi(RV_A0, RV_A0, 1), /* 18: second */
        RV_RET,                   /* 1c */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x10}, {"first", 0x10, 8}, {"second", 0x18, 8}},
    });
    assert_int_equal(p->nodes.count, 4);
    expect(p, "_start", GS_FRAME_CALL, 1, 4);
    expect(p, "_start/first", GS_FRAME_CALL, 1, 2);
    expect(p, "_start/first/second", GS_FRAME_TAIL, 1, 2);
    expect(p, "_start/second", GS_FRAME_CALL, 1, 2);
    gs_profile_free(p);
}

/*
 * Two functions that hand over to each other by jumps 1000 times, then return: no stack grows.
 * ping runs for a0 = 1000, 998 ... 0 (501 times: 500 of 3 instructions, the last 1 and the
 * return), pong for 999 ... 1 (500 times 3; it never sees 0). The first ping is called, the
 * others are tail calls, as are all of pong.
 */
static void test_tail_call_circle(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A0, 0, 1000),   /* 00: _start */
        rv_call(0x0c),             /* 04 */
        rv_lui(RV_A5, 0xf0000),    /* 08 */
        rv_sw(0, RV_A5),           /* 0c */
        rv_beq(0x0c),              /* 10: ping; a1 is 0 */
        rv_addi(RV_A0, RV_A0, -1), /* 14 */
        rv_jump(0x08),             /* 18 */
        RV_RET,                    /* 1c */
        rv_beq(-0x04),             /* 20: pong */
        rv_addi(RV_A0, RV_A0, -1), /* 24 */
        rv_jump(-0x18),            /* 28 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x10}, {"ping", 0x10, 0x10}, {"pong", 0x20, 0x0c}},
    });
    assert_int_equal(p->nodes.count, 4);
    expect(p, "_start", GS_FRAME_CALL, 1, 4);
    expect(p, "_start/ping", GS_FRAME_CALL, 1, 3);
    expect(p, "_start/ping/pong", GS_FRAME_TAIL, 500, 500 * 3);
    expect(p, "_start/ping/pong/ping", GS_FRAME_TAIL, 500, 499 * 3 + 2);
    gs_profile_free(p);
}

/*
 * even(12) calls odd(11) calls even(10)... down to even(0): seven activations of even, six of
 * odd. One that calls costs 8 (5 up to the call, 3 after it), even(0) costs 2. The call from even
 * to odd is made a fifth time on its own path: it leads back to the fourth odd, as do all further
 * rounds. So the fourth odd stands for three activations, and the even below it for three, the last
 * of them even(0).
 */
static void test_mutual_recursion(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80010),    /* 00: _start */
        rv_addi(RV_A0, 0, 12),     /* 04 */
        rv_call(0x0c),             /* 08 */
        rv_lui(RV_A5, 0xf0000),    /* 0c */
        rv_sw(0, RV_A5),           /* 10 */
        rv_beq(0x20),              /* 14: even; a1 is 0 */
        rv_addi(RV_SP, RV_SP, -4), /* 18 */
        rv_sw(RV_RA, RV_SP),       /* 1c */
        rv_addi(RV_A0, RV_A0, -1), /* 20 */
        rv_call(0x14),             /* 24 */
        rv_lw(RV_RA, RV_SP),       /* 28 */
        rv_addi(RV_SP, RV_SP, 4),  /* 2c */
        RV_RET,                    /* 30 */
        RV_RET,                    /* 34 */
        rv_beq(0x20),              /* 38: odd */
        rv_addi(RV_SP, RV_SP, -4), /* 3c */
        rv_sw(RV_RA, RV_SP),       /* 40 */
        rv_addi(RV_A0, RV_A0, -1), /* 44 */
        rv_call(-0x34),            /* 48 */
        rv_lw(RV_RA, RV_SP),       /* 4c */
        rv_addi(RV_SP, RV_SP, 4),  /* 50 */
        RV_RET,                    /* 54 */
        RV_RET,                    /* 58 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x14}, {"even", 0x14, 0x24}, {"odd", 0x38, 0x24}},
    });
    assert_int_equal(cycles(&p->total), 5 + 6 * 8 + 2 + 6 * 8);
    assert_int_equal(p->nodes.count, 10);
    char path[100] = "_start/even";
    expect(p, "_start", GS_FRAME_CALL, 1, 5);
    expect(p, path, GS_FRAME_CALL, 1, 8);
    for (unsigned round = 1; round <= 4; round++) {
        strcat(path, "/odd");
        expect(p, path, GS_FRAME_CALL, round < 4 ? 1 : 3, round < 4 ? 8 : 3 * 8);
        strcat(path, "/even");
        expect(p, path, GS_FRAME_CALL, round < 4 ? 1 : 3, round < 4 ? 8 : 2 * 8 + 2);
    }
    gs_profile_free(p);
}

/* gum::down(1000000): the stack is a million deep, the tree five. A level costs 8, the last 2. */
static void test_deep_recursion(void **state)
{
    (void)state;
    uint32_t code[20];
    profile_program program = recursive_program();
    memcpy(code, program.code, program.words * sizeof *code);
    uint64_t levels = 244 << 12;
    code[0] = rv_lui(RV_SP, 0x81000);
    code[1] = rv_lui(RV_A0, 244);
    program.code = code;
    gs_profile *p = profile_on_ideal(program);
    assert_int_equal(p->nodes.count, 6);
    assert_int_equal(cycles(&p->total), 6 + levels * 8 + 2);
    for (size_t i = 1; i < 5; i++)
        assert_int_equal(p->nodes.items[i].calls, 1);
    assert_int_equal(p->nodes.items[5].calls, levels + 1 - 4);
    assert_int_equal(cycles(&p->nodes.items[5].self), (levels - 4) * 8 + 2);
    gs_profile_free(p);
}

/*
 * A setjmp that returns twice, the second time out of three frames: f called g called h called
 * longjmp. Then leaf is called from _start again, not from any of those.
 */
static void test_longjmp(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80010),     /* 00: _start */
        rv_call(0x20),              /* 04: setjmp */
        rv_bnez(RV_A0, 0x08),       /* 08 */
        rv_call(0x24),              /* 0c: f */
        rv_call(0x44),              /* 10: leaf */
        rv_lui(RV_A5, 0xf0000),     /* 14 */
        rv_sw(0, RV_A5),            /* 18 */
        RV_NOP,                     /* 1c */
        RV_NOP,                     /* 20 */
        rv_addi(RV_S0, RV_RA, 0),   /* 24: setjmp */
        rv_addi(RV_S1, RV_SP, 0),   /* 28 */
        RV_RET,                     /* 2c */
        rv_addi(RV_SP, RV_SP, -16), /* 30: f */
        rv_call(0x04),              /* 34 */
        rv_addi(RV_SP, RV_SP, -16), /* 38: g */
        rv_call(0x04),              /* 3c */
        rv_addi(RV_RA, RV_S0, 0),   /* 40: h jumps */
        rv_addi(RV_SP, RV_S1, 0),   /* 44 */
        rv_addi(RV_A0, 0, 1),       /* 48 */
        RV_RET,                     /* 4c */
        RV_NOP,                     /* 50 */
        RV_RET,                     /* 54: leaf */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x24},
                      {"setjmp", 0x24, 0x0c},
                      {"f", 0x30, 8},
                      {"g", 0x38, 8},
                      {"h", 0x40, 0x14},
                      {"leaf", 0x54, 4}},
    });
    /* _start: 00 04 08 0c, then 08 10 14 18. */
    expect(p, "_start", GS_FRAME_CALL, 1, 8);
    expect(p, "_start/setjmp", GS_FRAME_CALL, 1, 3);
    expect(p, "_start/f", GS_FRAME_CALL, 1, 2);
    expect(p, "_start/f/g", GS_FRAME_CALL, 1, 2);
    expect(p, "_start/f/g/h", GS_FRAME_CALL, 1, 4);
    expect(p, "_start/leaf", GS_FRAME_CALL, 1, 1);
    assert_int_equal(p->nodes.count, 6);
    gs_profile_free(p);
}

static uint32_t rv_csrw(unsigned number, unsigned rs1)
{
    return number << 20 | rs1 << 15 | 0x1073;
}

/*
 * The timer is set to cycle 21. _start takes cycles 1 to 11; leaf's first instruction
 * retires in cycle 12, and the one in cycle 21 is its tenth. The interrupt comes before its
 * eleventh. The handler takes 4 cycles and leads back; leaf's 30 + 1 are all its own.
 */
static void test_interrupt_in_leaf(void **state)
{
    (void)state;
    enum { MTVEC = 0x305, MIE = 0x304, HIGH = 4 << 7, RV_A4 = 14 };
    uint32_t code[14 + 30 + 1 + 4] = {
        rv_lui(RV_A5, 0x02004),     /* 00: _start; mtimecmp */
        rv_addi(RV_A0, 0, 21),      /* 04 */
        rv_sw(RV_A0, RV_A5),        /* 08 */
        rv_sw(0, RV_A5) | HIGH,     /* 0c */
        rv_auipc(RV_A0, 0),         /* 10 */
        rv_addi(RV_A0, RV_A0, 164), /* 14: the handler at b4 */
        rv_csrw(MTVEC, RV_A0),      /* 18 */
        rv_addi(RV_A0, 0, 0x80),    /* 1c */
        rv_csrw(MIE, RV_A0),        /* 20 */
        0x30046073,                 /* 24: csrsi mstatus, 8 */
        rv_call(0x10),              /* 28 */
        rv_lui(RV_A5, 0xf0000),     /* 2c */
        rv_sw(0, RV_A5),            /* 30 */
        RV_NOP,                     /* 34 */
    };
    size_t at = 14;
    for (unsigned i = 0; i < 30; i++)
        code[at++] = RV_NOP;                 /* 38: leaf */
    code[at++] = RV_RET;                     /* b0 */
    code[at++] = rv_lui(RV_A4, 0x02004);     /* b4: handler */
    code[at++] = rv_addi(RV_A3, 0, -1);      /* b8 */
    code[at++] = rv_sw(RV_A3, RV_A4) | HIGH; /* bc */
    code[at++] = RV_MRET;                    /* c0 */
    assert_int_equal(at, sizeof code / sizeof *code);
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x38}, {"leaf", 0x38, 0x7c}, {"handler", 0xb4, 0x10}},
    });
    expect(p, "_start", GS_FRAME_CALL, 1, 13);
    expect(p, "_start/leaf", GS_FRAME_CALL, 1, 31);
    expect(p, "_start/leaf/handler", GS_FRAME_TRAP, 1, 4);
    assert_int_equal(p->nodes.items[2].site, PROFILE_BASE + 0x38 + 4 * 10);
    assert_int_equal(p->nodes.items[2].self.value[GS_METRIC_TRAPS], 1);
    assert_int_equal(p->total.value[GS_METRIC_TRAPS], 1);
    gs_profile_free(p);
}

/*
 * main begins a task by a return, in another stack; the task calls leaf, returns into the middle of
 * main, goes on and calls last. main 5 instructions before, 4 to go on with the task, 2 to
 * return.
 */
static void test_threads(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80001),       /* 00: _start */
        rv_call(0x0c),                /* 04 */
        rv_lui(RV_A5, 0xf0000),       /* 08 */
        rv_sw(0, RV_A5),              /* 0c */
        rv_addi(RV_A3, RV_RA, 0),     /* 10: main */
        rv_auipc(RV_RA, 0),           /* 14 */
        rv_addi(RV_RA, RV_RA, 0x28),  /* 18: task */
        rv_lui(RV_SP, 0x80002),       /* 1c */
        RV_RET,                       /* 20: the task begins */
        rv_addi(RV_A1, RV_A0, 0),     /* 24: where the task goes on */
        rv_lui(RV_SP, 0x80002),       /* 28 */
        rv_addi(RV_RA, RV_A1, 0),     /* 2c */
        RV_RET,                       /* 30 */
        rv_addi(RV_RA, RV_A3, 0),     /* 34 */
        RV_RET,                       /* 38: to _start */
        rv_call(0x28),                /* 3c: task, leaf */
        rv_auipc(RV_A2, 0),           /* 40 */
        rv_addi(RV_A2, RV_A2, -0x1c), /* 44: 24 */
        rv_auipc(RV_RA, 0),           /* 48 */
        rv_addi(RV_A0, RV_RA, 0x14),  /* 4c: 5c */
        rv_addi(RV_RA, RV_A2, 0),     /* 50 */
        rv_lui(RV_SP, 0x80001),       /* 54 */
        RV_RET,                       /* 58 */
        rv_call(0x0c),                /* 5c: last */
        rv_jump(0x0c),                /* 60: to the end of the task */
        RV_RET,                       /* 64: leaf */
        RV_RET,                       /* 68: last */
        rv_lui(RV_SP, 0x80001),       /* 6c: end */
        rv_auipc(RV_RA, 0),           /* 70 */
        rv_addi(RV_RA, RV_RA, -0x3c), /* 74: 34 */
        RV_RET,                       /* 78 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x10},
                      {"main", 0x10, 0x2c},
                      {"task", 0x3c, 0x28},
                      {"leaf", 0x64, 4},
                      {"last", 0x68, 4},
                      {"end", 0x6c, 0x10}},
    });
    assert_int_equal(p->threads.count, 2);
    assert_string_equal(p->threads.items[0].name, "_start");
    assert_string_equal(p->threads.items[1].name, "task");
    expect(p, "?/?/_start", GS_FRAME_CALL, 1, 4);
    expect(p, "?/?/_start/main", GS_FRAME_CALL, 1, 11);
    expect(p, "?/?/task", GS_FRAME_CALL, 1, 10);
    expect(p, "?/?/task/leaf", GS_FRAME_CALL, 1, 1);
    expect(p, "?/?/task/last", GS_FRAME_CALL, 1, 1);
    expect(p, "?/?/task/end", GS_FRAME_TAIL, 1, 4);
    gs_profile_free(p);
}

/* A call through a register, first of f, then of g, from one site. */
static void test_function_pointer(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_auipc(RV_A5, 0),          /* 00: _start */
        rv_addi(RV_A5, RV_A5, 0x20), /* 04: f */
        rv_addi(RV_A2, 0, 2),        /* 08 */
        RV_CALL_A5,                  /* 0c */
        rv_addi(RV_A5, RV_A5, 8),    /* 10: g */
        rv_addi(RV_A2, RV_A2, -1),   /* 14 */
        rv_bnez(RV_A2, -0x0c),       /* 18 */
        rv_jump(0x14),               /* 1c */
        RV_NOP,                      /* 20: f */
        RV_RET,                      /* 24 */
        RV_RET,                      /* 28: g */
        RV_NOP,                      /* 2c */
        rv_lui(RV_A5, 0xf0000),      /* 30 */
        rv_sw(0, RV_A5),             /* 34 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x20}, {"f", 0x20, 8}, {"g", 0x28, 4}},
    });
    expect(p, "_start/f", GS_FRAME_CALL, 1, 2);
    expect(p, "_start/g", GS_FRAME_CALL, 1, 1);
    assert_int_equal(p->nodes.items[1].site, PROFILE_BASE + 0x0c);
    assert_int_equal(p->nodes.items[2].site, PROFILE_BASE + 0x0c);
    gs_profile_free(p);
}

/* A timeline has for each function what its instructions have. */
static void expect_same_in_timeline(const gs_profile *p)
{
    assert_true(p->timeline.count > p->functions.count);
    for (uint32_t f = 0; f < p->functions.count; f++) {
        uint64_t of_insns = 0, of_moments = 0;
        for (size_t i = 0; i < p->insns.count; i++)
            of_insns += p->insns.items[i].function == f ? cycles(&p->insns.items[i].cost) : 0;
        for (size_t i = 0; i < p->timeline.count; i++)
            of_moments +=
                p->timeline.items[i].function == f ? cycles(&p->timeline.items[i].cost) : 0;
        assert_int_equal(of_moments, of_insns);
    }
}

/*
 * f saves its registers with a call of __riscv_save_0 through t0 and leaves through
 * __riscv_restore_4: both belong to f, which has 2 + 3 + 1 + 3 cycles.
 */
static void test_millicode(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80010),     /* 00: _start */
        rv_call(0x10),              /* 04 */
        rv_lui(RV_A5, 0xf0000),     /* 08 */
        rv_sw(0, RV_A5),            /* 0c */
        RV_NOP,                     /* 10 */
        rv_jal(RV_T0, 0x0c),        /* 14: f */
        RV_NOP,                     /* 18 */
        rv_jump(0x10),              /* 1c */
        rv_addi(RV_SP, RV_SP, -16), /* 20: __riscv_save_0 */
        rv_sw(RV_RA, RV_SP),        /* 24 */
        rv_jalr(0, RV_T0, 0),       /* 28 */
        rv_lw(RV_RA, RV_SP),        /* 2c: __riscv_restore_4 */
        rv_addi(RV_SP, RV_SP, 16),  /* 30 */
        RV_RET,                     /* 34 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x14},
                      {"f", 0x14, 0x0c},
                      {"__riscv_save_0", 0x20, 0x0c},
                      {"__riscv_restore_4", 0x2c, 0x04},
                      {"__riscv_restore_0", 0x30, 0x08}}, /* into which restore_4 falls */
        .timeline = 3,
    });
    expect_same_in_timeline(p);
    expect(p, "_start", GS_FRAME_CALL, 1, 4);
    expect(p, "_start/f", GS_FRAME_CALL, 1, 9);
    assert_int_equal(p->nodes.count, 2);
    gs_profile_free(p);
}

/* Without symbols functions are found by their calls: the same paths, with made-up names. */
static void test_stripped(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_call(0x14),          /* 00 */
        rv_call(0x10),          /* 04 */
        rv_lui(RV_A5, 0xf0000), /* 08 */
        rv_sw(0, RV_A5),        /* 0c */
        rv_jump(0),             /* 10 */
        RV_NOP,                 /* 14 */
        RV_RET,                 /* 18 */
    };
    gs_profile *p = profile_on_ideal((profile_program){.machine = EM_RISCV, CODE(code)});
    assert_int_equal(p->functions.count, 2);
    assert_int_equal(p->functions.items[1].start, PROFILE_BASE + 0x14);
    assert_int_equal(p->nodes.count, 3); /* the same function from two sites */
    assert_int_equal(cycles(&p->nodes.items[0].self), 4);
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(p->nodes.items[i].function, 1);
        assert_int_equal(p->nodes.items[i].calls, 1);
        assert_int_equal(cycles(&p->nodes.items[i].self), 2);
    }
    gs_profile_free(p);
}

/*
 * On MIPS a call takes effect after its delay slot, which is the caller's, and a return after its
 * own, which is the callee's. bal .+8 asks for the own address and is no call.
 */
static void test_mips_delay_slots(void **state)
{
    (void)state;
    uint32_t code[] = {
        mips_bal(8),                   /* 00: __start */
        MIPS_NOP,                      /* 04 */
        mips_jal(PROFILE_BASE + 0x20), /* 08 */
        mips_addiu(2, 2, 1),           /* 0c: __start's */
        mips_lui(8, 0xf000),           /* 10 */
        0xad000000,                    /* 14: sw zero, 0(t0) ends the run */
        MIPS_NOP,                      /* 18 */
        MIPS_NOP,                      /* 1c */
        MIPS_RET,                      /* 20: leaf */
        mips_addiu(2, 2, 1),           /* 24: leaf's */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_MIPS,
        CODE(code),
        .functions = {{"__start", 0, 0x20}, {"leaf", 0x20, 8}},
    });
    assert_int_equal(p->nodes.count, 2);
    expect(p, "__start", GS_FRAME_CALL, 1, 6);
    expect(p, "__start/leaf", GS_FRAME_CALL, 1, 2);
    gs_profile_free(p);
}

/*
 * A MIPS process sends itself SIGUSR1. The handler is entered from the system call, and it and
 * the two instructions through which the kernel has it return (li, syscall) are on its path. What
 * is called afterwards is called from __start.
 */
static void test_mips_signal(void **state)
{
    (void)state;
    enum { V0 = 2, A0 = 4, A1, A2, A3, T0 = 8, SP = 29 };
    enum { RT_SIGACTION = 4194, GETPID = 4020, KILL = 4037, EXIT = 4001, SIGUSR1_MIPS = 16 };
    uint32_t code[] = {
        mips_addiu(SP, SP, -64),                /* 00: __start */
        0xafa00010,                             /* 04: sw zero, 16(sp): no flags */
        mips_lui(T0, PROFILE_LINUX_BASE >> 16), /* 08 */
        mips_addiu(T0, T0, 0x60),               /* 0c: the handler */
        0xafa80014,                             /* 10: sw t0, 20(sp) */
        mips_addiu(A0, 0, SIGUSR1_MIPS),        /* 14 */
        mips_addiu(A1, SP, 16),                 /* 18 */
        mips_addiu(A2, 0, 0),                   /* 1c */
        mips_addiu(A3, 0, 16),                  /* 20 */
        mips_addiu(V0, 0, RT_SIGACTION),        /* 24 */
        MIPS_SYSCALL,                           /* 28 */
        mips_addiu(V0, 0, GETPID),              /* 2c */
        MIPS_SYSCALL,                           /* 30 */
        mips_addiu(A0, V0, 0),                  /* 34 */
        mips_addiu(A1, 0, SIGUSR1_MIPS),        /* 38 */
        mips_addiu(V0, 0, KILL),                /* 3c */
        MIPS_SYSCALL,                           /* 40 */
        mips_jal(PROFILE_LINUX_BASE + 0x58),    /* 44 */
        MIPS_NOP,                               /* 48 */
        mips_addiu(A0, 0, 0),                   /* 4c */
        mips_addiu(V0, 0, EXIT),                /* 50 */
        MIPS_SYSCALL,                           /* 54 */
        MIPS_RET,                               /* 58: leaf */
        MIPS_NOP,                               /* 5c */
        mips_addiu(T0, T0, 1),                  /* 60: handler */
        MIPS_RET,                               /* 64 */
        MIPS_NOP,                               /* 68 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_MIPS,
        CODE(code),
        .functions = {{"__start", 0, 0x58}, {"leaf", 0x58, 8}, {"handler", 0x60, 0x0c}},
        .on_linux = true,
    });
    assert_int_equal(p->run.exit, GS_EXIT_CODE);
    assert_int_equal(p->nodes.count, 3);
    expect(p, "__start", GS_FRAME_CALL, 1, 22);
    expect(p, "__start/handler", GS_FRAME_TRAP, 1, 3 + 2);
    expect(p, "__start/leaf", GS_FRAME_CALL, 1, 2);
    assert_int_equal(p->nodes.items[1].site, PROFILE_LINUX_BASE + 0x40);
    gs_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail_call),        cmocka_unit_test(test_tail_call_circle),
        cmocka_unit_test(test_mutual_recursion), cmocka_unit_test(test_deep_recursion),
        cmocka_unit_test(test_longjmp),          cmocka_unit_test(test_interrupt_in_leaf),
        cmocka_unit_test(test_function_pointer), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_millicode),        cmocka_unit_test(test_stripped),
        cmocka_unit_test(test_mips_delay_slots), cmocka_unit_test(test_mips_signal),
    };
    return cmocka_run_group_tests_name("profile_calls", tests, NULL, NULL);
}
