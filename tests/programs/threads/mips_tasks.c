/* Two tasks that a timer switches between, by eret, and one that the first of them switches to and
 * back by jr $ra. Handlers run in a stack of their own. */
#include "rt.h"
#include "rt_mips.h"

#define APART __attribute__((noinline, noclone))

enum { STACK = 256, FRAME = 36 };

typedef struct task {
    uint32_t *sp;
    uint32_t stack[STACK];
} task;

extern char vectors[];
task *current_task;
uint32_t isr_stack[256];
static task one, two, helper;
static uint32_t *helper_sp, *caller_sp;
static volatile uint32_t ticks, spent[3];

__asm__(
    ".section .text.handler, \"ax\"\n .balign 4096\n .globl vectors\nvectors:\n .space 0x180\n"
    " .set noreorder\n .set noat\n .globl trap_handler\n .type trap_handler, @function\n"
    "trap_handler:\n addiu $sp, $sp, -144\n"
    " sw $1, 4($sp)\n sw $2, 8($sp)\n sw $3, 12($sp)\n sw $4, 16($sp)\n sw $5, 20($sp)\n"
    " sw $6, 24($sp)\n sw $7, 28($sp)\n sw $8, 32($sp)\n sw $9, 36($sp)\n sw $10, 40($sp)\n"
    " sw $11, 44($sp)\n sw $12, 48($sp)\n sw $13, 52($sp)\n sw $14, 56($sp)\n sw $15, 60($sp)\n"
    " sw $16, 64($sp)\n sw $17, 68($sp)\n sw $18, 72($sp)\n sw $19, 76($sp)\n sw $20, 80($sp)\n"
    " sw $21, 84($sp)\n sw $22, 88($sp)\n sw $23, 92($sp)\n sw $24, 96($sp)\n sw $25, 100($sp)\n"
    " sw $30, 104($sp)\n sw $31, 108($sp)\n mfhi $8\n mflo $9\n sw $8, 112($sp)\n"
    " sw $9, 116($sp)\n mfc0 $8, $14\n sw $8, 0($sp)\n mfc0 $8, $12\n sw $8, 120($sp)\n"
    " lui $8, %hi(current_task)\n lw $9, %lo(current_task)($8)\n sw $sp, 0($9)\n"
    " lui $sp, %hi(isr_stack + 960)\n jal on_trap\n addiu $sp, $sp, %lo(isr_stack + 960)\n"
    " .globl restore\n .type restore, @function\nrestore:\n"
    " lui $8, %hi(current_task)\n lw $9, %lo(current_task)($8)\n lw $sp, 0($9)\n"
    " lw $8, 0($sp)\n mtc0 $8, $14\n lw $8, 120($sp)\n mtc0 $8, $12\n lw $8, 112($sp)\n"
    " lw $9, 116($sp)\n mthi $8\n mtlo $9\n"
    " lw $1, 4($sp)\n lw $2, 8($sp)\n lw $3, 12($sp)\n lw $4, 16($sp)\n lw $5, 20($sp)\n"
    " lw $6, 24($sp)\n lw $7, 28($sp)\n lw $8, 32($sp)\n lw $9, 36($sp)\n lw $10, 40($sp)\n"
    " lw $11, 44($sp)\n lw $12, 48($sp)\n lw $13, 52($sp)\n lw $14, 56($sp)\n lw $15, 60($sp)\n"
    " lw $16, 64($sp)\n lw $17, 68($sp)\n lw $18, 72($sp)\n lw $19, 76($sp)\n lw $20, 80($sp)\n"
    " lw $21, 84($sp)\n lw $22, 88($sp)\n lw $23, 92($sp)\n lw $24, 96($sp)\n lw $25, 100($sp)\n"
    " lw $30, 104($sp)\n lw $31, 108($sp)\n ehb\n addiu $sp, $sp, 144\n eret\n"
    " .globl switch_to\n .type switch_to, @function\nswitch_to:\n"
    " addiu $sp, $sp, -48\n sw $31, 0($sp)\n sw $16, 4($sp)\n sw $17, 8($sp)\n sw $18, 12($sp)\n"
    " sw $19, 16($sp)\n sw $20, 20($sp)\n sw $21, 24($sp)\n sw $22, 28($sp)\n sw $23, 32($sp)\n"
    " sw $30, 36($sp)\n sw $sp, 0($4)\n move $sp, $5\n"
    " lw $31, 0($sp)\n lw $16, 4($sp)\n lw $17, 8($sp)\n lw $18, 12($sp)\n lw $19, 16($sp)\n"
    " lw $20, 20($sp)\n lw $21, 24($sp)\n lw $22, 28($sp)\n lw $23, 32($sp)\n lw $30, 36($sp)\n"
    " jr $31\n addiu $sp, $sp, 48\n .set at\n .set reorder\n .text\n");
void switch_to(uint32_t **from, uint32_t *to);
_Noreturn void restore(void);

static APART void set_timer(void)
{
    CP0_WRITE(11, 0, CP0_READ(9, 0) + 2500);
}

void on_trap(void);
void on_trap(void)
{
    const uint32_t cause = CP0_READ(13, 0);
    if ((cause >> 2 & 31) != 0 || !(cause >> 15 & 1))
        finish(99);
    ticks++;
    set_timer();
    current_task = current_task == &one ? &two : &one;
}

static APART void work(uint32_t which, uint32_t n)
{
    while (n-- > 0)
        spent[which]++;
}

static APART void ask_helper(void)
{
    switch_to(&caller_sp, helper_sp);
    __asm__ volatile("");
}

static APART void answer(void)
{
    switch_to(&helper_sp, caller_sp);
    __asm__ volatile("");
}

static void helper_task(void)
{
    for (;;) {
        work(2, 100);
        answer();
    }
}

static void task_one(void)
{
    for (;;) {
        work(0, 100);
        ask_helper();
        if (ticks > 30)
            finish(0);
    }
}

static APART void work_more(void)
{
    work(1, 100);
}

static void task_two(void)
{
    for (;;)
        work_more();
}

static APART void create(task *t, void (*entry)(void))
{
    t->sp = t->stack + STACK - FRAME - 8;
    t->sp[0] = (uint32_t)(uintptr_t)entry;
    t->sp[30] = 1u << 15 | 1;
}

int main(void)
{
    create(&one, task_one);
    create(&two, task_two);
    helper_sp = helper.stack + STACK - 24;
    helper_sp[0] = (uint32_t)(uintptr_t)helper_task;
    current_task = &one;
    CP0_WRITE(15, 1, (uintptr_t)vectors);
    set_timer();
    restore();
}
