/*
 * Board descriptions: the built-in ones, numbers, and a message for every mistake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/number.h"
#include "machine/bare/board.h"
#include "machine/memory.h"

#define HEAD "name: b\narch: rv32\nclock_hz: 10\nmemory:\n- {base: 0, size: 1M}\n"

static gs_status parse(gs_board **out, const char *text, gs_error *err)
{
    return gs_board_parse(out, "b.yaml", text, strlen(text), err);
}

static void refuses(const char *text, const char *message)
{
    gs_board *board;
    gs_error err = {0};
    assert_int_equal(parse(&board, text, &err), GS_E_FORMAT);
    assert_null(board);
    assert_string_equal(err.message, message);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"16M", 16 << 20},
        {"64k", 64 << 10},
        {"2G", UINT64_C(2) << 30},
        {"0x10", 16},
        {"0xfF", 255},
        {"0x8000_0000", UINT64_C(0x80000000)},
        {"100_000_000", 100000000},
        {"0x1K", 1024},
        {"007", 7},
        {"18446744073709551615", UINT64_MAX},
        {"17179869183G", UINT64_MAX & ~((UINT64_C(1) << 30) - 1)},
    };
    static const char *const bad[] = {"",
                                      "M",
                                      "-1",
                                      "+1",
                                      "1 ",
                                      " 1",
                                      "1MB",
                                      "0x",
                                      "x10",
                                      "_1",
                                      "1_",
                                      "1__0",
                                      "0x_",
                                      "1.5",
                                      "1e3",
                                      "0b1",
                                      "1T",
                                      "12a",
                                      "0xg",
                                      "18446744073709551616",
                                      "17179869184G"};
    uint64_t value = 77;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(gs_number_parse(good[i].text, &value));
        assert_int_equal(value, good[i].value);
    }
    value = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(gs_number_parse(bad[i], &value));
    assert_int_equal(value, 77);
}

static void test_builtin(void **state)
{
    (void)state;
    gs_error err;
    bool defaults[2] = {false, false};
    assert_true(gs_board_count() >= 2);
    assert_null(gs_board_builtin(gs_board_count()));
    for (size_t i = 0; i < gs_board_count(); i++) {
        gs_board *board;
        assert_int_equal(gs_board_open(&board, gs_board_builtin(i), &err), GS_OK);
        assert_string_equal(gs_board_name(board), gs_board_builtin(i));
        assert_true(strlen(gs_board_summary(board)) > 0);
        assert_true(gs_board_clock_hz(board) > 0);
        if (gs_board_is_default(board)) {
            assert_false(defaults[gs_board_arch(board)]); /* one for each */
            defaults[gs_board_arch(board)] = true;
        }
        gs_board_free(board);
    }
    for (int arch = 0; arch < 2; arch++) {
        gs_board *board;
        assert_int_equal(gs_board_open_default(&board, (gs_arch)arch, &err), GS_OK);
        assert_int_equal(gs_board_arch(board), arch);
        gs_board_free(board);
    }
    gs_board_free(NULL);
}

static void test_virt(void **state)
{
    (void)state;
    gs_board *board;
    gs_error err;
    assert_int_equal(gs_board_open(&board, "rv-virt", &err), GS_OK);
    assert_int_equal(gs_board_part_count(board), 7);
    gs_board_part ram = gs_board_part_at(board, 0);
    assert_string_equal(ram.type, "memory");
    assert_string_equal(ram.name, "ram");
    assert_int_equal(ram.base, 0x80000000);
    assert_int_equal(ram.size, 128 << 20);
    gs_board_part test = gs_board_part_at(board, 6);
    assert_string_equal(test.type, "test");
    assert_null(test.name);
    assert_int_equal(test.base, 0xf0000000);
    gs_board_free(board);
}

static void test_embedded(void **state)
{
    (void)state;
    const gs_embedded *file = gs_embedded_find("boards", "rv-virt");
    assert_non_null(file);
    assert_int_equal(file->size, strlen(file->text));
    assert_null(gs_embedded_find("boards", "rv"));
    assert_null(gs_embedded_find("nothing", "rv-virt"));
    for (size_t i = 1; i < gs_embedded_count; i++) {
        const gs_embedded *a = &gs_embedded_files[i - 1], *b = &gs_embedded_files[i];
        int order = strcmp(a->kind, b->kind);
        assert_true(order < 0 || (order == 0 && strcmp(a->name, b->name) < 0));
    }
}

