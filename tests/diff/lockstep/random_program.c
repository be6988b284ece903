/*
 * A program is a row of items, each an instruction or a few that belong together, run a few
 * times over by an outer loop. Plain arithmetic is drawn from the rows of rv.def; everything that
 * makes a pipeline hard is an item of its own: loads and stores that miss, hit, are misaligned or
 * fault, devices, jumps over other items and over gaps that collide in the cache, loops, control
 * registers, user mode, sleep, code that changes itself, instructions that trap.
 *
 * A timer interrupts at random times. The handler makes the next one due, puts out the others,
 * and goes on behind an instruction that has trapped; after an ecall in machine mode.
 */
#include "random_program.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../randprog/randprog.h"
#include "elf_builder.h"
#include "isa/rv/rv.h"
#include "words.h"

enum { CODE = 0x80000000, DATA = 0x80020000, DATA_SIZE = 1 << 15, MAX_WORDS = 1 << 14 };
enum { CLINT_MTIMECMP = 0x02004000, CLINT_MTIME_PAGE = 0x0200c000, UART = 0x10000000 };
enum { NOWHERE = 0x20000000, TEST = (int)0xf0000000 };

/* Registers with a meaning: two pointers into the data, two loop counters, where to go on after a
 * jump to nowhere. T0 and T1 are for items; the handler saves what it uses. */
enum { BASE0 = 8, BASE1 = 9, OUTER = 24, INNER = 25, RESUME = 27, H1 = 29, T1 = 30, T0 = 31 };

enum {
    MSTATUS = 0x300,
    MIE = 0x304,
    MTVEC = 0x305,
    MCOUNTEREN = 0x306,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MIP = 0x344,
};

typedef struct program {
    rng r;
    gs_decoder decoder;
    uint32_t words[MAX_WORDS];
    unsigned count;
} program;

static void put(program *p, uint32_t word)
{
    if (p->count == MAX_WORDS)
        abort();
    p->words[p->count++] = word;
}

static uint32_t here(const program *p)
{
    return CODE + 4 * p->count;
}

static void put_constant(program *p, unsigned rd, uint32_t value)
{
    put(p, u_type(OP_LUI, rd, ((value + 0x800) & 0xfffff000u)));
    put(p, i_type(OP_ADDI, rd, rd, (int32_t)(value << 20) >> 20));
}

static unsigned target(program *p)
{
    static const uint32_t reserved = 1u << BASE0 | 1u << BASE1 | 1u << OUTER | 1u << INNER;
    unsigned rd;
    do
        rd = rng_below(&p->r, 32);
    while (reserved >> rd & 1);
    return rd;
}

static unsigned source(program *p)
{
    return rng_below(&p->r, 32);
}

/* -- Items ------------------------------------------------------------------------------ */

static bool is_plain(const gs_encoding *e)
{
    switch (gs_isa_rv32.ops[e->op].timing) {
    case GS_CLASS_LOAD:
    case GS_CLASS_STORE:
    case GS_CLASS_BRANCH:
    case GS_CLASS_JUMP:
    case GS_CLASS_JUMP_REG:
    case GS_CLASS_SYSTEM: return false;
    default: return e->op != GS_OP_ILLEGAL && (e->extension == GS_RV_I || e->extension == GS_RV_M);
    }
}

static void put_plain(program *p)
{
    for (;;) {
        const gs_encoding *e = &gs_isa_rv32.encodings[rng_below(&p->r, gs_isa_rv32.encoding_count)];
        uint32_t word = e->match | ((uint32_t)rng_next(&p->r) & ~e->mask);
        gs_insn insn;
        word = (word & ~0xf80u) | target(p) << 7;
        gs_decode(&insn, &p->decoder, word);
        if (is_plain(e) && insn.op == e->op) {
            put(p, word);
            return;
        }
    }
}

