/*
 * The console, the CLINT, the UART, the alias and the region, each by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/bare/clint.h"
#include "machine/bare/console.h"
#include "machine/bare/devices.h"
#include "machine/bare/uart.h"

/* A console whose three streams are pipes. */
typedef struct rig {
    int in, out, error; /* our ends */
    int inner[3];       /* the console's */
    gs_console console;
} rig;

static void make_rig(rig *r)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    r->inner[0] = ends[0];
    r->in = ends[1];
    assert_int_equal(pipe(ends), 0);
    r->out = ends[0];
    r->inner[1] = ends[1];
    assert_int_equal(pipe(ends), 0);
    r->error = ends[0];
    r->inner[2] = ends[1];
    fcntl(r->out, F_SETFL, O_NONBLOCK);
    fcntl(r->error, F_SETFL, O_NONBLOCK);
    gs_console_init(&r->console, r->inner);
}

static void free_rig(rig *r)
{
    int fds[] = {r->in, r->out, r->error, r->inner[0], r->inner[1], r->inner[2]};
    for (size_t i = 0; i < 6; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
}

/* What has come out so far. */
static const char *output(int fd)
{
    static char text[65536];
    size_t length = 0;
    ssize_t n;
    while ((n = read(fd, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = '\0';
    return text;
}

static void test_output_is_held_back(void **state)
{
    (void)state;
    rig r;
    make_rig(&r);
    assert_int_equal(gs_console_write(&r.console, GS_CONSOLE_OUT, "one\n", 4), 4);
    gs_console_put(&r.console, '2');
    assert_string_equal(output(r.out), "");
    gs_console_flush(&r.console);
    assert_string_equal(output(r.out), "one\n2");

    /* Errors are not held back, and come after what was printed before. */
    gs_console_put(&r.console, '3');
    gs_console_write(&r.console, GS_CONSOLE_ERR, "oops", 4);
    assert_string_equal(output(r.out), "3");
    assert_string_equal(output(r.error), "oops");

    /* A full buffer goes out by itself, and more than a buffer at once. */
    char *much = malloc(40000);
    memset(much, 'x', 40000);
    gs_console_put(&r.console, 'a');
    assert_int_equal(gs_console_write(&r.console, GS_CONSOLE_OUT, much, 40000), 40000);
    assert_int_equal(strlen(output(r.out)), 40001);
    for (int i = 0; i < 20000; i++)
        gs_console_put(&r.console, 'y');
    assert_true(strlen(output(r.out)) >= 16384);
    free(much);
    free_rig(&r);
}

static void test_terminal(void **state)
{
    (void)state;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
        skip();
    char name[64];
    assert_int_equal(ptsname_r(terminal, name, sizeof name), 0);
    int side = open(name, O_RDWR | O_NOCTTY);
    assert_true(side >= 0);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    const int fd[3] = {-1, side, -1};
    gs_console console;
    gs_console_init(&console, fd);
    gs_console_write(&console, GS_CONSOLE_OUT, "half", 4);
    assert_string_equal(output(terminal), "");
    gs_console_put(&console, '\n');
    assert_string_equal(output(terminal), "half\r\n");
    close(side);
    close(terminal);
}

/* The reader has gone: no signal, and the first error stays. */
static void test_broken_pipe(void **state)
{
    (void)state;
    rig r;
    make_rig(&r);
    close(r.out);
    r.out = -1;
    gs_console_put(&r.console, 'x');
    assert_int_equal(r.console.error[GS_CONSOLE_OUT], 0);
    gs_console_flush(&r.console);
    assert_int_equal(r.console.error[GS_CONSOLE_OUT], EPIPE);
    assert_int_equal(gs_console_write(&r.console, GS_CONSOLE_OUT, "y", 1), 0);
    gs_console_flush(&r.console);
    assert_int_equal(r.console.error[GS_CONSOLE_OUT], EPIPE);
    assert_int_equal(gs_console_write(&r.console, GS_CONSOLE_ERR, "z", 1), 1); /* still open */
    free_rig(&r);
}

static void test_full_disk(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    if (full < 0)
        skip();
    const int fd[3] = {-1, full, full};
    gs_console console;
    gs_console_init(&console, fd);
    gs_console_put(&console, 'x');
    gs_console_flush(&console);
    assert_int_equal(console.error[GS_CONSOLE_OUT], ENOSPC);
    assert_int_equal(gs_console_write(&console, GS_CONSOLE_ERR, "x", 1), 0);
    close(full);
}

static void test_closed(void **state)
{
    (void)state;
    const int none[3] = {-1, -1, -1};
    gs_console console;
    char byte;
    gs_console_init(&console, none);
    assert_int_equal(gs_console_write(&console, GS_CONSOLE_OUT, "x", 1), 1);
    gs_console_flush(&console);
    assert_int_equal(gs_console_read(&console, &byte, 1), 0);
    assert_false(gs_console_ready(&console, 0));
    assert_false(gs_console_wait(&console));
    assert_false(gs_console_open(&console));
}

static void test_input(void **state)
{
    (void)state;
    rig r;
    char text[16] = "";
    make_rig(&r);
    assert_false(gs_console_ready(&r.console, 0));
    assert_int_equal(write(r.in, "abcdef", 6), 6);
    assert_false(gs_console_ready(&r.console, 1)); /* the host was asked just now */
    assert_true(gs_console_ready(&r.console, 1000000));
    assert_int_equal(gs_console_get(&r.console), 'a');
    assert_true(gs_console_ready(&r.console, 1000000)); /* no need to ask */
    assert_int_equal(gs_console_read(&r.console, text, 2), 2);
    assert_string_equal(text, "bc");
    assert_int_equal(gs_console_read(&r.console, text, 16), 3); /* what is there */
    assert_memory_equal(text, "def", 3);
    assert_int_equal(gs_console_read(&r.console, text, 0), 0);

    /* What was printed is shown before the guest waits for input. */
    gs_console_write(&r.console, GS_CONSOLE_OUT, "name? ", 6);
    assert_int_equal(write(r.in, "x", 1), 1);
    assert_true(gs_console_wait(&r.console));
    assert_string_equal(output(r.out), "name? ");
    assert_int_equal(gs_console_get(&r.console), 'x');
    gs_console_write(&r.console, GS_CONSOLE_OUT, "again? ", 7);
    for (int i = 0; i < 100; i++)
        assert_false(gs_console_ready(&r.console, 2000000));
    assert_string_equal(output(r.out), "again? ");

    assert_true(gs_console_open(&r.console));
    close(r.in);
    r.in = -1;
    assert_int_equal(gs_console_read(&r.console, text, 4), 0);
    assert_false(gs_console_open(&r.console));
    assert_false(gs_console_ready(&r.console, 9000000));
    free_rig(&r);
}

static uint64_t load(bool (*function)(void *, uint32_t, unsigned, uint64_t *), void *self,
                     uint32_t offset, unsigned size)
{
    uint64_t value = 0;
    assert_true(function(self, offset, size, &value));
    return value;
}

static void test_clint(void **state)
{
    (void)state;
    gs_machine machine = {0};
    gs_clint clint;
    uint64_t value;
    const uint32_t timer = 1u << GS_RV_IRQ_TIMER, software = 1u << GS_RV_IRQ_SOFTWARE;

    gs_clint_init(&clint, &machine, 1);
    assert_int_equal(gs_clint_pending(&clint, UINT64_MAX - 1), 0);
    assert_int_equal(gs_clint_due(&clint, 0), UINT64_MAX);
    assert_int_equal(load(gs_clint_load, &clint, 0x4000, 8), UINT64_MAX);

    machine.time = UINT64_C(0x123456789);
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 4), 0x23456789);
    assert_int_equal(load(gs_clint_load, &clint, 0xbffc, 4), 1);
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 8), machine.time);

    /* In halves, as a 32-bit hart does it. */
    assert_true(gs_clint_store(&clint, 0x4000, 4, 0x23456800));
    assert_true(machine.hart.resync);
    assert_true(gs_clint_store(&clint, 0x4004, 4, 1));
    assert_int_equal(clint.mtimecmp, UINT64_C(0x123456800));
    assert_int_equal(gs_clint_due(&clint, machine.time), UINT64_C(0x123456800));
    assert_int_equal(gs_clint_pending(&clint, UINT64_C(0x1234567ff)), 0);
    assert_int_equal(gs_clint_pending(&clint, UINT64_C(0x123456800)), timer);
    assert_int_equal(gs_clint_due(&clint, UINT64_C(0x123456800)), UINT64_MAX); /* it is up */

    assert_true(gs_clint_store(&clint, 0, 4, 0xffffffff));
    assert_int_equal(load(gs_clint_load, &clint, 0, 4), 1);
    assert_int_equal(gs_clint_pending(&clint, 0), software);
    assert_true(gs_clint_store(&clint, 4, 4, 0)); /* of a hart that is not there */
    assert_int_equal(gs_clint_pending(&clint, 0), software);
    assert_int_equal(load(gs_clint_load, &clint, 4, 4), 0);
    assert_true(gs_clint_store(&clint, 0, 4, 0xfffffffe));
    assert_int_equal(gs_clint_pending(&clint, 0), 0);

    assert_false(gs_clint_load(&clint, 0xbff8, 1, &value));
    assert_false(gs_clint_store(&clint, 0x4000, 2, 0));
}