static void test_opening(void **state)
{
    (void)state;
    gs_board *board;
    gs_error err;
    assert_int_equal(gs_board_open(&board, "nope", &err), GS_E_NOT_FOUND);
    assert_null(board);
    assert_non_null(strstr(err.message, "'nope'"));
    assert_non_null(strstr(err.message, "rv-virt"));
    assert_int_equal(gs_board_open(&board, "nope.yaml", &err), GS_E_NOT_FOUND);
    assert_string_equal(err.message, "cannot open nope.yaml: No such file or directory");
    assert_int_equal(gs_board_open(&board, "/tmp/", &err), GS_E_IO);

    char path[] = "/tmp/gumshoe-board-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, HEAD, strlen(HEAD)), strlen(HEAD));
    assert_int_equal(gs_board_open(&board, path, &err), GS_OK);
    assert_string_equal(gs_board_name(board), "b");
    gs_board_free(board);
    assert_int_equal(ftruncate(fd, (1 << 20) + 1), 0);
    assert_int_equal(gs_board_open(&board, path, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "longer than"));
    close(fd);
    unlink(path);
}

static void test_everything(void **state)
{
    (void)state;
    gs_board *board;
    gs_error err;
    assert_int_equal(
        parse(&board,
              "name: all\n"
              "summary: of it\n"
              "arch: rv32\n"
              "default: no\n"
              "strict: yes\n"
              "clock_hz: 12_345\n"
              "memory:\n"
              "  - {base: 0x1000, size: 4K, access: rx}\n"
              "  - {name: ram, base: 0x8000_0000, size: 2G}\n"
              "devices:\n"
              "  - {type: clint, base: 0x10000, divider: 7}\n"
              "  - {type: uart16550, base: 0x20100, stride: 4, width: 2, interrupt: yes}\n"
              "  - {type: uart16550, base: 0x21003}\n"
              "  - {type: alias, base: 0x30000, size: 0x1000, target: 0x1000}\n",
              &err),
        GS_OK);
    assert_string_equal(gs_board_summary(board), "of it");
    assert_true(board->strict);
    assert_false(board->is_default);
    assert_int_equal(board->clock_hz, 12345);
    assert_int_equal(board->memory[0].prot, GS_PROT_READ | GS_PROT_EXEC);
    assert_int_equal(board->memory[1].prot, GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC);
    assert_int_equal(board->devices[0].divider, 7);
    assert_int_equal(board->devices[0].size, 0x10000);
    assert_int_equal(board->devices[1].stride, 4);
    assert_int_equal(board->devices[1].width, 2);
    assert_int_equal(board->devices[1].size, 32);
    assert_true(board->devices[1].interrupt);
    assert_int_equal(board->devices[2].stride, 1);
    assert_int_equal(board->devices[2].width, 1);
    assert_false(board->devices[2].interrupt);
    assert_int_equal(board->devices[3].target, 0x1000);
    gs_board_free(board);
}

static void test_regions(void **state)
{
    (void)state;
    gs_board *board;
    gs_error err;
    assert_int_equal(
        parse(&board,
              HEAD "devices:\n"
                   "  - {type: uart16550, base: 0x100400}\n"
                   "  - {type: region, name: clock, base: 0x100000, size: 1K, read: 0x300_0001}\n"
                   "  - {type: region, base: 0x100408, size: 8, read: trap, write: trap}\n",
              &err),
        GS_OK);
    const gs_board_device *clock = &board->devices[1], *fuse = &board->devices[2];
    assert_string_equal(gs_board_part_at(board, board->memory_count + 1).name, "clock");
    assert_int_equal(clock->constant, 0x3000001);
    assert_false(clock->refuses_loads || clock->refuses_stores);
    assert_true(fuse->refuses_loads && fuse->refuses_stores);
    gs_board_free(board);

    refuses(HEAD "devices:\n - {type: region, base: 0x100000}\n",
            "b.yaml:7: devices[0]: a region needs the key 'size'");
    refuses(HEAD "devices:\n - {type: region, base: 0x100002, size: 4}\n",
            "b.yaml:7: devices[0].base: 0x100002 is not a multiple of 4");
    refuses(HEAD "devices:\n - {type: region, base: 0x100000, size: 4, read: none}\n",
            "b.yaml:7: devices[0].read: 'none' is not a number; allowed are forms like 4096, "
            "0x1000 and 4K");
    refuses(HEAD "devices:\n - {type: region, base: 0x100000, size: 4, write: no}\n",
            "b.yaml:7: devices[0].write: 'no' is not allowed; allowed: ignore, trap");
    refuses(HEAD "devices:\n - {type: test, base: 0x100000, write: trap}\n",
            "b.yaml:7: devices[0].write: only a device of type region has this key, not test");
    refuses(HEAD "devices:\n - {type: test, base: 0x100000, size: 4K}\n",
            "b.yaml:7: devices[0].size: only devices of the types alias, region and registers have "
            "this key, not test");
    refuses(HEAD "devices:\n - {type: region, base: 0xff000, size: 4}\n",
            "b.yaml:7: devices[0].base: the region at 0xff000 lies in the same pages as the memory "
            "at 0x0");
    refuses(HEAD "devices:\n - {type: region, base: 0x100000, size: 8}\n - {type: region, base: "
                 "0x100004, size: 8}\n",
            "b.yaml:8: devices[1].base: the region at 0x100004 overlaps the region at 0x100000");
}

