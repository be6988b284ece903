/*
 * Blocks, edges and loops, on programs of a few instructions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "encode.h"
#include "image/cfg_internal.h"

enum { BASE = 0x10000, MAX_EDGES = 3 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A program under test; addresses of blocks and edges are from BASE. */
typedef struct program {
    elf_builder elf;
    gs_image *image;
    gs_cfg *cfg;
} program;

static void start(program *p, uint16_t machine, const uint32_t *code, size_t count)
{
    elf_start(&p->elf, machine, false);
    p->elf.entry = BASE;
    elf_code(&p->elf, BASE, code, count);
}

static void function(program *p, const char *name, uint32_t start, uint32_t end)
{
    elf_function(&p->elf, name, BASE + start, end - start);
}

static void build_observed(program *p, const gs_observed_jump *jumps, size_t count)
{
    size_t size;
    gs_error err;
    uint8_t *bytes = elf_finish(&p->elf, &size);
    if (gs_image_open_memory(&p->image, bytes, size, "program", &err))
        fail_msg("%s", err.message);
    free(bytes);
    assert_int_equal(gs_cfg_open_observed(&p->cfg, p->image, jumps, count, NULL), GS_OK);
}

static void build(program *p)
{
    build_observed(p, NULL, 0);
}

static void finish(program *p)
{
    gs_cfg_free(p->cfg);
    gs_image_free(p->image);
}

static const gs_block *block(const program *p, size_t index, uint32_t start, uint32_t end)
{
    assert_true(index < gs_cfg_block_count(p->cfg));
    const gs_block *b = gs_cfg_block(p->cfg, index);
    assert_int_equal(b->start, BASE + start);
    assert_int_equal(b->end, BASE + end);
    assert_int_equal(gs_cfg_index_of(p->cfg, b), index);
    return b;
}

/* The edges of a block, as "kind start" in order; kind: f, t or r. */
static void edges(const program *p, size_t index, const char *expected)
{
    const gs_block *b = gs_cfg_block(p->cfg, index);
    char text[MAX_EDGES * 16] = "";
    assert_true(b->edge_count <= MAX_EDGES);
    for (uint32_t e = 0; e < b->edge_count; e++) {
        const gs_edge *edge = &gs_cfg_edges(p->cfg, b)[e];
        char one[16];
        snprintf(one, sizeof one, "%s%c%x", e ? " " : "", "ftr"[edge->kind],
                 (unsigned)(gs_cfg_block(p->cfg, edge->to)->start - BASE));
        strcat(text, one);
    }
    assert_string_equal(text, expected);
}

static const gs_loop *loop(const program *p, size_t index, uint32_t header, uint32_t depth,
                           uint32_t parent, uint32_t blocks)
{
    assert_true(index < gs_cfg_loop_count(p->cfg));
    const gs_loop *l = gs_cfg_loop(p->cfg, index);
    assert_int_equal(gs_cfg_block(p->cfg, l->header)->start, BASE + header);
    assert_int_equal(l->depth, depth);
    assert_int_equal(l->parent, parent);
    assert_int_equal(l->block_count, blocks);
    assert_int_equal(p->cfg->loop_blocks[l->first_block], l->header);
    return l;
}

static bool loop_has(const program *p, const gs_loop *l, uint32_t start)
{
    for (uint32_t i = 0; i < l->block_count; i++)
        if (gs_cfg_block(p->cfg, p->cfg->loop_blocks[l->first_block + i])->start == BASE + start)
            return true;
    return false;
}

