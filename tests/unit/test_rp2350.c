/*
 * The devices of the RP2350 and the interrupt controller of its core: what programs that take
 * them to their limits see.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "machine/bare/clint.h"
#include "machine/bare/pl011.h"
#include "machine/bare/register_bank.h"
#include "machine/bare/rp2350_timer.h"
#include "machine/rv_h3irq.h"

enum { XOR = 0x1000, SET = 0x2000, CLEAR = 0x3000 };

static int open_machine(void **state)
{
    gs_machine *machine = calloc(1, sizeof *machine);
    gs_rv_h3irq_reset(&machine->hart.rv.h3irq);
    machine->hart.rv.mode = GS_RV_MACHINE;
    *state = machine;
    return machine ? 0 : -1;
}

static int close_machine(void **state)
{
    free(*state);
    return 0;
}

/* One csrr* instruction. */
static uint32_t csr(gs_machine *machine, unsigned number, gs_rv_csr_change change, uint32_t value)
{
    uint32_t old;
    const bool writes = change == GS_RV_CSR_WRITE || value != 0;
    assert_true(gs_rv_csr_access(machine, number, change, value, writes, &old));
    return old;
}

enum { MEIEA = 0xbe0, MEIPA, MEIFA, MEIPRA, MEINEXT, MEICONTEXT };

static uint32_t set(gs_machine *machine, unsigned number, uint32_t value)
{
    return csr(machine, number, GS_RV_CSR_SET, value);
}

static void test_arrays(void **state)
{
    gs_machine *machine = *state;
    gs_rv_h3irq *irqs = &machine->hart.rv.h3irq;
    assert_int_equal(set(machine, MEIEA, 2u | 1u << 17), 0); /* 33 */
    assert_int_equal(irqs->enabled, UINT64_C(1) << 33);
    assert_int_equal(set(machine, MEIEA, 2), 0x20000);
    assert_int_equal(csr(machine, MEIEA, GS_RV_CSR_WRITE, 2u | 0xffff0000u), 0x20000);
    assert_int_equal(csr(machine, MEIEA, GS_RV_CSR_CLEAR, 2u | 1u << 31), 0xffff0000u);
    assert_int_equal(irqs->enabled, UINT64_C(0x7fff) << 32);
    irqs->lines = UINT64_C(1) << 50;
    assert_int_equal(set(machine, MEIPA, 3), 1u << 18);
    assert_int_equal(csr(machine, MEIPA, GS_RV_CSR_WRITE, 3), 1u << 18); /* which is read only */
    assert_int_equal(irqs->lines, UINT64_C(1) << 50);
    for (uint32_t window = 4; window < 32; window++) { /* there are no more */
        assert_int_equal(csr(machine, MEIEA, GS_RV_CSR_WRITE, window | 0xffff0000u), 0);
        assert_int_equal(set(machine, MEIEA, window), 0);
    }
    set(machine, MEIPRA, 12u | 0xa5c30000u);
    assert_int_equal(irqs->priority[48], 3);
    assert_int_equal(irqs->priority[51], 10);
    assert_int_equal(csr(machine, MEIPRA, GS_RV_CSR_CLEAR, 12u | 0x80000000u), 0xa5c30000u);
    assert_int_equal(irqs->priority[51], 2);
    assert_int_equal(csr(machine, MEIPRA, GS_RV_CSR_WRITE, 127u | 0xffff0000u), 0);
}

/* What the hart does with them is in tests/programs/bare/rp2350_hello.c. */
static void test_priorities(void **state)
{
    gs_machine *machine = *state;
    gs_rv_h3irq *irqs = &machine->hart.rv.h3irq;
    irqs->enabled = 0xf;
    assert_false(gs_rv_h3irq_pending(irqs));
    assert_int_equal(set(machine, MEINEXT, 1), 1u << 31);
    assert_int_equal(irqs->preempt, 16);
    *irqs = (gs_rv_h3irq){.present = true, .enabled = 0xf, .lines = 0xe};
    irqs->priority[2] = irqs->priority[3] = 5;
    assert_true(gs_rv_h3irq_pending(irqs));
    assert_int_equal(set(machine, MEINEXT, 0), 2 << 2); /* the first of the most urgent */
    gs_rv_h3irq_entered(irqs, true);
    assert_int_equal(irqs->preempt, 6);
    assert_false(gs_rv_h3irq_pending(irqs));
    irqs->forced = 1;
    irqs->priority[0] = 15;
    assert_true(gs_rv_h3irq_pending(irqs));
    gs_rv_h3irq_entered(irqs, true);
    assert_int_equal(irqs->preempt, 16);
    assert_int_equal(irqs->ppreempt, 6);
    assert_int_equal(set(machine, MEINEXT, 0), 0 << 2);
    assert_int_equal(irqs->forced, 0);                    /* it has been seen */
    assert_int_equal(set(machine, MEINEXT, 0), 1u << 31); /* the others belong to other frames */
    gs_rv_h3irq_entered(irqs, false);                     /* a trap: its mret gives nothing back */
    gs_rv_h3irq_returned(irqs);
    assert_int_equal(irqs->preempt, 16);
    irqs->restores = true;
    gs_rv_h3irq_returned(irqs);
    assert_int_equal(irqs->preempt, 6);
    assert_int_equal(irqs->ppreempt, 0);
}

