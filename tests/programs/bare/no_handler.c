/* An illegal instruction, and no handler for it. */
#include "rt.h"

int main(void)
{
    put("last words\n");
    __asm__ volatile(".word 0xffffffff");
    return 0;
}