static void test_rv_blocks(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD,     rv_beq(12),    /* 00 */
        RV_ADD,     rv_call(0x18), /* 08 */
        RV_ECALL,                  /* 10 */
        rv_jump(8), RV_ADD,        /* 14; 18 is not reached */
        RV_CALL_A5,                /* 1c */
        RV_RET,                    /* 20 */
        RV_ADD,     RV_RET,        /* 24: called */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x24);
    function(&p, "f", 0x24, 0x2c);
    build(&p);
    assert_int_equal(gs_cfg_block_count(p.cfg), 7);
    const gs_block *b = block(&p, 0, 0, 8);
    assert_int_equal(b->insns, 2);
    assert_int_equal(b->flow, GS_FLOW_BRANCH);
    assert_int_equal(b->last, BASE + 4);
    assert_int_equal(b->target, BASE + 0x10);
    assert_int_equal(b->function, 0);
    assert_int_equal(b->loop, GS_CFG_NONE);
    edges(&p, 0, "t10 f8");
    assert_int_equal(block(&p, 1, 8, 0x10)->flow, GS_FLOW_CALL);
    edges(&p, 1, "r10");
    assert_int_equal(block(&p, 2, 0x10, 0x14)->flow, GS_FLOW_TRAP);
    edges(&p, 2, "f14");
    block(&p, 3, 0x14, 0x18);
    edges(&p, 3, "t1c");
    assert_int_equal(block(&p, 4, 0x1c, 0x20)->flow, GS_FLOW_CALL_INDIRECT);
    assert_false(gs_cfg_block(p.cfg, 4)->indirect); /* it comes back */
    edges(&p, 4, "r20");
    block(&p, 5, 0x20, 0x24);
    edges(&p, 5, "");
    assert_int_equal(block(&p, 6, 0x24, 0x2c)->function, 1);

    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 4)->start, BASE);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 8)->start, BASE + 8);
    assert_null(gs_cfg_block_at(p.cfg, BASE + 0x18));
    assert_null(gs_cfg_block_at(p.cfg, BASE + 0x2c));
    assert_null(gs_cfg_block_at(p.cfg, BASE - 1));
    assert_int_equal(gs_cfg_loop_count(p.cfg), 0);
    finish(&p);
    gs_cfg_free(NULL);
}

static void test_leader_splits_a_block(void **state)
{
    (void)state;
    const uint32_t code[] = {RV_ADD, RV_ADD, rv_beq(-4), RV_RET};
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 16);
    build(&p);
    assert_int_equal(block(&p, 0, 0, 4)->flow, GS_FLOW_NEXT);
    edges(&p, 0, "f4");
    block(&p, 1, 4, 12);
    edges(&p, 1, "t4 fc");
    loop(&p, 0, 4, 1, GS_CFG_NONE, 1);
    finish(&p);
}

static void test_mips_delay_slots(void **state)
{
    (void)state;
    const uint32_t code[] = {
        MIPS_ADD,       mips_beq(0x18), MIPS_ADD, /* 00 */
        mips_bal(0x1c), MIPS_ADD,                 /* 0c */
        MIPS_SYSCALL,                             /* 14 */
        mips_b(-0x18),  MIPS_NOP,                 /* 18 */
        MIPS_RET,       MIPS_ADD,                 /* 20; not reached */
        MIPS_RET,       MIPS_ADD,                 /* 28: called */
    };
    program p;
    start(&p, EM_MIPS, code, COUNT(code));
    function(&p, "main", 0, 0x28);
    function(&p, "f", 0x28, 0x30);
    build(&p);
    assert_int_equal(gs_cfg_block_count(p.cfg), 6);
    const gs_block *b = block(&p, 0, 0, 12);
    assert_int_equal(b->insns, 3);
    assert_int_equal(b->last, BASE + 4);
    edges(&p, 0, "t1c fc");
    block(&p, 1, 12, 0x14);
    edges(&p, 1, "r14");
    assert_int_equal(block(&p, 2, 0x14, 0x18)->insns, 1); /* traps have no delay slot */
    edges(&p, 2, "f18");
    block(&p, 3, 0x18, 0x20);
    edges(&p, 3, "t0");
    /* A branch to a delay slot: it belongs to two blocks. */
    block(&p, 4, 0x1c, 0x28);
    block(&p, 5, 0x28, 0x30);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x18)->start, BASE + 0x18);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x1c)->start, BASE + 0x1c);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x20)->start, BASE + 0x1c);
    finish(&p);
}