static void test_context(void **state)
{
    gs_machine *machine = *state;
    gs_rv_state *s = &machine->hart.rv;
    assert_int_equal(set(machine, MEICONTEXT, 0), 0x8000);
    s->mie = 1u << GS_RV_IRQ_TIMER | 1u << GS_RV_IRQ_EXTERNAL;
    const uint32_t saved = set(machine, MEICONTEXT, 2);
    assert_int_equal(saved, 0x8008);
    assert_int_equal(s->mie, 1u << GS_RV_IRQ_EXTERNAL);
    csr(machine, MEICONTEXT, GS_RV_CSR_WRITE, 0x32101231 | saved);
    assert_int_equal(s->mie, 1u << GS_RV_IRQ_TIMER | 1u << GS_RV_IRQ_EXTERNAL);
    assert_int_equal(set(machine, MEICONTEXT, 0), 0x32109231); /* the others read as zero */
    s->h3irq.present = false;
    uint32_t old;
    assert_false(gs_rv_csr_access(machine, MEICONTEXT, GS_RV_CSR_SET, 0, false, &old));
    s->h3irq.present = true;
    s->mode = GS_RV_USER;
    assert_false(gs_rv_csr_access(machine, MEICONTEXT, GS_RV_CSR_SET, 0, false, &old));
}

static uint32_t timer_load(gs_rp2350_timer *timer, uint32_t at)
{
    uint64_t value;
    assert_true(gs_rp2350_timer_load(timer, at, 4, &value));
    return (uint32_t)value;
}

static void timer_store(gs_rp2350_timer *timer, uint32_t at, uint32_t value)
{
    assert_true(gs_rp2350_timer_store(timer, at, 4, value));
}

static void test_timer(void **state)
{
    gs_machine *machine = *state;
    gs_rp2350_timer timer;
    gs_rp2350_timer_init(&timer, machine, 150);
    machine->time = 1000 * 150 + 149;
    assert_int_equal(timer_load(&timer, 0x28), 1000);
    timer_store(&timer, 0x04, 0xfffffff0); /* low, then high */
    timer_store(&timer, 0x00, 7);
    assert_int_equal(timer_load(&timer, 0x0c), 0xfffffff0);
    machine->time += 150 * 32;
    assert_int_equal(timer_load(&timer, 0x08), 7); /* as latched */
    assert_int_equal(timer_load(&timer, 0x24), 8);
    assert_int_equal(timer_load(&timer, 0x28), 0x10);

    assert_int_equal(gs_rp2350_timer_due(&timer, machine->time), UINT64_MAX);
    timer_store(&timer, 0x10, 0x20);
    timer_store(&timer, 0x1c, 0x0f); /* once more round */
    assert_int_equal(timer_load(&timer, 0x20), 9);
    assert_int_equal(gs_rp2350_timer_due(&timer, machine->time), UINT64_MAX); /* not enabled */
    timer_store(&timer, 0x40 + SET, 9);
    const uint64_t due = gs_rp2350_timer_due(&timer, machine->time);
    assert_int_equal(due % 150, 0);
    assert_true(due > machine->time + 15 * 150 && due <= machine->time + 16 * 150);
    assert_int_equal(gs_rp2350_timer_lines(&timer, due - 1), 0);
    assert_int_equal(gs_rp2350_timer_lines(&timer, due), 1);
    machine->time = due;
    assert_int_equal(timer_load(&timer, 0x20), 8);
    assert_int_equal(timer_load(&timer, 0x3c), 1);
    timer_store(&timer, 0x3c, 1);
    assert_int_equal(timer_load(&timer, 0x48), 0);
    timer_store(&timer, 0x20, 8);
    assert_int_equal(gs_rp2350_timer_due(&timer, machine->time), UINT64_MAX);

    timer_store(&timer, 0x30, 1); /* a pause */
    const uint32_t then = timer_load(&timer, 0x28);
    machine->time += 150000;
    assert_int_equal(timer_load(&timer, 0x28), then);
    timer_store(&timer, 0x30, 0);
    machine->time += 150;
    assert_int_equal(timer_load(&timer, 0x28), then + 1);
    timer_store(&timer, 0x34, 1); /* locked: only interrupts can be changed */
    timer_store(&timer, 0x30, 1);
    assert_int_equal(timer_load(&timer, 0x30), 0);
    timer_store(&timer, 0x44 + XOR, 2);
    assert_int_equal(gs_rp2350_timer_lines(&timer, machine->time), 2);
    uint64_t value;
    assert_false(gs_rp2350_timer_load(&timer, 0x28, 2, &value));
    assert_false(gs_rp2350_timer_store(&timer, 0x10, 1, 0));
}