static void test_registers(void **state)
{
    (void)state;
    gs_board *board;
    gs_error err;
    assert_int_equal(
        parse(&board,
              "name: b\narch: rv32\nclock_hz: 10\ninterrupts: hazard3\n"
              "memory:\n- {base: 0, size: 1M, code_at: 0x100, code: [0x13, 0x0010_0073]}\n"
              "devices:\n"
              "  - {type: pl011, base: 0x100000, irq: 63}\n"
              "  - {type: rp2350-timer, base: 0x104000, divider: 12, irq: 60}\n"
              "  - type: registers\n"
              "    name: clocks\n"
              "    base: 0x101004\n"
              "    size: 0x20\n"
              "    words:\n"
              "      - {at: 0x4, one_hot_of: 0x8, mask: 3, set: 0x8000_0000}\n"
              "      - {at: 0x10, count: 4, value: 7}\n"
              "  - {type: rp2350-mtime, base: 0x101100, divider: 3}\n"
              "  - {type: registers, base: 0x110000, atomic: yes}\n",
              &err),
        GS_OK);
    assert_int_equal(board->memory[0].code_count, 2);
    assert_int_equal(board->memory[0].code[1], 0x100073);
    assert_int_equal(board->devices[0].irq, 63);
    assert_int_equal(board->devices[0].size, 0x1000);
    assert_int_equal(board->devices[1].divider, 12);
    const gs_board_device *clocks = &board->devices[2];
    assert_int_equal(clocks->word_count, 2);
    assert_int_equal(clocks->words[0].rule, GS_BOARD_WORD_ONE_HOT);
    assert_int_equal(clocks->words[0].set, 0x80000000u);
    assert_int_equal(clocks->words[1].count, 4);
    assert_int_equal(board->devices[3].divider, 3);
    assert_int_equal(board->devices[3].size, 0x20);
    assert_int_equal(board->devices[4].size, 0x4000);
    assert_int_equal(board->devices[4].irq, -1);
    gs_board_free(board);

#define REGISTERS HEAD "devices:\n - {type: registers, base: 0x100000, size: 16, words: [{"
    refuses(REGISTERS "at: 12, count: 2}]}\n",
            "b.yaml:7: devices[0].words[0].at: the registers do not have these words: they are "
            "0x10 bytes");
    refuses(REGISTERS "at: 12, count: 0}]}\n",
            "b.yaml:7: devices[0].words[0].at: the registers do not have these words: they are "
            "0x10 bytes");
    refuses(REGISTERS "at: 2}]}\n", "b.yaml:7: devices[0].words[0].at: 0x2 is not a multiple of 4");
    refuses(
        REGISTERS "at: 0, complement_of: 16}]}\n",
        "b.yaml:7: devices[0].words[0].complement_of: the registers do not have this word: they "
        "are 0x10 bytes");
    refuses(REGISTERS "at: 0, complement_of: 4, one_hot_of: 4}]}\n",
            "b.yaml:7: devices[0].words[0].one_hot_of: does not go together with complement_of");
    refuses(REGISTERS "at: 0, mask: 4}]}\n",
            "b.yaml:7: devices[0].words[0].mask: needs complement_of or one_hot_of");
    refuses(REGISTERS "at: 0, one_hot_of: 4}]}\n",
            "b.yaml:7: devices[0].words[0].mask: one_hot_of needs a mask of at most 31: a word has "
            "32 bits");
    refuses(REGISTERS "count: 4}]}\n", "b.yaml:7: devices[0].words[0]: the key 'at' is missing");
    refuses(HEAD "devices:\n - {type: registers, base: 0x100000}\n",
            "b.yaml:7: devices[0]: registers need the key 'size'");
    refuses(HEAD "devices:\n - {type: registers, base: 0x100000, size: 4K, atomic: yes}\n",
            "b.yaml:7: devices[0].size: registers with atomic: yes are 4K, and appear four times");
    refuses(HEAD "devices:\n - {type: registers, base: 0x100000, size: 2M}\n",
            "b.yaml:7: devices[0].size: 2M is out of range; allowed are 0x4 to 0x100000");
    refuses(HEAD "devices:\n - {type: pl011, base: 0x100000, irq: 3}\n",
            "b.yaml:7: devices[0].irq: 3 is out of range; allowed are 0 to 0");
    refuses(HEAD
            "interrupts: hazard3\ndevices:\n - {type: rp2350-timer, base: 0x100000, irq: 61}\n",
            "b.yaml:8: devices[0].irq: 61 is out of range; allowed are 0 to 60");
    refuses("name: b\narch: mips32\nclock_hz: 1\ninterrupts: hazard3\nmemory:\n- {base: 0, size: "
            "1M}\n",
            "b.yaml:4: interrupts: hazard3 needs a board of arch rv32");
    const char *const no_plic = "name: b\narch: rv32\nclock_hz: 1\nmemory:\n- {base: 0, size: 4K}\n"
                                "devices:\n - {type: plic, base: 0x1000}\n";
    refuses(no_plic, "b.yaml:7: devices[0].type: a plic needs a board with interrupts: plic");
    const char *const two = "name: b\narch: mips32\nclock_hz: 1\nmemory:\n- {base: 0, size: 4K}\n"
                            "devices:\n - {type: gpio, base: 0x1000, irq: 4}\n"
                            " - {type: gpio, base: 0x2000}\n";
    refuses(two, "b.yaml:8: devices[1].type: a board has at most one gpio");
#define CODE "name: b\narch: rv32\nclock_hz: 10\nmemory:\n- {base: 4K, size: 4K, "
    refuses(CODE "code: [0]}\n", "b.yaml:5: memory[0]: code needs the key 'code_at'");
    refuses(CODE "code_at: 4K}\n", "b.yaml:5: memory[0]: code needs the key 'code'");
    refuses(CODE "code_at: 0x1002, code: [0]}\n",
            "b.yaml:5: memory[0].code_at: 0x1002 is not a multiple of 4");
    refuses(CODE "code_at: 0x1ffc, code: [0, 0]}\n",
            "b.yaml:5: memory[0].code_at: 0x8 bytes of code do not lie in this memory");
    refuses(CODE "code_at: 0x1000, code: [0, nop]}\n",
            "b.yaml:5: memory[0].code[1]: 'nop' is not a number; allowed are forms like 4096, "
            "0x1000 and 4K");
}

