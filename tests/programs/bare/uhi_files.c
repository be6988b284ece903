/* Files of the host by the UHI. */
#include "rt.h"
#include "rt_mips.h"

static void number(const char *name, int32_t value)
{
    put(name);
    put(value < 0 ? " -" : " ");
    put_dec((uint32_t)(value < 0 ? -value : value));
    put("\n");
}

enum { CLOSE = 3, READ, WRITE, LSEEK, UNLINK, FSTAT, PREAD = 19, PWRITE, LINK = 22, OPEN = 2 };

int main(void)
{
    uint32_t name = (uintptr_t) "file.txt", other = (uintptr_t) "other.txt", error;
    char text[16] = "";
    struct {
        int16_t dev;
        uint16_t ino;
        uint32_t mode;
        uint16_t nlink, uid, gid;
        int16_t rdev;
        uint64_t size, rest[11];
    } info;

    number("missing", uhi(OPEN, name, 0, 0, 0, &error));
    number("error", (int32_t)error);
    int32_t file = uhi(OPEN, name, 2 | 0x200 | 0x800, 0644, 0, 0);
    number("opened", file > 2);
    number("written", uhi(WRITE, (uint32_t)file, (uintptr_t) "0123456789", 10, 0, 0));
    number("seek", uhi(LSEEK, (uint32_t)file, (uint32_t)-4, 2, 0, 0));
    number("read", uhi(READ, (uint32_t)file, (uintptr_t)text, 15, 0, 0));
    put(text);
    put("\n");
    number("written in place", uhi(PWRITE, (uint32_t)file, (uintptr_t) "xyz", 3, 2, 0));
    number("read in place", uhi(PREAD, (uint32_t)file, (uintptr_t)text, 6, 0, 0));
    text[6] = 0;
    put(text);
    put("\n");
    number("stat", uhi(FSTAT, (uint32_t)file, (uintptr_t)&info, 0, 0, 0));
    number("size", (int32_t)info.size);
    number("is a file", (info.mode & 0170000) == 0100000);
    number("permissions", (int32_t)(info.mode & 0600));
    number("closed", uhi(CLOSE, (uint32_t)file, 0, 0, 0, 0));
    number("closed again", uhi(CLOSE, (uint32_t)file, 0, 0, 0, &error));
    number("error", (int32_t)error);
    number("exists", uhi(OPEN, name, 1 | 0x200 | 0x800, 0644, 0, &error));
    number("error", (int32_t)error);
    number("linked", uhi(LINK, name, other, 0, 0, 0));
    number("unlinked", uhi(UNLINK, name, 0, 0, 0, 0));
    number("unlinked", uhi(UNLINK, other, 0, 0, 0, 0));
    number("no such operation", uhi(99, 0, 0, 0, 0, &error));
    number("error", (int32_t)error);
    number("no such memory", uhi(READ, 0, 0x40000000, 4, 0, &error));
    number("error", (int32_t)error);
    return 0;
}