static void test_clint_divided(void **state)
{
    (void)state;
    gs_machine machine = {.time = 1000};
    gs_clint clint;
    gs_clint_init(&clint, &machine, 10);
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 8), 100);
    gs_clint_store(&clint, 0x4000, 8, 105);
    assert_int_equal(gs_clint_due(&clint, 1003), 1050);
    assert_int_equal(gs_clint_pending(&clint, 1049), 0);
    assert_int_not_equal(gs_clint_pending(&clint, 1050), 0);

    /* mtime runs on from what is written to it, as soon as the instruction has retired. */
    machine.time = 930;
    gs_clint_store(&clint, 0xbff8, 8, 5);
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 8), 5);
    gs_clint_settle(&clint, 1000);
    gs_clint_settle(&clint, 1005);
    machine.time = 1009;
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 8), 5);
    machine.time = 1010;
    assert_int_equal(load(gs_clint_load, &clint, 0xbff8, 8), 6);
    assert_int_equal(gs_clint_due(&clint, 1010), 2000);
    gs_clint_store(&clint, 0x4000, 8, UINT64_MAX - 5); /* beyond the end of time */
    assert_int_equal(gs_clint_due(&clint, 1010), UINT64_MAX);
}

static void test_uart(void **state)
{
    (void)state;
    rig r;
    gs_machine machine = {0};
    gs_uart uart;
    uint64_t value;

    make_rig(&r);
    gs_uart_init(&uart, &machine, &r.console);
    uart.start = 0x100;
    uart.stride = uart.width = 4;
    assert_false(gs_uart_load(&uart, 0xfc, 4, &value));
    assert_false(gs_uart_load(&uart, 0x101, 1, &value));
    assert_false(gs_uart_load(&uart, 0x120, 4, &value));
    assert_false(gs_uart_load(&uart, 0x100, 8, &value));
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x60); /* ready to send */
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 1), 0x60);
    assert_int_equal(load(gs_uart_load, &uart, 0x100, 4), 0); /* nothing there */

    assert_true(gs_uart_store(&uart, 0x100, 4, 'h' | 0xabc00));
    gs_console_flush(&r.console);
    assert_string_equal(output(r.out), "h");
    assert_false(machine.hart.resync); /* without interrupts there is nothing to look at */

    assert_int_equal(write(r.in, "xy", 2), 2);
    machine.time = 100000;
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x61);
    assert_int_equal(load(gs_uart_load, &uart, 0x100, 4), 'x');
    assert_false(gs_uart_interrupt(&uart, machine.time));
    gs_uart_store(&uart, 0x104, 4, 0xff);
    assert_int_equal(load(gs_uart_load, &uart, 0x104, 4), 0x0f);
    assert_true(machine.hart.resync);
    assert_true(gs_uart_wants_input(&uart));
    assert_true(gs_uart_interrupt(&uart, machine.time));
    assert_int_equal(load(gs_uart_load, &uart, 0x108, 4), 4); /* received comes first */
    assert_int_equal(load(gs_uart_load, &uart, 0x100, 4), 'y');
    assert_int_equal(load(gs_uart_load, &uart, 0x108, 4), 2); /* then empty */
    assert_int_equal(load(gs_uart_load, &uart, 0x108, 4), 1);
    assert_false(gs_uart_interrupt(&uart, machine.time));

    /* Loopback has a FIFO of its own, and may overrun. */
    gs_uart_store(&uart, 0x110, 4, 0x1f);
    assert_int_equal(load(gs_uart_load, &uart, 0x118, 4), 0xf0);
    assert_false(gs_uart_wants_input(&uart));
    gs_uart_store(&uart, 0x108, 4, 1);
    for (int i = 0; i < 17; i++)
        gs_uart_store(&uart, 0x100, 4, (uint64_t)i);
    assert_int_equal(load(gs_uart_load, &uart, 0x108, 4), 0xc6);
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x63);
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x61); /* read, and forgotten */
    for (int i = 0; i < 16; i++)
        assert_int_equal(load(gs_uart_load, &uart, 0x100, 4), i);
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x60);
    gs_uart_store(&uart, 0x100, 4, 1);
    gs_uart_store(&uart, 0x108, 4, 2);
    assert_int_equal(load(gs_uart_load, &uart, 0x114, 4), 0x60); /* cleared */
    free_rig(&r);
}

