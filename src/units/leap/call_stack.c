/* Push and pop of the Call Stack, with both kinds of overflow. */
#include "units/leap/call_stack.h"

enum { LOST_MAX = UINT16_MAX };

gs_leap_stack_result gs_leap_push(gs_leap_stack *s, gs_leap_function function,
                                  const gs_leap_values *saved)
{
    bool full = s->used == s->depth;
    if (full && s->overflow == GS_LEAP_LOSE_NEWEST) {
        if (s->lost < LOST_MAX)
            s->lost++;
        return GS_LEAP_STACK_OVERFLOW;
    }
    s->function[s->top] = function;
    for (unsigned i = 0; i < s->lanes; i++)
        s->saved[(size_t)s->top * s->lanes + i] = saved->lane[i];
    s->top = s->top + 1 == s->depth ? 0 : s->top + 1;
    if (!full)
        s->used++;
    return full ? GS_LEAP_STACK_OVERFLOW : GS_LEAP_STACK_OK;
}

gs_leap_stack_result gs_leap_pop(gs_leap_stack *s, gs_leap_function *function,
                                 gs_leap_values *saved)
{
    if (s->lost > 0) {
        s->lost--;
        return GS_LEAP_STACK_LOST;
    }
    if (s->used == 0)
        return GS_LEAP_STACK_UNDERFLOW;
    s->used--;
    s->top = s->top == 0 ? s->depth - 1 : s->top - 1;
    *function = s->function[s->top];
    for (unsigned i = 0; i < s->lanes; i++)
        saved->lane[i] = s->saved[(size_t)s->top * s->lanes + i];
    return GS_LEAP_STACK_OK;
}

void gs_leap_stack_halve(gs_leap_stack *s)
{
    for (size_t i = 0; i < (size_t)s->depth * s->lanes; i++)
        s->saved[i] >>= 1;
}