/* Often the value is used at once. */
static void put_access(program *p, unsigned base, int32_t offset, bool store)
{
    static const uint32_t loads[] = {0x0003, 0x1003, 0x2003, 0x4003, 0x5003};
    static const uint8_t load_sizes[] = {1, 2, 4, 1, 2};
    static const uint32_t stores[] = {0x0023, 0x1023, 0x2023};
    unsigned kind = rng_below(&p->r, store ? 3 : 5);
    unsigned size = store ? 1u << kind : load_sizes[kind];
    if (!rng_once_in(&p->r, 20))
        offset &= -(int32_t)size;
    if (store) {
        put(p, s_type(stores[kind], base, source(p), offset));
        return;
    }
    unsigned rd = target(p);
    put(p, i_type(loads[kind], rd, base, offset));
    if (rng_once_in(&p->r, 3))
        put(p, r_type(OP_ADD, target(p), rd, source(p)));
    else if (rng_once_in(&p->r, 6))
        put(p, s_type(OP_SW, base, rd, offset & -4));
}

static void put_memory(program *p)
{
    unsigned base = rng_once_in(&p->r, 2) ? BASE0 : BASE1;
    int32_t offset = (int32_t)rng_below(&p->r, rng_once_in(&p->r, 2) ? 64 : 2000);
    put_access(p, base, rng_once_in(&p->r, 2) ? offset : -offset, rng_once_in(&p->r, 2));
}

/* Another place for a base, aligned to words. */
static void put_base(program *p)
{
    unsigned base = rng_once_in(&p->r, 2) ? BASE0 : BASE1;
    put_constant(p, base, DATA + 2048 + rng_below(&p->r, (DATA_SIZE - 4096) / 4) * 4);
}

static void put_stores(program *p)
{
    unsigned count = rng_range(&p->r, 2, 6);
    for (unsigned i = 0; i < count; i++)
        put(p, s_type(OP_SW, BASE0, source(p), (int32_t)rng_below(&p->r, 100) * 4));
    if (rng_once_in(&p->r, 2))
        put(p, i_type(OP_LW, target(p), BASE1, (int32_t)rng_below(&p->r, 500) * 4));
}

static void put_device(program *p)
{
    unsigned rd = target(p);
    switch (rng_below(&p->r, 10)) {
    case 8: /* move mtime on */
        put(p, u_type(OP_LUI, T0, CLINT_MTIME_PAGE));
        put(p, i_type(OP_LW, T1, T0, -8));
        put(p, i_type(OP_ADDI, T1, T1, (int32_t)rng_below(&p->r, 500)));
        put(p, s_type(OP_SW, T0, T1, -8));
        break;
    case 0: /* mtime */
        put(p, u_type(OP_LUI, T0, CLINT_MTIME_PAGE));
        put(p, i_type(OP_LW, rd, T0, -8 + 4 * (int32_t)rng_below(&p->r, 2)));
        break;
    case 1: /* mtimecmp */
        put(p, u_type(OP_LUI, T0, CLINT_MTIMECMP));
        put(p, i_type(OP_LW, rd, T0, 4 * (int32_t)rng_below(&p->r, 2)));
        break;
    case 2: /* a software interrupt, or none */
        put(p, u_type(OP_LUI, T0, 0x02000000));
        put(p, i_type(OP_ADDI, T1, 0, (int32_t)rng_below(&p->r, 2)));
        put(p, s_type(OP_SW, T0, T1, 0));
        break;
    case 3: /* any register of the UART, but not what it receives; in the end not in DLAB mode */
        put(p, u_type(OP_LUI, T0, UART));
        put(p, i_type(OP_LB, rd, T0, (int32_t)rng_range(&p->r, 1, 7)));
        break;
    case 4:
        put(p, u_type(OP_LUI, T0, UART));
        put(p, s_type(OP_SB, T0, source(p), rng_once_in(&p->r, 2) ? 0 : 7));
        break;
    case 5: /* its interrupt: the transmitter is empty */
        put(p, u_type(OP_LUI, T0, UART));
        put(p, i_type(OP_ADDI, T1, 0, 2));
        put(p, s_type(OP_SB, T0, T1, 1));
        break;
    case 6: /* a marker, or a character */
        put(p, u_type(OP_LUI, T0, (uint32_t)TEST));
        put(p, s_type(OP_SW, T0, source(p), rng_once_in(&p->r, 2) ? 4 : 8));
        break;
    case 7: /* refused: a size, a register that is not there */
        put(p, u_type(OP_LUI, T0, (rng_once_in(&p->r, 2) ? UART : CLINT_MTIMECMP)));
        put_access(p, T0, 8 + (int32_t)rng_below(&p->r, 16), rng_once_in(&p->r, 2));
        break;
    default: /* nothing there */
        put(p, u_type(OP_LUI, T0, NOWHERE));
        put_access(p, T0, (int32_t)rng_below(&p->r, 64), rng_once_in(&p->r, 2));
        break;
    }
}