static void test_mips_branch_at_the_very_end(void **state)
{
    (void)state;
    const uint32_t code[] = {MIPS_ADD, mips_b(-4)};
    program p;
    start(&p, EM_MIPS, code, COUNT(code));
    function(&p, "main", 0, 8);
    build(&p);
    assert_int_equal(block(&p, 0, 0, 8)->insns, 2);
    edges(&p, 0, "t0");
    finish(&p);
}

static void test_jump_into_an_instruction(void **state)
{
    (void)state;
    /* Read from 2 on: c.jr ra in the upper half of an `li`. */
    const uint32_t code[] = {0x80820000 | 0x0137, rv_jump(-2), RV_RET};
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 12);
    build(&p);
    assert_int_equal(gs_cfg_block_count(p.cfg), 2);
    block(&p, 0, 0, 8);
    edges(&p, 0, "t2");
    assert_int_equal(block(&p, 1, 2, 4)->flow, GS_FLOW_RETURN);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 2)->start, BASE + 2);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 4)->start, BASE); /* the one around it */
    assert_null(gs_cfg_block_at(p.cfg, BASE + 8));
    finish(&p);
}

static void test_indirect_jumps(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD, RV_JR_A5,     /* 00 */
        RV_ADD, rv_jump(-12), /* 08: back to 00 */
        RV_ADD, RV_RET,       /* 10 */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x18);
    build(&p);
    assert_int_equal(gs_cfg_block_count(p.cfg), 1);
    assert_true(block(&p, 0, 0, 8)->indirect);
    edges(&p, 0, "");
    assert_int_equal(gs_cfg_loop_count(p.cfg), 0);
    finish(&p);

    const gs_observed_jump jumps[] = {
        {BASE + 4, BASE + 0x10}, {BASE + 4, BASE + 8},    {BASE + 4, BASE + 0x10},
        {BASE, BASE + 8},        {BASE + 4, 0x77777777u}, {0, 1},
    };
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x18);
    build_observed(&p, jumps, COUNT(jumps));
    assert_int_equal(gs_cfg_block_count(p.cfg), 3);
    assert_false(block(&p, 0, 0, 8)->indirect);
    edges(&p, 0, "t8 t10");
    const gs_loop *l = loop(&p, 0, 0, 1, GS_CFG_NONE, 2);
    assert_true(loop_has(&p, l, 8));
    finish(&p);
}

static void test_calls_that_never_return(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD,       rv_beq(0xc),      /* 00 */
        RV_ADD,       rv_call(0x10),    /* 08: of die() */
        RV_ADD,       rv_beq(-0xc),     /* 10: to 08, which does not come back here */
        RV_RET,                         /* 18 */
        RV_ADD,       rv_jump(-4),      /* 1c: die(): for ever */
        rv_jump(-8),                    /* 24: a tail call of it */
        RV_ADD,       rv_call(-8),   0, /* 28: calls that; behind it is no code */
        RV_JR_A5,                       /* 34: may return, for all we know */
        rv_call(-4),  RV_RET,           /* 38: comes back */
        rv_call(-24), RV_RET,           /* 40: does not */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x1c);
    function(&p, "die", 0x1c, 0x24);
    function(&p, "die_too", 0x24, 0x28);
    function(&p, "and_me", 0x28, 0x34);
    function(&p, "unknown", 0x34, 0x38);
    function(&p, "caller", 0x38, 0x40);
    function(&p, "last", 0x40, 0x48);
    build(&p);
    assert_int_equal(gs_cfg_block_count(p.cfg), 11);
    block(&p, 1, 8, 0x10);
    edges(&p, 1, "");
    block(&p, 2, 0x10, 0x18);
    edges(&p, 2, "t8 f18");
    block(&p, 5, 0x24, 0x28);
    edges(&p, 5, "t1c");
    block(&p, 6, 0x28, 0x30);
    edges(&p, 6, "");
    block(&p, 8, 0x38, 0x3c);
    edges(&p, 8, "r3c");
    block(&p, 10, 0x40, 0x44);
    edges(&p, 10, "");
    assert_null(gs_cfg_block_at(p.cfg, BASE + 0x30));
    assert_null(gs_cfg_block_at(p.cfg, BASE + 0x44));
    assert_int_equal(gs_cfg_loop_count(p.cfg), 1);
    loop(&p, 0, 0x1c, 1, GS_CFG_NONE, 1);
    finish(&p);
}

