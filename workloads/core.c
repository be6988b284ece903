/*
 * core.c - linked list, matrix, state machine and CRC, in the spirit of CoreMark.
 *
 * Stresses pointer chasing with merge sort, integer matrix products, a scanner
 * whose states are functions that tail-call each other, and a bitwise CRC. The
 * program is our own; its numbers are not comparable with CoreMark's.
 * Check: the CRC-16 of "123456789" is 0x29b1 (CCITT-FALSE in the catalogue of
 * parametrised CRC algorithms); then a CRC over all results.
 */
#include "workload.h"

#define NAME "core"

enum { LIST_NODES = 48, MATRIX = 9, INPUT_BYTES = 160 };

static NOINLINE uint16_t crc16(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

static uint16_t crc16_word(uint16_t crc, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        crc = crc16(crc, (uint8_t)(word >> shift));
    return crc;
}

/* --- list ------------------------------------------------------------- */

typedef struct list_node {
    struct list_node *next;
    int16_t value, index;
} list_node;

typedef int list_order(const list_node *a, const list_node *b);

static list_node nodes[LIST_NODES];

static int by_value(const list_node *a, const list_node *b)
{
    return a->value - b->value;
}

static int by_index(const list_node *a, const list_node *b)
{
    return a->index - b->index;
}

static NOINLINE list_node *list_build(uint32_t *random)
{
    for (int i = 0; i < LIST_NODES; i++) {
        nodes[i].value = (int16_t)(random_next(random) >> 18);
        nodes[i].index = (int16_t)i;
        nodes[i].next = i + 1 < LIST_NODES ? &nodes[i + 1] : NULL;
    }
    return nodes;
}

static NOINLINE list_node *list_find(list_node *list, int16_t value)
{
    while (list && list->value != value)
        list = list->next;
    return list;
}

static NOINLINE list_node *list_reverse(list_node *list)
{
    list_node *reversed = NULL;
    while (list) {
        list_node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

static NOINLINE list_node *list_merge(list_node *a, list_node *b, list_order *order)
{
    list_node head, *tail = &head;
    while (a && b) {
        list_node **smaller = order(a, b) <= 0 ? &a : &b;
        tail->next = *smaller;
        tail = *smaller;
        *smaller = tail->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

static NOINLINE list_node *list_sort(list_node *list, int length, list_order *order)
{
    if (length < 2) {
        if (list)
            list->next = NULL;
        return list;
    }
    list_node *middle = list;
    for (int i = 0; i < length / 2; i++)
        middle = middle->next;
    list_node *right = list_sort(middle, length - length / 2, order);
    return list_merge(list_sort(list, length / 2, order), right, order);
}

static NOINLINE uint16_t list_work(uint16_t crc, uint32_t *random)
{
    list_node *list = list_build(random);
    list = list_sort(list, LIST_NODES, by_value);
    for (int i = 0; i < 8; i++) {
        list_node *found = list_find(list, (int16_t)(nodes[i * 5].value + (i & 1)));
        crc = crc16(crc, (uint8_t)(found ? found->index : 255));
        list = list_reverse(list);
    }
    for (list_node *n = list; n; n = n->next)
        crc = crc16(crc, (uint8_t)n->index);
    list = list_sort(list, LIST_NODES, by_index);
    return crc16(crc, (uint8_t)list->index);
}

/* --- matrix ----------------------------------------------------------- */

static int16_t matrix_a[MATRIX][MATRIX], matrix_b[MATRIX][MATRIX];
static int32_t matrix_c[MATRIX][MATRIX];

static NOINLINE void matrix_multiply(void)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            int32_t sum = 0;
            for (int k = 0; k < MATRIX; k++)
                sum += matrix_a[i][k] * matrix_b[k][j];
            matrix_c[i][j] = sum;
        }
}

/* Products of bit fields instead of whole numbers. */
static NOINLINE void matrix_multiply_fields(void)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            int32_t sum = 0;
            for (int k = 0; k < MATRIX; k++) {
                int32_t product = matrix_a[i][k] * matrix_b[k][j];
                sum += (product >> 2 & 15) * (product >> 5 & 127);
            }
            matrix_c[i][j] = sum;
        }
}

static NOINLINE void matrix_add_scalar(int scalar)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++)
            matrix_a[i][j] = (int16_t)(matrix_a[i][j] + scalar);
}