static void put_csr(program *p)
{
    static const uint16_t any[] = {0xb00, 0xb02, 0xb80, 0xb82, 0xb03, 0xb9f, 0x306, 0x341,
                                   0x342, 0x343, 0x344, 0x301, 0x310, 0x320, 0x33f, 0x3a0,
                                   0xc00, 0xc01, 0xc02, 0xc80, 0xc81, 0xc82, 0xf11, 0xf14,
                                   0xf15, 0x001, 0x003, 0x7c0, 0x180, 0xc03};
    static const uint16_t counters[] = {0xb00, 0xb02, 0xc00, 0xc01, 0xc02, 0x344};
    static const uint16_t opcodes[] = {0x1073, 0x2073, 0x3073, 0x5073, 0x6073, 0x7073};
    uint32_t opcode = opcodes[rng_below(&p->r, 6)];
    unsigned rd = target(p);
    switch (rng_below(&p->r, 7)) {
    case 0: /* interrupts off or on, as nested as may be */
        put(p, csr_type(rng_once_in(&p->r, 2) ? OP_CSRRSI : OP_CSRRCI, rd, 8, MSTATUS));
        break;
    case 1: /* anything but the previous mode's meaning is free to change */
        put(p, csr_type(rng_once_in(&p->r, 2) ? OP_CSRRS : OP_CSRRC, rd, source(p), MSTATUS));
        break;
    case 2: /* the timer stays enabled: sleep has to end */
        put_constant(p, T0, 1u << 11 | 1u << 3);
        put(p, csr_type(rng_once_in(&p->r, 2) ? OP_CSRRS : OP_CSRRC, rd, T0, MIE));
        break;
    case 3: put(p, csr_type(OP_CSRRS, rd, 0, counters[rng_below(&p->r, 6)])); break;
    case 4: /* what user mode may count */
        put(p, csr_type(OP_CSRRW, rd, source(p), MCOUNTEREN));
        break;
    default:
        put(p, csr_type(opcode, rd, source(p), any[rng_below(&p->r, sizeof any / sizeof *any)]));
        break;
    }
}

/* To the instruction behind, by mret, in the mode of mstatus.MPP. */
static void put_mret(program *p)
{
    put_constant(p, T1, 3u << 11);
    put(p, csr_type(rng_once_in(&p->r, 2) ? OP_CSRRS : OP_CSRRC, 0, T1, MSTATUS));
    put(p, u_type(OP_AUIPC, T0, 0));
    put(p, i_type(OP_ADDI, T0, T0, 16));
    put(p, csr_type(OP_CSRRW, 0, T0, MEPC));
    put(p, OP_MRET);
}

static void put_sleep(program *p)
{
    put(p, OP_WFI);
    if (rng_once_in(&p->r, 2))
        put(p, csr_type(OP_CSRRS, target(p), 0, rng_once_in(&p->r, 2) ? 0xb00 : 0xc01));
}