static void test_nested_loops(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD,                        /* 00 */
        RV_ADD,         rv_beq(0x30),  /* 04: outer header, may leave to 38 */
        RV_ADD,                        /* 0c: middle header */
        RV_ADD,         rv_beq(-4),    /* 10: inner, one block */
        RV_ADD,         rv_beq(-0x10), /* 18: back to 0c */
        RV_ADD,         rv_beq(0xc),   /* 20: a second loop at this level */
        RV_ADD,         rv_jump(-0xc), /* 28: back to 20 */
        rv_beq(-0x2c),                 /* 30: back to 04 */
        rv_jump(-0x30),                /* 34: again back to 04 */
        RV_RET,                        /* 38 */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x3c);
    build(&p);
    assert_int_equal(gs_cfg_loop_count(p.cfg), 4);
    const gs_loop *outer = loop(&p, 0, 4, 1, GS_CFG_NONE, 8);
    const gs_loop *middle = loop(&p, 1, 0xc, 2, 0, 3);
    const gs_loop *inner = loop(&p, 2, 0x10, 3, 1, 1);
    const gs_loop *second = loop(&p, 3, 0x20, 2, 0, 2);
    assert_int_equal(outer->back_edges, 2);
    assert_int_equal(inner->back_edges, 1);
    assert_false(loop_has(&p, outer, 0));
    assert_false(loop_has(&p, outer, 0x38));
    assert_true(loop_has(&p, outer, 0x10));
    assert_true(loop_has(&p, outer, 0x28));
    assert_true(loop_has(&p, outer, 0x34));
    assert_true(loop_has(&p, middle, 0x10));
    assert_true(loop_has(&p, middle, 0x18));
    assert_true(loop_has(&p, second, 0x28));
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE)->loop, GS_CFG_NONE);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x10)->loop, 2);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x18)->loop, 1);
    assert_int_equal(gs_cfg_block_at(p.cfg, BASE + 0x30)->loop, 0);
    assert_int_equal(p.cfg->irreducible_count, 0);
    finish(&p);
}

static void test_calls_stay_in_their_loop(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD, rv_call(0xc), rv_beq(-8), RV_RET, /* 00 */
        RV_ADD, RV_RET,                           /* 10 */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x10);
    function(&p, "f", 0x10, 0x18);
    build(&p);
    loop(&p, 0, 0, 1, GS_CFG_NONE, 2);
    assert_int_equal(gs_cfg_loop_count(p.cfg), 1);
    finish(&p);
}

static void test_irreducible(void **state)
{
    (void)state;
    const uint32_t code[] = {
        rv_beq(0xc),               /* 00: into the middle, */
        RV_ADD,      RV_ADD,       /* 04: or from the top */
        RV_ADD,      rv_beq(-0xc), /* 0c: back to 04 */
        RV_ADD,      rv_beq(-4),   /* 14: a proper loop all the same */
        RV_RET,                    /* 1c */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x20);
    build(&p);
    assert_int_equal(p.cfg->irreducible_count, 1);
    assert_int_equal(gs_cfg_loop_count(p.cfg), 1);
    loop(&p, 0, 0x14, 1, GS_CFG_NONE, 1);
    finish(&p);
}

