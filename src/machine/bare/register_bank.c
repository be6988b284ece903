/* Registers that remember what is stored, some of which read as another one says. */
#include "machine/bare/register_bank.h"

#include <stdlib.h>

#include "machine/bare/atomic.h"

gs_status gs_register_bank_init(gs_register_bank *registers, const gs_board_device *description,
                                bool big_endian, gs_error *err)
{
    *registers = (gs_register_bank){.description = description, .big_endian = big_endian};
    registers->words = calloc(description->size / sizeof(uint32_t), sizeof(uint32_t));
    if (!registers->words)
        return gs_fail_no_memory(err);
    for (unsigned i = 0; i < description->word_count; i++) {
        const gs_board_word *word = &description->words[i];
        for (uint32_t n = 0; n < word->count; n++)
            registers->words[word->at / sizeof(uint32_t) + n] = word->value;
    }
    return GS_OK;
}

size_t gs_register_bank_size(const gs_board_device *description)
{
    return description->size / sizeof(uint32_t) * sizeof(uint32_t);
}

void gs_register_bank_fini(gs_register_bank *registers)
{
    free(registers->words);
}

/* Where the first copy of the word at `offset` is. */
static uint32_t first_copy(const gs_register_bank *registers, uint32_t offset)
{
    const uint32_t word = offset & ~3u;
    return registers->description->atomic ? word % GS_ATOMIC_DISTANCE : word;
}

static uint32_t read_word(const gs_register_bank *registers, uint32_t at)
{
    const gs_board_device *description = registers->description;
    uint32_t value = registers->words[at / sizeof(uint32_t)];
    for (unsigned i = 0; i < description->word_count; i++) {
        const gs_board_word *word = &description->words[i];
        if (at < word->at || (at - word->at) / sizeof(uint32_t) >= word->count)
            continue;
        const uint32_t source = registers->words[word->source / sizeof(uint32_t)];
        if (word->rule == GS_BOARD_WORD_COMPLEMENT)
            value = ~source & word->mask;
        else if (word->rule == GS_BOARD_WORD_ONE_HOT)
            value = UINT32_C(1) << (source & word->mask);
        return value | word->set;
    }
    return value;
}

/* By how many bits the part at `offset` is shifted within its word. */
static unsigned shift_of(const gs_register_bank *registers, uint32_t offset, unsigned size)
{
    const unsigned in_word = offset % 4;
    return size >= 4 ? 0 : 8 * (registers->big_endian ? 4 - size - in_word : in_word);
}

bool gs_register_bank_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_register_bank *registers = self;
    if (size > 4)
        return false;
    const uint64_t mask = (UINT64_C(1) << 8 * size) - 1;
    const uint32_t word = read_word(registers, first_copy(registers, offset));
    *value = word >> shift_of(registers, offset, size) & mask;
    return true;
}

bool gs_register_bank_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_register_bank *registers = self;
    if (size > 4)
        return false;
    const unsigned shift = shift_of(registers, offset, size);
    const uint32_t mask = (uint32_t)(((UINT64_C(1) << 8 * size) - 1) << shift);
    uint32_t *word = &registers->words[first_copy(registers, offset) / sizeof *word];
    uint32_t result = (uint32_t)(value << shift);
    if (registers->description->atomic)
        result = gs_atomic_result(offset, *word, result & mask);
    *word = (*word & ~mask) | (result & mask);
    return true;
}
