/*
 * Guest memory: mapping, protection, byte order, devices, decoded code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/memory.h"

enum { RW = GS_PROT_READ | GS_PROT_WRITE, RWX = RW | GS_PROT_EXEC };

static void make(gs_memory *memory, gs_arch arch, bool big_endian)
{
    gs_error err;
    assert_int_equal(gs_memory_init(memory, gs_isa_for(arch), big_endian, &err), GS_OK);
}

static void map(gs_memory *memory, gs_addr start, uint64_t size, unsigned prot)
{
    gs_error err;
    assert_int_equal(gs_memory_map(memory, start, size, prot, &err), GS_OK);
}

static void test_mapping(void **state)
{
    (void)state;
    gs_memory memory;
    gs_error err;
    uint32_t word = 1;
    make(&memory, GS_ARCH_RV32, false);
    assert_false(gs_memory_read32(&memory, 0x1000, &word));
    map(&memory, 0x1004, 8, RW); /* rounded out to the page */
    assert_true(gs_memory_read32(&memory, 0x1ffc, &word));
    assert_int_equal(word, 0);
    assert_true(gs_memory_write32(&memory, 0x1ffc, 0x12345678));
    assert_false(gs_memory_write32(&memory, 0x1ffe, 1)); /* half of it is not there */
    map(&memory, 0x1000, 0x2000, RW);                    /* keeps what is there */
    assert_true(gs_memory_read32(&memory, 0x1ffc, &word));
    assert_int_equal(word, 0x12345678);
    gs_memory_unmap(&memory, 0x1000, 0x1000);
    assert_false(gs_memory_read32(&memory, 0x1ffc, &word));
    map(&memory, 0x1000, 0x1000, RW);
    assert_true(gs_memory_read32(&memory, 0x1ffc, &word)); /* comes back empty */
    assert_int_equal(word, 0);
    assert_int_equal(gs_memory_map(&memory, 0xfffff000, 0x1001, RW, &err), GS_E_ARGUMENT);
    map(&memory, 0xfffff000, 0x1000, RW); /* the last page */
    assert_true(gs_memory_write32(&memory, 0xfffffffc, 7));
    gs_memory_fini(&memory);
}

static void test_protection(void **state)
{
    (void)state;
    gs_memory memory;
    uint64_t value;
    make(&memory, GS_ARCH_RV32, false);
    map(&memory, 0x4000, 0x1000, GS_PROT_READ);
    assert_int_equal(gs_memory_store(&memory, 0x4000, 4, 1), GS_ACCESS_FAULT);
    assert_int_equal(gs_memory_load(&memory, 0x4000, 4, &value), GS_ACCESS_OK);
    assert_true(gs_memory_poke(&memory, 0x4000, "\x01\x02\x03\x04", 4));
    assert_int_equal(gs_memory_load(&memory, 0x4000, 4, &value), GS_ACCESS_OK);
    assert_int_equal(value, 0x04030201);
    gs_memory_protect(&memory, 0x4000, 0x1000, GS_PROT_WRITE);
    assert_int_equal(gs_memory_store(&memory, 0x4000, 4, 1), GS_ACCESS_OK);
    assert_int_equal(gs_memory_load(&memory, 0x4000, 4, &value), GS_ACCESS_FAULT);
    gs_memory_fini(&memory);
}

static void test_byte_order_and_alignment(void **state)
{
    (void)state;
    gs_memory memory;
    uint64_t value;
    uint8_t bytes[8];
    make(&memory, GS_ARCH_MIPS32, true);
    map(&memory, 0, 0x2000, RW);
    assert_int_equal(gs_memory_store(&memory, 8, 8, 0x0102030405060708), GS_ACCESS_OK);
    assert_true(gs_memory_read(&memory, 8, bytes, 8));
    assert_memory_equal(bytes, "\1\2\3\4\5\6\7\10", 8);
    assert_int_equal(gs_memory_load(&memory, 8, 2, &value), GS_ACCESS_OK);
    assert_int_equal(value, 0x0102);
    assert_int_equal(gs_memory_load(&memory, 9, 2, &value), GS_ACCESS_MISALIGNED);
    gs_memory_fini(&memory);

    make(&memory, GS_ARCH_RV32, false);
    map(&memory, 0, 0x2000, RW);
    assert_int_equal(gs_memory_store(&memory, 0xffe, 4, 0x11223344), GS_ACCESS_OK); /* two pages */
    assert_int_equal(gs_memory_load(&memory, 0xffe, 4, &value), GS_ACCESS_OK);
    assert_int_equal(value, 0x11223344);
    assert_int_equal(gs_memory_load(&memory, 0x1ffe, 4, &value), GS_ACCESS_FAULT);
    gs_memory_fini(&memory);
}

