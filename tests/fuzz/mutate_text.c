/*
 * Text stays made of lines and words: lines are deleted, repeated, exchanged and indented, and
 * words become other words of the text, or numbers.
 */
#include "mutate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 3 /* every how manieth change is libFuzzer's own */ };

typedef struct span {
    size_t start, end;
} span;

typedef struct text {
    uint8_t *bytes;
    size_t size, max_size;
    fuzz_random random;
} text;

static bool in_word(int c)
{
    return isalnum(c) || strchr("_.+-", c);
}

static bool in_line(int c)
{
    return c != '\n';
}

/* One of the runs of bytes that belong together, around or after a place that is picked. */
static span pick_span(text *t, bool (*belongs)(int c))
{
    span s = {.start = fuzz_pick(&t->random, t->size)};
    while (s.start < t->size && (!t->bytes[s.start] || !belongs(t->bytes[s.start])))
        s.start++;
    s.end = s.start;
    while (s.start > 0 && t->bytes[s.start - 1] && belongs(t->bytes[s.start - 1]))
        s.start--;
    while (s.end < t->size && t->bytes[s.end] && belongs(t->bytes[s.end]))
        s.end++;
    return s;
}

static bool replace(text *t, span old, const void *with, size_t length)
{
    size_t rest = t->size - old.end;
    if (old.start + length + rest > t->max_size)
        return false;
    memmove(t->bytes + old.start + length, t->bytes + old.end, rest);
    memcpy(t->bytes + old.start, with, length);
    t->size = old.start + length + rest;
    return true;
}

static bool replace_copy(text *t, span old, span with)
{
    size_t length = with.end - with.start;
    uint8_t *copy = malloc(length + 1);
    bool done = false;
    if (copy) {
        memcpy(copy, t->bytes + with.start, length);
        done = replace(t, old, copy, length);
    }
    free(copy);
    return done;
}

static bool write_number(text *t, span word)
{
    static const char *const formats[] = {"%" PRIu64,      "0x%" PRIx64, "-%" PRIu64,
                                          "%" PRIu64 ".5", "%" PRIx64,   "%" PRIu64 "e9"};
    char number[48];
    const char *format = formats[fuzz_pick(&t->random, sizeof formats / sizeof *formats)];
    int length = snprintf(number, sizeof number, format, fuzz_number(&t->random));
    return replace(t, word, number, (size_t)length);
}

static bool change_word(text *t)
{
    span word = pick_span(t, in_word), after = {word.end, word.end};
    switch (fuzz_pick(&t->random, 5)) {
    case 0: return replace(t, word, "", 0);
    case 1: return replace_copy(t, after, word);
    case 2: return write_number(t, word);
    default: return replace_copy(t, word, pick_span(t, in_word));
    }
}

static bool change_line(text *t)
{
    span line = pick_span(t, in_line), whole = line;
    whole.end += whole.end < t->size;
    span after = {whole.end, whole.end}, before = {line.start, line.start};
    switch (fuzz_pick(&t->random, 6)) {
    case 0: return replace(t, whole, "", 0);
    case 1: return replace_copy(t, after, whole);
    case 2: return replace(t, before, "  ", 2);
    case 3:
        before.end += line.end - line.start >= 2 && t->bytes[line.start] == ' ' ? 2 : 0;
        return replace(t, before, "", 0);
    case 4: return replace_copy(t, line, pick_span(t, in_line));
    default: return replace_copy(t, after, pick_span(t, in_line));
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    text t = {bytes, size, max_size, {seed}};
    if (size == 0 || size > max_size || fuzz_pick(&t.random, PLAIN) == 0)
        return LLVMFuzzerMutate(bytes, size, max_size);
    bool done = fuzz_pick(&t.random, 3) ? change_word(&t) : change_line(&t);
    return done ? t.size : LLVMFuzzerMutate(bytes, size, max_size);
}
