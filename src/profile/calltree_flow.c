/* What calls, returns, jumps and traps do to the stack of the thread that runs, and when another
 * one goes on or begins. */
#include "profile/calltree_parts.h"

/* Most returns: the function that was called last comes back to where it was called from. */
static inline bool pop_last(gs_calltree *tree, uint32_t goal, uint32_t sp)
{
    const gs_frame *last = gs_calltree_last(tree);
    if (last->kind != GS_FRAME_CALL || last->return_address != goal || last->sp != sp ||
        tree->stack.count == 1)
        return false;
    if (last->active)
        *last->active = last->same;
    tree->stack.count--;
    return true;
}

/* How many frames stay if control returns to `goal`: those below the frame with that return
 * address and below the tail calls that share it. 0 if there is none above the nearest trap. */
static size_t frames_below_return(const gs_calltree *tree, uint32_t goal)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        const gs_frame *f = &tree->stack.items[depth - 1];
        if (f->kind == GS_FRAME_TRAP)
            return 0;
        if (f->return_address == goal) {
            while (f->kind == GS_FRAME_TAIL && depth > 2) {
                depth--;
                f = &tree->stack.items[depth - 1];
            }
            return depth - 1;
        }
    }
    return 0;
}

/* longjmp: the stack of everything it leaves lies below the new stack pointer, or starts there:
 * the function that goes on has called it from just where its own stack ends. */
static bool is_left_behind(gs_calltree *tree, const gs_frame *f, uint32_t goal, uint32_t sp)
{
    if (f->kind == GS_FRAME_TRAP)
        return false;
    return f->sp < sp || (f->sp == sp && tree->nodes.items[gs_frame_node(f)].function !=
                                             gs_calltree_function_at(tree, goal));
}

/* Pops the frames that a longjmp to `goal` leaves; false if that is none. */
static bool leave_behind(gs_calltree *tree, uint32_t goal, uint32_t sp)
{
    size_t depth = tree->stack.count;
    while (depth > 1 && is_left_behind(tree, &tree->stack.items[depth - 1], goal, sp))
        depth--;
    const gs_call_node *node = &tree->nodes.items[gs_frame_node(&tree->stack.items[depth - 1])];
    if (depth == tree->stack.count || node->function != gs_calltree_function_at(tree, goal))
        return false;
    gs_calltree_leave(tree, depth);
    return true;
}

/* How far above the stack pointer a thread began with its first function may still lie: a frame
 * that was made up to be left, as if a trap had come. */
enum { MADE_UP_FRAME = 416, NEAR = 512 };

/* Whether `sp` is not in the stack of the function that runs, or of those that called it: it is
 * below where the last function has begun, by more than `room`, or above where the first one has.
 */
static bool is_elsewhere(const gs_calltree *tree, uint32_t sp, uint32_t room)
{
    const gs_frames *stack = &tree->stack;
    uint32_t lowest = stack->items[stack->count - 1].sp, highest = 0;
    for (size_t i = 0; i < stack->count; i++) {
        const uint32_t begun = stack->items[i].sp;
        highest = begun > highest && begun != GS_THREAD_NO_SP ? begun : highest;
    }
    return sp > highest || (lowest != GS_THREAD_NO_SP && sp < lowest && lowest - sp > room);
}

static const gs_frame *last_trap(const gs_calltree *tree)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        if (tree->stack.items[depth - 1].kind == GS_FRAME_TRAP)
            return &tree->stack.items[depth - 1];
    }
    return NULL;
}

/* Whether what runs was called by nothing: the first function of a thread, or one in its place. */
static bool is_first(const gs_calltree *tree)
{
    size_t depth = tree->stack.count;
    while (depth > 1 && tree->stack.items[depth - 1].kind == GS_FRAME_TAIL)
        depth--;
    return depth == 1;
}

/* Control comes back to where it has been before: in this thread, or in another. */
static bool land_known(gs_calltree *tree, const gs_landing *landing, gs_fit least)
{
    size_t keep = 0, keep_there = 0;
    uint32_t thread;
    const gs_fit here = gs_calltree_fit(tree, &tree->stack, landing, &keep);
    if (here == GS_FIT_EXACT) {
        gs_calltree_leave(tree, keep);
        return true;
    }
    if (is_first(tree) && gs_calltree_end_called(tree, landing))
        return true;
    const gs_fit there = gs_calltree_fit_suspended(tree, landing, &thread, &keep_there);
    if (there != GS_FIT_EXACT && gs_calltree_revive(tree, landing, GS_FIT_EXACT))
        return true;
    if (there > here && there >= least) {
        gs_calltree_resume(tree, thread, keep_there);
        return true;
    }
    if (here >= least)
        gs_calltree_leave(tree, keep);
    return here >= least || gs_calltree_revive(tree, landing, GS_FIT_FUNCTION);
}

static void follow_jump(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal, uint32_t sp);