static void test_alias(void **state)
{
    (void)state;
    gs_memory memory;
    gs_error err;
    uint64_t value;
    assert_int_equal(gs_memory_init(&memory, gs_isa_for(GS_ARCH_MIPS32), true, &err), GS_OK);
    assert_int_equal(gs_memory_map(&memory, 0x80000000, 0x1000, 3, &err), GS_OK);
    gs_alias alias = {&memory, 0x80000000};
    gs_device device = {0xa0000000, 0x2000, gs_alias_load, gs_alias_store, &alias};
    assert_int_equal(gs_memory_add_device(&memory, &device, &err), GS_OK);
    assert_int_equal(gs_memory_store(&memory, 0xa0000010, 4, 0x01020304), GS_ACCESS_OK);
    assert_int_equal(gs_memory_load(&memory, 0x80000010, 1, &value), GS_ACCESS_OK);
    assert_int_equal(value, 1);
    assert_int_equal(gs_memory_store(&memory, 0x80000020, 8, UINT64_C(0x1122334455667788)),
                     GS_ACCESS_OK);
    assert_int_equal(gs_memory_load(&memory, 0xa0000024, 2, &value), GS_ACCESS_OK);
    assert_int_equal(value, 0x5566);
    assert_int_equal(gs_memory_load(&memory, 0xa0001000, 4, &value), GS_ACCESS_FAULT);
    gs_memory_fini(&memory);
}

