/* qsort and bsearch with comparison functions called through pointers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 12345;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(void)
{
    enum { COUNT = 5000 };
    static int32_t numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (int32_t)next() - 8000000;
    qsort(numbers, COUNT, sizeof *numbers, by_value);
    uint32_t sum = 0;
    for (int i = 1; i < COUNT; i++) {
        if (numbers[i - 1] > numbers[i])
            return 1;
        sum = sum * 31 + (uint32_t)numbers[i];
    }
    printf("%ld %ld %08lx\n", (long)numbers[0], (long)numbers[COUNT - 1], (unsigned long)sum);
    int32_t key = numbers[1234];
    int32_t *found = bsearch(&key, numbers, COUNT, sizeof *numbers, by_value);
    printf("%d\n", found && *found == key);

    const char *words[] = {"pear", "apple", "fig", "quince", "cherry", "banana", "date"};
    qsort(words, 7, sizeof *words, by_text);
    for (int i = 0; i < 7; i++)
        printf("%s ", words[i]);
    printf("\n");
    return 0;
}
