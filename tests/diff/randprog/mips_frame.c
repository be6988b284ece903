/*
 * MIPS: what stands around the items: loading and storing registers, the loop, the handler
 * of signals and the start of the program.
 */
#include "mips_code.h"
#include "randprog.h"

/* The kernel's layout on MIPS, o32. */
enum {
    UCONTEXT_PC = 24 + 8, /* struct ucontext: uc_mcontext.sc_pc, 64 bits */
    SA_SIGINFO = 8,
    SA_ONSTACK = 0x08000000,
    SIGSET_SIZE = 16,
    SYS_EXIT = 4001,
    SYS_WRITE = 4004,
    SYS_RT_SIGACTION = 4194,
    SYS_SIGALTSTACK = 4206,
};

void mips_choose_registers(rp_stream *s, rng *r)
{
    s->base[0] = rng_range(r, 2, 30);
    do
        s->base[1] = rng_range(r, 2, 30);
    while (s->base[1] == s->base[0]);
    if (rng_once_in(r, 3)) {
        do
            s->counter = rng_range(r, 2, 30);
        while (s->counter == s->base[0] || s->counter == s->base[1]);
    }
}

void mips_fill_record(uint8_t *record, const rp_stream *s, rng *r)
{
    const bool big = s->target->big_endian;
    uint8_t *to = record + RECORD_F;
    for (unsigned i = 0; i < 32; i += s->target->wide ? 1 : 2, to += 8) {
        uint64_t value = value_double(r);
        if (s->singles >> i & 1)
            value = (uint64_t)value_single(r) << 32 |
                    (rng_once_in(r, 4) ? value_word(r) : value_single(r));
        if (s->target->wide) {
            store64(to, value, big);
        } else {
            store32(to, (uint32_t)value, big);
            store32(to + 4, (uint32_t)(value >> 32), big);
        }
    }
    uint32_t fcsr = rng_below(r, 4);
    if (rng_once_in(r, 4)) /* flags and conditions */
        fcsr |= (uint32_t)rng_next(r) & 0xfe80007cu;
    if (rng_once_in(r, 8)) /* flush to zero */
        fcsr |= 1u << 24;
    store32(record + RECORD_FCSR, fcsr, big);
}

static void put(code_buffer *code, uint32_t word)
{
    code_put(code, word, 4);
}

void mips_put_nop(code_buffer *code, unsigned length)
{
    for (; length; length -= 4)
        put(code, 0);
}

uint32_t mips_put_island(code_buffer *code)
{
    put(code, i_type(OP_BEQ, 0, 0, 3));
    put(code, 0);
    put(code, r_type(OP_JR, 0, ISLAND_REGISTER, 0, 0));
    put(code, 0);
    return code_here(code) - 8;
}

static void put_constant(code_buffer *code, unsigned rt, uint32_t value)
{
    put(code, i_type(OP_LUI, rt, 0, (int32_t)(value >> 16)));
    put(code, i_type(OP_ORI, rt, rt, (int32_t)(value & 0xffff)));
}

/* From base[0] to the start of the record. */
static int32_t record_offset(const rp_stream *s)
{
    return -(int32_t)(RECORD_SCRATCH + s->offset[0]);
}

/* Loads or stores all floating point registers. */
static void put_float_moves(code_buffer *code, const rp_stream *s, int narrow, int wide)
{
    int32_t at = record_offset(s) + RECORD_F;
    for (unsigned i = 0; i < 32; i++, at += s->target->wide ? 8 : 4)
        put(code, i_type(s->target->wide ? wide : narrow, i, s->base[0], at));
}

void mips_put_enter(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    put_constant(code, base, s->record + RECORD_SCRATCH + s->offset[0]);
    put(code, i_type(OP_ADDIU, temporary, base, at));
    put(code, i_type(OP_LUI, LINK, 0, GLOBALS_ADDRESS >> 16));
    put(code, i_type(OP_SW, temporary, LINK, GLOBAL_CURRENT));
    put(code, i_type(OP_LW, temporary, base, at + RECORD_FCSR));
    put(code, OP_CTC1_FCSR | temporary << 16);
    put(code, i_type(OP_LW, temporary, base, at + RECORD_HI));
    put(code, r_type(OP_MTHI, 0, temporary, 0, 0));
    put(code, i_type(OP_LW, temporary, base, at + RECORD_LO));
    put(code, r_type(OP_MTLO, 0, temporary, 0, 0));
    put_float_moves(code, s, OP_LWC1, OP_LDC1);
    for (unsigned i = 1; i < 32; i++) {
        if (!stream_reserves(s, i))
            put(code, i_type(OP_LW, i, base, at + RECORD_X + 4 * (int32_t)i));
    }
    put(code, i_type(OP_ADDIU, s->base[1], base, (int32_t)(s->offset[1] - s->offset[0])));
    if (s->counter)
        put(code, i_type(OP_ADDIU, s->counter, 0, (int32_t)s->rounds));
}

void mips_put_loop(code_buffer *code, const rp_stream *s, uint32_t start)
{
    put(code, i_type(OP_ADDIU, s->counter, s->counter, -1));
    uint32_t distance = start - (code_here(code) + 4);
    put(code, i_type(OP_BNE, 0, s->counter, (int32_t)distance >> 2));
    put(code, 0);
}

