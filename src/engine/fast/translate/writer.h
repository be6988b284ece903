/*
 * writer.h - the state of writing a translation, for the files that write it.
 *
 * The semantics column of the instruction table is C but for some words, which stand for registers,
 * fields, accesses and traps. rewrite.c replaces these; the other words are macros of ../prelude
 * and of the instruction set's *_ops.h. Accesses get a label to go to if they cannot be done.
 */
#ifndef GS_ENGINE_WRITER_H
#define GS_ENGINE_WRITER_H

#include "engine/fast/translate/icache_lines.h"
#include "engine/fast/translate/semantics.h"
#include "engine/fast/translate/spills.h"
#include "engine/fast/translate/translate.h"
#include "engine/fast/automaton/predict.h"
#include "isa/disassembler.h"

/* Numbers of registers: in gs_fast.x, and from FLOATS on in gs_fast.f. */
enum {
    GS_HI = 34,
    GS_LO = 35,
    GS_SINK = 32,
    GS_FLOATS = 36,
    GS_REGISTERS = GS_FLOATS + 32,
};

/* What one access checks for those that follow; see access_groups.c. */
typedef struct gs_range {
    bool known;         /* an access checks it: this one or an earlier one */
    uint8_t span, size; /* size of the range from the lowest byte on, and its alignment; 0: not
                           checked by this access */
    uint8_t need;       /* kinds of access that are checked: GS_FAST_* */
    int32_t low;        /* offset of the range from the base register */
    /* Or, with a cache, how many accesses from this one on; and the first that is by another
     * register, or NULL. */
    uint8_t count;
    const gs_step *other;
} gs_range;

typedef struct gs_writer {
    FILE *to;
    const gs_translation_options *options;
    const gs_isa *isa;
    gs_fast_layout layout;
    const gs_code *codes;
    size_t code_count;
    const gs_code *code;    /* the function that is being written, */
    const gs_superblock *s; /* its current superblock, */
    unsigned base;          /* the number of its first superblock */
    uint32_t near;          /* options for this function, see gs_translation_options */
    FILE *cold;             /* text for code off the fast path */
    bool tests;             /* a branch is an `if` */
    unsigned leave;         /* label for the instruction to go back to if this one cannot be
                               executed */
    gs_registers used;      /* in the function, */
    gs_registers written;   /* in the superblock so far */
    gs_spills spills;
    gs_icache_lines lines;
    uint8_t leaves[GS_SUPERBLOCK_STEPS + 2];         /* which labels are needed: GS_LEAVES_*, */
    gs_registers left_with[GS_SUPERBLOCK_STEPS + 2]; /* and what the superblock has written there */
    gs_range ranges[GS_SUPERBLOCK_STEPS + 2];
    gs_float_use float_use; /* that this superblock has made sure of */
    gs_disassembler *disassembler;
} gs_writer;

/* A register's name in C, in `buffer` if need be. */
const char *gs_writer_register_name(unsigned number, char *buffer);
void gs_writer_put_register(gs_writer *w, unsigned number, bool written);
/* A text for each of some registers: the formats get its name and its index, for integers and for
 * floats. */
void gs_writer_put_list(FILE *to, const gs_registers *which, const char *format,
                        const char *float_format);
/* Formats that put a register back. */
#define GS_PUT_BACK       "c->x[%2$u] = %1$s"
#define GS_PUT_BACK_FLOAT "c->f[%2$u] = %1$s"

/* The label to go to if the current instruction cannot be executed. If a stub says so, it has
 * noted which instruction it is: then it is the noted label. */
enum { GS_LEAVES = 1, GS_LEAVES_NOTED = 2 };
void gs_writer_put_leave(gs_writer *w);
void gs_writer_put_noted_leave(gs_writer *w);

/* Writes what the instruction does, as a statement; of a jump, its `condition` or target
 * (`goal`). */
void gs_writer_put_semantics(gs_writer *w, const gs_step *step);

/* Shift of a site's bits in the key, or 0. */
unsigned gs_writer_shift_of(const gs_writer *w, int site);

/* The number of a superblock among all that have been translated. */
unsigned gs_writer_number_of(const gs_writer *w, const gs_superblock *s);

/* The index of the known state a superblock is in, as C: c->state is only kept if there is more
 * than one. */
const char *gs_writer_state_of(const gs_writer *w, const gs_superblock *s);

/* The name of a superblock, for "%08x%s" in labels. */
const char *gs_writer_suffix(const gs_superblock *s);
#define GS_LABEL(s) (s)->pc, gs_writer_suffix(s)

bool gs_writer_minds_stores(const gs_writer *w);

/* -- access_groups.c: accesses that are looked at together -- */

void gs_writer_find_ranges(gs_writer *w);
/* RANGE or GROUP for a step, or nothing. */
void gs_writer_put_range(gs_writer *w, const gs_step *step);

/* -- exits.c: looking code up, and exits of a superblock -- */

/* BEGIN for a superblock that looks lines up. */
void gs_writer_put_begin(gs_writer *w);
/* FETCH for a site, or nothing. */
void gs_writer_put_fetch(gs_writer *w, int site);
/* If fetch goes down the wrong path here: checks each line it can reach. */
void gs_writer_put_wrong_path(gs_writer *w, int site);
/* The predictor learns how a jump went. */
void gs_writer_put_guess(gs_writer *w, const gs_step *step, bool taken);
/* The exit by the jump at step `taken`. */
unsigned gs_writer_exit_of(const gs_writer *w, unsigned taken);
/* Where the iterations of a loop are counted. */
void gs_writer_put_counter(const gs_superblock *header, FILE *to);
void gs_writer_put_exit(gs_writer *w, unsigned number);

/* -- steps.c: what a superblock does, and how control comes to it -- */

void gs_writer_put_superblock(gs_writer *w, const gs_superblock *s);
/* Writes the entry of a superblock in the state number `after`. */
void gs_writer_put_entry(gs_writer *w, const gs_superblock *s);
/* The cell that counts how often control enters a superblock by no exit, less how often it
 * leaves by none; or -1. */
int gs_writer_otherwise(const gs_writer *w, const gs_superblock *s);

#endif