static void test_loops_and_functions(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_ADD,     rv_beq(8),  rv_jump(-8),    /* 00: jumps to its own entry: a loop */
        rv_jump(4),                             /* 0c: tail call of even() */
        RV_ADD,     rv_jump(8),                 /* 10: even() and odd() jump to each other: */
        RV_RET,     RV_ADD,     rv_jump(-0x10), /* 1c: no loop, they are calls */
        RV_RET,     rv_beq(-4), RV_RET,         /* 24; 28 is only entered from elsewhere */
        rv_beq(-8), RV_RET,                     /* 30 */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x10);
    function(&p, "even", 0x10, 0x1c);
    function(&p, "odd", 0x1c, 0x24);
    function(&p, "shared", 0x24, 0x30);
    function(&p, "user", 0x30, 0x38);
    build(&p);
    assert_int_equal(gs_cfg_loop_count(p.cfg), 1);
    loop(&p, 0, 0, 1, GS_CFG_NONE, 2);
    assert_int_equal(p.cfg->irreducible_count, 0);
    assert_non_null(gs_cfg_block_at(p.cfg, BASE + 0x28));
    finish(&p);
}

static void test_loop_entered_from_another_function(void **state)
{
    (void)state;
    const uint32_t code[] = {
        RV_RET,       RV_ADD, rv_beq(-4), RV_RET, /* 00: a loop at 04 that only f() jumps to */
        rv_jump(-12),                             /* 10 */
    };
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, 0x10);
    function(&p, "f", 0x10, 0x14);
    build(&p);
    assert_int_equal(gs_cfg_loop_count(p.cfg), 1);
    assert_int_equal(loop(&p, 0, 4, 1, GS_CFG_NONE, 1)->function, 0);
    finish(&p);
}

/* Deep nesting and long chains: memory and time stay linear, nothing recurses. */
static void test_deep_nesting(void **state)
{
    (void)state;
    enum { DEPTH = 500 };
    static uint32_t code[2 * DEPTH + 1];
    for (int32_t i = 0; i < DEPTH; i++) {
        code[i] = RV_ADD;
        code[DEPTH + i] = rv_beq(-4 * (2 * i + 1)); /* the i-th latch, to the i-th header */
    }
    code[2 * DEPTH] = RV_RET;
    program p;
    start(&p, EM_RISCV, code, COUNT(code));
    function(&p, "main", 0, sizeof code);
    build(&p);
    assert_int_equal(gs_cfg_loop_count(p.cfg), DEPTH);
    for (uint32_t i = 0; i < DEPTH; i++)
        loop(&p, i, 4 * i, i + 1, i ? i - 1 : GS_CFG_NONE, 2 * (DEPTH - i) - 1);
    finish(&p);
}

/* Random graphs against the definitions: dominators by leaving a block out, loops by reaching. */

enum { GRAPH_BLOCKS = 12 };

/* Which blocks can be reached from block 0 without going through `without`. */
static uint32_t reached_without(const program *p, uint32_t without)
{
    uint32_t set = without == 0 ? 0 : 1, before = 0;
    while (set != before) {
        before = set;
        for (uint32_t b = 0; b < gs_cfg_block_count(p->cfg); b++) {
            const gs_block *from = gs_cfg_block(p->cfg, b);
            for (uint32_t e = 0; (set >> b & 1) && e < from->edge_count; e++)
                if (gs_cfg_edges(p->cfg, from)[e].to != without)
                    set |= 1u << gs_cfg_edges(p->cfg, from)[e].to;
        }
    }
    return set;
}

static bool has_edge(const program *p, uint32_t from, uint32_t to)
{
    const gs_block *b = gs_cfg_block(p->cfg, from);
    for (uint32_t e = 0; e < b->edge_count; e++)
        if (gs_cfg_edges(p->cfg, b)[e].to == to)
            return true;
    return false;
}