static bool device_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    *value = *(uint32_t *)self + offset + size;
    return offset != 8;
}

static bool device_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    *(uint32_t *)self = (uint32_t)value;
    return offset != 8 && size == 4;
}

static void test_devices(void **state)
{
    (void)state;
    gs_memory memory;
    gs_error err;
    uint32_t cell = 100;
    uint64_t value;
    gs_device device = {0xf0000000, 0x10, device_load, device_store, &cell};
    make(&memory, GS_ARCH_RV32, false);
    assert_int_equal(gs_memory_add_device(&memory, &device, &err), GS_OK);
    assert_int_equal(gs_memory_load(&memory, 0xf0000004, 4, &value), GS_ACCESS_OK);
    assert_int_equal(value, 108);
    assert_int_equal(gs_memory_store(&memory, 0xf0000004, 4, 5), GS_ACCESS_OK);
    assert_int_equal(cell, 5);
    assert_int_equal(gs_memory_load(&memory, 0xf0000008, 4, &value), GS_ACCESS_FAULT); /* refused */
    assert_int_equal(gs_memory_load(&memory, 0xf0000010, 4, &value), GS_ACCESS_FAULT); /* beyond */
    assert_int_equal(gs_memory_load(&memory, 0xf0000002, 4, &value), GS_ACCESS_MISALIGNED);
    assert_false(gs_memory_allows(&memory, 0xf0000000, 4, GS_PROT_READ)); /* not for copying */
    for (int i = 1; i < GS_DEVICE_MAX; i++)
        assert_int_equal(gs_memory_add_device(&memory, &device, &err), GS_OK);
    assert_int_equal(gs_memory_add_device(&memory, &device, &err), GS_E_ARGUMENT);
    gs_memory_fini(&memory);
}

static void test_decoded_code_follows_stores(void **state)
{
    (void)state;
    gs_memory memory;
    uint32_t word;
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    make(&memory, GS_ARCH_RV32, false);
    assert_null(gs_memory_code_page(&memory, 0x1000));
    map(&memory, 0x1000, 0x2000, RWX);
    gs_insn *page = gs_memory_code_page(&memory, 0x1ffe);
    assert_non_null(page);
    assert_non_null(gs_memory_code_page(&memory, 0x2000));
    assert_int_equal(page[0].op, GS_OP_UNDECODED);
    assert_int_equal(page[0x800].op, GS_OP_PAGE_END);
    assert_int_equal(page[0x801].op, GS_OP_PAGE_END);
    assert_false(memory.fast[1] & GS_FAST_STORE);
    for (int i = 0; i < 0x800; i++)
        page[i].op = GS_OP_FIRST;
    /* Bytes 0x1010..0x1013 belong to instructions that begin at 0x100e, 0x1010 and 0x1012. */
    assert_int_equal(gs_memory_store(&memory, 0x1010, 4, 0), GS_ACCESS_OK);
    assert_int_equal(page[0x0c / 2].op, GS_OP_FIRST);
    assert_int_equal(page[0x0e / 2].op, GS_OP_UNDECODED);
    assert_int_equal(page[0x10 / 2].op, GS_OP_UNDECODED);
    assert_int_equal(page[0x12 / 2].op, GS_OP_UNDECODED);
    assert_int_equal(page[0x14 / 2].op, GS_OP_FIRST);
    /* The first byte of the next page can belong to the last instruction of this one. */
    assert_int_equal(gs_memory_store(&memory, 0x2000, 1, 0), GS_ACCESS_OK);
    assert_int_equal(page[0x7ff].op, GS_OP_UNDECODED);
    assert_int_equal(gs_memory_fetch(&memory, isa, 0x1001, &word), GS_ACCESS_MISALIGNED);
    gs_memory_protect(&memory, 0x1000, 0x1000, RW);
    assert_null(gs_memory_code_page(&memory, 0x1000));
    assert_true(memory.fast[1] & GS_FAST_STORE);
    gs_memory_fini(&memory);
}

