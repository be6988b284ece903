/*
 * rounds.h - how many rounds a loop makes each time it is entered.
 *
 * A loop's header is reached along a back edge, which is another round, or along another edge,
 * which is another entry; nothing else need be seen of it. So the recorder reports the arrivals
 * at headers, with the frame of the call stack they happen in. A run of rounds belongs to a frame,
 * and is over when the frame has gone, in whatever way. Nobody has to tell: that shows when another
 * frame comes to the same header, or in the end.
 *
 * Which edges are back edges is known from the program's code, as far as direct jumps lead.
 * Where indirect jumps go shows only as they are made, so the knowledge grows along the run
 * (gs_rounds_learn()). An edge in code not known yet is `unsure`: runs are counted both ways until
 * the end tells. What was learnt late does not spoil what was counted before: until an edge is
 * first taken, the loop that it closes makes one round per entry.
 */
#ifndef GS_PROFILE_ROUNDS_H
#define GS_PROFILE_ROUNDS_H

#include "engine/fast/runtime.h"
#include "image/cfg.h"

typedef struct gs_rounds gs_rounds;

/* Borrows the image. */
gs_status gs_rounds_open(gs_rounds **out, const gs_image *image, gs_error *err);
void gs_rounds_free(gs_rounds *rounds);

/* The headers that are known, in no order. Their number only grows. */
size_t gs_rounds_count(const gs_rounds *rounds);
uint32_t gs_rounds_header(const gs_rounds *rounds, size_t index);

/* What a direct jump from `from` to `to` means for a loop at `to`. */
gs_arrival gs_rounds_jump(const gs_rounds *rounds, uint32_t from, uint32_t to);

/* An unsure edge leads from `from` to `to`: makes `to` a header, as far as anybody knows. */
void gs_rounds_suspect(gs_rounds *rounds, uint32_t from, uint32_t to);

/* The header of the innermost loop around `pc`, or UINT32_MAX if it is in none that is known. */
uint32_t gs_rounds_loop_around(const gs_rounds *rounds, uint32_t pc);

bool gs_rounds_knows_code(const gs_rounds *rounds, uint32_t pc);

/* Learns from jumps that were made. How much work that was, in blocks. */
gs_status gs_rounds_learn(gs_rounds *rounds, const gs_observed_jump *jumps, size_t count,
                          gs_error *err);
size_t gs_rounds_effort(const gs_rounds *rounds);

/* An edge is now known to be other than it was taken for. */
void gs_rounds_spoil(gs_rounds *rounds, uint32_t to);

/* Control came to header `index`. `frame` is the last one on the stack. Further rounds are counted
 * by who says where, if it is not NULL. */
void gs_rounds_arrive(gs_rounds *rounds, size_t index, gs_arrival arrival,
                      const gs_fast_frame *frame, const uint64_t *counter);

/* That did not happen after all, and nothing has happened since. */
void gs_rounds_undo(gs_rounds *rounds, size_t index, gs_arrival arrival);

/* Control goes on in the middle of the loop. Whether its frame has a run there. */
bool gs_rounds_resume(gs_rounds *rounds, size_t index, const gs_fast_frame *frame);

/* By header, the run that is going on. Whoever comes along a back edge in its frame may count the
 * round here, and who enters may say so with gs_fast_loop_enter(). Until the next header is made.
 */
gs_fast_loop *gs_rounds_going(gs_rounds *rounds);

/* Whatever others have as counters of rounds is about to go. */
void gs_rounds_count_all_here(gs_rounds *rounds);

/* The run is over, and a last gs_rounds_learn() has told all there is to know. */
void gs_rounds_finish(gs_rounds *rounds);

/* The fewest and the most rounds of the loop at `header`, entered so often. False if they are not
 * known: an edge was not understood in time. */
bool gs_rounds_result(const gs_rounds *rounds, uint32_t header, uint64_t entries, uint64_t *fewest,
                      uint64_t *most);
const gs_cfg *gs_rounds_cfg(const gs_rounds *rounds);

bool gs_rounds_out_of_memory(const gs_rounds *rounds);

#endif
