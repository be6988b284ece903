/* Start-up as firmware does it: data lies in the ROM until it is copied. */
#include "rt.h"

extern uint32_t __data[], __data_end[], __data_source[];
static volatile uint32_t value = 0x12345678;

int main(void)
{
    put_hex(value);
    put(" before\n");
    for (uint32_t *from = __data_source, *to = __data; to < __data_end;)
        *to++ = *from++;
    put_hex(value);
    put(" after\n");
    return 0;
}
