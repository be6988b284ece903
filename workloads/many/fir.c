/*
 * fir - a parallel FIR filter: samples and results in shared memory, each core filters blocks.
 *
 * Core h takes blocks h, h + n and so on: it copies a block with its history to memory of its own,
 * filters, and writes the results back. No core waits for another but at the barriers.
 */
#include "many.h"

#ifndef BLOCKS
#define BLOCKS 32
#endif
enum { TAPS = 16, BLOCK = 32, SAMPLES = BLOCKS * BLOCK };

static word *const input = SHARED;
static word *const output = SHARED + SAMPLES + TAPS;

static int32_t coefficient(unsigned i)
{
    return (int32_t)(i * 37 % 64) - 32;
}

int main(void)
{
    static int32_t window[BLOCK + TAPS], taps[TAPS];
    const uint32_t me = hart(), count = harts();
    uint32_t noise = 12345;

    for (unsigned i = 0; i < TAPS; i++)
        taps[i] = coefficient(i);
    for (unsigned i = 0; me == 0 && i < SAMPLES; i++) {
        noise = noise * 1664525 + 1013904223;
        input[TAPS + i] = noise >> 20;
    }
    wait_for_all();
    for (unsigned block = me; block < BLOCKS; block += count) {
        for (unsigned i = 0; i < BLOCK + TAPS; i++)
            window[i] = (int32_t)input[block * BLOCK + i];
        for (unsigned i = 0; i < BLOCK; i++) {
            int32_t sum = 0;
            for (unsigned tap = 0; tap < TAPS; tap++)
                sum += window[i + TAPS - tap] * taps[tap];
            output[block * BLOCK + i] = (uint32_t)sum;
        }
    }
    wait_for_all();
    if (me == 0) {
        uint32_t checksum = 0;
        for (unsigned i = 0; i < SAMPLES; i++)
            checksum = checksum * 31 + output[i];
        put_result("fir", checksum);
    }
    return 0;
}
