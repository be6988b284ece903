#include "engine/fast/engine_parts.h"

#include <assert.h>
#include <stddef.h>

/*
 * Translated code has the guest's registers in the host's, and asks somebody only now and then. A
 * call as the compiler makes it would have it keep values clear of all registers a function may
 * use: those that are left have to be saved by every function, also by one that never asks. So
 * asking is no call to the compiler but an instruction, and here all registers are saved, only
 * then. On the stack is, above the return address, what is asked. The answer goes into the flags:
 * zero or not.
 */
static int asked(gs_fast_ask *ask)
{
    gs_fast *c = ask->c;
    c->ask = ask;
    c->cost = ask->cost;
    (*(gs_fast_aside **)((char *)c + ask->who))(c);
    ask->cost = c->cost;
    return c->answer;
}

#ifdef __x86_64__
static_assert(offsetof(gs_fast_ask, c) == 56 && offsetof(gs_fast, asked) == 16, "see below");
static __attribute__((naked)) void aside(void)
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
            "lea 88(%rsp), %rdi\n\t"
            "mov 56(%rdi), %rax\n\t"
            "mov %rsp, %rbx\n\t"
            "and $-16, %rsp\n\t"
            "call *16(%rax)\n\t"
            "mov %rbx, %rsp\n\t"
            "test %eax, %eax\n\t"
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
static void aside(void)
{
}
#endif

void gs_aside_open(gs_fast_engine *e)
{
    e->c->aside = aside;
    e->c->asked = asked;
}