/* Control leaves the first function of its thread for one that runs in its place. */
static bool is_replaced(const gs_calltree *tree, const gs_landing *landing)
{
    const uint32_t begun = gs_calltree_last(tree)->sp;
    if (begun == GS_THREAD_NO_SP)
        return true; /* nothing has been called yet, so nothing has been left */
    return is_first(tree) && landing->sp >= begun && landing->sp - begun <= MADE_UP_FRAME;
}

/* Control comes to where it has not been before. */
static void land_anew(gs_calltree *tree, gs_flow flow, uint32_t pc, const gs_landing *landing)
{
    const gs_frame *trap = flow == GS_FLOW_TRAP_RETURN ? last_trap(tree) : NULL;
    const gs_function *to = gs_calltree_function_at(tree, landing->goal);
    if (trap && trap->sp == landing->sp) { /* the handler has chosen another place */
        gs_calltree_pop_to(tree, trap->depth - 1);
        follow_jump(tree, GS_FLOW_JUMP, trap->return_address, landing->goal, landing->sp);
    } else if (is_replaced(tree, landing)) {
        if (gs_calltree_last(tree)->sp != GS_THREAD_NO_SP) {
            gs_calltree_pop_to(tree, 1);
            tree->stack.items[0].sp = landing->sp;
        }
        follow_jump(tree, GS_FLOW_JUMP, pc, landing->goal, landing->sp);
    } else if (gs_calltree_last(tree)->sp == landing->sp && to && !landing->function) {
        follow_jump(tree, GS_FLOW_JUMP, pc, landing->goal, landing->sp);
    } else if ((to && !landing->function) || is_elsewhere(tree, landing->sp, 0)) {
        gs_calltree_begin(tree, landing);
    } else if (flow != GS_FLOW_TRAP_RETURN || to != gs_calltree_function_at(tree, pc)) {
        tree->desyncs++;
    }
}

static void follow_return(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t sp)
{
    if (gs_calltree_is_millicode(tree, pc) &&
        gs_calltree_function_at(tree, goal) ==
            gs_calltree_function_of(tree, gs_calltree_last(tree)))
        return; /* __riscv_save_* comes back to its caller */
    if (__builtin_expect(pop_last(tree, goal, sp), 1))
        return;
    const gs_landing landing = gs_landing_at(tree, goal, sp);
    if (land_known(tree, &landing, GS_FIT_FUNCTION))
        return;
    size_t depth = frames_below_return(tree, goal);
    if (depth > 0) {
        gs_calltree_leave(tree, depth);
        return;
    }
    if (leave_behind(tree, goal, sp) || land_known(tree, &landing, GS_FIT_WITHIN))
        return;
    if (gs_calltree_last(tree)->kind == GS_FRAME_TRAP && !gs_calltree_function_at(tree, goal))
        return; /* a signal handler goes back through a few instructions of the kernel's */
    land_anew(tree, GS_FLOW_RETURN, pc, &landing);
}

static void follow_trap_return(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t sp)
{
    const gs_landing landing = gs_landing_at(tree, goal, sp);
    if (!land_known(tree, &landing, GS_FIT_WITHIN))
        land_anew(tree, GS_FLOW_TRAP_RETURN, pc, &landing);
}

/* A jump through a register to another function, with another stack pointer than it would leave if
 * that was called in its place: swapcontext(). Whether that is what it was. */
static bool switch_by_jump(gs_calltree *tree, uint32_t goal, uint32_t sp)
{
    const gs_landing landing = gs_landing_at(tree, goal, sp);
    if (land_known(tree, &landing, GS_FIT_FUNCTION))
        return true;
    if (landing.function || gs_calltree_last(tree)->sp == GS_THREAD_NO_SP)
        return false;
    if (!gs_calltree_knows_beginning(tree, &landing) &&
        (last_trap(tree) || !is_elsewhere(tree, sp, NEAR)))
        return false;
    gs_calltree_begin(tree, &landing);
    return true;
}

static void follow_jump(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal, uint32_t sp)
{
    const gs_function *from = gs_calltree_function_at(tree, pc),
                      *to = gs_calltree_function_at(tree, goal);
    if (from == to || !to || gs_calltree_is_millicode(tree, goal) ||
        gs_calltree_is_millicode(tree, pc))
        return;
    const gs_frame *f = gs_calltree_last(tree);
    if (flow == GS_FLOW_JUMP_INDIRECT && f->sp != sp && switch_by_jump(tree, goal, sp))
        return;
    if (f->kind == GS_FRAME_TAIL && tree->stack.count > 1 && goal != to->start) {
        const gs_frame *below = &tree->stack.items[tree->stack.count - 2];
        if (tree->nodes.items[gs_frame_node(below)].function == to)
            gs_calltree_pop_to(tree, tree->stack.count - 1);
        return;
    }
    if (goal != to->start) {
        if (flow == GS_FLOW_JUMP_INDIRECT)
            leave_behind(tree, goal, sp);
        return;
    }
    for (size_t depth = tree->stack.count; tree->stack.items[depth - 1].kind == GS_FRAME_TAIL;
         depth--) {
        gs_call_node *node = &tree->nodes.items[gs_frame_node(&tree->stack.items[depth - 1])];
        if (node->site == pc && node->entry == goal) {
            gs_calltree_pop_to(tree, depth);
            gs_calltree_add_calls(tree, node, 1);
            return;
        }
    }
    gs_calltree_push(tree, pc, goal, GS_FRAME_TAIL, f->return_address, f->sp);
}

