/*
 * The bare-metal environment: what is loaded where, time and interrupts to the
 * instruction, semihosting requests with bad arguments, HTIF, and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "encode.h"
#include "gumshoe/run.h"
#include "machine/bare/bare.h"

enum { RAM = 0x80000000u };
enum { ZERO = 0, T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11 };

static uint32_t rv_sw(unsigned value, unsigned base, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return 0x2023 | base << 15 | value << 20 | (o >> 5 & 0x7f) << 25 | (o & 31) << 7;
}

static uint32_t rv_csrw(unsigned csr, unsigned source)
{
    return 0x1073 | csr << 20 | source << 15;
}

static const uint32_t semihosting[] = {0x01f01013, 0x00100073, 0x40705013};

/* A machine, and the ends of the pipes its output goes to. */
typedef struct bench {
    gs_image *image;
    gs_machine *machine;
    gs_bare *bare;
    int in, out;
} bench;

static gs_machine_options options_with(int in, int out)
{
    return (gs_machine_options){.env = GS_ENV_BARE, .stdio = {in, out, -1}};
}

/* `patch` may change the file before it is opened. */
static gs_status try_bench(bench *b, elf_builder *elf, const gs_machine_options *options,
                           void (*patch)(uint8_t *bytes), gs_error *err)
{
    int ends[2];
    size_t size;
    gs_machine_options defaults = options_with(-1, -1);

    *b = (bench){.in = -1, .out = -1};
    assert_int_equal(pipe(ends), 0);
    b->out = ends[0];
    fcntl(b->out, F_SETFL, O_NONBLOCK);
    uint8_t *bytes = elf_finish(elf, &size);
    if (patch)
        patch(bytes);
    assert_int_equal(gs_image_open_memory(&b->image, bytes, size, "test", err), GS_OK);
    free(bytes);
    gs_machine_options mine = options ? *options : defaults;
    mine.stdio[1] = ends[1];
    gs_status status = gs_machine_open(&b->machine, b->image, &mine, err);
    if (b->machine)
        b->bare = b->machine->environment_state;
    b->in = ends[1];
    return status;
}

static void open_bench(bench *b, elf_builder *elf, void (*patch)(uint8_t *bytes))
{
    gs_error err;
    if (try_bench(b, elf, NULL, patch, &err))
        fail_msg("%s", err.message);
}

/* On a board that was asked for. */
static void open_bench_on(bench *b, elf_builder *elf, const char *board,
                          void (*patch)(uint8_t *bytes))
{
    gs_error err;
    gs_machine_options options = options_with(-1, -1);
    options.board = board;
    if (try_bench(b, elf, &options, patch, &err))
        fail_msg("%s", err.message);
}

static void close_bench(bench *b)
{
    gs_machine_free(b->machine);
    gs_image_free(b->image);
    close(b->out);
    close(b->in);
}