void mips_put_exit(code_buffer *code, uint32_t first)
{
    enum { T0 = 8, LEFT = 9, GOAL = 10 };
    put(code, i_type(OP_LUI, T0, 0, GLOBALS_ADDRESS >> 16));
    put(code, i_type(OP_LW, LEFT, T0, GLOBAL_ROUNDS));
    put(code, i_type(OP_ADDIU, LEFT, LEFT, -1));
    put_constant(code, GOAL, first);
    put(code, i_type(OP_BEQ, 0, LEFT, 3)); /* to the exit */
    put(code, i_type(OP_SW, LEFT, T0, GLOBAL_ROUNDS));
    put(code, r_type(OP_JR, 0, GOAL, 0, 0));
    put(code, 0);
    put(code, i_type(OP_ADDIU, 4, 0, 0));
    put(code, i_type(OP_ADDIU, 2, 0, SYS_EXIT));
    put(code, OP_SYSCALL);
}

void mips_put_leave(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    for (unsigned i = 0; i < 32; i++)
        put(code, i_type(OP_SW, i, base, at + RECORD_X + 4 * (int32_t)i));
    put_float_moves(code, s, OP_SWC1, OP_SDC1);
    put(code, r_type(OP_MFHI, temporary, 0, 0, 0));
    put(code, i_type(OP_SW, temporary, base, at + RECORD_HI));
    put(code, r_type(OP_MFLO, temporary, 0, 0, 0));
    put(code, i_type(OP_SW, temporary, base, at + RECORD_LO));
    put(code, OP_CFC1_FCSR | temporary << 16);
    put(code, i_type(OP_SW, temporary, base, at + RECORD_FCSR));

    put(code, i_type(OP_ADDIU, 4, 0, 1));
    put_constant(code, 5, s->record);
    put(code, i_type(OP_ADDIU, 6, 0, RECORD_SIZE));
    put(code, i_type(OP_ADDIU, 2, 0, SYS_WRITE));
    put(code, OP_SYSCALL);
    put(code, i_type(OP_BEQ, 2, 6, 4));
    put(code, 0);
    put(code, i_type(OP_ADDIU, 4, 0, 3));
    put(code, i_type(OP_ADDIU, 2, 0, SYS_EXIT));
    put(code, OP_SYSCALL);
}

static void fill_globals(uint8_t *globals, uint32_t handler, bool big)
{
    store32(globals + GLOBAL_ACTION, SA_SIGINFO | SA_ONSTACK, big);
    store32(globals + GLOBAL_ACTION + 4, handler, big);
    store32(globals + GLOBAL_STACK, GLOBALS_ADDRESS + GLOBAL_STACK_SPACE, big);
    store32(globals + GLOBAL_STACK + 4, GLOBALS_SIZE - GLOBAL_STACK_SPACE, big);
}

void mips_fill_globals(uint8_t *globals, uint32_t handler)
{
    fill_globals(globals, handler, false);
}

void mips_fill_globals_big(uint8_t *globals, uint32_t handler)
{
    fill_globals(globals, handler, true);
}

/* Notes the signal in the current record and goes on at the end of the stream. */
void mips_put_handler(code_buffer *code)
{
    enum { INFO = 5, CONTEXT = 6, GLOBALS = 8, RECORD = 9, VALUE = 10 };
    const int32_t pc = UCONTEXT_PC + (code->big_endian ? 4 : 0);
    put(code, i_type(OP_LUI, GLOBALS, 0, GLOBALS_ADDRESS >> 16));
    put(code, i_type(OP_LW, RECORD, GLOBALS, GLOBAL_CURRENT));
    for (int32_t i = 0; i < 16; i += 4) {
        put(code, i_type(OP_LW, VALUE, INFO, i));
        put(code, i_type(OP_SW, VALUE, RECORD, RECORD_SIGNAL + i));
    }
    put(code, i_type(OP_LW, VALUE, CONTEXT, pc));
    put(code, i_type(OP_SW, VALUE, RECORD, RECORD_FAULT));
    put(code, i_type(OP_LW, VALUE, RECORD, RECORD_RESUME));
    put(code, i_type(OP_SW, VALUE, CONTEXT, pc));
    put(code, r_type(OP_JR, 0, LINK, 0, 0));
    put(code, 0);
}

void mips_put_start(code_buffer *code, uint32_t first)
{
    static const uint8_t signals[] = {4, 5, 8, 10, 11}; /* ILL, TRAP, FPE, BUS, SEGV */
    enum { V0 = 2, A0 = 4, A1 = 5, A2 = 6, A3 = 7 };
    for (unsigned i = 0; i < sizeof signals; i++) {
        put_constant(code, A1, GLOBALS_ADDRESS + GLOBAL_ACTION);
        put(code, i_type(OP_ADDIU, A0, 0, signals[i]));
        put(code, i_type(OP_ADDIU, A2, 0, 0));
        put(code, i_type(OP_ADDIU, A3, 0, SIGSET_SIZE));
        put(code, i_type(OP_ADDIU, V0, 0, SYS_RT_SIGACTION));
        put(code, OP_SYSCALL);
    }
    put_constant(code, A0, GLOBALS_ADDRESS + GLOBAL_STACK);
    put(code, i_type(OP_ADDIU, A1, 0, 0));
    put(code, i_type(OP_ADDIU, V0, 0, SYS_SIGALTSTACK));
    put(code, OP_SYSCALL);
    put_constant(code, ISLAND_REGISTER, first);
    put(code, r_type(OP_JR, 0, ISLAND_REGISTER, 0, 0));
    put(code, 0);
}
