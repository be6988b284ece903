/* gdb's threads are those of the call tree; see calltree.h. */
#include "debug/debugger.h"

static const gs_calltree *tree_of(const gs_debugger *d)
{
    return d->recorder && !gs_debugger_in_past(d) ? gs_recorder_calls(d->recorder) : NULL;
}

uint32_t gs_debugger_thread_count(const gs_debugger *d)
{
    const gs_calltree *tree = tree_of(d);
    return tree ? (uint32_t)gs_calltree_thread_count(tree) : 1;
}

uint32_t gs_debugger_thread_running(const gs_debugger *d)
{
    const gs_calltree *tree = tree_of(d);
    return tree ? gs_calltree_running(tree) + 1 : 1;
}

bool gs_debugger_thread_lives(const gs_debugger *d, uint32_t thread)
{
    gs_addr pc, sp;
    return thread == gs_debugger_thread_running(d) || gs_debugger_thread_place(d, thread, &pc, &sp);
}

bool gs_debugger_thread_place(const gs_debugger *d, uint32_t thread, gs_addr *pc, gs_addr *sp)
{
    const gs_calltree *tree = tree_of(d);
    if (!tree || thread == 0 || thread > gs_calltree_thread_count(tree) ||
        thread == gs_debugger_thread_running(d))
        return false;
    const gs_frame *last = gs_calltree_top_of(tree, thread - 1);
    if (!last || last->return_address == GS_FRAME_NO_RETURN)
        return false;
    *pc = last->return_address;
    *sp = last->sp;
    return true;
}

void gs_debugger_thread_name(const gs_debugger *d, uint32_t thread, char *to, size_t size)
{
    const gs_calltree *tree = tree_of(d);
    const gs_function *root = NULL;
    if (tree && thread > 0 && thread <= gs_calltree_thread_count(tree))
        root = gs_calltree_node(tree, gs_calltree_thread(tree, thread - 1)->root)->function;
    snprintf(to, size, "%s", root ? root->name : "program");
}
