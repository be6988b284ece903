/*
 * The ELF loader: what it reads, and every way in which it refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_builder.h"
#include "encode.h"
#include "image/image.h"

enum { BASE = 0x10000, PHDR_0 = sizeof(Elf32_Ehdr) };

#define HEADER(field)         offsetof(Elf32_Ehdr, field)
#define SEGMENT(index, field) (PHDR_0 + (index) * sizeof(Elf32_Phdr) + offsetof(Elf32_Phdr, field))

static const uint32_t rv_program[] = {RV_ADD, RV_ECALL, RV_RET};
static const uint32_t mips_program[] = {MIPS_ADD, MIPS_SYSCALL, MIPS_RET, MIPS_NOP};

static void start_rv(elf_builder *elf)
{
    elf_start(elf, EM_RISCV, false);
    elf->entry = BASE;
    elf_code(elf, BASE, rv_program, 3);
}

static void start_mips(elf_builder *elf, bool big_endian)
{
    elf_start(elf, EM_MIPS, big_endian);
    elf->entry = BASE;
    elf_code(elf, BASE, mips_program, 4);
}

/* Opens and frees the bytes. */
static gs_status open_bytes(gs_image **image, uint8_t *bytes, size_t size, gs_error *err)
{
    gs_status status = gs_image_open_memory(image, bytes, size, "program", err);
    free(bytes);
    return status;
}

static gs_image *open_elf(elf_builder *elf)
{
    size_t size;
    uint8_t *bytes = elf_finish(elf, &size);
    gs_image *image;
    gs_error err;
    if (open_bytes(&image, bytes, size, &err))
        fail_msg("%s", err.message);
    return image;
}

static void expect_refused(uint8_t *bytes, size_t size, gs_status status, const char *words)
{
    gs_image *image = (gs_image *)bytes;
    gs_error err = {0};
    assert_int_equal(open_bytes(&image, bytes, size, &err), status);
    assert_null(image);
    assert_int_equal(err.status, status);
    assert_null(strchr(err.message, '\n'));
    assert_int_equal(strncmp(err.message, "program: ", 9), 0);
    if (!strstr(err.message, words))
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

static void refuse_elf(elf_builder *elf, gs_status status, const char *words)
{
    size_t size;
    uint8_t *bytes = elf_finish(elf, &size);
    expect_refused(bytes, size, status, words);
}

/* A sound RISC-V file with one word changed. */
static void refuse_patched(size_t offset, uint32_t value, gs_status status, const char *words)
{
    elf_builder elf;
    size_t size;
    start_rv(&elf);
    uint8_t *bytes = elf_finish(&elf, &size);
    elf_put32(&elf, bytes + offset, value);
    expect_refused(bytes, size, status, words);
}

static void test_reads_rv(void **state)
{
    (void)state;
    elf_builder elf;
    static const uint8_t data[4] = {1, 2, 3, 4};
    start_rv(&elf);
    elf.flags = EF_RISCV_RVC;
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, 0x8000, data, 4, 100);
    elf_symbol(&elf, "tohost", 0x8000, 4, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 1, 0);
    gs_image *image = open_elf(&elf);
    assert_string_equal(gs_image_name(image), "program");
    assert_int_equal(gs_image_arch(image), GS_ARCH_RV32);
    assert_false(gs_image_big_endian(image));
    assert_int_equal(gs_image_entry(image), BASE);
    assert_int_equal(gs_image_flags(image), EF_RISCV_RVC);
    assert_int_equal(gs_image_phdr_count(image), 2);
    assert_int_equal(gs_image_phdr_address(image), 0); /* in no segment */

    assert_int_equal(gs_image_segment_count(image), 2); /* sorted */
    const gs_segment *segment = gs_image_segment(image, 0);
    assert_int_equal(segment->address, 0x8000);
    assert_int_equal(segment->physical, 0x8000);
    assert_int_equal(segment->file_size, 4);
    assert_int_equal(segment->memory_size, 100);
    assert_memory_equal(segment->bytes, data, 4);
    assert_true(segment->read && segment->write && !segment->execute);
    segment = gs_image_segment(image, 1);
    assert_int_equal(segment->address, BASE);
    assert_true(segment->read && !segment->write && segment->execute);

    uint64_t value = 0;
    assert_true(gs_image_find_symbol(image, "tohost", &value));
    assert_int_equal(value, 0x8000);
    assert_true(gs_image_find_symbol(image, "tohost", NULL));
    assert_false(gs_image_find_symbol(image, "fromhost", &value));

    gs_insn insn;
    assert_true(gs_image_insn_at(image, BASE + 4, &insn));
    assert_int_equal(insn.raw, RV_ECALL);
    assert_int_equal(insn.length, 4);
    assert_false(gs_image_insn_at(image, 0x8000, &insn));    /* not executable */
    assert_false(gs_image_insn_at(image, BASE + 1, &insn));  /* not aligned */
    assert_false(gs_image_insn_at(image, BASE + 12, &insn)); /* behind the end */
    assert_false(gs_image_insn_at(image, 0, &insn));
    gs_image_free(image);
    gs_image_free(NULL);
}

