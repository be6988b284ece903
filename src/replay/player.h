/*
 * player.h - makes a run of what a trace tells.
 *
 * A player is told of one retired instruction after the other, and tells timing and observers,
 * through the seam that the engines use (engine/watch.h). Where control went it finds out from the
 * instruction that comes next, so each is held until then; a branch until its delay slot has gone
 * as well. Nothing is executed: of the machine, memory has the code and the hart the pc, the number
 * of instructions, and the stack pointer.
 *
 * The machine, the timing and the observers are borrowed.
 */
#ifndef GS_REPLAY_PLAYER_H
#define GS_REPLAY_PLAYER_H

#include "engine/watch.h"
#include "timing/recorded.h"

/* The trace does not say how many bytes were accessed, but the instruction does. */
enum { GS_PLAYED_SIZE_OF_INSN = 0xff };

/* An instruction as a trace tells it. */
typedef struct gs_played {
    uint64_t pc;
    const uint8_t *code; /* its bytes as the trace has them, or NULL */
    unsigned code_size;
    uint64_t address;
    unsigned size; /* of its access; 0: none */
    bool taken;    /* it jumps, even if that leads straight on */
    uint64_t value[2];
    const gs_recorded_cost *cost; /* NULL: a cycle */
} gs_played;

/* An instruction of which it is not known yet what follows. */
typedef struct gs_held {
    const gs_insn *insn; /* or NULL: there is none */
    uint32_t pc;
    uint64_t address, target;
    uint64_t value[2];
    gs_flow flow;
    uint8_t size;
    bool taken, costly, moves_stack, marks;
    uint32_t sp;           /* if it moves the stack pointer: to where */
    gs_recorded_cost cost; /* if costly */
} gs_held;

enum { GS_PLAYER_CALLS = 4096 };

typedef struct gs_player {
    gs_machine *machine;
    gs_timing *timing; /* or NULL */
    bool recorded;     /* the timing is told costs */
    bool may_change;   /* code may be other than the ELF says */
    bool knows_stack;  /* the trace tells the stack pointer; else it is made of calls and returns */
    bool tells_traps;  /* else a jump that no instruction explains is one */
    bool maps;         /* memory that is accessed is mapped, for the timing to find it there */
    gs_region *region; /* or NULL */
    gs_watch watch;
    gs_held held, branch; /* `branch`: its delay slot is held */
    uint64_t number;      /* instructions that have retired */
    uint32_t *sp;
    struct {
        uint32_t return_address, sp;
    } calls[GS_PLAYER_CALLS]; /* a ring: the last ones */
    uint32_t call_count;      /* of which the ring has the last */
} gs_player;

/* Whether it is a branch or a jump, with a delay slot where there are any. */
static inline bool gs_player_is_jump(const gs_player *p, const gs_insn *insn)
{
    const unsigned class = p->machine->isa->ops[insn->op].timing;
    return class == GS_CLASS_BRANCH || class == GS_CLASS_JUMP || class == GS_CLASS_JUMP_REG;
}

void gs_player_init(gs_player *p, gs_machine *machine, gs_timing *timing, bool recorded);

/* The observers of what comes. To be called before the first instruction is played. */
void gs_player_watch(gs_player *p, const gs_observer *const *observers, size_t count,
                     gs_region *region);
void gs_player_fini(gs_player *p);

/* The decoded instruction at `pc`, which is going to be executed; its bytes come from the trace, if
 * that has them. GS_E_FORMAT if the ELF file has other code there. */
gs_status gs_player_decode(gs_player *p, const gs_insn **insn, uint64_t pc, const uint8_t *code,
                           unsigned size, gs_error *err);

gs_status gs_player_play(gs_player *p, const gs_played *played, gs_error *err);
/* The same for one that is decoded. */
void gs_player_play_decoded(gs_player *p, const gs_played *played, const gs_insn *insn,
                            gs_flow flow, uint64_t target);

/* Control goes to `handler` in front of the instruction at `pc`, or because it has trapped. */
void gs_player_trap(gs_player *p, uint64_t pc, uint64_t handler, const gs_recorded_cost *before);

/* The stack pointer, once the instruction played last has retired. */
void gs_player_stack(gs_player *p, uint32_t sp);

/* The instruction played last has set a marker. */
gs_status gs_player_marker(gs_player *p, uint64_t value, uint64_t cycle, gs_error *err);

/* What is held has retired, and control is at `next`; a branch whose delay slot that is stays. */
void gs_player_settle_before(gs_player *p, uint64_t next);
/* The same at the end, where nothing says what would have come. */
void gs_player_end(gs_player *p);

#endif