/* The timer comes up while mip is read again and again, by instructions that wait in fetch. */
static void put_race(program *p)
{
    put(p, csr_type(OP_CSRRCI, 0, 8, MSTATUS));
    put(p, u_type(OP_LUI, T0, CLINT_MTIME_PAGE));
    put(p, i_type(OP_LW, T1, T0, -8));
    put(p, i_type(OP_ADDI, T1, T1, (int32_t)rng_range(&p->r, 30, 120)));
    put(p, u_type(OP_LUI, T0, CLINT_MTIMECMP));
    put(p, s_type(OP_SW, T0, T1, 0));
    for (unsigned i = 0; i < 6; i++) {
        rng_once_in(&p->r, 4) ? put_plain(p) : put(p, OP_FENCE_I);
        put(p, csr_type(OP_CSRRS, target(p), 0, MIP));
    }
    put(p, csr_type(OP_CSRRSI, 0, 8, MSTATUS));
}

/* Writes an instruction and executes it. */
static void put_new_code(program *p)
{
    put_constant(p, T0, i_type(OP_ADDI, target(p), source(p), (int32_t)rng_below(&p->r, 2048)));
    put(p, u_type(OP_AUIPC, T1, 0));
    put(p, s_type(OP_SW, T1, T0, 12));
    put(p, OP_FENCE_I);
    put(p, OP_ADDI);
}

static void put_trap(program *p)
{
    static const uint32_t illegal[] = {0xffffffff, 0x00000000, 0x00004501, 0x00003003, 0x00007023,
                                       0x02a5c57f, 0x06000033, 0x40001033, 0x60001013, 0x0000200f,
                                       0x10200073, 0x00002063, 0x0000300b, 0x00001067};
    switch (rng_below(&p->r, 8)) {
    case 0:
    case 6:
    case 7: put(p, OP_ECALL); break; /* out of user mode, among others */
    case 1: put(p, OP_EBREAK); break;
    case 2: put(p, j_type(OP_JAL, target(p), 6)); break; /* misaligned */
    case 3: put(p, b_type(OP_BEQ, 5, 5, 10)); break;
    case 4: /* to nowhere and back */
        put(p, u_type(OP_AUIPC, T0, 0));
        put(p, i_type(OP_ADDI, RESUME, T0, 16));
        put(p, u_type(OP_LUI, T0, NOWHERE));
        put(p, i_type(OP_JALR, target(p), T0, (int32_t)rng_below(&p->r, 512) * 2));
        break;
    default: put(p, illegal[rng_below(&p->r, sizeof illegal / sizeof *illegal)]); break;
    }
}

static void put_item(program *p);

static void put_jump_register(program *p)
{
    unsigned skipped = rng_below(&p->r, 4);
    put(p, u_type(OP_AUIPC, T0, 0));
    put(p, i_type(OP_JALR, target(p), T0, (int32_t)(8 + 4 * skipped + rng_below(&p->r, 2))));
    for (unsigned i = 0; i < skipped; i++)
        put_plain(p);
}

/* A branch or jal over a few items, with what is to be patched when they are there. */
static void put_jump(program *p)
{
    static const uint16_t conditions[] = {0x0063, 0x1063, 0x4063, 0x5063, 0x6063, 0x7063};
    bool jal = rng_once_in(&p->r, 3);
    unsigned at = p->count;
    put(p, 0);
    unsigned items = rng_below(&p->r, 4);
    for (unsigned i = 0; i < items; i++)
        put_item(p);
    uint32_t distance = 4 * (p->count - at);
    if (jal || distance > 4000)
        p->words[at] = j_type(OP_JAL, target(p), distance);
    else
        p->words[at] = b_type(conditions[rng_below(&p->r, 6)], source(p), source(p), distance);
}

