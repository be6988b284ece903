/* A process's files in /proc are refused by semihosting. */
#include "escape.h"
#include "rt.h"
#include "rt_rv.h"

enum { OPEN = 0x01, CLOSE = 0x02, REMOVE = 0x0e, RENAME = 0x0f, ERRNO = 0x13 };
enum { READ = 0, READ_WRITE = 2, TRUNCATE = 6 };

static uint32_t length(const char *text)
{
    uint32_t n = 0;
    while (text[n])
        n++;
    return n;
}

static void show(const char *what, const char *path, uint32_t result)
{
    put(what);
    put(" ");
    put(path);
    put(result == ~0u ? ": error " : ": done");
    if (result == ~0u)
        put_dec(semihost(ERRNO, 0));
    put("\n");
}

static void try_open(const char *path, uint32_t mode)
{
    uint32_t open[3] = {(uintptr_t)path, mode, length(path)};
    uint32_t handle = semihost(OPEN, open);
    show("open", path, handle);
    if (handle != ~0u)
        semihost(CLOSE, &handle);
}

static void try_remove(const char *path)
{
    uint32_t name[2] = {(uintptr_t)path, length(path)};
    show("remove", path, semihost(REMOVE, name));
}

static void try_rename(const char *from, const char *to)
{
    uint32_t names[4] = {(uintptr_t)from, length(from), (uintptr_t)to, length(to)};
    show("rename", from, semihost(RENAME, names));
}

int main(void)
{
    for (unsigned i = 0; i < ESCAPES; i++) {
        try_open(escapes[i], READ);
        try_open(escapes[i], READ_WRITE);
        try_open(escapes[i], TRUNCATE);
    }
    try_remove(escapes[0]);
    try_rename(escapes[0], "name");
    /* What is no process's is there. */
    try_open("/proc/version", READ);
    try_open("to_file", TRUNCATE);
    try_rename("to_mem", "name"); /* the link itself */
    try_rename("name", "to_mem");
    try_rename("file.txt", "/proc/self/name");
    try_remove("file.txt");
    return 0;
}