static const char *output(bench *b)
{
    static char text[4096];
    if (b->machine->environment->flush)
        b->machine->environment->flush(b->machine);
    ssize_t n = read(b->out, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

/* A RISC-V program of these instructions at the start of RAM. */
static void open_code(bench *b, const uint32_t *words, size_t count)
{
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = RAM;
    elf_code(&elf, RAM, words, count);
    open_bench(b, &elf, NULL);
}

#define CODE(b, ...)                              \
    open_code(b, (const uint32_t[]){__VA_ARGS__}, \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static const gs_exit *run(bench *b)
{
    gs_error err;
    gs_run_options how = {.max_instructions = 1000000};
    assert_int_equal(gs_run(b->machine, &how, &err), GS_OK);
    return gs_machine_exit(b->machine);
}

static void expect_exit(bench *b, int code)
{
    const gs_exit *exit = run(b);
    if (exit->kind != GS_EXIT_CODE)
        fail_msg("kind %d: %s", exit->kind, exit->message);
    assert_int_equal(exit->code, code);
}

static uint32_t word_at(bench *b, gs_addr address)
{
    uint32_t value;
    assert_true(gs_memory_read32(&b->machine->memory, address, &value));
    return value;
}

static void test_reset(void **state)
{
    (void)state;
    bench b;
    CODE(&b, RV_NOP, rv_lui(T0, 0xf0000), rv_sw(A0, T0, 0));
    assert_int_equal(b.machine->hart.pc, RAM);
    assert_int_equal(b.machine->hart.rv.mode, GS_RV_MACHINE);
    assert_int_equal(b.machine->clock_hz, 100000000);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(b.machine->hart.rv.x[i], 0);
    expect_exit(&b, 0);
    assert_int_equal(gs_machine_instructions(b.machine), 3); /* with the store, and no further */
    close_bench(&b);
}

/* The hart sleeps until mtimecmp exactly; sleeping retires nothing. */
static void test_sleep(void **state)
{
    (void)state;
    bench b;
    CODE(&b, rv_lui(T0, 0x02004), rv_addi(T1, ZERO, 2000), rv_sw(ZERO, T0, 4), rv_sw(T1, T0, 0),
         rv_addi(T2, ZERO, 0x80), rv_csrw(0x304, T2), RV_WFI, rv_lui(T0, 0xf0000), rv_sw(T2, T0, 8),
         rv_sw(ZERO, T0, 0));
    expect_exit(&b, 0);
    assert_int_equal(gs_machine_instructions(b.machine), 10);
    assert_int_equal(gs_machine_marker_count(b.machine), 1);
    const gs_marker *marker = gs_machine_marker(b.machine, 0);
    assert_int_equal(marker->value, 0x80);
    assert_int_equal(marker->instruction, 8);
    assert_int_equal(marker->cycle, 2002); /* the second instruction after waking up */
    close_bench(&b);
}

/* The interrupt comes before the instruction whose number mtimecmp is. */
static void test_timer_is_exact(void **state)
{
    (void)state;
    bench b;
    CODE(&b, rv_auipc(T0, 0), rv_addi(T0, T0, 48), rv_csrw(0x305, T0), rv_lui(T0, 0x02004),
         rv_addi(T1, ZERO, 1000), rv_sw(ZERO, T0, 4), rv_sw(T1, T0, 0), rv_addi(T2, ZERO, 0x80),
         rv_csrw(0x304, T2), rv_csrw(0x300, T2) /* not MIE yet */,
         0x30046073 /* csrsi mstatus, 8 */, rv_jump(0), rv_lui(T0, 0xf0000), rv_sw(ZERO, T0, 8),
         rv_sw(ZERO, T0, 0));
    expect_exit(&b, 0);
    const gs_marker *marker = gs_machine_marker(b.machine, 0);
    assert_int_equal(marker->instruction, 1001);
    assert_int_equal(marker->cycle, 1002);
    assert_int_equal(b.machine->hart.rv.mcause, 0x80000007);
    assert_int_equal(b.machine->hart.rv.mepc, RAM + 44);
    close_bench(&b);
}

static void test_halt(void **state)
{
    (void)state;
    bench b;
    CODE(&b, rv_addi(T2, ZERO, 0x80), rv_csrw(0x304, T2), RV_WFI);
    assert_int_equal(run(&b)->kind, GS_EXIT_HALT); /* mtimecmp is never reached */
    assert_non_null(strstr(gs_machine_exit(b.machine)->message, "can never come"));
    close_bench(&b);
}

static void test_faults(void **state)
{
    (void)state;
    bench b;
    CODE(&b, RV_NOP, 0xffffffff);
    const gs_exit *exit = run(&b);
    assert_int_equal(exit->kind, GS_EXIT_SIGNAL);
    assert_int_equal(exit->signal, SIGILL);
    assert_non_null(strstr(exit->message, "illegal instruction 0xffffffff at pc 0x80000004"));
    close_bench(&b);

    /* The same with a handler full of zeros: the fault is that of the program. */
    CODE(&b, rv_lui(T0, 0x80100), rv_csrw(0x305, T0), 0xffffffff);
    exit = run(&b);
    assert_int_equal(exit->signal, SIGILL);
    assert_non_null(strstr(exit->message, "at pc 0x80000008"));
    assert_int_equal(gs_machine_instructions(b.machine), 2);
    close_bench(&b);

    /* An interrupt whose handler is nowhere. */
    CODE(&b, rv_lui(T0, 0x02000), rv_addi(T1, ZERO, 8), rv_csrw(0x304, T1), rv_csrw(0x300, T1),
         rv_sw(T1, T0, 0), rv_addi(T1, ZERO, 1), rv_sw(T1, T0, 0), RV_NOP);
    exit = run(&b);
    assert_int_equal(exit->signal, SIGSEGV);
    assert_non_null(strstr(exit->message, "at pc 0x00000000"));
    assert_int_equal(gs_machine_instructions(b.machine), 7); /* right after the store */
    close_bench(&b);
}

/* Sets a program header's physical address. */
static void set_physical(uint8_t *bytes, unsigned header, uint32_t value, bool big_endian)
{
    uint8_t *at = bytes + 52 + 32 * header + 12;
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * (big_endian ? 3 - i : i));
}

static void data_in_rom(uint8_t *bytes)
{
    set_physical(bytes, 1, 0x20401000, false);
}

static void all_zero(uint8_t *bytes)
{
    set_physical(bytes, 0, 0, false);
    set_physical(bytes, 1, 0, false);
}

static void kseg(uint8_t *bytes)
{
    set_physical(bytes, 0, 0x00100000, true);
    set_physical(bytes, 1, 0x1fc01000, true);
}

static void two_segments(elf_builder *elf, uint16_t machine, bool big_endian, uint32_t code,
                         uint32_t data)
{
    static const uint32_t words[] = {RV_NOP, RV_NOP};
    elf_start(elf, machine, big_endian);
    elf->entry = code;
    elf_code(elf, code, words, 2);
    elf_segment(elf, PT_LOAD, PF_R | PF_W, data, "\x11\x22\x33\x44", 4, 0x100);
}

static void test_loading(void **state)
{
    (void)state;
    elf_builder elf;
    bench b;

    /* Data with another physical address lies there, and not where it will be copied to. */
    two_segments(&elf, EM_RISCV, false, 0x20400000, 0x10000000);
    open_bench_on(&b, &elf, "rv-virt", data_in_rom);
    assert_int_equal(word_at(&b, 0x20401000), 0x44332211);
    assert_int_equal(word_at(&b, 0x10000000), 0);
    assert_int_equal(word_at(&b, 0x20400000), RV_NOP);
    /* There is room behind, for a stack, and the UART has made room. */
    assert_true(gs_memory_write32(&b.machine->memory, 0x10fffffc, 1));
    assert_int_equal(gs_machine_note_count(b.machine), 1);
    assert_non_null(strstr(gs_machine_note(b.machine, 0), "uart16550 at 0x10000000"));
    close_bench(&b);
    two_segments(&elf, EM_RISCV, false, 0x20400000, 0x10000000);
    open_bench(&b, &elf, data_in_rom); /* of the default board that is no news */
    assert_int_equal(gs_machine_note_count(b.machine), 0);
    close_bench(&b);

    /* Physical addresses that mean nothing. */
    two_segments(&elf, EM_RISCV, false, RAM, RAM + 0x1000);
    open_bench(&b, &elf, all_zero);
    assert_int_equal(word_at(&b, RAM), RV_NOP);
    assert_int_equal(word_at(&b, RAM + 0x1000), 0x44332211);
    close_bench(&b);

    /* A program that runs 0x80000000 above its physical addresses sees its ROM there, too. */
    two_segments(&elf, EM_MIPS, true, 0x80100000, 0x80200000);
    open_bench(&b, &elf, kseg);
    assert_int_equal(word_at(&b, 0x80100000), RV_NOP);
    assert_int_equal(word_at(&b, 0x9fc01000), 0x11223344);
    assert_int_equal(word_at(&b, 0x80200000), 0);
    close_bench(&b);
}

/* Every place below 4 GiB is as good as any other. */
static void test_odd_places(void **state)
{
    (void)state;
    static const uint32_t places[] = {0, 0x1000, 0x7ffff000, 0x88000000, 0xf0000000, 0xffff0000};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        elf_builder elf;
        bench b;
        uint32_t data = places[i] ^ 0x01000000;
        two_segments(&elf, EM_RISCV, false, places[i], data);
        open_bench(&b, &elf, NULL);
        assert_int_equal(word_at(&b, places[i]), RV_NOP);
        assert_int_equal(word_at(&b, data), 0x44332211);
        assert_int_equal(word_at(&b, data + 0xfc), 0);
        close_bench(&b);
    }

    /* All of the address space in one segment: every device has to go. */
    elf_builder elf;
    bench b;
    static const uint32_t code = RV_NOP;
    elf_start(&elf, EM_RISCV, false);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W | PF_X, 0, &code, 4, 0xfffff000);
    open_bench_on(&b, &elf, "rv-virt", NULL);
    assert_true(gs_memory_write32(&b.machine->memory, 0xf0000000, 1));
    assert_int_equal(gs_machine_note_count(b.machine), 6);
    close_bench(&b);
}

