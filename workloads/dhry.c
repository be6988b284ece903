/*
 * dhry.c - the statement mix of system programs, in the spirit of Dhrystone.
 *
 * Stresses what compilers of the 1980s were measured by, and still are: small
 * procedures, records behind pointers, strings, enumerations, two-dimensional
 * arrays, and hardly any long loop. The program is our own; its numbers are
 * not comparable with Dhrystone's.
 * Check: the bookkeeping must balance, as in a ledger; then a checksum.
 */
#include "workload.h"

#define NAME "dhry"

enum { NAME_BYTES = 32, ACCOUNTS = 16, KINDS = 5, DAYS = 8 };

typedef enum {
    KIND_DEPOSIT,
    KIND_WITHDRAWAL,
    KIND_TRANSFER,
    KIND_INTEREST,
    KIND_RENAME
} order_kind;

typedef struct account {
    struct account *next; /* the next in a ring */
    int32_t balance;
    uint16_t movements;
    char owner[NAME_BYTES];
} account;

typedef struct {
    order_kind kind;
    account *from, *to;
    int32_t amount;
} order;

static account accounts[ACCOUNTS];
static uint32_t orders_of_day[DAYS][KINDS];
static int32_t bank; /* the other side of every movement */
static int today;

static NOINLINE void copy_string(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static NOINLINE int compare_strings(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (uint8_t)*a - (uint8_t)*b;
}

static NOINLINE char next_letter(char letter)
{
    return letter == 'Z' ? 'A' : (char)(letter + 1);
}

static NOINLINE bool is_later_name(const account *a, const account *b)
{
    return compare_strings(a->owner, b->owner) > 0;
}

static NOINLINE void rename_account(account *a)
{
    char fresh[NAME_BYTES];
    copy_string(fresh, a->owner);
    fresh[a->movements % 8] = next_letter(fresh[a->movements % 8]);
    copy_string(a->owner, fresh);
}

static NOINLINE void book(account *a, int32_t amount)
{
    a->balance += amount;
    a->movements++;
}

static NOINLINE bool move_money(account *from, account *to, int32_t amount)
{
    if (from->balance < amount)
        return false;
    book(from, -amount);
    book(to, amount);
    return true;
}

static NOINLINE int32_t interest(const account *a, int32_t rate)
{
    return a->balance / 100 * rate / 12;
}

/* Returns what the bank gave; 0 when the order only moved money around. */
static NOINLINE int32_t execute(const order *o)
{
    int32_t given = 0;
    switch (o->kind) {
    case KIND_DEPOSIT:
        book(o->to, o->amount);
        given = o->amount;
        break;
    case KIND_WITHDRAWAL:
        if (o->from->balance >= o->amount) {
            book(o->from, -o->amount);
            given = -o->amount;
        }
        break;
    case KIND_TRANSFER:
        if (!move_money(o->from, o->to, o->amount) && is_later_name(o->from, o->to))
            move_money(o->to, o->from, o->amount);
        break;
    case KIND_INTEREST:
        given = interest(o->from, 1 + o->amount % 7);
        book(o->from, given);
        break;
    case KIND_RENAME: rename_account(o->from); break;
    }
    orders_of_day[today][o->kind]++;
    return given;
}

/* Walks the ring for the first account at or after `start` that is rich enough. */
static NOINLINE account *find_rich(account *start, int32_t amount)
{
    account *a = start;
    do {
        if (a->balance >= amount)
            return a;
        a = a->next;
    } while (a != start);
    return start;
}

static NOINLINE order make_order(uint32_t r)
{
    order o;
    o.kind = (order_kind)(r % KINDS);
    o.amount = (int32_t)(r >> 8 & 1023) + 1;
    o.to = &accounts[r >> 18 & (ACCOUNTS - 1)];
    o.from = find_rich(o.to->next, o.amount);
    return o;
}

static void open_accounts(void)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        accounts[i].next = &accounts[(i + 1) % ACCOUNTS];
        copy_string(accounts[i].owner, "ACCOUNT OF SOME CUSTOMER, 1ST");
        accounts[i].owner[26] = (char)('A' + i);
    }
}

int main(void)
{
    open_accounts();
    uint32_t random = 0xd421, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(4400); pass++) {
        order o = make_order(random_next(&random));
        bank -= execute(&o);
        today = (today + 1) % DAYS;
        sum = checksum_add(sum,
                           (uint32_t)o.from->balance ^ (uint32_t)o.to->owner[o.to->movements % 8]);
        if (o.from->balance > 1000000) { /* interest has no end: the bank takes some back */
            o.from->balance -= 900000;
            bank += 900000;
        }
    }

    int32_t total = bank;
    for (int i = 0; i < ACCOUNTS; i++)
        total += accounts[i].balance;
    if (total != 0)
        return workload_fail(NAME, "the books do not balance");
    for (int day = 0; day < DAYS; day++)
        for (int kind = 0; kind < KINDS; kind++)
            sum = checksum_add(sum, orders_of_day[day][kind]);
    return workload_report(NAME, sum, WORKLOAD_PICK(0xd26c7301, 0x5d604121, 0xd76ceff3));
}
