/* mmap and its relatives. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t page = 4096;
static sigjmp_buf back;

static void on_fault(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

/* Whether a byte can be read and written. */
static const char *access_to(volatile char *at)
{
    static char text[3];
    text[0] = text[1] = '-';
    if (!sigsetjmp(back, 1)) {
        (void)*at;
        text[0] = 'r';
    }
    if (!sigsetjmp(back, 1)) {
        *at = *at;
        text[1] = 'w';
    }
    return text;
}

static void *anonymous(size_t size, int prot)
{
    return mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static const char *error(void *p)
{
    return p == MAP_FAILED ? strerror(errno) : "mapped";
}

int main(void)
{
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    char *p = anonymous(4 * page, PROT_READ | PROT_WRITE);
    printf("aligned %d zero %d\n", ((uintptr_t)p & (page - 1)) == 0, p[page] == 0);
    memset(p, 'x', 4 * page);
    printf("protect %d\n", mprotect(p + page, page, PROT_READ));
    printf("%s", access_to(p));
    printf(" %s\n", access_to(p + page));
    mprotect(p + page, page, PROT_NONE);
    printf("none %s\n", access_to(p + page));
    mprotect(p + page, page, PROT_READ | PROT_WRITE);
    printf("kept %c\n", p[page]);
    printf("unmap %d\n", munmap(p + 2 * page, page));
    printf("hole %s", access_to(p + 2 * page));
    printf(" around %s\n", access_to(p + 3 * page));
    char *q = mmap(p + 2 * page, page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("fixed %d zero %d\n", q == p + 2 * page, *q);
    q = mmap(p, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("replaced %d %d\n", q == p, p[0]);
    p[3 * page] = 'y';
    printf("madvise %d", madvise(p, 4 * page, MADV_DONTNEED));
    printf(" zero %d %d\n", p[3 * page], p[page]);
    munmap(p, 4 * page);

    p = anonymous(2 * page, PROT_READ | PROT_WRITE);
    strcpy(p, "first");
    strcpy(p + page, "second");
    char *blocker = mmap(p + 2 * page, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)blocker;
    printf("grow in place: %s\n", error(mremap(p, 2 * page, 300 * page, 0)));
    q = mremap(p, 2 * page, 300 * page, MREMAP_MAYMOVE);
    printf("moved %d \"%s\" \"%s\" %d\n", q != p, q, q + page, q[299 * page]);
    printf("old %s\n", access_to(p));
    q = mremap(q, 300 * page, page, 0);
    printf("shrunk \"%s\" %s\n", q, access_to(q + page));
    char *target = anonymous(8 * page, PROT_READ);
    p = mremap(q, page, 2 * page, MREMAP_MAYMOVE | MREMAP_FIXED, target);
    printf("to place %d \"%s\"\n", p == target, p);
    printf("bad: %s\n", error(mremap(p + 1, page, page, 0)));

    int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char text[2 * 4096 + 100];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    write(fd, text, sizeof text);
    p = mmap(NULL, sizeof text, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    printf("file %d rest %d\n", memcmp(p, text, sizeof text) == 0, p[sizeof text]);
    p[0] = 'X';
    pread(fd, text, 1, 0);
    printf("private %c\n", text[0]);
    q = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 4096);
    printf("offset %d\n", memcmp(q, text + 4096, 4096) == 0);
    printf("bad offset: %s\n", error(mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 100)));
    char *shared = mmap(NULL, sizeof text, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memcpy(shared + 4090, "written", 7);
    printf("msync %d", msync(shared, sizeof text, MS_SYNC));
    pread(fd, text, 7, 4090);
    printf(" \"%.7s\"\n", text);
    shared[10] = 'Z';
    munmap(shared, sizeof text);
    pread(fd, text, 1, 10);
    printf("unmapped %c size %ld\n", text[0], (long)lseek(fd, 0, SEEK_END));
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memcpy(shared, "left mapped", 11);
    printf("not a file: %s\n", error(mmap(NULL, page, PROT_READ, MAP_PRIVATE, 999, 0)));
    int only = open("mapped", O_RDONLY);
    printf("read-only: %s\n", error(mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, only, 0)));
    printf("no size: %s\n", error(anonymous(0, PROT_READ)));
    printf("no kind: %s\n", error(mmap(NULL, page, PROT_READ, MAP_ANONYMOUS, -1, 0)));
    printf("too large: %s\n", error(anonymous(0x7fff0000, PROT_READ)));
    printf("misaligned: %s\n", munmap((void *)(0x50000001), page) < 0 ? strerror(errno) : "?");
    printf("nothing there: %d\n", munmap((void *)0x10000000, page));

    uint32_t *code =
        mmap(NULL, page, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    code[0] = 0x03e00008; /* jr $ra */
    code[1] = 0x24020007; /* li $v0, 7 */
    __builtin___clear_cache((char *)code, (char *)(code + 2));
    printf("code %d", ((int (*)(void))code)());
    code[1] = 0x24020009;
    __builtin___clear_cache((char *)code, (char *)(code + 2));
    printf(" %d\n", ((int (*)(void))code)());
    return 0;
}
