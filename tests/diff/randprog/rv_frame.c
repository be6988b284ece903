/*
 * RISC-V: what stands around the items: loading and storing registers, the loop, the
 * handler of signals and the start of the program.
 */
#include "randprog.h"
#include "rv_code.h"

/* The kernel's layout on RISC-V. */
enum {
    UCONTEXT_PC = 160, /* struct ucontext: uc_mcontext.pc */
    SA_SIGINFO = 4,
    SA_ONSTACK = 0x08000000,
    SIGSET_SIZE = 8,
    SYS_WRITE = 64,
    SYS_EXIT = 93,
    SYS_SIGALTSTACK = 132,
    SYS_RT_SIGACTION = 134,
};

/* The first base suits compressed loads; the second is often sp. x1 is linked by c.jal. */
void rv_choose_registers(rp_stream *s, rng *r)
{
    s->base[0] = rng_range(r, 8, 15);
    do
        s->base[1] = rng_once_in(r, 2) ? SP : rng_range(r, 2, 31);
    while (s->base[1] == s->base[0]);
    if (rng_once_in(r, 3)) {
        do
            s->counter = rng_range(r, 2, 31);
        while (s->counter == s->base[0] || s->counter == s->base[1]);
    }
}

void rv_fill_record(uint8_t *record, const rp_stream *s, rng *r)
{
    for (unsigned i = 0; i < 32; i++) {
        uint64_t f = value_double(r);
        if (s->singles >> i & 1) {
            f = value_single(r);
            f |= rng_once_in(r, 16) ? (uint64_t)value_word(r) << 32 : 0xffffffff00000000u;
        }
        store64(record + RECORD_F + 8 * i, f, false);
    }
    store32(record + RECORD_FCSR, rng_below(r, 5) << 5 | (rng_once_in(r, 4) ? rng_below(r, 32) : 0),
            false);
}

static void put(code_buffer *code, uint32_t word)
{
    code_put(code, word, 4);
}

void rv_put_nop(code_buffer *code, unsigned length)
{
    for (; length >= 4; length -= 4)
        put(code, OP_ADDI);
    if (length)
        code_put(code, 0x0001, 2);
}

uint32_t rv_put_island(code_buffer *code)
{
    put(code, OP_JAL | jump_bits(8));
    put(code, OP_JALR | ISLAND_REGISTER << 15);
    return code_here(code) - 4;
}

static void put_constant(code_buffer *code, unsigned rd, uint32_t value)
{
    put(code, OP_LUI | rd << 7 | ((value + 0x800) & 0xfffff000u));
    put(code, i_type(OP_ADDI, rd, rd, (int32_t)(value << 20) >> 20));
}

/* From base[0] to the start of the record. */
static int32_t record_offset(const rp_stream *s)
{
    return -(int32_t)(RECORD_SCRATCH + s->offset[0]);
}

void rv_put_enter(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    put_constant(code, base, s->record + RECORD_SCRATCH + s->offset[0]);
    put(code, i_type(OP_ADDI, temporary, base, at));
    put(code, OP_LUI | 3 << 7 | GLOBALS_ADDRESS);
    put(code, s_type(OP_SW, 3, temporary, GLOBAL_CURRENT));
    put(code, i_type(OP_LW, temporary, base, at + RECORD_FCSR));
    put(code, OP_CSRRW_FCSR | temporary << 15);
    for (unsigned i = 0; i < 32; i++)
        put(code, i_type(OP_FLD, i, base, at + RECORD_F + 8 * (int32_t)i));
    for (unsigned i = 1; i < 32; i++) {
        if (!stream_reserves(s, i))
            put(code, i_type(OP_LW, i, base, at + RECORD_X + 4 * (int32_t)i));
    }
    put(code, i_type(OP_ADDI, s->base[1], base, (int32_t)(s->offset[1] - s->offset[0])));
    if (s->counter)
        put(code, i_type(OP_ADDI, s->counter, 0, (int32_t)s->rounds));
}

void rv_put_loop(code_buffer *code, const rp_stream *s, uint32_t start)
{
    put(code, i_type(OP_ADDI, s->counter, s->counter, -1));
    /* a branch may not reach that far back; a jump does */
    put(code, OP_BEQ | s->counter << 15 | branch_bits(8));
    put(code, OP_JAL | jump_bits(start - code_here(code)));
}