static void refuses(const gs_machine_options *options, uint32_t code, const char *message)
{
    elf_builder elf;
    bench b;
    gs_error err = {0};
    two_segments(&elf, EM_RISCV, false, code, code + 0x100000);
    assert_int_not_equal(try_bench(&b, &elf, options, NULL, &err), GS_OK);
    assert_null(b.machine);
    if (!strstr(err.message, message))
        fail_msg("%s", err.message);
    close_bench(&b);
}

static void test_refusals(void **state)
{
    (void)state;
    gs_machine_options options = options_with(-1, -1);
    options.board = "nowhere";
    refuses(&options, RAM, "there is no board 'nowhere'");
    options.board = "mips-bare";
    refuses(&options, RAM, "the board mips-bare is not for");

    options.board = NULL;
    options.ram_size = UINT64_C(1) << 31;
    refuses(&options, RAM, "reaches the board's test at 0xf0000000");
    options.ram_size = UINT64_C(1) << 32;
    refuses(&options, RAM, "does not end below 4 GiB");
    options.ram_size = UINT64_MAX;
    refuses(&options, RAM, "does not end below 4 GiB");

    char path[] = "/tmp/gumshoe-board-XXXXXX";
    static const char yaml[] = "name: small\narch: rv32\nstrict: yes\nclock_hz: 7\n"
                               "memory:\n- {base: 0x8000_0000, size: 4M}\n"
                               "devices:\n- {type: test, base: 0x9000_0000}\n";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, yaml, sizeof yaml - 1), sizeof yaml - 1);
    close(fd);
    options = options_with(-1, -1);
    options.board = path;
    refuses(&options, 0x10000000,
            "test needs memory from 0x10000000 to 0x10000008, which the "
            "board small does not have");
    refuses(&options, 0x90000000, "test has a segment where the board small has a device");

    elf_builder elf;
    bench b;
    gs_error err;
    two_segments(&elf, EM_RISCV, false, RAM, RAM + 0x1000);
    assert_int_equal(try_bench(&b, &elf, &options, NULL, &err), GS_OK);
    assert_int_equal(b.machine->clock_hz, 7);
    assert_false(gs_memory_write32(&b.machine->memory, RAM + (4 << 20), 1));
    close_bench(&b);
    options.ram_size = 64 << 10;
    two_segments(&elf, EM_RISCV, false, RAM, RAM + 0x1000);
    assert_int_equal(try_bench(&b, &elf, &options, NULL, &err), GS_OK);
    assert_true(gs_memory_write32(&b.machine->memory, RAM + 0xfffc, 1));
    assert_false(gs_memory_write32(&b.machine->memory, RAM + 0x10000, 1));
    close_bench(&b);
    unlink(path);
}

