/* SYS_EXIT for a reason other than the program's end; qemu. */
#include "rt.h"
#include "rt_rv.h"

int main(void)
{
    put("about to fail\n");
    semihost(0x18, (void *)0x20023);
    return 0;
}