static void test_reads_mips_in_both_orders(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        elf_builder elf;
        start_mips(&elf, big);
        elf_function(&elf, "main", BASE, 16);
        gs_image *image = open_elf(&elf);
        assert_int_equal(gs_image_arch(image), GS_ARCH_MIPS32);
        assert_int_equal(gs_image_big_endian(image), big);
        assert_int_equal(gs_image_function_count(image), 1);
        assert_string_equal(gs_image_function(image, 0)->name, "main");
        gs_insn insn;
        assert_true(gs_image_insn_at(image, BASE + 4, &insn));
        assert_int_equal(insn.raw, MIPS_SYSCALL);
        gs_image_free(image);
    }
}

static void test_compressed_instruction_at_the_very_end(void **state)
{
    (void)state;
    static const uint8_t code[] = {0x82, 0x80, 0x82, 0x80, 0x82, 0x80, 0x13}; /* c.jr ra */
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_segment(&elf, PT_LOAD, PF_X, BASE, code, sizeof code, sizeof code);
    gs_image *image = open_elf(&elf);
    gs_insn insn;
    assert_true(gs_image_insn_at(image, BASE + 4, &insn));
    assert_int_equal(insn.length, 2);
    assert_int_equal(insn.raw, 0x8082);
    assert_false(gs_image_insn_at(image, BASE + 6, &insn)); /* half of one */
    gs_image_free(image);
}

static void test_finds_program_headers_in_memory(void **state)
{
    (void)state;
    elf_builder elf;
    size_t size;
    start_rv(&elf);
    uint8_t *bytes = elf_finish(&elf, &size);
    /* Let the segment begin where the file does, as linkers do for Linux. */
    uint32_t contents = PHDR_0 + sizeof(Elf32_Phdr);
    elf_put32(&elf, bytes + SEGMENT(0, p_offset), 0);
    elf_put32(&elf, bytes + SEGMENT(0, p_vaddr), BASE - contents);
    elf_put32(&elf, bytes + SEGMENT(0, p_filesz), contents + 12);
    elf_put32(&elf, bytes + SEGMENT(0, p_memsz), contents + 12);
    gs_image *image;
    assert_int_equal(open_bytes(&image, bytes, size, NULL), GS_OK);
    assert_int_equal(gs_image_phdr_address(image), BASE - contents + PHDR_0);
    gs_image_free(image);
}

static void test_reads_a_program_without_sections(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf.no_sections = true;
    gs_image *image = open_elf(&elf);
    assert_int_equal(gs_image_function_count(image), 1);
    assert_string_equal(gs_image_function(image, 0)->name, "fn_00010000");
    gs_image_free(image);
}

static void test_ignores_empty_segments(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_segment(&elf, PT_LOAD, PF_R, BASE, NULL, 0, 0);
    gs_image *image = open_elf(&elf);
    assert_int_equal(gs_image_segment_count(image), 1);
    gs_image_free(image);
}

static void test_accepts_memory_up_to_4_gib(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, 0x20000, NULL, 0, 0xfffe0000u);
    gs_image *image = open_elf(&elf);
    assert_int_equal(gs_image_segment(image, 1)->memory_size, 0xfffe0000u);
    gs_image_free(image);
}

