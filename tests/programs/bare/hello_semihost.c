/* Printing and ending by semihosting; qemu. */
#include "rt.h"
#include "rt_rv.h"

int main(void)
{
    put("hello by SYS_WRITE0\n");
    for (const char *c = "hello by SYS_WRITEC\n"; *c; c++)
        semihost(0x03, c);

    static const char text[] = "hello by SYS_WRITE\n";
    static const char tt[] = ":tt";
    uint32_t open[3] = {(uintptr_t)tt, 4, 3};
    uint32_t handle = semihost(0x01, open);
    uint32_t write[3] = {handle, (uintptr_t)text, sizeof text - 1};
    put(handle != 0 && handle != ~0u ? "a handle\n" : "no handle\n");
    put(semihost(0x05, write) == 0 ? "all written\n" : "not written\n");
    put(semihost(0x02, &handle) == 0 ? "closed\n" : "not closed\n");
    put(semihost(0x02, &handle) == ~0u ? "closed only once\n" : "closed twice\n");
    write[0] = 77;
    put(semihost(0x05, write) == sizeof text - 1 ? "nothing written\n" : "written\n");

    /* A lone ebreak, or one in other company, is a breakpoint; here it would end the run. */
    uint32_t features[3] = {(uintptr_t) ":semihosting-features", 0, 21};
    handle = semihost(0x01, features);
    uint8_t magic[6] = {0};
    uint32_t read[3] = {handle, (uintptr_t)magic, sizeof magic};
    put_dec(semihost(0x06, read));
    put(" byte missing; features ");
    put_hex((uint32_t)magic[0] << 24 | (uint32_t)magic[1] << 16 | (uint32_t)magic[2] << 8 |
            magic[3]);
    put(" ");
    put_dec(magic[4]);
    put("\n");
    uint32_t error = 0xffffffff;
    put_dec(semihost(0x08, &error));
    error = 5;
    put_dec(semihost(0x08, &error));
    put("\n");
    return 3;
}
