/*
 * register_bank.h - a bank of registers that remember what is stored.
 *
 * For what start-up code sets and waits for: clocks, resets, pins. What is known of single words
 * (gs_board_word) says how they read. Nothing happens when they are written.
 */
#ifndef GS_MACHINE_BARE_REGISTER_BANK_H
#define GS_MACHINE_BARE_REGISTER_BANK_H

#include "machine/bare/board.h"

typedef struct gs_register_bank {
    const gs_board_device *description;
    uint32_t *words;
    bool big_endian;
} gs_register_bank;

/* The description is borrowed. */
gs_status gs_register_bank_init(gs_register_bank *registers, const gs_board_device *description,
                                bool big_endian, gs_error *err);
void gs_register_bank_fini(gs_register_bank *registers);

/* Bytes of its words. */
size_t gs_register_bank_size(const gs_board_device *description);

/* Of a gs_device with self = the registers. */
bool gs_register_bank_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_register_bank_store(void *self, uint32_t offset, unsigned size, uint64_t value);

#endif