static void test_mistakes(void **state)
{
    (void)state;
    refuses("name: b\narch: arm\nclock_hz: 1\nmemory:\n- {base: 0, size: 1M}\n",
            "b.yaml:2: arch: 'arm' is not allowed; allowed: rv32, mips32");
    refuses(HEAD "devices:\n  - type: uart\n    base: 3\n",
            "b.yaml:7: devices[0].type: 'uart' is not allowed; allowed: clint, uart16550, test, "
            "alias, region, registers, pl011, rp2350-timer, rp2350-mtime, plic, sp804, gpio");
    refuses(HEAD "devices:\n  - type: test\n\n    bse: 0x1000_0000\n",
            "b.yaml:9: devices[0]: unknown key 'bse'; allowed: type, base, size, divider, stride, "
            "width, target, interrupt, name, read, write, atomic, irq, words");
    refuses("name: b\n", "b.yaml:1: the key 'arch' is missing");
    refuses(HEAD "devices: 7\n", "b.yaml:6: devices: a list belongs here, not a single value");
    refuses(HEAD "devices:\n - {type: test, base: 16x}\n",
            "b.yaml:7: devices[0].base: '16x' is not a number; allowed are forms like 4096, 0x1000 "
            "and 4K");
    refuses(HEAD "devices:\n - {type: test, base: 0x1_0000_0000}\n",
            "b.yaml:7: devices[0].base: 0x1_0000_0000 is out of range; allowed are 0x0 to "
            "0xffffffff");
    refuses(HEAD "devices:\n - type: clint\n   base: 0xffff_f000\n",
            "b.yaml:8: devices[0].base: 0xfffff000 and 0x10000 bytes more is past 4 GiB");
    refuses(HEAD "devices:\n - {type: test, base: 0x100800}\n",
            "b.yaml:7: devices[0].base: 0x100800 is not a multiple of 4096");
    refuses(HEAD "devices:\n - {type: test, base: 0x1000}\n",
            "b.yaml:7: devices[0].base: the test at 0x1000 lies in the same pages as the memory at "
            "0x0");
    refuses(HEAD "devices:\n - {type: uart16550, base: 0x100000}\n - {type: uart16550, base: "
                 "0x100800}\n",
            "b.yaml:8: devices[1].base: the uart16550 at 0x100800 lies in the same pages as the "
            "uart16550 at 0x100000");
    refuses(HEAD "devices:\n - {type: test, base: 0x100000, stride: 4}\n",
            "b.yaml:7: devices[0].stride: only a device of type uart16550 has this key, not test");
    refuses(HEAD "devices:\n - {type: uart16550, base: 0x100000, stride: 3}\n",
            "b.yaml:7: devices[0].stride: 3 is not allowed; allowed: 1, 2, 4, 8");
    refuses(HEAD "devices:\n - {type: uart16550, base: 0x100000, stride: 2, width: 4}\n",
            "b.yaml:7: devices[0].width: 4 is not allowed; allowed: 1, 2, 4, and not more than the "
            "stride");
    refuses(HEAD "devices:\n - {type: uart16550, base: 0x100ffc}\n",
            "b.yaml:7: devices[0].base: the registers must be aligned to the stride and lie in one "
            "page of 4096 bytes");
    refuses(HEAD "devices:\n - {type: alias, base: 0x100000, size: 4K}\n",
            "b.yaml:7: devices[0]: an alias needs the key 'target'");
    refuses(HEAD "devices:\n - {type: alias, base: 0x200000, size: 2M, target: 0}\n",
            "b.yaml:7: devices[0].target: the board has no memory of 0x200000 bytes at 0x0");
    refuses(HEAD "devices:\n - {type: clint, base: 0x100000}\n - {type: clint, base: 0x110000}\n",
            "b.yaml:8: devices[1].type: a board has at most one clint or rp2350-mtime");
    refuses("name: b\narch: mips32\nclock_hz: 1\nmemory:\n- {base: 0, size: 1M}\n"
            "devices:\n - {type: clint, base: 0x100000}\n",
            "b.yaml:7: devices[0].type: a clint needs a board of arch rv32");
    refuses("name: b\narch: rv32\nclock_hz: 0\nmemory:\n- {base: 0, size: 1M}\n",
            "b.yaml:3: clock_hz: 0 is out of range; allowed are 1 to 1000000000000");
    refuses("name: b\narch: rv32\nclock_hz: 1\nmemory:\n- {base: 0, size: 100}\n",
            "b.yaml:5: memory[0].size: 0x64 is not a multiple of 4096");
}

