/*
 * elf_builder.h - small ELF files for tests, made in memory byte by byte.
 *
 * Fill in the public fields, add segments, sections and symbols, then
 * elf_finish(). What is added is copied. Offsets come out in this order: header,
 * program headers, contents in the order they were added, symbol table, section
 * headers. A test that wants a damaged file patches the bytes afterwards.
 * Out of memory ends the test program.
 */
#ifndef GS_TESTS_ELF_BUILDER_H
#define GS_TESTS_ELF_BUILDER_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct elf_builder {
    bool big_endian;
    uint8_t os_abi;
    uint16_t type, machine;
    uint32_t entry, flags;
    bool no_sections; /* leave the section headers and symbols out */
    struct elf_parts *parts;
} elf_builder;

/* A static executable for EM_RISCV or EM_MIPS. */
void elf_start(elf_builder *elf, uint16_t machine, bool big_endian);

/* A program header with contents. Returns its number. */
unsigned elf_segment(elf_builder *elf, uint32_t type, uint32_t flags, uint32_t address,
                     const void *bytes, size_t size, uint32_t memory_size);

/* A PT_LOAD segment of instructions in the file's byte order (RISC-V: little endian), readable
 * and executable, and a section .text over it. Returns the section's number. */
uint16_t elf_code(elf_builder *elf, uint32_t address, const uint32_t *words, size_t count);

/* A section over a part of a segment: contents are where the segment has them. */
uint16_t elf_section(elf_builder *elf, const char *name, uint32_t type, uint32_t flags,
                     uint32_t address, uint32_t size);

/* A section that is not loaded, with contents of its own. */
uint16_t elf_loose_section(elf_builder *elf, const char *name, const void *bytes, size_t size);

/* `info` is ELF32_ST_INFO(bind, type). */
void elf_symbol(elf_builder *elf, const char *name, uint32_t value, uint32_t size, unsigned info,
                uint16_t section, uint8_t other);

/* A global function. */
void elf_function(elf_builder *elf, const char *name, uint32_t value, uint32_t size);

/* The file; free() it. The builder is empty afterwards. */
uint8_t *elf_finish(elf_builder *elf, size_t *size);

/* Writes a value in the file's byte order. */
void elf_put16(const elf_builder *elf, uint8_t *at, uint16_t value);
void elf_put32(const elf_builder *elf, uint8_t *at, uint32_t value);

#endif
