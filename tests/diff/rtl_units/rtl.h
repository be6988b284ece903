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

/* What a core shows over RVFI, and the two wires beside it, for one clock. */
typedef struct rtl_rvfi {
    bool reset, start, valid, trap, halt, intr;
    uint8_t stall, mem_rmask, mem_wmask;
    uint64_t order;
    uint32_t insn, rs1_rdata, pc_rdata, pc_wdata, mem_addr;
} rtl_rvfi;

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

/* -- of a unit behind rvfi_port.v, instead of rtl_clock() -- */

void rtl_clock_rvfi(rtl_unit *unit, const rtl_rvfi *rvfi);
/* Of the core that it was built for: its rvfi_style, and how many clocks RVFI is late. */
int rtl_rvfi_style(unsigned *latency);

/* -- of a unit on a network; nothing happens on the trace port meanwhile -- */

/* What a frame is made of. Borrowed until the next clock. */
typedef struct rtl_frame {
    const uint8_t *bytes;
    size_t length;
} rtl_frame;

/* Its wires of that kind, the first byte first. */
typedef struct rtl_identity {
    uint64_t mac, device, session;
    uint32_t ip, clock_hz;
    uint16_t port;
    uint8_t key[16], program[16];
} rtl_identity;

/* Before anything else. Of a hundred clocks, the MAC takes no byte in so many. */
void rtl_identify(rtl_unit *unit, const rtl_identity *who, unsigned stall);
/* False if it is not taken. */
bool rtl_send(rtl_unit *unit, const uint8_t *bytes, size_t length, bool damaged);
/* Until nothing comes out any more. */
void rtl_settle(rtl_unit *unit);
/* The program ends. */
void rtl_end(rtl_unit *unit);
const rtl_frame *rtl_frames(const rtl_unit *unit, size_t *count);
/* How often a frame was interrupted, or a byte changed before it was taken. */
unsigned rtl_gaps(const rtl_unit *unit);

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
    void (*identify)(rtl_unit *unit, const rtl_identity *who, unsigned stall);
    bool (*send)(rtl_unit *unit, const uint8_t *bytes, size_t length, bool damaged);
    void (*settle)(rtl_unit *unit);
    void (*end)(rtl_unit *unit);
    const rtl_frame *(*frames)(const rtl_unit *unit, size_t *count);
    unsigned (*gaps)(const rtl_unit *unit);
    void (*clock_rvfi)(rtl_unit *unit, const rtl_rvfi *rvfi);
    int (*rvfi_style)(unsigned *latency);
} rtl_library;

#endif
