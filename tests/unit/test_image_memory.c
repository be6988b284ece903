/*
 * Every allocation of opening a program fails once: the call says GS_E_NO_MEMORY,
 * and nothing crashes or leaks (the sanitizers watch that).
 *
 * Link with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup.
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
#include "image/cfg.h"

enum { BASE = 0x10000, MORE_THAN_ENOUGH = 10000 };

static long allocations_left = -1; /* before one fails; -1: none does */

static bool fails(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

static uint8_t *make_program(bool stripped, size_t *size)
{
    enum { WORDS = 400 };
    uint32_t code[WORDS];
    for (size_t i = 0; i < WORDS; i += 4) {
        code[i] = RV_ADD;
        code[i + 1] = i + 8 < WORDS ? rv_call(28) : RV_ADD;
        code[i + 2] = rv_beq(-8);
        code[i + 3] = RV_RET;
    }
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, WORDS);
    if (!stripped) {
        elf_function(&elf, "main", BASE, 16);
        elf_function(&elf, "f", BASE + 32, 16);
    }
    return elf_finish(&elf, size);
}

/* Opens everything there is; GS_OK if it could be done. */
static gs_status use(const uint8_t *bytes, size_t size)
{
    gs_image *image;
    gs_cfg *cfg = NULL;
    gs_error err = {0};
    const gs_observed_jump jump = {BASE, BASE + 4};
    gs_status status = gs_image_open_memory(&image, bytes, size, "program", &err);
    if (status) {
        assert_null(image);
        assert_string_equal(err.message, "out of memory");
        return status;
    }
    gs_image_wants_linux(image); /* may not know, then */
    status = gs_image_load_lines(image, &err);
    if (!status)
        status = gs_cfg_open_observed(&cfg, image, &jump, 1, &err);
    if (status)
        assert_null(cfg);
    gs_cfg_free(cfg);
    gs_image_free(image);
    return status;
}

static void test_every_allocation(void **state)
{
    (void)state;
    for (int stripped = 0; stripped < 2; stripped++) {
        size_t size;
        uint8_t *bytes = make_program(stripped, &size);
        int failures = 0;
        long n = 0;
        for (; n < MORE_THAN_ENOUGH; n++) {
            allocations_left = n;
            gs_status status = use(bytes, size);
            bool through = allocations_left >= 0;
            allocations_left = -1;
            if (through) {
                assert_int_equal(status, GS_OK);
                break;
            }
            assert_true(status == GS_OK || status == GS_E_NO_MEMORY);
            failures += status != GS_OK;
        }
        assert_true(n < MORE_THAN_ENOUGH);
        assert_true(failures > 20 && failures + 10 > n);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
