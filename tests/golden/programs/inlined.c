/* A hot loop of inlined functions, two deep, with instructions that can be counted by hand. */
static inline __attribute__((always_inline)) void three(void)
{
    __asm__ volatile("nop; nop; nop");
}

static inline __attribute__((always_inline)) void seven(void)
{
    three();
    __asm__ volatile("nop");
    three();
}

__attribute__((noinline, used)) void hot(void)
{
    for (int i = 0; i < 1000; i++)
        seven();
}

__attribute__((naked)) void _start(void)
{
    __asm__ volatile("jal hot; lui a5, 0xf0000; sw zero, 0(a5)");
}
