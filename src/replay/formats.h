/*
 * formats.h - traces that other tools write, one instruction after the other.
 *
 * A reader takes bytes of a source and gives records. It knows no program: bytes of code that the
 * trace has are compared with the ELF file by the player. To add a format is to write a reader and
 * to enter it in formats.c.
 */
#ifndef GS_REPLAY_FORMATS_H
#define GS_REPLAY_FORMATS_H

#include "replay/input.h"

typedef enum gs_replay_what {
    GS_REPLAY_RETIRED,
    GS_REPLAY_BLOCK,   /* all instructions from `pc` to the next jump, or to next_pc */
    GS_REPLAY_TRAPPED, /* the instruction at `pc` has trapped, or an interrupt came before it: where
                          control went, the next record says */
    GS_REPLAY_END,
} gs_replay_what;

enum { GS_REPLAY_CODE = 16 };

typedef struct gs_replay_record {
    gs_replay_what what;
    uint64_t pc;
    uint8_t code[GS_REPLAY_CODE]; /* in the order of memory */
    unsigned code_size;           /* 0: the trace does not have them */
    uint64_t address;
    unsigned size; /* of the access; 0: none */
    bool has_cycle, has_stack;
    bool tells_stack; /* the trace says which registers are written */
    bool has_next;    /* it says where control goes: next_pc, unless an interrupt comes */
    bool interrupts;  /* and one does */
    uint64_t next_pc;
    uint64_t cycle;  /* in which it retired, from 1 on */
    uint64_t stack;  /* the stack pointer behind it */
    bool has_stalls; /* the clocks without retirement before it have causes: `stalls`, by the
                        names in stalls.def */
    uint64_t stalls[16];
    uint64_t icache_hits, icache_misses, dcache_hits, dcache_misses;
    bool has_caches, writes;
} gs_replay_record;

typedef struct gs_replay_reader_options {
    const char *prefix; /* or NULL */
    unsigned sp;        /* number of the stack pointer in the register file */
    bool big_endian;    /* the program */
} gs_replay_reader_options;

typedef struct gs_replay_format_reader {
    const char *name;
    /* Whether the first bytes look like it. */
    bool (*recognizes)(const char *bytes, size_t size);
    gs_status (*open)(void **state, gs_input *source, const gs_replay_reader_options *options,
                      gs_error *err);
    /* `record` is all zero when this is called. */
    gs_status (*next)(void *state, gs_replay_record *record, gs_error *err);
    void (*close)(void *state); /* NULL is fine */
} gs_replay_format_reader;

extern const gs_replay_format_reader gs_replay_qemu, gs_replay_spike, gs_replay_rvfi,
    gs_replay_ibex, gs_replay_cva6, gs_replay_tarmac, gs_replay_vcd;

/* All of them, which NULL ends. */
extern const gs_replay_format_reader *const gs_replay_readers[];

/* "NAME: line N: " and the message, as a failure. */
gs_status gs_replay_bad_line(const gs_input *source, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