static void test_refuses_what_is_no_elf_file(void **state)
{
    (void)state;
    expect_refused(calloc(1, 1), 0, GS_E_FORMAT, "is empty");
    expect_refused((uint8_t *)strdup("#!/bin/sh\n"), 10, GS_E_FORMAT, "not an ELF file");
    expect_refused((uint8_t *)strdup("\x7f"), 1, GS_E_FORMAT, "not an ELF file");
    expect_refused((uint8_t *)strdup("!<arch>\nlibc.o"), 14, GS_E_FORMAT, "link it first");
    expect_refused((uint8_t *)strdup("\x7f"
                                     "ELF"),
                   4, GS_E_FORMAT, "header is damaged");
    expect_refused((uint8_t *)strdup("\x7f"
                                     "ELF\1\1\1"),
                   7, GS_E_FORMAT, "header is damaged");
}

static void test_refuses_every_truncation(void **state)
{
    (void)state;
    elf_builder elf;
    size_t size;
    start_rv(&elf);
    elf_function(&elf, "main", BASE, 12);
    uint8_t *bytes = elf_finish(&elf, &size);
    for (size_t cut = 0; cut < size; cut++) {
        gs_image *image;
        gs_error err;
        assert_int_equal(gs_image_open_memory(&image, bytes, cut, "program", &err), GS_E_FORMAT);
        assert_null(image);
    }
    free(bytes);
}

static void test_refuses_other_machines(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf.machine = EM_X86_64;
    refuse_elf(&elf, GS_E_UNSUPPORTED, "is for x86-64");
    start_rv(&elf);
    elf.machine = 0x4711;
    refuse_elf(&elf, GS_E_UNSUPPORTED, "machine number 18193");
    start_rv(&elf);
    elf.big_endian = true;
    refuse_elf(&elf, GS_E_UNSUPPORTED, "-mlittle-endian");
}

static void test_refuses_64_bit_programs(void **state)
{
    (void)state;
    for (int mips = 0; mips < 2; mips++) {
        Elf64_Ehdr header = {
            .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
            .e_type = ET_EXEC,
            .e_machine = mips ? EM_MIPS : EM_RISCV,
            .e_version = EV_CURRENT,
            .e_ehsize = sizeof header,
        };
        uint8_t *bytes = malloc(sizeof header);
        assert_non_null(bytes);
        memcpy(bytes, &header, sizeof header);
        expect_refused(bytes, sizeof header, GS_E_UNSUPPORTED,
                       mips ? "-march=mips32r2 -mabi=32" : "-march=rv32im -mabi=ilp32");
    }
}

