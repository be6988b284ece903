/*
 * mutate.h - what mutators that know a format share.
 *
 * A mutator is the function LLVMFuzzerCustomMutator() of libFuzzer: it changes `size` bytes in
 * place to at most `max_size` and returns how many there are then. A fuzzer is linked with at most
 * one.
 */
#ifndef GS_FUZZ_MUTATE_H
#define GS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);

/* Of libFuzzer: its own changes, with the dictionary. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

/* A number below `end`, which is not 0. */
static inline size_t fuzz_pick(fuzz_random *random, size_t end)
{
    random->state = random->state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(random->state >> 33) % end;
}

/* A number that parsers get wrong, or any. */
static inline uint64_t fuzz_number(fuzz_random *random)
{
    static const uint64_t edges[] = {
        0,     1,         2,          3,         4,          7,          8,          16,
        31,    32,        33,         63,        64,         100,        127,        128,
        255,   256,       1000,       4095,      4096,       4097,       32767,      65535,
        65536, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 0x80000000, 0x7ffffff0, 0xfffff000};
    size_t which = fuzz_pick(random, sizeof edges / sizeof *edges + 4);
    return which < sizeof edges / sizeof *edges ? edges[which] : fuzz_pick(random, SIZE_MAX);
}

#endif