static NOINLINE uint16_t matrix_crc(uint16_t crc)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j += 4)
            crc = crc16_word(crc, (uint32_t)matrix_c[i][j]);
    return crc;
}

static NOINLINE uint16_t matrix_work(uint16_t crc, uint32_t *random)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            uint32_t r = random_next(random);
            matrix_a[i][j] = (int16_t)((int32_t)(r & 2047) - 1024);
            matrix_b[i][j] = (int16_t)((int32_t)(r >> 16 & 2047) - 1024);
        }
    matrix_multiply();
    crc = matrix_crc(crc);
    matrix_add_scalar(crc & 31);
    matrix_multiply_fields();
    return matrix_crc(crc);
}

/* --- state machine ---------------------------------------------------- */

typedef enum { TOKEN_INTEGER, TOKEN_FRACTION, TOKEN_EXPONENT, TOKEN_INVALID, TOKENS } token;

typedef struct {
    const char *at;
    uint16_t count[TOKENS];
} scanner;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_end(char c)
{
    return c == ',' || c == 0;
}

static NOINLINE void accept(scanner *s, token t)
{
    s->count[t]++;
    if (*s->at)
        s->at++;
}

static NOINLINE void state_invalid(scanner *s)
{
    while (!is_end(*s->at))
        s->at++;
    accept(s, TOKEN_INVALID);
}

static NOINLINE void state_exponent(scanner *s)
{
    if (*s->at == '+' || *s->at == '-')
        s->at++;
    const char *digits = s->at;
    while (is_digit(*s->at))
        s->at++;
    if (s->at == digits || !is_end(*s->at))
        state_invalid(s);
    else
        accept(s, TOKEN_EXPONENT);
}

static NOINLINE void state_fraction(scanner *s)
{
    while (is_digit(*s->at))
        s->at++;
    if (is_end(*s->at))
        accept(s, TOKEN_FRACTION);
    else if (*s->at++ == 'e')
        state_exponent(s);
    else
        state_invalid(s);
}

static NOINLINE void state_integer(scanner *s)
{
    while (is_digit(*s->at))
        s->at++;
    if (is_end(*s->at)) {
        accept(s, TOKEN_INTEGER);
        return;
    }
    switch (*s->at++) {
    case '.': state_fraction(s); break;
    case 'e': state_exponent(s); break;
    default: state_invalid(s);
    }
}

static NOINLINE void state_start(scanner *s)
{
    if (*s->at == '+' || *s->at == '-')
        s->at++;
    if (is_digit(*s->at))
        state_integer(s);
    else if (*s->at == '.')
        state_fraction(s);
    else
        state_invalid(s);
}

static NOINLINE uint16_t state_work(uint16_t crc, uint32_t *random)
{
    static const char *const samples[8] = {"5012",     "-874",     "35.54400", ".1234500",
                                           "5.500e+3", "-.123e-2", "T0.3e-1F", "1.0e"};
    static char input[INPUT_BYTES];
    size_t n = 0;
    while (n < INPUT_BYTES - 10) {
        const char *sample = samples[random_next(random) >> 29];
        while (*sample)
            input[n++] = *sample++;
        input[n++] = ',';
    }
    input[n - 1] = 0;
    input[random_next(random) % (n - 1)] ^= 4; /* some noise on the line */

    scanner s = {.at = input};
    while (*s.at)
        state_start(&s);
    for (int t = 0; t < TOKENS; t++)
        crc = crc16(crc, (uint8_t)s.count[t]);
    return crc;
}

/* ---------------------------------------------------------------------- */

typedef uint16_t work(uint16_t crc, uint32_t *random);

int main(void)
{
    static work *const parts[] = {list_work, matrix_work, state_work};
    uint16_t check = 0xffff;
    for (const char *p = "123456789"; *p; p++)
        check = crc16(check, (uint8_t)*p);
    if (check != 0x29b1)
        return workload_fail(NAME, "CRC-16 check value");

    uint32_t random = 0xc02e, sum = 0;
    uint16_t crc = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(15); pass++) {
        for (size_t i = 0; i < COUNT_OF(parts); i++)
            crc = parts[i](crc, &random);
        sum = checksum_add(sum, crc);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x9eca696a, 0x6a9c2195, 0x6de826e1));
}
