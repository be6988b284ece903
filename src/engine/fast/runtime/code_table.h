/*
 * code_table.h - the translated code that is in use.
 *
 * Functions and their superblocks, the addresses where the engine may enter them, and the functions
 * that seem to be called through pointers.
 */
#ifndef GS_ENGINE_FAST_CODE_TABLE_H
#define GS_ENGINE_FAST_CODE_TABLE_H

#include "engine/fast/automaton/predict.h"
#include "engine/fast/runtime/dcache.h"
#include "engine/fast/runtime/fast.h"
#include "engine/fast/runtime/icache.h"

/* A translated function that is in use. */
typedef struct gs_fast_code {
    gs_superblock *superblocks;
    size_t count;
    uint32_t superblock_count;   /* with clones */
    uint32_t number;             /* among all of them */
    uint32_t cells;              /* total size of its blocks */
    bool quick;                  /* see gs_code */
    const gs_inferred *inferred; /* see gs_code */
    size_t inferred_count;
    uint64_t unpredicted; /* see gs_fast_take_unpredicted() */
} gs_fast_code;

/* A superblock in use, by number. */
typedef struct gs_numbered {
    gs_superblock *superblock;
    gs_fast_code *code;
    gs_line_use *lines;       /* the lines it looks up when it is entered, in order */
    size_t line_count;        /* a copy of superblock->line_count, to save a memory access */
    gs_data_access *accesses; /* all its data accesses, in order */
} gs_numbered;

typedef struct gs_fast_entry {
    gs_addr pc;
    gs_fast_function *run; /* NULL: cannot be entered from outside its function */
    gs_superblock *superblock;
} gs_fast_entry;

typedef struct gs_code_table {
    struct {
        gs_numbered *items;
        size_t count, capacity;
    } superblocks[2]; /* by number: those of the optimizing tier, and those of the quick one */
    struct {
        gs_fast_entry *items;
        size_t count, capacity;
    } entries; /* by pc */
    uint8_t filter[GS_FAST_FILTER_MASK + 1];
    uint32_t code_count, quick_count; /* number of all functions so far; of quick ones in use */
    uint64_t margin;                  /* in cycles: no superblock takes longer */
    uint64_t early;                   /* in cycles: so many the constant of an exit may be less than
                                         its cost, as it has the penalty of where it leads */
    gs_pointed pointed;
} gs_code_table;

static inline gs_numbered *gs_code_table_numbered(const gs_code_table *table, uint64_t number)
{
    return &table->superblocks[number >= GS_FAST_QUICK_FIRST].items[number % GS_FAST_QUICK_FIRST];
}

/* `c` gets the table of entries. */
void gs_code_table_open(gs_code_table *table, gs_fast *c);
void gs_code_table_close(gs_code_table *table);

/* The entry to run at `pc`, or NULL. */
gs_fast_function *gs_code_table_function(const gs_code_table *table, gs_fast *c, gs_addr pc);

#endif