/* Over a gap, into a line that may collide. */
static void put_gap(program *p)
{
    unsigned words = rng_below(&p->r, 2) ? 2048 : rng_below(&p->r, 1024);
    if (p->count + words > MAX_WORDS - 4096)
        return;
    put(p, j_type(OP_JAL, 0, 4 * (words + 1)));
    for (unsigned i = 0; i < words; i++)
        put(p, (uint32_t)rng_next(&p->r));
}

static void put_loop(program *p)
{
    put(p, i_type(OP_ADDI, INNER, 0, (int32_t)rng_range(&p->r, 2, 6)));
    uint32_t start = here(p);
    unsigned items = rng_range(&p->r, 1, 6);
    for (unsigned i = 0; i < items; i++)
        rng_once_in(&p->r, 2) ? put_memory(p) : put_plain(p);
    put(p, i_type(OP_ADDI, INNER, INNER, -1));
    put(p, b_type(OP_BLT, 0, INNER, start - here(p))); /* while 0 < INNER */
}

static void put_item(program *p)
{
    unsigned choice = rng_below(&p->r, 100);
    if (choice < 45)
        put_plain(p);
    else if (choice < 65)
        put_memory(p);
    else if (choice < 68)
        put_stores(p);
    else if (choice < 70)
        put_base(p);
    else if (choice < 76)
        put_jump(p);
    else if (choice < 79)
        put_jump_register(p);
    else if (choice < 82)
        put_loop(p);
    else if (choice < 88)
        put_csr(p);
    else if (choice < 91)
        put_device(p);
    else if (choice < 94)
        put_trap(p);
    else if (choice < 96)
        put_mret(p);
    else if (choice < 97)
        put_new_code(p);
    else if (choice < 98)
        put_race(p);
    else if (choice < 99)
        put_sleep(p);
    else
        put_gap(p);
}

/* -- Around them -------------------------------------------------------------------------- */

enum { SAVE = DATA - 64, SAVE_T1 = 0, SAVE_H1 = 4, SAVE_RANDOM = 8 };

/* With T0 at the save area: the timer's next interrupt after a random time; uses T1 and H1. */
static void put_next_timer(program *p)
{
    put(p, i_type(OP_LW, T1, T0, SAVE_RANDOM));
    put_constant(p, H1, 1103515245);
    put(p, r_type(OP_MUL, T1, T1, H1));
    put(p, i_type(OP_ADDI, T1, T1, 1234));
    put(p, s_type(OP_SW, T0, T1, SAVE_RANDOM));
    put(p, i_type(OP_SRLI, T1, T1, 22));
    put(p, u_type(OP_LUI, H1, CLINT_MTIME_PAGE));
    put(p, i_type(OP_LW, H1, H1, -8));
    put(p, r_type(OP_ADD, T1, T1, H1));
    put(p, i_type(OP_ADDI, T1, T1, 200));
    put(p, u_type(OP_LUI, H1, CLINT_MTIMECMP));
    put(p, s_type(OP_SW, H1, T1, 0));
    put(p, s_type(OP_SW, H1, 0, 4));
}

static unsigned put_branch(program *p, uint32_t opcode, unsigned rs1, unsigned rs2)
{
    put(p, b_type(opcode, rs1, rs2, 0));
    return p->count - 1;
}

static void land(program *p, unsigned branch)
{
    p->words[branch] |= b_type(0, 0, 0, 4 * (p->count - branch));
}