/* Whatever is wrong with the text as such, the message has a file and fits on a line. */
static void test_not_yaml(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "# nothing\n",
        "[]",
        "word",
        "name: \"a\n",
        "name: a\n\tarch: b\n",
        "name: a\x01\n",
        "name: \xff\xfe\n",
        "name: &x b\narch: *x\n",
        "? [a]\n: b\n",
        "name: a\nname: b\n",
        "name: \"two\\nlines\"\narch: \"two\\nlines\"\n",
        "{{{{{{{{",
        "--- a\n--- b\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gs_board *board;
        gs_error err = {0};
        assert_int_equal(parse(&board, texts[i], &err), GS_E_FORMAT);
        assert_null(board);
        assert_memory_equal(err.message, "b.yaml:", 7);
        assert_null(strchr(err.message, '\n'));
    }
    gs_board *board;
    assert_int_equal(parse(&board, "name: [", NULL), GS_E_FORMAT); /* no message wanted */
}

/* As many as fit, and one more. */
static void test_limits(void **state)
{
    (void)state;
    char text[4096] = "name: b\narch: rv32\nclock_hz: 1\nmemory:\n";
    gs_board *board;
    gs_error err;
    for (int i = 0; i < GS_BOARD_MEMORY_MAX; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "- {base: %dK, size: 4K}\n",
                 4 * i);
    size_t length = strlen(text);
    assert_int_equal(parse(&board, text, &err), GS_OK);
    gs_board_free(board);
    snprintf(text + length, sizeof text - length, "- {base: 4M, size: 4K}\n");
    assert_int_equal(parse(&board, text, &err), GS_E_FORMAT);
    assert_string_equal(err.message,
                        "b.yaml:4: memory: 17 entries are too many; at most 16 are allowed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_virt),     cmocka_unit_test(test_embedded),
        cmocka_unit_test(test_opening),  cmocka_unit_test(test_everything),
        cmocka_unit_test(test_regions),  cmocka_unit_test(test_registers),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_not_yaml),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
