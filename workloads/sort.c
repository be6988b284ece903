/*
 * sort.c - quicksort and heapsort of records through a comparison function.
 *
 * Stresses recursion, calls through function pointers, tail calls between the
 * comparators, and branches no predictor can learn.
 * Check: both sorts must agree, the result must be ordered and have the sum of
 * the input; then a checksum over the order.
 */
#include "workload.h"

#define NAME "sort"

enum { RECORDS = 256, SMALL_RANGE = 8 };

typedef struct {
    uint32_t key;
    uint16_t group;
    uint16_t serial;
} record;

typedef int comparison(const record *a, const record *b);
typedef void sort_function(record *records, int n, comparison *compare);

/* Equal keys fall through, comparator by comparator, to the serial number. */
static NOINLINE int by_serial(const record *a, const record *b)
{
    return (a->serial > b->serial) - (a->serial < b->serial);
}

static NOINLINE int by_key(const record *a, const record *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return by_serial(a, b);
}

static NOINLINE int by_group(const record *a, const record *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return by_key(a, b);
}

static void swap(record *a, record *b)
{
    record t = *a;
    *a = *b;
    *b = t;
}

static NOINLINE void insertion_sort(record *records, int n, comparison *compare)
{
    for (int i = 1; i < n; i++) {
        record inserted = records[i];
        int j = i;
        for (; j > 0 && compare(&inserted, &records[j - 1]) < 0; j--)
            records[j] = records[j - 1];
        records[j] = inserted;
    }
}

/* Hoare's partition around the median of three, which ends in records[0]. */
static NOINLINE int partition(record *records, int n, comparison *compare)
{
    record *first = records, *middle = records + n / 2, *last = records + n - 1;
    if (compare(middle, first) < 0)
        swap(middle, first);
    if (compare(last, middle) < 0)
        swap(last, middle);
    if (compare(middle, first) < 0)
        swap(middle, first);
    swap(first, middle);

    record pivot = records[0];
    int low = 0, high = n;
    for (;;) {
        do
            low++;
        while (low < n && compare(&records[low], &pivot) < 0);
        do
            high--;
        while (compare(&pivot, &records[high]) < 0);
        if (low >= high)
            break;
        swap(&records[low], &records[high]);
    }
    swap(&records[0], &records[high]);
    return high;
}

static NOINLINE void quicksort(record *records, int n, comparison *compare)
{
    if (n <= SMALL_RANGE) {
        insertion_sort(records, n, compare);
        return;
    }
    int pivot = partition(records, n, compare);
    quicksort(records, pivot, compare);
    quicksort(records + pivot + 1, n - pivot - 1, compare);
}

static NOINLINE void sift_down(record *heap, int root, int n, comparison *compare)
{
    for (int child = 2 * root + 1; child < n; root = child, child = 2 * root + 1) {
        if (child + 1 < n && compare(&heap[child], &heap[child + 1]) < 0)
            child++;
        if (compare(&heap[root], &heap[child]) >= 0)
            return;
        swap(&heap[root], &heap[child]);
    }
}

static NOINLINE void heapsort_records(record *records, int n, comparison *compare)
{
    for (int root = n / 2 - 1; root >= 0; root--)
        sift_down(records, root, n, compare);
    for (int end = n - 1; end > 0; end--) {
        swap(&records[0], &records[end]);
        sift_down(records, 0, end, compare);
    }
}

static bool is_sorted(const record *records, int n, comparison *compare)
{
    for (int i = 1; i < n; i++)
        if (compare(&records[i - 1], &records[i]) >= 0)
            return false;
    return true;
}

static uint32_t sum_keys(const record *records, int n)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += records[i].key;
    return sum;
}

int main(void)
{
    static sort_function *const sorts[2] = {quicksort, heapsort_records};
    static comparison *const comparisons[2] = {by_key, by_group};
    static record input[RECORDS], sorted[2][RECORDS];

    uint32_t random = 0x50f7ed, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(6); pass++) {
        for (int i = 0; i < RECORDS; i++) {
            uint32_t r = random_next(&random);
            input[i] = (record){
                .key = r >> (pass % 3 * 12), .group = (uint16_t)(r & 15), .serial = (uint16_t)i};
        }
        comparison *compare = comparisons[pass & 1];
        for (int s = 0; s < 2; s++) {
            memcpy(sorted[s], input, sizeof input);
            sorts[s](sorted[s], RECORDS, compare);
            if (!is_sorted(sorted[s], RECORDS, compare) ||
                sum_keys(sorted[s], RECORDS) != sum_keys(input, RECORDS))
                return workload_fail(NAME, "order");
        }
        for (int i = 0; i < RECORDS; i++) {
            if (sorted[0][i].serial != sorted[1][i].serial)
                return workload_fail(NAME, "sorts disagree");
            sum = checksum_add(sum, sorted[0][i].serial);
        }
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xc1818b32, 0x2228a5e8, 0x95d2cd80));
}
