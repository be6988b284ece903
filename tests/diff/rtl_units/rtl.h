/*
 * rtl.h - a hardware unit as a shared library: a clock with what is on its trace port, and its
 * registers.
 */
#ifndef RTL_UNITS_RTL_H
#define RTL_UNITS_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is on the port for one clock. */
typedef struct rtl_wires {
    bool valid, trap, stalled;
    uint8_t stall; /* the cause, if stalled */
    uint32_t pc, next_pc, insn;
    bool access; /* of memory, */
    uint32_t address;
    bool read, write, mispredict, icache_hit, icache_miss, dcache_hit, dcache_miss;
} rtl_wires;

/* What the Statistics Module dispatches of one counter. */
typedef struct rtl_record {
    uint32_t number, sequence, last, value;
    uint64_t total;
} rtl_record;

typedef struct rtl_unit rtl_unit;

/* After a reset. NULL if memory is out. */
rtl_unit *rtl_open(void);
void rtl_free(rtl_unit *unit);
void rtl_clock(rtl_unit *unit, const rtl_wires *wires);

/* An access, with nothing on the port. False if the unit refuses it, or does not answer. */
bool rtl_read(rtl_unit *unit, uint32_t address, uint32_t *value);
bool rtl_write(rtl_unit *unit, uint32_t address, uint32_t value);

/* All that was dispatched since the reset. Borrowed until the next clock. */
const rtl_record *rtl_records(const rtl_unit *unit, size_t *count);

#ifdef __cplusplus
}
#endif

/* The same, from a library that was opened. */
typedef struct rtl_library {
    rtl_unit *(*open)(void);
    void (*free)(rtl_unit *unit);
    void (*clock)(rtl_unit *unit, const rtl_wires *wires);
    bool (*read)(rtl_unit *unit, uint32_t address, uint32_t *value);
    bool (*write)(rtl_unit *unit, uint32_t address, uint32_t value);
    const rtl_record *(*records)(const rtl_unit *unit, size_t *count);
} rtl_library;

#endif