/* One semihosting request; its block of arguments is put at BLOCK. */
enum { BLOCK = RAM + 0x1000, TEXT = RAM + 0x2000, NOWHERE = 0x40000000 };

static uint32_t request(bench *b, uint32_t operation, uint32_t argument)
{
    gs_hart *hart = &b->machine->hart;
    uint64_t before = hart->instret;
    hart->rv.x[A0] = operation;
    hart->rv.x[A1] = argument;
    hart->trap = (gs_trap){GS_TRAP_BREAKPOINT, RAM + 4, 0};
    hart->pc = RAM + 4;
    b->machine->environment->trap(b->machine);
    assert_int_equal(hart->pc, RAM + 8);
    assert_int_equal(hart->instret, before + 1);
    return hart->rv.x[A0];
}

static uint32_t request_with(bench *b, uint32_t operation, uint32_t first, uint32_t second,
                             uint32_t third)
{
    assert_true(gs_memory_write32(&b->machine->memory, BLOCK, first));
    assert_true(gs_memory_write32(&b->machine->memory, BLOCK + 4, second));
    assert_true(gs_memory_write32(&b->machine->memory, BLOCK + 8, third));
    return request(b, operation, BLOCK);
}

static void open_semihosting(bench *b)
{
    open_code(b, semihosting, 3);
    assert_true(gs_memory_write(&b->machine->memory, TEXT, "hello", 6));
}

static const uint32_t failed = 0xffffffff;