static uint32_t mtime_load(gs_clint *clint, uint32_t at)
{
    uint64_t value;
    assert_true(gs_rp2350_mtime_load(clint, at, 4, &value));
    return (uint32_t)value;
}

/* An instruction that retires one tick later. */
static void mtime_store(gs_clint *clint, uint32_t at, uint32_t value)
{
    assert_true(gs_rp2350_mtime_store(clint, at, 4, value));
    clint->machine->time++;
    gs_clint_settle(clint, clint->machine->time);
}

static void test_mtime(void **state)
{
    gs_machine *machine = *state;
    gs_clint clint;
    gs_clint_init(&clint, machine, 150);
    assert_int_equal(mtime_load(&clint, 4), 0xd); /* it runs, slowly */
    machine->time = 1500;
    assert_int_equal(mtime_load(&clint, 0x10), 10);
    assert_int_equal(mtime_load(&clint, 0x1c), UINT32_MAX);
    mtime_store(&clint, 0x1c, 0);
    mtime_store(&clint, 0x18, 20);
    assert_int_equal(gs_clint_due(&clint, machine->time), 3000);
    assert_int_equal(gs_clint_pending(&clint, 2999), 0);
    assert_int_equal(gs_clint_pending(&clint, 3000), 1u << GS_RV_IRQ_TIMER);
    mtime_store(&clint, 4, 0); /* stops */
    machine->time = 30000;
    assert_int_equal(gs_clint_pending(&clint, machine->time), 0);
    assert_int_equal(gs_clint_due(&clint, machine->time), UINT64_MAX);
    assert_int_equal(mtime_load(&clint, 0x10), 10);
    assert_int_equal(mtime_load(&clint, 4), 0xc);
    mtime_store(&clint, 4, 3); /* goes on, at full speed */
    assert_int_equal(gs_clint_due(&clint, machine->time), machine->time + 10);
    machine->time += 5;
    assert_int_equal(mtime_load(&clint, 0x10), 15);
    assert_int_equal(mtime_load(&clint, 4), 0xf);
    mtime_store(&clint, 4, 1);
    mtime_store(&clint, 0x14, 1);
    assert_int_equal(mtime_load(&clint, 0x14), 1);
    assert_int_equal(mtime_load(&clint, 0x10), 15);

    mtime_store(&clint, 0x18, UINT32_MAX);
    mtime_store(&clint, 0x1c, UINT32_MAX);
    mtime_store(&clint, 0, 1);
    assert_int_equal(gs_clint_pending(&clint, machine->time), 1u << GS_RV_IRQ_SOFTWARE);
    assert_int_equal(mtime_load(&clint, 0), 0x101);
    mtime_store(&clint, 0, 2); /* the other core's */
    mtime_store(&clint, 0, 0x100);
    assert_int_equal(gs_clint_pending(&clint, machine->time), 0);
    uint64_t value;
    assert_false(gs_rp2350_mtime_load(&clint, 0x10, 8, &value));
    assert_false(gs_rp2350_mtime_store(&clint, 0x10, 1, 0));
}

