/*
 * rtl.h - the Verilated flatfoot SoC, behind an interface for C.
 *
 * Built by tests/diff/lockstep/run as a shared library per configuration, which the comparing
 * program opens. An event is a cycle in which an instruction retires or traps, or an interrupt
 * is taken; rtl_next() runs up to the next one.
 */
#ifndef LOCKSTEP_RTL_H
#define LOCKSTEP_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RTL_STALLS = 13 }; /* causes, in the order of stalls.def */

typedef struct rtl_soc rtl_soc;

typedef struct rtl_event {
    uint64_t cycle;
    bool retired, trapped, interrupted;
    uint32_t pc, next_pc, insn;
    uint32_t rd, rd_value; /* rd is 0 if no register is written */
    uint32_t address;
    uint32_t read_lanes, write_lanes; /* a bit per byte of the word at address */
    uint32_t write_word;
} rtl_event;

/* What the simulation has seen so far, beside events. */
typedef struct rtl_state {
    uint64_t stalls[RTL_STALLS]; /* cycles, by cause */
    bool exited;
    uint32_t exit_code;
    char *output; /* of the console */
    size_t output_size;
} rtl_state;

rtl_soc *rtl_open(void);
void rtl_free(rtl_soc *r);

/* Its RAM, to be filled before rtl_reset() and read whenever nothing runs. */
void *rtl_memory(rtl_soc *r, size_t *bytes);

/* Back to cycle 0, with the pc at `entry` and nothing to receive. */
void rtl_reset(rtl_soc *r, uint32_t entry);

/* What the UART is to receive, after rtl_reset(): all of it is there at once. Borrowed. */
void rtl_input(rtl_soc *r, const uint8_t *bytes, size_t size);

/* False if there was none within `cycles`. */
bool rtl_next(rtl_soc *r, uint64_t cycles, rtl_event *event);

/* Borrowed; true until the next call. */
const rtl_state *rtl_look(const rtl_soc *r);

#ifdef __cplusplus
}
#endif

#endif