static void test_semihosting(void **state)
{
    (void)state;
    bench b;
    open_semihosting(&b);
    assert_int_equal(request(&b, 0x04, TEXT), 5);
    assert_int_equal(request(&b, 0x03, TEXT), 1);
    assert_string_equal(output(&b), "helloh");

    b.machine->time = 250000000; /* two and a half seconds */
    assert_int_equal(request(&b, 0x10, 0), 250);
    assert_int_equal(request(&b, 0x11, 0), (uint32_t)b.bare->started + 2);
    assert_int_equal(request(&b, 0x30, BLOCK), 0);
    assert_int_equal(word_at(&b, BLOCK), 250000000);
    assert_int_equal(word_at(&b, BLOCK + 4), 0);
    assert_int_equal(request(&b, 0x31, 0), 100000000);

    /* From the end of the program to the end of RAM. */
    assert_int_equal(request_with(&b, 0x16, BLOCK + 16, 0, 0), 0);
    assert_int_equal(word_at(&b, BLOCK + 20), RAM + (128 << 20));
    assert_int_equal(word_at(&b, BLOCK + 24), RAM + (128 << 20));

    assert_int_equal(request_with(&b, 0x01, TEXT, 12, 5), failed); /* no such mode */
    assert_int_equal(request(&b, 0x13, 0), 22);
    assert_int_equal(request_with(&b, 0x01, TEXT, 0, 4), failed); /* no such file: hell */
    assert_int_equal(request(&b, 0x13, 0), 2);
    assert_int_equal(request_with(&b, 0x01, TEXT, 0, 8), failed); /* a NUL inside */
    assert_int_equal(request(&b, 0x13, 0), 22);
    assert_int_equal(request_with(&b, 0x01, TEXT, 0, 1 << 30), failed);
    assert_int_equal(request(&b, 0x13, 0), 91); /* newlib's ENAMETOOLONG */
    assert_int_equal(request_with(&b, 0x0a, 99, 0, 0), failed);
    assert_int_equal(request(&b, 0x13, 0), 9);
    assert_int_equal(request_with(&b, 0x0a, 1, 0, 0), failed); /* the console does not seek */
    assert_int_equal(request_with(&b, 0x12, TEXT, 5, 0), failed);
    assert_int_equal(request(&b, 0x13, 0), 88); /* SYS_SYSTEM is refused */
    assert_int_equal(request(&b, 0x99, 0), failed);
    assert_int_equal(request_with(&b, 0x0d, TEXT, 256, 64), failed);
    assert_int_equal(request_with(&b, 0x0d, TEXT, 1, 5), failed); /* too short for a name */
    assert_int_equal(request_with(&b, 0x06, 0, TEXT, 4), 4);      /* standard input is closed */
    assert_int_equal(request(&b, 0x07, 0), failed);

    request(&b, 0x18, 0x20026);
    assert_int_equal(gs_machine_exit(b.machine)->kind, GS_EXIT_CODE);
    assert_int_equal(gs_machine_exit(b.machine)->code, 0);
    close_bench(&b);
}

/* Arguments that are not in memory, all or in part. */
static void test_semihosting_faults(void **state)
{
    (void)state;
    bench b;
    open_semihosting(&b);
    static const uint8_t operations[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a,
                                         0x0c, 0x0d, 0x0e, 0x0f, 0x15, 0x16, 0x20, 0x30};
    for (size_t i = 0; i < sizeof operations; i++) {
        assert_int_equal(request(&b, operations[i], NOWHERE), failed);
        assert_int_equal(request(&b, 0x13, 0), 14);
        assert_int_equal(request(&b, operations[i], 0xfffffffe), failed);
    }
    assert_int_equal(gs_machine_exit(b.machine)->kind, GS_EXIT_NONE);

    /* A text that runs out of memory before it ends. */
    gs_addr last = RAM + (128 << 20) - 2;
    assert_true(gs_memory_write(&b.machine->memory, last, "xy", 2));
    assert_int_equal(request(&b, 0x04, last), failed);
    assert_int_equal(request_with(&b, 0x05, 1, last, 3), 3);
    assert_string_equal(output(&b), "");
    assert_int_equal(request_with(&b, 0x05, 1, last, 2), 0);
    assert_string_equal(output(&b), "xy");
    assert_int_equal(request_with(&b, 0x05, 1, TEXT, 0xffffffff), 0xffffffff);
    assert_int_equal(request_with(&b, 0x16, NOWHERE, 0, 0), failed);
    close_bench(&b);
}

