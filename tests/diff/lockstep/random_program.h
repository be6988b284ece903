/*
 * random_program.h - random bare-metal programs for flatfoot.
 *
 * Everything follows from the seed. A program ends by itself, with status 0.
 */
#ifndef LOCKSTEP_RANDOM_PROGRAM_H
#define LOCKSTEP_RANDOM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* An ELF file; free() it. */
uint8_t *random_program(uint64_t seed, size_t *size);

#endif
