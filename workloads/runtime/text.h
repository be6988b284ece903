/*
 * text.h - English-looking text for the programs that search or compress it.
 */
#ifndef TEXT_H
#define TEXT_H

#include "workload.h"

/* Fills text[0..length) with words; early words of the list come more often. */
static inline void text_make(char *text, size_t length, uint32_t *random)
{
    static const char *const words[32] = {
        "the ",  "a ",       "of ",       "to ",        "core ",  "and ",      "cycle ",
        "in ",   "that ",    "bus ",      "with ",      "cache ", "line ",     "fetch ",
        "is ",   "stall ",   "branch ",   "counter ",   "loop ",  "taken ",    "address ",
        "load ", "store ",   "function ", "timer, ",    "trap. ", "pipeline ", "42 ",
        "0x1f ", "profile ", "energy\n",  "benchmark ",
    };
    size_t at = 0;
    while (at < length) {
        uint32_t r = random_next(random);
        const char *word = words[(r >> 8 & 31) * (r >> 16 & 31) >> 5];
        while (*word && at < length)
            text[at++] = *word++;
    }
}

#endif
