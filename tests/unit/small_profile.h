/*
 * small_profile.h - a profile made by hand, for tests of what is written from one.
 *
 *     main 100 ─┬─ fib 10 ─┬─ fib 20        (from one call)
 *               │          └─ fib 5         (from another)
 *               └─ e;<"v&'en> 7 ─┬─ odd 3 ─── e;<"v&'en> 4
 *                                └─ fib 2
 *
 * Numbers are cycles of their own, 151 in all, and as many instructions less 50 in main, which
 * are stalls.
 */
#ifndef GS_TESTS_SMALL_PROFILE_H
#define GS_TESTS_SMALL_PROFILE_H

#include "profile/profile.h"

enum { SMALL_MAIN, SMALL_FIB, SMALL_EVEN, SMALL_ODD };

/* gs_profile_free() it. Aborts when memory is out. */
gs_profile *small_profile(void);

/* One without anything in it, as of a program that never ran. */
gs_profile *empty_profile(void);

/* main calls itself to this depth, a cycle each. */
gs_profile *deep_profile(size_t depth);

#endif
