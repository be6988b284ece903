/*
 * batch.h - functions that are translated, compiled and loaded together.
 */
#ifndef GS_ENGINE_BATCH_H
#define GS_ENGINE_BATCH_H

#include "engine/fast/runtime/fast.h"

typedef struct gs_batch {
    gs_code *codes;
    size_t count;
    char *source;
    size_t size;
    size_t pointed; /* how many of gs_fast_pointed() were known then */
    void *object;   /* of dlopen(), once it is loaded; NULL: */
    bool quick;     /* the quick compiler has made it, or is to */
} gs_batch;

/* Has room for so many. False when memory is out. */
bool gs_batch_open(gs_batch *b, size_t room);
void gs_batch_close(gs_batch *b);

unsigned gs_code_steps(const gs_code *code);
unsigned gs_batch_steps(const gs_batch *b);

/* Whether there are numbers left for all of its superblocks. */
bool gs_batch_has_numbers(const gs_batch *b, const gs_fast_engine *fast);

/* The C of it. `paths`: an observer follows call paths. False when memory is out, or room for
 * blocks.
 */
bool gs_batch_write_source(gs_batch *b, gs_arena *arena, gs_machine *machine, gs_timing *timing,
                           gs_fast_engine *fast, bool paths);

/* The functions of an object of the host's compiler, for the caller to free; NULL if it is of no
 * use. */
gs_fast_function **gs_batch_open_object(gs_batch *b, const char *path);

/* Takes a function out of use. */
void gs_batch_unload(const gs_batch *b, gs_fast_engine *fast, gs_code *code);

/* Whether the code in memory is still what was translated. */
bool gs_code_is_unchanged(const gs_code *code, const gs_machine *machine);

#endif
