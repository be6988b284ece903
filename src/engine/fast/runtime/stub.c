/*
 * The one entry to all stubs, for translated code on x86-64.
 *
 * Translated code has the guest's registers in the host's, and calls a stub only now and then. With
 * an ordinary call, values that live across it could only be in callee-saved registers, and every
 * function would have to save these first, even one that never calls a stub. So to the compiler a
 * call of a stub is an instruction that changes no register, and all registers are saved here, only
 * when a stub is called. Its arguments are on the stack above the return address. Its answer goes
 * into the flags: zero or not.
 */
#include "engine/fast/runtime/engine_parts.h"

#include <assert.h>
#include <stddef.h>

#if GS_HAS_GUEST_BASE
#define SELF "%gs:-16"
static_assert(sizeof(gs_fast_anchor) == 16 && offsetof(gs_fast_anchor, self) == 0 &&
                  offsetof(gs_stub_args, helper) == 0 && offsetof(gs_stub_args, cost) == 40 &&
                  offsetof(gs_fast, cost) == 0 && offsetof(gs_fast, answer) == 8,
              "see below");
static __attribute__((naked)) void stub(void)
{
    __asm__("push %rax\n\t"
            "push %rcx\n\t"
            "push %rdx\n\t"
            "push %rsi\n\t"
            "push %rdi\n\t"
            "push %r8\n\t"
            "push %r9\n\t"
            "push %r10\n\t"
            "push %r11\n\t"
            "push %rbx\n\t"
            "lea 88(%rsp), %rsi\n\t" /* the arguments */
            "mov " SELF ", %rdi\n\t"
            "mov 40(%rsi), %rcx\n\t"
            "mov (%rsi), %rdx\n\t"
            "mov %rcx, (%rdi)\n\t"
            "mov %rsp, %rbx\n\t"
            "and $-16, %rsp\n\t"
            "call *(%rdi,%rdx)\n\t"
            "mov %rbx, %rsp\n\t"
            "mov " SELF ", %rdi\n\t"
            "mov (%rdi), %rcx\n\t"
            "mov %rcx, 128(%rsp)\n\t"
            "cmpl $0, 8(%rdi)\n\t" /* the answer */
            "pop %rbx\n\t"
            "pop %r11\n\t"
            "pop %r10\n\t"
            "pop %r9\n\t"
            "pop %r8\n\t"
            "pop %rdi\n\t"
            "pop %rsi\n\t"
            "pop %rdx\n\t"
            "pop %rcx\n\t"
            "pop %rax\n\t"
            "ret");
}
#else
static void stub(void)
{
}
#endif

void gs_stub_open(gs_fast_engine *e)
{
    static_assert(sizeof(gs_fast_anchor) <= GS_MEMORY_ANCHOR, "it has room");
    *((gs_fast_anchor *)(void *)e->machine->memory.bytes - 1) = (gs_fast_anchor){e->c, stub};
}