/* A region names some bytes of a page; the device that was added later has the others. */
static void test_region(void **state)
{
    (void)state;
    for (int big = 0; big <= 1; big++) {
        gs_memory memory;
        gs_error err;
        uint64_t value;
        const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
        assert_int_equal(gs_memory_init(&memory, isa, big, &err), GS_OK);
        gs_board_region constant = {.constant = 0x11223344, .big_endian = big};
        gs_board_region fuse = {.refuses_loads = true, .refuses_stores = true};
        const gs_device devices[] = {
            {0x40000010, 8, gs_board_region_load, gs_board_region_store, &constant},
            {0x40000018, 4, gs_board_region_load, gs_board_region_store, &fuse},
            {0x40000000, 0x1000, gs_board_region_load, gs_board_region_store,
             &(gs_board_region){.constant = 7}},
        };
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(gs_memory_add_device(&memory, &devices[i], &err), GS_OK);
        const struct {
            gs_addr address;
            unsigned size;
            uint64_t little, big;
        } loads[] = {
            {0x40000010, 4, 0x11223344, 0x11223344},
            {0x40000014, 1, 0x44, 0x11},
            {0x40000017, 1, 0x11, 0x44},
            {0x40000016, 2, 0x1122, 0x3344},
            {0x40000010, 8, 0x1122334411223344, 0x1122334411223344},
            {0x4000000c, 4, 7, 7},
            {0x4000001c, 4, 7, 7},
        };
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
            assert_int_equal(gs_memory_load(&memory, loads[i].address, loads[i].size, &value),
                             GS_ACCESS_OK);
            assert_int_equal(value, big ? loads[i].big : loads[i].little);
        }
        assert_int_equal(gs_memory_store(&memory, 0x40000010, 4, 1), GS_ACCESS_OK);
        assert_int_equal(gs_memory_load(&memory, 0x40000010, 4, &value), GS_ACCESS_OK);
        assert_int_equal(value, 0x11223344);
        assert_int_equal(gs_memory_load(&memory, 0x40000018, 4, &value), GS_ACCESS_FAULT);
        assert_int_equal(gs_memory_store(&memory, 0x40000018, 4, 1), GS_ACCESS_FAULT);
        gs_memory_fini(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_held_back),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_input),
        cmocka_unit_test(test_clint),
        cmocka_unit_test(test_clint_divided),
        cmocka_unit_test(test_uart),
        cmocka_unit_test(test_alias),
        cmocka_unit_test(test_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
