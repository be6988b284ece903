/*
 * Linux process or bare metal: what is taken for which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "encode.h"
#include "image/image.h"

enum { BASE = 0x10000 };

static bool wants_linux(elf_builder *elf)
{
    size_t size;
    uint8_t *bytes = elf_finish(elf, &size);
    gs_image *image;
    gs_error err;
    gs_status status = gs_image_open_memory(&image, bytes, size, "program", &err);
    free(bytes);
    if (status)
        fail_msg("%s", err.message);
    bool answer = gs_image_wants_linux(image);
    gs_image_free(image);
    return answer;
}

static bool rv_wants_linux(uint32_t address, const uint32_t *words, size_t count)
{
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = address;
    elf_code(&elf, address, words, count);
    return wants_linux(&elf);
}

static bool mips_wants_linux(uint32_t address, const uint32_t *words, size_t count)
{
    elf_builder elf;
    elf_start(&elf, EM_MIPS, true);
    elf.entry = address;
    elf_code(&elf, address, words, count);
    return wants_linux(&elf);
}

#define ASKS(machine, address, ...)                                 \
    machine##_wants_linux(address, (const uint32_t[]){__VA_ARGS__}, \
                          sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void test_wants_linux_by_instructions(void **state)
{
    (void)state;
    assert_true(ASKS(rv, BASE, RV_ADD, RV_ECALL, RV_RET));
    assert_false(ASKS(rv, BASE, RV_ADD, RV_RET));
    assert_false(ASKS(rv, 0x80000000u, RV_ADD, RV_ECALL, RV_RET));
    assert_false(ASKS(rv, BASE, RV_ECALL, RV_MRET));
    assert_false(ASKS(rv, BASE, RV_ECALL, RV_WFI, RV_RET));
    assert_false(ASKS(rv, BASE, RV_ECALL, rv_csrrw(0x305), RV_RET)); /* mtvec */
    assert_false(ASKS(rv, BASE, RV_ECALL, rv_csrrw(0xf14), RV_RET)); /* mhartid */
    assert_true(ASKS(rv, BASE, RV_ECALL, rv_csrrw(0xc00), RV_RET));  /* cycle */
    assert_false(ASKS(rv, BASE, RV_ECALL, 0x01f01013, RV_EBREAK, 0x40705013, RV_RET));
    assert_true(ASKS(rv, BASE, RV_ECALL, RV_EBREAK, RV_RET));
    /* Constants behind the end of the code are not looked at. */
    assert_true(ASKS(rv, BASE, RV_ECALL, RV_RET, RV_MRET));
    assert_false(ASKS(rv, BASE, RV_ADD, RV_RET, RV_ECALL));

    assert_true(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_RET, MIPS_NOP));
    assert_false(ASKS(mips, BASE, MIPS_ADD, MIPS_RET, MIPS_NOP));
    assert_false(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_MFC0, MIPS_RET, MIPS_NOP));
    assert_false(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_RET, MIPS_MFC0)); /* in the delay slot */
    assert_false(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_ERET));
    assert_false(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_SDBBP, MIPS_RET, MIPS_NOP));
    assert_true(ASKS(mips, BASE, MIPS_SYSCALL, MIPS_RET, MIPS_NOP, MIPS_MFC0));
    assert_false(ASKS(mips, 0x80000000u, MIPS_SYSCALL, MIPS_RET, MIPS_NOP));
    assert_false(ASKS(mips, 0xbfc00000u, MIPS_SYSCALL, MIPS_RET, MIPS_NOP));
}

static void put_note(const elf_builder *elf, uint8_t *at, const char *owner, uint32_t type,
                     uint32_t system)
{
    memset(at, 0, 32);
    elf_put32(elf, at, 4);
    elf_put32(elf, at + 4, 16);
    elf_put32(elf, at + 8, type);
    memcpy(at + 12, owner, 4);
    elf_put32(elf, at + 16, system);
}

static bool note_wants_linux(bool big_endian, const char *owner, uint32_t type, uint32_t system)
{
    elf_builder elf;
    uint8_t note[64];
    elf_start(&elf, EM_MIPS, big_endian);
    elf.entry = BASE;
    elf_code(&elf, BASE, (const uint32_t[]){MIPS_RET, MIPS_NOP}, 2);
    put_note(&elf, note, "GNU", NT_GNU_BUILD_ID, 0);
    put_note(&elf, note + 32, owner, type, system);
    elf_segment(&elf, PT_NOTE, PF_R, 0, note, sizeof note, sizeof note);
    return wants_linux(&elf);
}

static void test_wants_linux_by_marks(void **state)
{
    (void)state;
    elf_builder elf;
    const unsigned global = ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE);

    for (int big = 0; big < 2; big++) {
        assert_true(note_wants_linux(big, "GNU", NT_GNU_ABI_TAG, ELF_NOTE_OS_LINUX));
        assert_false(note_wants_linux(big, "GNU", NT_GNU_ABI_TAG, ELF_NOTE_OS_FREEBSD));
        assert_false(note_wants_linux(big, "GNU", NT_GNU_HWCAP, 0));
        assert_false(note_wants_linux(big, "XYZ", NT_GNU_ABI_TAG, 0));
    }
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, (const uint32_t[]){RV_ECALL, RV_RET}, 2);
    elf_symbol(&elf, "tohost", 0x8000, 0, global, 1, 0);
    assert_false(wants_linux(&elf));

    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf.os_abi = ELFOSABI_LINUX;
    elf_code(&elf, BASE, (const uint32_t[]){RV_RET}, 1);
    assert_true(wants_linux(&elf));

    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, (const uint32_t[]){RV_RET}, 1);
    elf_symbol(&elf, "__libc_start_main", BASE, 0, global, 1, 0);
    assert_true(wants_linux(&elf));

    /* A note that reaches beyond the file. */
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, (const uint32_t[]){RV_RET}, 1);
    elf_segment(&elf, PT_NOTE, PF_R, 0, "abcd", 4, 4);
    size_t size;
    uint8_t *bytes = elf_finish(&elf, &size);
    size_t header = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
    elf_put32(&elf, bytes + header + offsetof(Elf32_Phdr, p_filesz), 0xfffffff0u);
    gs_image *image;
    assert_int_equal(gs_image_open_memory(&image, bytes, size, "program", NULL), GS_OK);
    free(bytes);
    assert_false(gs_image_wants_linux(image));
    gs_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wants_linux_by_instructions),
        cmocka_unit_test(test_wants_linux_by_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
