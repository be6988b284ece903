/*
 * registers.h - a hart's registers as gdb numbers, describes and transfers them.
 *
 * The number of a register is its place in the target description, which names it. Values are bytes
 * in the guest's order.
 */
#ifndef GS_DEBUG_REGISTERS_H
#define GS_DEBUG_REGISTERS_H

#include <stdio.h>

#include "machine/machine.h"

enum { GS_REGISTERS_MAX = 160, GS_REGISTER_BYTES = 8 };

typedef struct gs_register {
    char name[12];
    const char *feature; /* of gdb's that it belongs to */
    uint16_t bits;
    uint8_t kind;      /* private to registers.c */
    uint16_t index;    /* in its kind: of a control register, its number */
    bool general;      /* is sent with the others; else only when it is asked for */
    const char *type;  /* of gdb's; or NULL */
    const char *group; /* or NULL */
} gs_register;

typedef struct gs_debug_registers {
    gs_arch arch;
    bool big_endian;
    unsigned count, pc, sp; /* how many there are; the numbers of these two */
    gs_register items[GS_REGISTERS_MAX];
} gs_debug_registers;

/* Those that this machine has. */
void gs_debug_registers_init(gs_debug_registers *registers, gs_machine *machine);

/* The target description, in XML. */
void gs_debug_registers_describe(const gs_debug_registers *registers, const gs_machine *machine,
                                 FILE *to);

/* Bytes of a value; 0 if there is no such register. */
unsigned gs_register_size(const gs_debug_registers *registers, unsigned number);

/* False if there is no such register, or it cannot be read or written. */
bool gs_register_read(const gs_debug_registers *registers, gs_machine *machine, unsigned number,
                      uint8_t bytes[GS_REGISTER_BYTES]);
bool gs_register_write(const gs_debug_registers *registers, gs_machine *machine, unsigned number,
                       const uint8_t bytes[GS_REGISTER_BYTES]);

/* The same number as bytes. */
void gs_register_bytes(const gs_debug_registers *registers, unsigned number, uint64_t value,
                       uint8_t bytes[GS_REGISTER_BYTES]);

#endif
