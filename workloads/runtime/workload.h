/*
 * workload.h - everything a benchmark program may call.
 *
 * A program is one C file with a plain `main`: it computes, calls
 * workload_report() once and returns what that returns. Nothing here
 * allocates. Output is gathered by the line, so a program costs one system
 * call (or one semihosting trap) however it prints.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0 test, 1 small, 2 ref: about 1 M, 50 M and 2.5 G instructions on RV32IM. */
#ifndef WORKLOAD_SIZE
#define WORKLOAD_SIZE 0
#endif

#if WORKLOAD_SIZE == 0
#define WORKLOAD_PICK(test, small, ref) (test)
#elif WORKLOAD_SIZE == 1
#define WORKLOAD_PICK(test, small, ref) (small)
#elif WORKLOAD_SIZE == 2
#define WORKLOAD_PICK(test, small, ref) (ref)
#else
#error "WORKLOAD_SIZE must be 0 (test), 1 (small) or 2 (ref)"
#endif

/* How often the kernel runs, given how often it runs at test size. */
#define WORKLOAD_PASSES(test) ((uint32_t)(test)*WORKLOAD_PICK(1u, 50u, 2500u))

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Keeps a kernel visible as a function of its own in a profile. */
#define NOINLINE __attribute__((noinline))

void put_char(char c);
void put_str(const char *text);
void put_hex(uint32_t value); /* eight digits */
void put_dec(uint32_t value);

/* Prints "NAME: ok GOT", or "NAME: FAIL GOT, not WANT". Returns the exit status. */
int workload_report(const char *name, uint32_t got, uint32_t want);

/* Prints "NAME: FAIL WHAT" and returns 1: a test vector did not come out. */
int workload_fail(const char *name, const char *what);

/* The platform's half of the above: sys_*.c, or stdio on a hosted target. */
void sys_write(const char *text, size_t length); /* text[length] is 0 */
_Noreturn void sys_exit(int status);

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);

/* Freestanding compilers forget what these do: let small fixed sizes be inlined. */
#define memcpy  __builtin_memcpy
#define memmove __builtin_memmove
#define memset  __builtin_memset
#define memcmp  __builtin_memcmp
#define strlen  __builtin_strlen

/* Folds one value into a checksum; the same on every target. */
static inline uint32_t checksum_add(uint32_t sum, uint32_t value)
{
    sum = (sum ^ value) * 0x01000193u;
    return sum ^ (sum >> 15);
}

/* Folds n bytes into a checksum. */
static inline uint32_t checksum_bytes(uint32_t sum, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum = checksum_add(sum, bytes[i]);
    return sum;
}

/* Marsaglia's xorshift32: *state is never 0. */
static inline uint32_t random_next(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* WORKLOAD_LENGTH, if defined, says how many times as long as at test size the program is; the
 * checksum of such a run is not known. */
#ifdef WORKLOAD_LENGTH
#undef WORKLOAD_PASSES
#define WORKLOAD_PASSES(test)        ((uint32_t)(test)*WORKLOAD_LENGTH)
#define WORKLOAD_IS_RIGHT(got, want) ((void)(want), true)
#else
#define WORKLOAD_IS_RIGHT(got, want) ((got) == (want))
#endif

#endif