static void test_uart(void **state)
{
    gs_machine *machine = *state;
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    gs_console console;
    gs_console_init(&console, (int[]){in[0], out[1], -1});
    gs_pl011 uart;
    uint64_t value;
    gs_pl011_init(&uart, machine, &console, true);
    assert_true(gs_pl011_store(&uart, 0x00, 1, 'a')); /* it is off */
    assert_true(gs_pl011_store(&uart, 0x30 + SET, 4, 1));
    assert_true(gs_pl011_load(&uart, 0x30, 4, &value));
    assert_int_equal(value, 0x301);
    assert_true(gs_pl011_store(&uart, 0x00, 1, 'b'));
    gs_console_flush(&console);
    char printed[2];
    assert_int_equal(read(out[0], printed, sizeof printed), 1);
    assert_int_equal(printed[0], 'b');

    assert_true(gs_pl011_store(&uart, 0x38, 4, 0x30)); /* both interrupts */
    assert_true(gs_pl011_wants_input(&uart));
    assert_true(gs_pl011_interrupt(&uart, 0));
    assert_true(gs_pl011_store(&uart, 0x44, 4, 0x20));
    assert_false(gs_pl011_interrupt(&uart, 0));
    assert_int_equal(write(in[1], "c", 1), 1);
    assert_true(gs_console_wait(&console));
    assert_true(gs_pl011_interrupt(&uart, 0));
    assert_true(gs_pl011_load(&uart, 0x18, 4, &value));
    assert_int_equal(value & 0x10, 0);
    assert_true(gs_pl011_load(&uart, 0x40, 4, &value));
    assert_int_equal(value, 0x10);
    assert_true(gs_pl011_load(&uart, 0x00, 4, &value));
    assert_int_equal(value, 'c');
    assert_false(gs_pl011_interrupt(&uart, 0));
    assert_true(gs_pl011_load(&uart, 0xff4 + XOR, 1, &value));
    assert_int_equal(value, 0xf0); /* its identification */
    assert_true(gs_pl011_load(&uart, 0x5c, 4, &value));
    assert_int_equal(value, 0);
    assert_false(gs_pl011_load(&uart, 0x01, 1, &value));
    for (int i = 0; i < 2; i++) {
        close(in[i]);
        close(out[i]);
    }
}

static uint32_t word_of(gs_register_bank *registers, uint32_t at)
{
    uint64_t value;
    assert_true(gs_register_bank_load(registers, at, 4, &value));
    return (uint32_t)value;
}

static void test_registers(void **state)
{
    (void)state;
    gs_board_word words[] = {
        {.at = 0x8, .count = 1, .rule = GS_BOARD_WORD_COMPLEMENT, .source = 0, .mask = 0xff},
        {.at = 0xc, .count = 1, .rule = GS_BOARD_WORD_ONE_HOT, .source = 4, .mask = 31},
        {.at = 0x10, .count = 2, .value = 5, .set = 0x80000000u, .mask = UINT32_MAX},
    };
    gs_board_device description = {.size = 0x4000, .atomic = true, .words = words, .word_count = 3};
    gs_register_bank registers;
    gs_error err;
    assert_int_equal(gs_register_bank_init(&registers, &description, false, &err), GS_OK);
    assert_true(gs_register_bank_store(&registers, 0, 4, 0x1234));
    assert_true(gs_register_bank_store(&registers, 4, 4, 95));
    assert_int_equal(word_of(&registers, 0x8), 0xcb);
    assert_int_equal(word_of(&registers, 0xc + CLEAR), 1u << 31);
    assert_int_equal(word_of(&registers, 0x10), 0x80000005u);
    assert_int_equal(word_of(&registers, 0x14), 0x80000005u);
    assert_int_equal(word_of(&registers, 0x18), 0);
    assert_true(gs_register_bank_store(&registers, 0 + XOR, 4, 0xff));
    assert_int_equal(word_of(&registers, 0), 0x12cb);
    assert_true(gs_register_bank_store(&registers, 1 + SET, 1, 0x80));
    assert_int_equal(word_of(&registers, 0), 0x92cb);
    assert_true(gs_register_bank_store(&registers, 2 + CLEAR, 2, 0xffff));
    assert_int_equal(word_of(&registers, SET), 0x92cb);
    uint64_t value;
    assert_true(gs_register_bank_load(&registers, 1, 1, &value));
    assert_int_equal(value, 0x92);
    assert_false(gs_register_bank_load(&registers, 0, 8, &value));
    gs_register_bank_fini(&registers);

    description = (gs_board_device){.size = 8};
    assert_int_equal(gs_register_bank_init(&registers, &description, true, &err), GS_OK);
    assert_true(gs_register_bank_store(&registers, 4, 1, 0x11));
    assert_true(gs_register_bank_store(&registers, 6, 2, 0x2233));
    assert_int_equal(word_of(&registers, 4), 0x11002233);
    gs_register_bank_fini(&registers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_arrays, open_machine, close_machine),
        cmocka_unit_test_setup_teardown(test_priorities, open_machine, close_machine),
        cmocka_unit_test_setup_teardown(test_context, open_machine, close_machine),
        cmocka_unit_test_setup_teardown(test_timer, open_machine, close_machine),
        cmocka_unit_test_setup_teardown(test_mtime, open_machine, close_machine),
        cmocka_unit_test_setup_teardown(test_uart, open_machine, close_machine),
        cmocka_unit_test(test_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