void rv_put_exit(code_buffer *code, uint32_t first)
{
    enum { T0 = 5, LEFT = 6, GOAL = 7 };
    put(code, OP_LUI | T0 << 7 | GLOBALS_ADDRESS);
    put(code, i_type(OP_LW, LEFT, T0, GLOBAL_ROUNDS));
    put(code, i_type(OP_ADDI, LEFT, LEFT, -1));
    put(code, s_type(OP_SW, T0, LEFT, GLOBAL_ROUNDS));
    put_constant(code, GOAL, first);
    put(code, OP_BEQ | LEFT << 15 | branch_bits(8));
    put(code, OP_JALR | GOAL << 15);
    put(code, i_type(OP_ADDI, 10, 0, 0));
    put(code, i_type(OP_ADDI, 17, 0, SYS_EXIT));
    put(code, OP_ECALL);
}

void rv_put_leave(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    for (unsigned i = 0; i < 32; i++)
        put(code, s_type(OP_SW, base, i, at + RECORD_X + 4 * (int32_t)i));
    for (unsigned i = 0; i < 32; i++)
        put(code, s_type(OP_FSD, base, i, at + RECORD_F + 8 * (int32_t)i));
    put(code, OP_CSRRS_FCSR | temporary << 7);
    put(code, s_type(OP_SW, base, temporary, at + RECORD_FCSR));

    put(code, i_type(OP_ADDI, 10, 0, 1));
    put_constant(code, 11, s->record);
    put(code, i_type(OP_ADDI, 12, 0, RECORD_SIZE));
    put(code, i_type(OP_ADDI, 17, 0, SYS_WRITE));
    put(code, OP_ECALL);
    put(code, OP_BEQ | 10 << 15 | 12 << 20 | branch_bits(16));
    put(code, i_type(OP_ADDI, 10, 0, 3));
    put(code, i_type(OP_ADDI, 17, 0, SYS_EXIT));
    put(code, OP_ECALL);
}

void rv_fill_globals(uint8_t *globals, uint32_t handler)
{
    store32(globals + GLOBAL_ACTION, handler, false);
    store32(globals + GLOBAL_ACTION + 4, SA_SIGINFO | SA_ONSTACK, false);
    store32(globals + GLOBAL_STACK, GLOBALS_ADDRESS + GLOBAL_STACK_SPACE, false);
    store32(globals + GLOBAL_STACK + 8, GLOBALS_SIZE - GLOBAL_STACK_SPACE, false);
}

/* Notes the signal in the current record and goes on at the end of the stream. */
void rv_put_handler(code_buffer *code)
{
    enum { RA = 1, T0 = 5, RECORD = 6, VALUE = 7, INFO = 11, CONTEXT = 12 };
    put(code, OP_LUI | T0 << 7 | GLOBALS_ADDRESS);
    put(code, i_type(OP_LW, RECORD, T0, GLOBAL_CURRENT));
    for (int32_t i = 0; i < 16; i += 4) {
        put(code, i_type(OP_LW, VALUE, INFO, i));
        put(code, s_type(OP_SW, RECORD, VALUE, RECORD_SIGNAL + i));
    }
    put(code, i_type(OP_LW, VALUE, CONTEXT, UCONTEXT_PC));
    put(code, s_type(OP_SW, RECORD, VALUE, RECORD_FAULT));
    put(code, i_type(OP_LW, VALUE, RECORD, RECORD_RESUME));
    put(code, s_type(OP_SW, CONTEXT, VALUE, UCONTEXT_PC));
    put(code, OP_JALR | RA << 15);
}

void rv_put_start(code_buffer *code, uint32_t first)
{
    static const uint8_t signals[] = {4, 5, 7, 8, 11}; /* ILL, TRAP, BUS, FPE, SEGV */
    enum { A0 = 10, A1 = 11, A2 = 12, A3 = 13, A7 = 17 };
    put_constant(code, A1, GLOBALS_ADDRESS + GLOBAL_ACTION);
    put(code, i_type(OP_ADDI, A2, 0, 0));
    put(code, i_type(OP_ADDI, A3, 0, SIGSET_SIZE));
    put(code, i_type(OP_ADDI, A7, 0, SYS_RT_SIGACTION));
    for (unsigned i = 0; i < sizeof signals; i++) {
        put(code, i_type(OP_ADDI, A0, 0, signals[i]));
        put(code, OP_ECALL);
    }
    put_constant(code, A0, GLOBALS_ADDRESS + GLOBAL_STACK);
    put(code, i_type(OP_ADDI, A1, 0, 0));
    put(code, i_type(OP_ADDI, A7, 0, SYS_SIGALTSTACK));
    put(code, OP_ECALL);
    put_constant(code, ISLAND_REGISTER, first);
    put(code, OP_JALR | ISLAND_REGISTER << 15);
}
