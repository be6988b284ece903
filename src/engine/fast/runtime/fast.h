/*
 * fast.h - the engine that runs translated code and still counts every cycle.
 *
 * It shares a run with the reference engine: the reference engine starts, and takes over for
 * whatever translated code does not do (a device, a system call, a trap, an interrupt that is due).
 * Translated code has entries, at the start of some superblocks, and can be left anywhere; each
 * takes over with the pipeline in exactly the state the other left it in.
 *
 * Belongs to one run of one machine and is not safe to share between threads.
 */
#ifndef GS_ENGINE_FAST_H
#define GS_ENGINE_FAST_H

#include "engine/fast/automaton/automaton.h"
#include "engine/fast/runtime/icache_lru.h"
#include "engine/fast/translate/translate.h"
#include "engine/fast/automaton/predict.h"

typedef struct gs_fast_engine gs_fast_engine;

/* Opens an engine. `timing` may be NULL: then instructions are counted, and a cycle is an
 * instruction; observers need a timing. NULL in *out with GS_OK if the core, or this host, does
 * not allow it. */
gs_status gs_fast_open(gs_fast_engine **out, gs_machine *machine, gs_timing *timing,
                       const gs_bulk_group *observers, gs_error *err);
void gs_fast_free(gs_fast_engine *engine);

/* Predicts the states of the pipeline at the superblocks of functions, before they are
 * translated. False when memory is out. */
bool gs_fast_predict(gs_fast_engine *engine, gs_arena *arena, gs_code *codes, size_t count);

/* The structure that translated code accesses. Borrowed. */
const gs_fast *gs_fast_shared(const gs_fast_engine *engine);

/* When I-cache lines were used. Borrowed. */
gs_icache_lru *gs_fast_icache_lru(gs_fast_engine *e);

/* Whether stores that go through have to note when they have missed: gs_translation_options.dates.
 */
bool gs_fast_dates_passes(const gs_fast_engine *engine);

/* What a translation has to be made with: the number of its first superblock, and the offset from
 * gs_fast behind which its blocks lie. Code of the quick compiler has numbers and room of its own.
 */
uint32_t gs_fast_next_number(const gs_fast_engine *engine, bool quick);
uint32_t gs_fast_near_used(const gs_fast_engine *engine, bool quick);

/* Whether there is room for the blocks of some code. */
bool gs_fast_has_room(const gs_fast_engine *engine, const gs_code *codes, size_t count);

/* Takes the functions of a loaded translation into use; functions[i] is that of codes[i]. */
gs_status gs_fast_add(gs_fast_engine *engine, const gs_code *codes,
                      gs_fast_function *const *functions, size_t count, gs_error *err);

/* Whether any code has been taken into use. */
bool gs_fast_has_code(const gs_fast_engine *engine);

/* Makes sure that a store into this code is noticed. */
void gs_fast_decode(gs_fast_engine *engine, const gs_code *code);

/* How long it took to enter functions in states that were not predicted: all of them so far; and
 * one of them, since the last call. If that one is translated again, more of its states are known.
 * GS_FAST_UNPREDICTED_SAMPLE units are as long as 10 us of the reference engine. */
enum { GS_FAST_UNPREDICTED_SAMPLE = 800 };
uint64_t gs_fast_unpredicted(const gs_fast_engine *engine);
uint64_t gs_fast_take_unpredicted(gs_fast_engine *engine, const gs_code *code);

/* Takes a function out of use. */
void gs_fast_remove(gs_fast_engine *engine, const gs_code *code);

/* Functions that seem to be called through pointers, see predict.h: adds one, unless it is
 * there; and all of them, in the order they were added. */
void gs_fast_point_to(gs_fast_engine *engine, gs_addr function);
const gs_pointed *gs_fast_pointed(const gs_fast_engine *engine);

/* Non-zero at next_pc >> 1 & GS_FAST_FILTER_MASK if there may be an entry at next_pc. */
enum { GS_FAST_FILTER_MASK = 0xffff };
const uint8_t *gs_fast_filter(const gs_fast_engine *engine);

/* From this cycle on, so close to a deadline, or to that of gs_fast_due(), translated code is not
 * entered. */
uint64_t gs_fast_entered_until(const gs_fast_engine *engine, uint64_t deadline);

/* Runs translated code from hart.pc, if there is any, as far as there is; not up to cycle
 * `deadline`, and not up to `max_instructions` retired. *ran says whether any has run. */
gs_status gs_fast_run(gs_fast_engine *engine, uint64_t deadline, uint64_t max_instructions,
                      bool *ran, gs_error *err);

/* Whether it stopped because a slice of time was over, and not because of the code there. */
bool gs_fast_slice_ended(const gs_fast_engine *engine);

const gs_automaton *gs_fast_automaton(const gs_fast_engine *engine);

/* Brings the counts of the timing and of the observers up to date. */
void gs_fast_settle(gs_fast_engine *engine);
/* Tells the observers what has been executed so far, and asks them when they want to know again
 * (gs_bulk_observer.due). gs_fast_run() may do so, too, if they can be told while translated code
 * goes on; if not, it does not run up to that cycle. */
void gs_fast_settle_due(gs_fast_engine *engine);
/* That cycle. */
uint64_t gs_fast_due(const gs_fast_engine *engine);
/* The same before code is changed that has been counted: to be called before the observers learn
 * of the change. */
void gs_fast_settle_old_code(gs_fast_engine *engine);

/* Where call paths are followed: whether the observer has found more loops since the last call.
 * Code with a loop that was not known when it was translated has to be dropped. */
bool gs_fast_take_loops(gs_fast_engine *engine);

#endif