/* The natural loop of a header by definition; empty if it is none. */
static uint32_t defined_loop(const program *p, uint32_t header)
{
    uint32_t count = (uint32_t)gs_cfg_block_count(p->cfg), before = 0;
    uint32_t dominated = ~reached_without(p, header);
    uint32_t body = 0;
    for (uint32_t b = 0; b < count; b++)
        if ((dominated >> b & 1) && has_edge(p, b, header))
            body |= 1u << b | 1u << header;
    while (body != before) {
        before = body;
        for (uint32_t b = 0; b < count; b++)
            for (uint32_t to = 0; to < count; to++)
                if (to != header && (body >> to & 1) && has_edge(p, b, to))
                    body |= 1u << b;
    }
    return body;
}

static uint32_t found_loop(const program *p, uint32_t index)
{
    const gs_loop *l = gs_cfg_loop(p->cfg, index);
    uint32_t body = 0;
    for (uint32_t i = 0; i < l->block_count; i++)
        body |= 1u << p->cfg->loop_blocks[l->first_block + i];
    assert_int_equal(__builtin_popcount(body), l->block_count);
    return body;
}

static void check_loops(const program *p)
{
    uint32_t next = 0;
    for (uint32_t header = 0; header < gs_cfg_block_count(p->cfg); header++) {
        uint32_t body = defined_loop(p, header);
        if (!body)
            continue;
        assert_true(next < gs_cfg_loop_count(p->cfg));
        assert_int_equal(gs_cfg_loop(p->cfg, next)->header, header);
        assert_int_equal(found_loop(p, next), body);
        next++;
    }
    assert_int_equal(gs_cfg_loop_count(p->cfg), next);
    for (uint32_t i = 0; i < next; i++) {
        const gs_loop *l = gs_cfg_loop(p->cfg, i);
        uint32_t around = 0, smallest = GS_CFG_NONE;
        for (uint32_t o = 0; o < next; o++) {
            uint32_t body = found_loop(p, o);
            if (o == i || !(body >> l->header & 1) || gs_cfg_loop(p->cfg, o)->header == l->header)
                continue;
            around++;
            if (smallest == GS_CFG_NONE ||
                gs_cfg_loop(p->cfg, o)->block_count < gs_cfg_loop(p->cfg, smallest)->block_count)
                smallest = o;
        }
        assert_int_equal(l->depth, around + 1);
        assert_int_equal(l->parent, smallest);
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    uint32_t seed = 2463534242u;
    for (int round = 0; round < 2000; round++) {
        uint32_t code[2 * GRAPH_BLOCKS + 1];
        for (int32_t b = 0; b < GRAPH_BLOCKS; b++) {
            seed ^= seed << 13; /* xorshift32 */
            seed ^= seed >> 17;
            seed ^= seed << 5;
            int32_t offset = ((int32_t)(seed >> 8) % GRAPH_BLOCKS - b) * 8 - 4;
            code[2 * b] = RV_ADD;
            code[2 * b + 1] = seed % 5 == 0 ? rv_jump(offset) : rv_beq(offset);
        }
        code[2 * GRAPH_BLOCKS] = RV_RET;
        program p;
        start(&p, EM_RISCV, code, COUNT(code));
        function(&p, "main", 0, sizeof code);
        build(&p);
        check_loops(&p);
        finish(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rv_blocks),
        cmocka_unit_test(test_leader_splits_a_block),
        cmocka_unit_test(test_mips_delay_slots),
        cmocka_unit_test(test_mips_branch_at_the_very_end),
        cmocka_unit_test(test_jump_into_an_instruction),
        cmocka_unit_test(test_indirect_jumps),
        cmocka_unit_test(test_calls_that_never_return),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_calls_stay_in_their_loop),
        cmocka_unit_test(test_irreducible),
        cmocka_unit_test(test_loops_and_functions),
        cmocka_unit_test(test_loop_entered_from_another_function),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
