/*
 * randprog.h - random programs for comparing two implementations of an instruction set.
 *
 * A program is a row of streams. Each stream loads every register from its own record,
 * runs a body of random instructions, stores every register back into the record and
 * writes the record to standard output. A body is a row of items: an instruction, or a
 * few that belong together (a guard and what it guards, a jump and its delay slot).
 * Everything follows from the seed, and an item from (seed, stream, item) alone, so that
 * an item keeps its meaning while others are left out.
 *
 * Jumps go forward over a few items, or far back to an island: a jump through a register
 * that the item has pointed at its own end. There are two in every stream.
 *
 * In some streams instructions may trap: the handler notes what the signal says and goes on
 * at the end of the stream, where all registers must be as the instruction found them.
 *
 * Registers a body must not change: two that point into the scratch area of the record,
 * and the counter of the loop around the body, if there is one.
 */
#ifndef RANDPROG_H
#define RANDPROG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"

/* -- Random numbers and values ------------------------------------------------------- */

typedef struct rng {
    uint64_t state;
} rng;

rng rng_for(uint64_t seed, uint64_t stream, uint64_t item);
uint64_t rng_next(rng *r);
unsigned rng_below(rng *r, unsigned bound);              /* [0, bound) */
unsigned rng_range(rng *r, unsigned low, unsigned high); /* [low, high] */
bool rng_once_in(rng *r, unsigned n);

/* Values that like to break things, and some that do not. */
uint32_t value_word(rng *r);
int32_t value_immediate(rng *r, unsigned bits); /* signed, near zero or at the ends */
uint32_t value_single(rng *r);
uint64_t value_double(rng *r);

/* -- Code ---------------------------------------------------------------------------- */

typedef struct code_word {
    uint32_t word;
    unsigned length; /* in bytes */
} code_word;

enum { ITEM_WORDS = 8 };

typedef struct rp_item {
    code_word code[ITEM_WORDS];
    unsigned count;
    int skip;       /* jumps over that many items; -1 if it does not jump */
    bool far;       /* jumps to an island and from there to its own end instead */
    unsigned jump;  /* the word that holds the jump's distance, */
    unsigned patch; /* and how: the target's own numbering */
} rp_item;

unsigned item_length(const rp_item *it);

/* Code being written, at its address. */
typedef struct code_buffer {
    uint8_t *bytes;
    size_t size, room;
    uint32_t address;
    bool big_endian;
} code_buffer;

uint32_t code_here(const code_buffer *code);
void code_put(code_buffer *code, uint32_t word, unsigned length);

/* -- Streams ------------------------------------------------------------------------- */

/* A record: what is loaded before a body and stored after it. */
enum {
    RECORD_X = 0,      /* 32 words */
    RECORD_F = 128,    /* 32 double words, or words */
    RECORD_FCSR = 384, /* words */
    RECORD_HI = 388,
    RECORD_LO = 392,
    RECORD_NUMBER = 396,  /* of the stream; never changed */
    RECORD_RESUME = 400,  /* where its end is; never changed */
    RECORD_SIGNAL = 404,  /* the start of struct siginfo: 4 words */
    RECORD_FAULT = 420,   /* the pc the signal came from */
    RECORD_SCRATCH = 448, /* what loads and stores of the body may touch */
    RECORD_SIZE = 960,
    SCRATCH_SIZE = RECORD_SIZE - RECORD_SCRATCH,
};

/* Before the records: for the handler of signals. */
enum {
    GLOBALS_ADDRESS = 0x10000000,
    GLOBAL_CURRENT = 0, /* address of the record of the stream that runs */
    GLOBAL_ROUNDS = 4,  /* still to go through */
    GLOBAL_ACTION = 16, /* struct sigaction */
    GLOBAL_STACK = 64,  /* stack_t */
    GLOBAL_STACK_SPACE = 256,
    GLOBALS_SIZE = 1 << 15,
    RECORDS_ADDRESS = GLOBALS_ADDRESS + GLOBALS_SIZE,
};

struct rp_target;

typedef struct rp_stream {
    const struct rp_target *target;
    const gs_decoder *decoder;
    uint32_t record;    /* address */
    unsigned base[2];   /* registers */
    uint32_t offset[2]; /* where in the scratch area they point */
    unsigned counter;   /* register, or 0: no loop */
    unsigned rounds;
    bool traps;             /* now and then, on purpose */
    unsigned also_reserved; /* for the moment: another register, or 0 */
    uint32_t singles;       /* floating point registers that mostly hold single precision */
    bool expand;            /* spell Zicond and Zcb as others: for a referee that lacks them */
} rp_stream;

bool stream_reserves(const rp_stream *s, unsigned reg);

/* Whether an access of `size` bytes at base `reg` + `offset` stays in the scratch area. */
bool stream_allows(const rp_stream *s, unsigned reg, int32_t offset, unsigned size);

/* One per instruction set, byte order and floating point mode. */
typedef struct rp_target {
    const char *name;
    const gs_isa *isa;
    bool big_endian;
    bool wide; /* MIPS: floating point registers have 64 bits each */
    bool full; /* RISC-V: no compressed instructions */
    uint16_t elf_machine;
    uint32_t elf_flags;

    /* In random code. */
    bool (*is_wanted)(const struct rp_target *target, const gs_encoding *encoding);
    void (*choose_registers)(rp_stream *s, rng *r);
    void (*fill_record)(uint8_t *record, const rp_stream *s, rng *r);
    void (*make_item)(rp_item *out, const rp_stream *s, rng *r);
    /* Points the item's jump at `to`; the item itself stands at `at`. */
    void (*patch)(rp_item *it, uint32_t at, uint32_t to);
    uint32_t (*reach)(const rp_item *it); /* how far back its jump can go */
    uint32_t (*put_island)(
        code_buffer *code); /* code that control does not fall into; its address */
    /* An instruction as text; NULL where this is a disassembler's task. */
    void (*text)(const gs_insn *insn, uint64_t pc, char *to, size_t size);
    void (*put_nop)(code_buffer *code, unsigned length);
    void (*put_enter)(code_buffer *code, const rp_stream *s);
    void (*put_loop)(code_buffer *code, const rp_stream *s, uint32_t start);
    void (*put_leave)(code_buffer *code, const rp_stream *s);
    void (*put_handler)(code_buffer *code);
    void (*put_start)(code_buffer *code, uint32_t first); /* sets up signals, goes to `first` */
    void (*fill_globals)(uint8_t *globals, uint32_t handler);
    void (*put_exit)(code_buffer *code, uint32_t first); /* or another round, from `first` on */
} rp_target;

extern const rp_target target_rv32, target_rv32_full;
extern const rp_target target_mipsel, target_mips;           /* NaNs as ever */
extern const rp_target target_mipsel_wide, target_mips_wide; /* with wide registers */
extern const rp_target target_mipsel_2008, target_mips_2008; /* and NaNs of IEEE 754-2008 */

void store16(uint8_t *to, uint32_t value, bool big_endian);
void store32(uint8_t *to, uint32_t value, bool big_endian);
void store64(uint8_t *to, uint64_t value, bool big_endian);

/* -- The file ------------------------------------------------------------------------ */

typedef struct rp_program {
    const rp_target *target;
    const uint8_t *text, *data;
    size_t text_size, data_size;
    uint32_t text_address, data_address, entry;
    const uint32_t *starts; /* of the streams: become symbols */
    unsigned first, count;  /* number of the first one, how many */
} rp_program;

/* An executable ELF file with enough sections for a disassembler. */
bool program_write(const rp_program *p, const char *path);

#endif