static uint32_t put_handler(program *p)
{
    uint32_t start = here(p);
    put(p, csr_type(OP_CSRRW, T0, T0, MSCRATCH));
    put(p, s_type(OP_SW, T0, T1, SAVE_T1));
    put(p, s_type(OP_SW, T0, H1, SAVE_H1));
    put(p, csr_type(OP_CSRRS, T1, 0, MCAUSE));
    unsigned exception = put_branch(p, OP_BGE, T1, 0); /* no interrupt */

    put_next_timer(p);
    put(p, u_type(OP_LUI, H1, 0x02000000)); /* no software interrupt, none of the UART */
    put(p, s_type(OP_SW, H1, 0, 0));
    put(p, u_type(OP_LUI, H1, UART));
    put(p, i_type(OP_LB, T1, H1, 2));
    put(p, s_type(OP_SB, H1, 0, 1));
    unsigned done = put_branch(p, OP_BEQ, 0, 0);

    land(p, exception);
    put(p, csr_type(OP_CSRRS, H1, 0, MEPC));
    put(p, i_type(OP_ADDI, H1, H1, 4));
    put(p, i_type(OP_ADDI, T1, T1, -1));
    unsigned fetched = put_branch(p, OP_BNE, T1, 0);
    put(p, i_type(OP_ADDI, H1, RESUME, 0)); /* a fetch fault */
    land(p, fetched);
    put(p, csr_type(OP_CSRRW, 0, H1, MEPC));
    put(p, i_type(OP_ADDI, T1, T1, -7)); /* ecall from user mode, 8 - 1 */
    unsigned other = put_branch(p, OP_BNE, T1, 0);
    put_constant(p, H1, 3u << 11);
    put(p, csr_type(OP_CSRRS, 0, H1, MSTATUS));
    land(p, other);
    land(p, done);
    put(p, i_type(OP_LW, T1, T0, SAVE_T1));
    put(p, i_type(OP_LW, H1, T0, SAVE_H1));
    put(p, csr_type(OP_CSRRW, T0, T0, MSCRATCH));
    put(p, OP_MRET);
    return start;
}

static void put_start(program *p, uint32_t handler)
{
    put_constant(p, T0, handler);
    put(p, csr_type(OP_CSRRW, 0, T0, MTVEC));
    put_constant(p, T0, SAVE);
    put(p, csr_type(OP_CSRRW, 0, T0, MSCRATCH));
    put_next_timer(p);
    put(p, i_type(OP_ADDI, T1, 0, 1 << 7));
    put(p, csr_type(OP_CSRRS, 0, T1, MIE));
    for (unsigned i = 1; i < 32; i++)
        put_constant(p, i, value_word(&p->r));
    put_constant(p, BASE0, DATA + 2048);
    put_constant(p, BASE1, DATA + 2048 + 8192);
    put(p, i_type(OP_ADDI, OUTER, 0, (int32_t)rng_range(&p->r, 1, 3)));
    put(p, csr_type(OP_CSRRSI, 0, 8, MSTATUS));
}

static void put_end(program *p, uint32_t again)
{
    put(p, i_type(OP_ADDI, OUTER, OUTER, -1));
    put(p, b_type(OP_BEQ, OUTER, 0, 8));
    put(p, j_type(OP_JAL, 0, again - here(p)));
    put(p, u_type(OP_LUI, T0, (uint32_t)TEST));
    put(p, s_type(OP_SW, T0, 0, 0));
    put(p, j_type(OP_JAL, 0, (uint32_t)-4));
}

uint8_t *random_program(uint64_t seed, size_t *size)
{
    program *p = calloc(1, sizeof *p);
    static uint32_t data[DATA_SIZE / 4 + 16];
    p->r = rng_for(seed, 0, 0);
    gs_decoder_init(&p->decoder, &gs_isa_rv32, gs_isa_rv32.all_extensions);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        data[i] = value_word(&p->r);

    uint32_t handler = put_handler(p), entry = here(p);
    put_start(p, handler);
    uint32_t again = here(p);
    unsigned items = rng_range(&p->r, 50, 300);
    for (unsigned i = 0; i < items; i++)
        put_item(p);
    put_end(p, again);

    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = entry;
    elf_code(&elf, CODE, p->words, p->count);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, SAVE, data, sizeof data, sizeof data);
    free(p);
    return elf_finish(&elf, size);
}