static void test_command_line(void **state)
{
    (void)state;
    const char *const argv[] = {"prog", "a b", "", "c"};
    gs_machine_options options = options_with(-1, -1);
    options.argc = 4;
    options.argv = argv;
    elf_builder elf;
    bench b;
    gs_error err;
    char text[32];

    elf_start(&elf, EM_RISCV, false);
    elf.entry = RAM;
    elf_code(&elf, RAM, semihosting, 3);
    assert_int_equal(try_bench(&b, &elf, &options, NULL, &err), GS_OK);
    assert_int_equal(request_with(&b, 0x15, TEXT, 12, 0), 0);
    assert_int_equal(word_at(&b, BLOCK + 4), 11);
    assert_true(gs_memory_read(&b.machine->memory, TEXT, text, 12));
    assert_string_equal(text, "prog a b  c");
    for (uint32_t size = 0; size < 12; size++)
        assert_int_equal(request_with(&b, 0x15, TEXT, size, 0), failed);
    assert_int_equal(request_with(&b, 0x15, NOWHERE, 100, 0), failed);
    close_bench(&b);
}

/* What looks like a request but is none. */
static void test_breakpoints(void **state)
{
    (void)state;
    bench b;
    CODE(&b, RV_NOP, RV_EBREAK, semihosting[2]);
    assert_int_equal(run(&b)->signal, SIGTRAP);
    close_bench(&b);
    CODE(&b, semihosting[0], RV_EBREAK, RV_NOP);
    assert_int_equal(run(&b)->signal, SIGTRAP);
    close_bench(&b);

    /* Nor in user mode. */
    open_semihosting(&b);
    b.machine->hart.rv.mode = GS_RV_USER;
    b.machine->hart.rv.x[A0] = 0x18;
    b.machine->hart.trap = (gs_trap){GS_TRAP_BREAKPOINT, RAM + 4, 0};
    b.machine->environment->trap(b.machine);
    assert_int_equal(gs_machine_exit(b.machine)->kind, GS_EXIT_SIGNAL);
    close_bench(&b);
}

static int32_t uhi(bench *b, uint32_t operation, uint32_t a, uint32_t c, uint32_t d)
{
    gs_hart *hart = &b->machine->hart;
    hart->mips.r[25] = operation;
    hart->mips.r[4] = a;
    hart->mips.r[5] = c;
    hart->mips.r[6] = d;
    hart->mips.r[7] = 0;
    hart->pc = RAM;
    hart->trap = (gs_trap){GS_TRAP_BREAKPOINT, RAM, 0};
    b->machine->environment->trap(b->machine);
    assert_int_equal(hart->pc, RAM + 4);
    return (int32_t)hart->mips.r[2];
}

static void open_uhi(bench *b)
{
    static const uint32_t code = MIPS_SDBBP | 1 << 6;
    elf_builder elf;
    elf_start(&elf, EM_MIPS, true);
    elf.entry = RAM;
    elf_code(&elf, RAM, &code, 1);
    open_bench(b, &elf, NULL);
    assert_true(gs_memory_write(&b->machine->memory, TEXT, "x %d y\n", 8));
}

static void test_uhi(void **state)
{
    (void)state;
    bench b;
    open_uhi(&b);
    assert_int_equal(uhi(&b, 13, TEXT, (uint32_t)-12, 0), 8);
    assert_string_equal(output(&b), "x -12 y\n");
    for (uint32_t operation = 2; operation < 24; operation++) {
        bool ends = operation == 14 || operation == 15;
        bool plain = operation == 3 || operation == 9;
        if (!ends && !plain)
            assert_int_equal(uhi(&b, operation, NOWHERE, NOWHERE, 1), -1);
    }
    assert_int_equal(uhi(&b, 3, 1, 0, 0), 0);
    assert_int_equal(gs_machine_exit(b.machine)->kind, GS_EXIT_NONE);
    uhi(&b, 14, TEXT, TEXT, 7);
    assert_int_equal(gs_machine_exit(b.machine)->signal, SIGABRT);
    assert_string_equal(gs_machine_exit(b.machine)->message,
                        "the program's assertion 'x %d y ' failed at x %d y :7");
    close_bench(&b);

    open_uhi(&b);
    assert_true(gs_memory_write32(&b.machine->memory, BLOCK + 4 * 31, 0x80001234));
    assert_true(gs_memory_write32(&b.machine->memory, BLOCK + 4 * 37, 12 << 2));
    uhi(&b, 15, BLOCK, 0, 0);
    assert_string_equal(gs_machine_exit(b.machine)->message,
                        "the program has no handler for exception 12 at pc 0x80001234");
    close_bench(&b);

    open_uhi(&b); /* in user mode it is a breakpoint, for which there is no handler */
    b.machine->hart.mips.cp0_status = GS_MIPS_STATUS_UM;
    b.machine->hart.mips.r[25] = 1;
    assert_int_equal(run(&b)->signal, SIGTRAP);
    close_bench(&b);
}

