/* setjmp and longjmp: out of nested calls, with values, in a loop, with floating point alive. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top;
static volatile int depth;

static double dive(int levels, double carried)
{
    depth++;
    if (levels == 0)
        longjmp(top, 7);
    return dive(levels - 1, carried * 1.5) + carried;
}

int main(void)
{
    volatile double kept = 2.25;
    int value = setjmp(top);
    if (value == 0) {
        dive(40, 1.0);
        printf("not reached\n");
        return 1;
    }
    printf("came back with %d after %d calls, kept %g\n", value, depth, kept);

    volatile int rounds = 0;
    jmp_buf again;
    int code = setjmp(again);
    rounds = rounds + 1;
    if (rounds < 5)
        longjmp(again, rounds);
    printf("%d rounds, last code %d\n", rounds, code);
    return code == 4 && setjmp(again) == 0 ? 0 : 1;
}
