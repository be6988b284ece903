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
    size_t pointed; /* gs_fast_pointed()->count when it was written */
    void *object;   /* handle of dlopen(), once it is loaded */
    bool quick;     /* of the quick compiler */
} gs_batch;

/* Makes room for `count` functions. False when memory is out. */
bool gs_batch_open(gs_batch *b, size_t room);
void gs_batch_close(gs_batch *b);

unsigned gs_code_steps(const gs_code *code);
unsigned gs_batch_steps(const gs_batch *b);

/* Whether there are numbers left for all of its superblocks. */
bool gs_batch_has_numbers(const gs_batch *b, const gs_fast_engine *fast);

/* Writes the C of a batch. `paths`: an observer follows call paths. False when memory is out, or
 * there is no room for its blocks. */
bool gs_batch_write_source(gs_batch *b, gs_arena *arena, gs_machine *machine, gs_timing *timing,
                           gs_fast_engine *fast, bool paths);

/* The functions of an object of the host's compiler, for the caller to free; NULL if it is
 * unusable. */
gs_fast_function **gs_batch_open_object(gs_batch *b, const char *path);

/* Takes a function out of use. */
void gs_batch_unload(const gs_batch *b, gs_fast_engine *fast, gs_code *code);

/* Whether the code in memory is still what was translated. */
bool gs_code_is_unchanged(const gs_code *code, const gs_machine *machine);

#endif
