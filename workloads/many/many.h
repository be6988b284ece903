/*
 * many.h - what parallel workloads see of the machine: the bus of quad.yaml and its likes.
 *
 * Each core has its own copy of the program and of all its variables; what cores share lies in
 * `shared`, which begins with zeros.
 */
#ifndef MANY_H
#define MANY_H

#include <stddef.h>
#include <stdint.h>

#define SHARED_BASE  0x40000000u
#define MUTEX_BASE   0x40100000u
#define MAILBOX_BASE 0x40110000u
#define BARRIER_BASE 0x40120000u
#define CLINT_BASE   0x02000000u
#define TEST_BASE    0xf0000000u

typedef volatile uint32_t word;

#define SHARED ((word *)SHARED_BASE)

static inline word *at(uint32_t address)
{
    return (word *)(uintptr_t)address;
}

/* Harts are numbered from 0 on. How many take part, hart 0 finds in the barrier's goal. */
static inline uint32_t hart(void)
{
    uint32_t id;
    __asm__("csrr %0, mhartid" : "=r"(id));
    return id;
}

static inline uint32_t harts(void)
{
    return at(BARRIER_BASE)[2];
}

static inline void wait_for_all(void)
{
    word *barrier = at(BARRIER_BASE);
    const uint32_t passed = barrier[1];
    barrier[0] = 1;
    while (barrier[1] == passed) {
    }
}

static inline void lock(unsigned number)
{
    while (!at(MUTEX_BASE)[number]) {
    }
}

static inline void unlock(unsigned number)
{
    at(MUTEX_BASE)[number] = 0;
}

/* Mailboxes of harts: send waits while the box is full, receive while it is empty. */
static inline void send(uint32_t to, uint32_t value)
{
    word *box = at(MAILBOX_BASE + 16 * to);
    while (box[1] >> 16 == 0) {
    }
    box[0] = value;
}

static inline uint32_t receive(void)
{
    word *box = at(MAILBOX_BASE + 16 * hart());
    while ((box[1] & 0xffff) == 0) {
    }
    return box[0];
}

/* Prints and exits by the core's test device. */
void put_text(const char *text);
void put_number(uint32_t value);
void put_result(const char *name, uint32_t checksum);

#endif
