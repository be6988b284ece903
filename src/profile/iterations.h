/*
 * iterations.h - how many iterations a loop makes each time it is entered.
 *
 * A loop's header is reached along a back edge, which is another iteration, or along another edge,
 * which is another entry; nothing else need be seen of it. So the recorder reports the arrivals
 * at headers, with the frame of the call stack they happen in. A run of iterations belongs to a
 * frame, and is over when the frame has gone, however it went: that shows when another frame comes
 * to the same header, or in the end. What is going on in a thread is put away while others run.
 *
 * Which edges are back edges is known from the program's code, as far as direct jumps lead.
 * Where indirect jumps go shows only as they are made, so the knowledge grows along the run
 * (gs_iterations_learn()). An edge in code not known yet is `unsure`: runs are counted both ways
 * until the end tells. What was learnt late does not spoil what was counted before: until an edge
 * is first taken, the loop that it closes makes one iteration per entry.
 */
#ifndef GS_PROFILE_ITERATIONS_H
#define GS_PROFILE_ITERATIONS_H

#include "image/cfg.h"
#include "probe/callstack.h"

typedef struct gs_iterations gs_iterations;

/* Borrows the image. */
gs_status gs_iterations_open(gs_iterations **out, const gs_image *image, gs_error *err);
void gs_iterations_free(gs_iterations *iterations);

/* The headers that are known, in no order. Their number only grows. */
size_t gs_iterations_count(const gs_iterations *iterations);
uint32_t gs_iterations_header(const gs_iterations *iterations, size_t index);

/* What a direct jump from `from` to `to` means for a loop at `to`. */
gs_arrival gs_iterations_jump(const gs_iterations *iterations, uint32_t from, uint32_t to);

/* An unsure edge leads from `from` to `to`: makes `to` a header until more is known. */
void gs_iterations_suspect(gs_iterations *iterations, uint32_t from, uint32_t to);

/* The header of the innermost loop around `pc`, or UINT32_MAX if it is in none that is known. */
uint32_t gs_iterations_loop_around(const gs_iterations *iterations, uint32_t pc);

bool gs_iterations_knows_code(const gs_iterations *iterations, uint32_t pc);

/* Learns from jumps that were made. How much work that was, in blocks. */
gs_status gs_iterations_learn(gs_iterations *iterations, const gs_observed_jump *jumps,
                              size_t count, gs_error *err);
size_t gs_iterations_effort(const gs_iterations *iterations);

/* An edge is now known to be other than it was taken for. */
void gs_iterations_spoil(gs_iterations *iterations, uint32_t to);

/* Control came to header `index`. `frame` is the last one on the stack. Further iterations are
 * counted in `counter`, if it is not NULL. */
void gs_iterations_arrive(gs_iterations *iterations, size_t index, gs_arrival arrival,
                          const gs_frame *frame, const uint64_t *counter);

/* Takes the last arrival back; nothing may have happened since. */
void gs_iterations_undo(gs_iterations *iterations, size_t index, gs_arrival arrival);

/* Control goes on in the middle of the loop. Whether its frame has a run there. */
bool gs_iterations_resume(gs_iterations *iterations, size_t index, const gs_frame *frame);

/* By header, the run that is going on. The caller may count an iteration here, when control comes
 * along a back edge in the run's frame, and enter a loop with gs_loop_run_enter(). Valid until the
 * next header is made. */
gs_loop_run *gs_iterations_going(gs_iterations *iterations);

/* Control goes from one thread to another. `last` is the last frame of the thread that is left,
 * NULL if that has come to its end. */
void gs_iterations_switch(gs_iterations *iterations, uint32_t from, const gs_frame *last,
                          uint32_t to);

/* The run is over, and a last gs_iterations_learn() has told all there is to know. */
void gs_iterations_finish(gs_iterations *iterations);

/* The fewest and the most iterations of the loop at `header`, entered so often. False if they are
 * not known: an edge was not understood in time. */
bool gs_iterations_result(const gs_iterations *iterations, uint32_t header, uint64_t entries,
                          uint64_t *fewest, uint64_t *most);
const gs_cfg *gs_iterations_cfg(const gs_iterations *iterations);

bool gs_iterations_out_of_memory(const gs_iterations *iterations);

#endif