static void test_refuses_other_file_types(void **state)
{
    (void)state;
    static const struct {
        uint16_t type;
        gs_status status;
        const char *words;
    } cases[] = {
        {ET_REL, GS_E_UNSUPPORTED, "link it first"},
        {ET_DYN, GS_E_UNSUPPORTED, "link it with -static -no-pie"},
        {ET_CORE, GS_E_UNSUPPORTED, "core file"},
        {ET_NONE, GS_E_FORMAT, "ELF file type 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        elf_builder elf;
        start_rv(&elf);
        elf.type = cases[i].type;
        refuse_elf(&elf, cases[i].status, cases[i].words);
    }
}

static void test_refuses_dynamic_linking(void **state)
{
    (void)state;
    static const uint16_t types[] = {ET_EXEC, ET_DYN};
    for (int i = 0; i < 2; i++) {
        elf_builder elf;
        start_rv(&elf);
        elf.type = types[i];
        elf_segment(&elf, PT_INTERP, PF_R, 0, "/lib/ld.so", 11, 11);
        refuse_elf(&elf, GS_E_UNSUPPORTED, "dynamically linked");
    }
}

static void test_refuses_mips_variants(void **state)
{
    (void)state;
    static const struct {
        uint32_t flags;
        const char *words;
    } cases[] = {
        {EF_MIPS_ARCH_32R2 | EF_MIPS_ABI2, "n32"},
        {EF_MIPS_ARCH_64 | 0x2000, "64-bit MIPS ABI"},
        {EF_MIPS_ARCH_64 | 0x4000, "64-bit MIPS ABI"},
        {EF_MIPS_ARCH_32R2 | 0x1000 | 0x02000000, "microMIPS"},
        {EF_MIPS_ARCH_32R2 | 0x1000 | 0x04000000, "MIPS16"},
        {0x90000000u | 0x1000, "release 6"},
        {0xa0000000u | 0x1000, "release 6"},
        {EF_MIPS_ARCH_64R2 | 0x1000, "64-bit MIPS instructions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        elf_builder elf;
        start_mips(&elf, i & 1);
        elf.flags = cases[i].flags;
        refuse_elf(&elf, GS_E_UNSUPPORTED, cases[i].words);
    }
    elf_builder elf;
    start_mips(&elf, false);
    elf.entry = BASE + 1;
    refuse_elf(&elf, GS_E_UNSUPPORTED, "MIPS16 or microMIPS code at 0x00010001");
}

static void test_accepts_mips_variants(void **state)
{
    (void)state;
    static const uint32_t flags[] = {
        0,
        EF_MIPS_ARCH_1 | 0x1000,
        EF_MIPS_ARCH_32 | 0x1000 | EF_MIPS_PIC | EF_MIPS_CPIC | EF_MIPS_NOREORDER,
        EF_MIPS_ARCH_32R2 | 0x1000 | EF_MIPS_FP64 | EF_MIPS_NAN2008,
        EF_MIPS_ARCH_3 | 0x1000 | 0x100, /* in 32-bit mode */
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        elf_builder elf;
        start_mips(&elf, true);
        elf.flags = flags[i];
        gs_image *image = open_elf(&elf);
        assert_int_equal(gs_image_flags(image), flags[i]);
        gs_image_free(image);
    }
}

static void test_refuses_damaged_headers(void **state)
{
    (void)state;
    refuse_patched(HEADER(e_phoff), 0x7fffffff, GS_E_FORMAT, "program headers at offset");
    refuse_patched(HEADER(e_phentsize), 0x10007, GS_E_FORMAT, "program headers at offset");
    refuse_patched(HEADER(e_shoff), 0x7ffffff0, GS_E_FORMAT, "section headers at offset");
    refuse_patched(HEADER(e_phoff), 0, GS_E_FORMAT, "");
}

static void test_refuses_damaged_segments(void **state)
{
    (void)state;
    refuse_patched(SEGMENT(0, p_offset), 0x10000, GS_E_FORMAT, "needs 12 bytes at offset 0x10000");
    refuse_patched(SEGMENT(0, p_offset), 0xffffffff, GS_E_FORMAT, "cut short");
    refuse_patched(SEGMENT(0, p_memsz), 4, GS_E_FORMAT, "more bytes in the file than in memory");
    refuse_patched(SEGMENT(0, p_memsz), 0xffff0001u, GS_E_FORMAT, "goes beyond 4 GiB");
    refuse_patched(SEGMENT(0, p_type), PT_NOTE, GS_E_FORMAT, "no loadable segment");
    refuse_patched(SEGMENT(0, p_memsz), 0, GS_E_FORMAT, "no loadable segment");

    elf_builder elf;
    start_rv(&elf);
    elf_segment(&elf, PT_LOAD, PF_R, BASE + 8, "abcd", 4, 4);
    refuse_elf(&elf, GS_E_FORMAT, "at 0x00010000 reaches into the one at 0x00010008");
    start_rv(&elf);
    elf_segment(&elf, PT_LOAD, PF_R, BASE - 8, "abcd", 4, 9);
    refuse_elf(&elf, GS_E_FORMAT, "overlapping");
    start_rv(&elf);
    elf_segment(&elf, PT_LOAD, PF_R, BASE, "abcd", 4, 4);
    refuse_elf(&elf, GS_E_FORMAT, "overlapping");
}

static void test_refuses_an_entry_without_code(void **state)
{
    (void)state;
    refuse_patched(HEADER(e_entry), 0, GS_E_FORMAT, "starts at 0x00000000");
    refuse_patched(HEADER(e_entry), BASE + 12, GS_E_FORMAT, "no code");
    refuse_patched(HEADER(e_entry), BASE + 1, GS_E_FORMAT, "no code");
    refuse_patched(SEGMENT(0, p_flags), PF_R, GS_E_FORMAT, "no code");
    refuse_patched(SEGMENT(0, p_filesz), 0, GS_E_FORMAT, "no code");
}

/* Some linker scripts give no flags at all: on bare metal memory is memory. */
static void test_segment_without_flags_holds_code(void **state)
{
    (void)state;
    const uint32_t loop[] = {0x0000006f};
    elf_builder elf;
    size_t size;
    gs_image *image;
    gs_error err;
    elf_start(&elf, EM_RISCV, false);
    elf_segment(&elf, PT_LOAD, 0, BASE, loop, sizeof loop, sizeof loop);
    elf.entry = BASE;
    uint8_t *bytes = elf_finish(&elf, &size);
    assert_int_equal(gs_image_open_memory(&image, bytes, size, "program", &err), GS_OK);
    free(bytes);
    assert_true(gs_image_segment(image, 0)->execute);
    gs_image_free(image);
}

/* Damage to what only names things costs the names. */
static void test_damaged_sections_cost_symbols_only(void **state)
{
    (void)state;
    elf_builder elf;
    size_t size;
    for (size_t field = 0; field < sizeof(Elf32_Shdr); field += 4) {
        start_rv(&elf);
        elf_function(&elf, "main", BASE, 12);
        uint8_t *bytes = elf_finish(&elf, &size);
        for (size_t section = 1; section <= 3; section++)
            elf_put32(&elf, bytes + size - section * sizeof(Elf32_Shdr) + field, 0xfffffff0u);
        gs_image *image;
        gs_error err;
        if (open_bytes(&image, bytes, size, &err))
            fail_msg("field at %zu: %s", field, err.message);
        assert_int_equal(gs_image_function_count(image), 1);
        gs_image_free(image);
    }
}

static void test_long_names_leave_room_for_the_message(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 10, "/last.elf");
    gs_image *image;
    gs_error err;
    assert_int_equal(gs_image_open_memory(&image, "", 0, name, &err), GS_E_FORMAT);
    assert_int_equal(strncmp(err.message, "...x", 4), 0);
    assert_non_null(strstr(err.message, "/last.elf: is empty"));
}

static void expect_open_fails(const char *path, gs_status status, const char *words)
{
    gs_image *image;
    gs_error err;
    assert_int_equal(gs_image_open(&image, path, &err), status);
    assert_null(image);
    if (!strstr(err.message, words) || !strstr(err.message, path))
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
    assert_int_equal(gs_image_open(&image, path, NULL), status);
}

static void test_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_image_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64], missing[64], below[80];
    snprintf(path, sizeof path, "%s/program", folder);
    snprintf(missing, sizeof missing, "%s/none", folder);
    snprintf(below, sizeof below, "%s/program/none", folder);

    elf_builder elf;
    size_t size;
    start_rv(&elf);
    uint8_t *bytes = elf_finish(&elf, &size);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);

    gs_image *image;
    assert_int_equal(gs_image_open(&image, path, NULL), GS_OK);
    assert_string_equal(gs_image_name(image), path);
    gs_image_free(image);

    expect_open_fails(missing, GS_E_NOT_FOUND, "No such file");
    expect_open_fails(below, GS_E_NOT_FOUND, "Not a directory");
    expect_open_fails(folder, GS_E_IO, "Is a directory");
    expect_open_fails("/dev/zero", GS_E_FORMAT, "not an ELF file");
    expect_open_fails("/dev/null", GS_E_FORMAT, "is empty");
    if (geteuid() != 0) { /* root may read anything */
        assert_int_equal(chmod(path, 0), 0);
        expect_open_fails(path, GS_E_IO, "Permission denied");
    }
    assert_int_equal(truncate(path, ((off_t)4 << 30) + 1), 0); /* sparse */
    expect_open_fails(path, GS_E_UNSUPPORTED, "larger than 4 GiB");
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_rv),
        cmocka_unit_test(test_reads_mips_in_both_orders),
        cmocka_unit_test(test_compressed_instruction_at_the_very_end),
        cmocka_unit_test(test_finds_program_headers_in_memory),
        cmocka_unit_test(test_reads_a_program_without_sections),
        cmocka_unit_test(test_ignores_empty_segments),
        cmocka_unit_test(test_accepts_memory_up_to_4_gib),
        cmocka_unit_test(test_refuses_what_is_no_elf_file),
        cmocka_unit_test(test_refuses_every_truncation),
        cmocka_unit_test(test_refuses_other_machines),
        cmocka_unit_test(test_refuses_64_bit_programs),
        cmocka_unit_test(test_refuses_other_file_types),
        cmocka_unit_test(test_refuses_dynamic_linking),
        cmocka_unit_test(test_refuses_mips_variants),
        cmocka_unit_test(test_accepts_mips_variants),
        cmocka_unit_test(test_refuses_damaged_headers),
        cmocka_unit_test(test_refuses_damaged_segments),
        cmocka_unit_test(test_refuses_an_entry_without_code),
        cmocka_unit_test(test_segment_without_flags_holds_code),
        cmocka_unit_test(test_damaged_sections_cost_symbols_only),
        cmocka_unit_test(test_long_names_leave_room_for_the_message),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