static void test_fetch_reads_no_further(void **state)
{
    (void)state;
    gs_memory memory;
    uint32_t word;
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    make(&memory, GS_ARCH_RV32, false);
    map(&memory, 0x1000, 0x1000, RWX);
    assert_true(gs_memory_write(&memory, 0x1ffe, "\x01\x45", 2)); /* c.li a0, 0 */
    assert_int_equal(gs_memory_fetch(&memory, isa, 0x1ffe, &word), GS_ACCESS_OK);
    assert_int_equal(word, 0x4501);
    assert_true(gs_memory_write(&memory, 0x1ffe, "\x13\x00", 2)); /* half an addi */
    assert_int_equal(gs_memory_fetch(&memory, isa, 0x1ffe, &word), GS_ACCESS_FAULT);
    gs_memory_fini(&memory);
}

static void test_free_space_and_strings(void **state)
{
    (void)state;
    gs_memory memory;
    char text[8];
    make(&memory, GS_ARCH_RV32, false);
    map(&memory, 0x10000, 0x2000, RW);
    assert_int_equal(gs_memory_find_free(&memory, 0xf000, 0x20000, 0x1000), 0xf000);
    assert_int_equal(gs_memory_find_free(&memory, 0xf000, 0x20000, 0x1001), 0x12000);
    assert_int_equal(gs_memory_find_free(&memory, 0xf000, 0x13000, 0x1001), 0);
    assert_true(gs_memory_write(&memory, 0x11ffa, "hello", 6));
    assert_true(gs_memory_read_string(&memory, 0x11ffa, text, sizeof text));
    assert_string_equal(text, "hello");
    assert_false(gs_memory_read_string(&memory, 0x11ffa, text, 5)); /* does not fit */
    assert_true(gs_memory_write(&memory, 0x11ffa, "helloo", 6));
    assert_false(gs_memory_read_string(&memory, 0x11ffa, text, sizeof text)); /* runs off the end */
    gs_memory_fini(&memory);
}

/* What is around guest memory, at fixed distances. */
static void test_bytes_around_memory(void **state)
{
    (void)state;
    gs_memory memory;
    make(&memory, GS_ARCH_RV32, false);
    map(&memory, 0xfffff000, 0x1000, RW);
    assert_int_equal(memory.bytes[(int64_t)(0xfffff000 >> 12) - GS_MEMORY_PAGES],
                     GS_FAST_LOAD | GS_FAST_STORE);
    assert_int_equal(memory.bytes[(int64_t)(0xffffe000 >> 12) - GS_MEMORY_PAGES], 0);

    memory.bytes[-1] = memory.bytes[-GS_MEMORY_ANCHOR] = 0xff;
    /* The two lowest bits of a word's address become the highest: none of that is ever set. */
    for (uint32_t low = 1; low < 4; low++)
        assert_int_equal(memory.bytes[(int64_t)(low << 20 | 0xfffff) - GS_MEMORY_PAGES], 0);

    for (unsigned shift = 2; shift < 8; shift++) { /* those of code are before these */
        uint8_t *code = gs_memory_icache_notes(&memory, shift);
        const uint32_t end = 0xffffffff >> shift;
        assert_ptr_equal(code, memory.bytes - gs_memory_icache_notes_distance(shift));
        assert_int_equal(code[0] | code[end], 0);
        code[0] = code[end] = 0xff;
        assert_int_equal(memory.bytes[-GS_MEMORY_PAGES], 0);
    }

    uint8_t *own = gs_memory_engine_room(&memory), *notes = gs_memory_dcache_notes(&memory);
    assert_ptr_equal(own + GS_MEMORY_DCACHE_NOTES, notes);
    assert_true(own > memory.bytes + 0xffffffff);
    assert_int_equal(own[0] | own[GS_MEMORY_ENGINE_ROOM - 1] | notes[0] | notes[0xffffffff], 0);
    own[0] = own[GS_MEMORY_ENGINE_ROOM - 1] = notes[0] = notes[0xffffffff] = 0xff;
    for (int64_t i = 1; i <= GS_MEMORY_OVERSHOOT; i++) /* beyond all addresses nothing is noted */
        assert_int_equal(notes[-i] | notes[0xffffffff + i], 0);
    assert_int_equal(memory.bytes[0xffffffff], 0);
    assert_ptr_equal(gs_memory_engine_room(&memory), own); /* once more: all of it is 0 again */
    assert_ptr_equal(gs_memory_dcache_notes(&memory), notes);
    assert_int_equal(own[0] | own[GS_MEMORY_ENGINE_ROOM - 1] | notes[0] | notes[0xffffffff], 0);
    gs_memory_fini(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_protection),
        cmocka_unit_test(test_byte_order_and_alignment),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_decoded_code_follows_stores),
        cmocka_unit_test(test_fetch_reads_no_further),
        cmocka_unit_test(test_free_space_and_strings),
        cmocka_unit_test(test_bytes_around_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
