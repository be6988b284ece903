/*
 * port.h - the trace port: all that a hardware unit sees of the core.
 *
 * One beat per retired instruction, in program order, with the names of RVFI, the RISC-V
 * formal interface, where it has them; and one per trap. The C models of src/units, their
 * Verilog and the replay of a trace sit on this port and on nothing else, which is why they
 * can agree bit for bit. docs/units/port.md describes it for hardware.
 *
 * A beat stands for `cycles` clocks of the core: first those in which nothing retired, by
 * cause in the order of timing/stalls.def, then the one in which the instruction retired.
 * They belong to the instruction that ended them, as everywhere in Gumshoe. A core that
 * retires several instructions in one clock sends several beats, of which the later ones
 * may have no clock of their own (cycles 0).
 */
#ifndef GS_PROBE_PORT_H
#define GS_PROBE_PORT_H

#include "gumshoe/run.h"
#include "timing/timing.h"

typedef struct gs_port {
    bool valid;       /* 1 bit: an instruction retired */
    bool trap;        /* 1 bit: instead, control went from pc to a handler at next_pc; nothing
                         else is set, its clocks come with the handler's first instruction */
    bool read, write; /* 1 bit each: the instruction read or wrote memory at `address` */
    bool mispredict;  /* 1 bit: it was a branch predicted wrongly */
    uint8_t size;     /* 4 bits: bytes of that access, 0 if there was none */
    uint32_t pc;      /* 32 bits: rvfi_pc_rdata */
    uint32_t next_pc; /* 32 bits: rvfi_pc_wdata; of a MIPS branch, its delay slot */
    uint32_t insn;    /* 32 bits: rvfi_insn; a 16-bit instruction has zeros above it */
    uint32_t address; /* 32 bits: rvfi_mem_addr, of its last access */
    uint8_t icache_hits, icache_misses; /* 8 bits each: looking for this instruction */
    uint8_t dcache_hits, dcache_misses; /* 8 bits each: for its data */
    uint64_t cycles;                    /* clocks since the beat before, up to this one's */
    uint64_t stall[GS_STALL_COUNT];     /* of those, clocks without retirement, by cause */
    uint64_t cycle;                     /* 64 bits: the clock of this beat, counting from 1 */

    const gs_insn *decoded; /* no wire: what `insn` says, so that no model decodes it again */
} gs_port;

/* Clocks of the beat in which nothing retired. */
static inline uint64_t gs_port_stalls(const gs_port *port)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        sum += port->stall[i];
    return sum;
}

/* What is connected to the port. The beat is borrowed for the call. */
typedef void gs_port_reader(void *self, const gs_port *port);

/* Makes beats of what the engine tells an observer. Without a timing every instruction is one
 * clock. Lives where its owner puts it; borrows machine and timing. */
typedef struct gs_port_feed {
    const gs_machine *machine;
    const gs_timing *timing; /* or NULL */
    gs_port_reader *reader;
    void *reader_self;
    gs_observer observer;
    gs_port port;
    bool stalled; /* port.stall is not all zero */
    bool off;     /* outside the region of interest: no beat goes to the reader */
    struct gs_port_counted {
        uint64_t cycles, mispredicted, ifetches, imisses, daccesses, dmisses;
        uint64_t stalls[GS_STALL_COUNT];
    } before, /* what the timing had counted at the beat before, */
        mark; /* and when beats paused */
} gs_port_feed;

/* The observer is good until the feed is moved or gone. */
void gs_port_feed_init(gs_port_feed *feed, const gs_machine *machine, const gs_timing *timing,
                       gs_port_reader *reader, void *reader_self);

/* For readers that keep the fast engine (gumshoe/bulk.h): what the timing counts between these two
 * belongs to no beat. The second returns the clocks. */
void gs_port_feed_pause(gs_port_feed *feed);
uint64_t gs_port_feed_resume(gs_port_feed *feed);

#endif