/* Stores `value` to tohost, which lies `offset` from the code, then to the test device. */
static void open_htif(bench *b, uint32_t offset, int32_t value)
{
    elf_builder elf;
    const uint32_t code[] = {rv_addi(T1, ZERO, value),
                             rv_lui(T0, (RAM + offset) >> 12),
                             rv_sw(T1, T0, (int32_t)(offset & 0xfff)),
                             rv_lui(T0, 0xf0000),
                             rv_addi(T1, ZERO, 99),
                             rv_jump(0)};
    uint8_t zeros[16] = {0};
    elf_start(&elf, EM_RISCV, false);
    elf.entry = RAM;
    elf_code(&elf, RAM, code, 6);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, RAM + offset, zeros, 16, 16);
    elf_symbol(&elf, "tohost", RAM + offset, 8, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 1, 0);
    elf_symbol(&elf, "fromhost", RAM + offset + 8, 8, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 1, 0);
    open_bench(b, &elf, NULL);
}

/* Wherever tohost lies, the run ends with the very store. */
static void test_htif(void **state)
{
    (void)state;
    bench b;
    open_htif(&b, 0x1000, 7 << 1 | 1);
    expect_exit(&b, 7);
    assert_int_equal(gs_machine_instructions(b.machine), 3);
    close_bench(&b);
    open_htif(&b, 0x100, 8 << 1 | 1); /* among the code */
    expect_exit(&b, 8);
    assert_int_equal(gs_machine_instructions(b.machine), 3);
    close_bench(&b);

    /* Not a request: an even value that is no address. */
    open_htif(&b, 0x1000, 0x40);
    assert_int_equal(run(&b)->kind, GS_EXIT_LIMIT);
    assert_int_equal(word_at(&b, RAM + 0x1000), 0x40);
    close_bench(&b);
}

/* The page of tohost is memory in every other way. */
static void test_htif_page(void **state)
{
    (void)state;
    bench b;
    uint64_t value;
    open_htif(&b, 0x1000, 1);
    gs_memory *memory = &b.machine->memory;
    assert_true(gs_memory_allows(memory, RAM + 0xf80, 0x2000, GS_PROT_READ | GS_PROT_WRITE));
    assert_int_equal(gs_memory_store(memory, RAM + 0x1ffd, 4, 0x04030201), GS_ACCESS_OK);
    assert_int_equal(gs_memory_load(memory, RAM + 0x1ffe, 2, &value), GS_ACCESS_OK);
    assert_int_equal(value, 0x0302);
    assert_int_equal(gs_machine_exit(b.machine)->kind, GS_EXIT_NONE);
    assert_int_equal(gs_memory_store(memory, RAM + 0xffd, 4, 0x07000000), GS_ACCESS_OK);
    assert_int_equal(gs_machine_exit(b.machine)->code, 3); /* the last byte of it was tohost's */
    close_bench(&b);
}

/* Output that cannot be written is told about. */
static void test_lost_output(void **state)
{
    (void)state;
    bench b;
    CODE(&b, rv_lui(T0, 0xf0000), rv_addi(T1, ZERO, 'x'), rv_sw(T1, T0, 4), rv_sw(ZERO, T0, 0));
    close(b.out);
    b.out = -1;
    expect_exit(&b, 0);
    assert_int_equal(gs_machine_note_count(b.machine), 1);
    assert_string_equal(gs_machine_note(b.machine, 0),
                        "the program's output could not be written: Broken pipe");
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_timer_is_exact),
        cmocka_unit_test(test_halt),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_loading),
        cmocka_unit_test(test_odd_places),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_semihosting),
        cmocka_unit_test(test_semihosting_faults),
        cmocka_unit_test(test_command_line),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_uhi),
        cmocka_unit_test(test_htif),
        cmocka_unit_test(test_htif_page),
        cmocka_unit_test(test_lost_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
