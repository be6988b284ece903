/* A process's files in /proc are refused by the UHI. */
#include "escape.h"
#include "rt.h"
#include "rt_mips.h"

enum { OPEN = 2, CLOSE = 3, UNLINK = 7, LINK = 22 };
enum { READ_WRITE = 2, CREATE = 0x200, TRUNCATE = 0x400 };

static void show(const char *what, const char *path, int32_t result, uint32_t error)
{
    put(what);
    put(" ");
    put(path);
    put(result < 0 ? ": error " : ": done");
    if (result < 0)
        put_dec(error);
    put("\n");
}

static void try_open(const char *path, uint32_t flags)
{
    uint32_t error;
    int32_t file = uhi(OPEN, (uintptr_t)path, flags, 0644, 0, &error);
    show("open", path, file, error);
    if (file > 2)
        uhi(CLOSE, (uint32_t)file, 0, 0, 0, 0);
}

int main(void)
{
    uint32_t error;
    for (unsigned i = 0; i < ESCAPES; i++) {
        const char *path = escapes[i];
        try_open(path, 0);
        try_open(path, READ_WRITE | CREATE | TRUNCATE);
    }
    const char *mem = escapes[0], *name = "name";
    show("link", mem, uhi(LINK, (uintptr_t)mem, (uintptr_t)name, 0, 0, &error), error);
    show("unlink", mem, uhi(UNLINK, (uintptr_t)mem, 0, 0, 0, &error), error);
    /* What is no process's is there. */
    try_open("/proc/version", 0);
    try_open("to_file", READ_WRITE | CREATE);
    name = "file.txt";
    show("unlink", name, uhi(UNLINK, (uintptr_t)name, 0, 0, 0, &error), error);
    return 0;
}