enum { USUAL_FRAME = 2048 }; /* bytes: by as much a call may be below the last without a word */

/* Whether the function that makes a call may have changed to another stack, and not to handle a
 * trap. Before it has been called itself nothing is known of its stack. */
static bool may_change_stack(gs_calltree *tree, uint32_t site)
{
    const uint32_t sp = gs_calltree_last(tree)->sp;
    return sp != GS_THREAD_NO_SP && sp != 0 && gs_calltree_changes_stack(tree, site) &&
           !last_trap(tree);
}

static void follow_call(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t return_address,
                        uint32_t sp)
{
    if (__builtin_expect(gs_calltree_last(tree)->sp - sp > USUAL_FRAME, 0) &&
        may_change_stack(tree, pc))
        gs_calltree_begin_called(tree, goal, return_address, sp);
    else
        gs_calltree_push(tree, pc, goal, GS_FRAME_CALL, return_address, sp);
}

void gs_calltree_flow(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal,
                      uint32_t return_address, uint32_t sp)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_BRANCH_CALL:
        if (!gs_calltree_is_millicode(tree, goal))
            follow_call(tree, pc, goal, return_address, sp);
        break;
    case GS_FLOW_RETURN_CALL:
        follow_return(tree, pc, goal, sp);
        gs_calltree_push(tree, pc, goal, GS_FRAME_CALL, return_address, sp);
        break;
    case GS_FLOW_RETURN: follow_return(tree, pc, goal, sp); break;
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_JUMP_INDIRECT: follow_jump(tree, flow, pc, goal, sp); break;
    case GS_FLOW_TRAP_RETURN: follow_trap_return(tree, pc, goal, sp); break;
    default: break;
    }
}

void gs_calltree_trap(gs_calltree *tree, uint32_t pc, uint32_t handler, uint32_t sp)
{
    gs_calltree_push(tree, pc, handler, GS_FRAME_TRAP, pc, sp);
}

/* Whether control that is at `goal` after a system call has come back from the trap of the frame at
 * this depth. The handler may have chosen another place in the function it interrupted. */
static bool is_back_from(gs_calltree *tree, size_t depth, uint32_t goal)
{
    const gs_frame *f = &tree->stack.items[depth - 1];
    const gs_function *function = gs_calltree_function_at(tree, goal);
    return f->return_address == goal ||
           (function && goal != function->start &&
            function == tree->nodes.items[gs_frame_node(f - 1)].function);
}

void gs_calltree_signal(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t return_address,
                        uint32_t sp)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        if (tree->stack.items[depth - 1].kind == GS_FRAME_TRAP && is_back_from(tree, depth, goal)) {
            gs_calltree_pop_to(tree, depth - 1);
            return;
        }
    }
    gs_calltree_push(tree, pc, goal, GS_FRAME_TRAP, return_address, sp);
}

/* Frames up to and with the last one of a function, which may be NULL; or 0. */
static uint32_t last_frame_of(const gs_calltree *tree, const gs_function *function)
{
    const uint32_t *activity = gs_calltree_activity(tree, function);
    return activity ? *activity : 0;
}

/* Whether a call of `function` leads to the same path each time it is made on the current one: it
 * is not on the stack, or the last on it. */
static bool is_determined(const gs_calltree *tree, const gs_function *function)
{
    const uint32_t active = last_frame_of(tree, function);
    return !gs_calltree_is_crowded(tree) && (active == 0 || active == tree->stack.count);
}

static gs_move_kind kind_of_jump(gs_calltree *tree, uint32_t pc, uint32_t goal)
{
    const gs_function *from = gs_calltree_function_at(tree, pc),
                      *to = gs_calltree_function_at(tree, goal);
    if (from == to || !to || gs_calltree_is_millicode(tree, goal) ||
        gs_calltree_is_millicode(tree, pc))
        return GS_MOVE_LOCAL;
    /* From a tail call to a function that is on the stack it may go back to where that was called.
     */
    const bool is_new =
        gs_calltree_last(tree)->kind != GS_FRAME_TAIL || last_frame_of(tree, to) == 0;
    return goal == to->start && is_new && is_determined(tree, to) ? GS_MOVE_TAIL : GS_MOVE_OTHER;
}

gs_move_kind gs_calltree_kind(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_BRANCH_CALL:
        if (gs_calltree_is_millicode(tree, goal))
            return GS_MOVE_LOCAL;
        return is_determined(tree, gs_calltree_function_at(tree, goal)) &&
                       !may_change_stack(tree, pc)
                   ? GS_MOVE_CALL
                   : GS_MOVE_OTHER;
    case GS_FLOW_RETURN: return gs_calltree_is_millicode(tree, pc) ? GS_MOVE_OTHER : GS_MOVE_RETURN;
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_JUMP_INDIRECT: return kind_of_jump(tree, pc, goal);
    default: return GS_MOVE_OTHER;
    }
}
