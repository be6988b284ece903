/*
 * rv32_linux.c - what picolibc wants of an operating system, as system calls of 32-bit RISC-V
 * Linux.
 *
 * `gumshoe cc --env linux` links it: Debian has no C library for such processes. The stack is
 * Linux' own; the heap is brk's.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* Numbers of the generic system call table. */
enum {
    CALL_UNLINKAT = 35,
    CALL_OPENAT = 56,
    CALL_CLOSE = 57,
    CALL_LLSEEK = 62,
    CALL_READ = 63,
    CALL_WRITE = 64,
    CALL_EXIT_GROUP = 94,
    CALL_KILL = 129,
    CALL_GETPID = 172,
    CALL_BRK = 214,
    CALL_CLOCK_GETTIME64 = 403,
};
enum { HERE = -100, MAX_ERRNO = 4095 };

int main(int argc, char **argv, char **envp);
extern char **environ;
extern char __tls_base[];
extern void _set_tls(void *tls);
extern void __libc_init_array(void);

static long call(long number, long a, long b, long c, long d, long e)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a4 __asm__("a4") = e;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
    if (a0 < 0 && a0 >= -MAX_ERRNO) {
        errno = (int)-a0;
        return -1;
    }
    return a0;
}

__attribute__((naked, used)) void _start(void)
{
    __asm__(".option push\n"
            ".option norelax\n"
            "la gp, __global_pointer$\n"
            ".option pop\n"
            "mv a0, sp\n"
            "andi sp, sp, -16\n"
            "call linux_start\n");
}

__attribute__((used)) void linux_start(long *stack)
{
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1);
    environ = argv + argc + 1;
    _set_tls(__tls_base);
    __libc_init_array();
    exit(main(argc, argv, environ));
}

void _exit(int status)
{
    for (;;)
        (void)call(CALL_EXIT_GROUP, status, 0, 0, 0, 0);
}

int open(const char *path, int flags, ...)
{
    /* picolibc's values are those of old BSD, Linux' its own */
    int wanted = flags & 3;
    wanted |= flags & 0x0008 ? 02000 : 0; /* O_APPEND */
    wanted |= flags & 0x0200 ? 0100 : 0;  /* O_CREAT */
    wanted |= flags & 0x0400 ? 01000 : 0; /* O_TRUNC */
    wanted |= flags & 0x0800 ? 0200 : 0;  /* O_EXCL */
    return (int)call(CALL_OPENAT, HERE, (long)path, wanted, 0666, 0);
}

int close(int fd)
{
    return (int)call(CALL_CLOSE, fd, 0, 0, 0, 0);
}

ssize_t read(int fd, void *to, size_t size)
{
    return call(CALL_READ, fd, (long)to, (long)size, 0, 0);
}

ssize_t write(int fd, const void *from, size_t size)
{
    return call(CALL_WRITE, fd, (long)from, (long)size, 0, 0);
}

off_t lseek(int fd, off_t offset, int whence)
{
    int64_t result = 0, wide = offset;
    if (call(CALL_LLSEEK, fd, (long)(wide >> 32), (long)wide, (long)&result, whence) != 0)
        return -1;
    return (off_t)result;
}

int unlink(const char *path)
{
    return (int)call(CALL_UNLINKAT, HERE, (long)path, 0, 0, 0);
}

/* Only whether there is such a file, and that it is none of a terminal: stdio wants no more. */
int fstat(int fd, struct stat *st)
{
    (void)fd;
    *st = (struct stat){.st_mode = S_IFREG, .st_blksize = 4096};
    return 0;
}

int isatty(int fd)
{
    (void)fd;
    return 0;
}

pid_t getpid(void)
{
    return (pid_t)call(CALL_GETPID, 0, 0, 0, 0, 0);
}

int kill(pid_t pid, int signal)
{
    return (int)call(CALL_KILL, pid, signal, 0, 0, 0);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct {
        int64_t seconds, nanoseconds;
    } at;
    (void)zone;
    if (call(CALL_CLOCK_GETTIME64, 0, (long)&at, 0, 0, 0) != 0)
        return -1;
    now->tv_sec = at.seconds;
    now->tv_usec = (long)(at.nanoseconds / 1000);
    return 0;
}

void *sbrk(ptrdiff_t increment)
{
    static uintptr_t end;
    if (end == 0)
        end = (uintptr_t)call(CALL_BRK, 0, 0, 0, 0, 0);
    uintptr_t before = end, wanted = end + (uintptr_t)increment;
    if ((uintptr_t)call(CALL_BRK, (long)wanted, 0, 0, 0, 0) != wanted) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end = wanted;
    return (void *)before;
}

/* The standard streams, which picolibc leaves to the system. A byte at a time to a buffer of lines.
 */
static char line[512];
static size_t line_length;

static int flush_line(FILE *stream)
{
    (void)stream;
    size_t length = line_length;
    line_length = 0;
    return length == 0 || write(1, line, length) == (ssize_t)length ? 0 : -1;
}

static int put_out(char c, FILE *stream)
{
    line[line_length++] = c;
    if ((c == '\n' || line_length == sizeof line) && flush_line(stream) != 0)
        return EOF;
    return (unsigned char)c;
}

static int put_error(char c, FILE *stream)
{
    (void)stream;
    return write(2, &c, 1) == 1 ? (unsigned char)c : EOF;
}

static int get_in(FILE *stream)
{
    unsigned char c;
    (void)stream;
    return read(0, &c, 1) == 1 ? c : EOF;
}

static FILE in = FDEV_SETUP_STREAM(NULL, get_in, NULL, _FDEV_SETUP_READ);
static FILE out = FDEV_SETUP_STREAM(put_out, NULL, flush_line, _FDEV_SETUP_WRITE);
static FILE error = FDEV_SETUP_STREAM(put_error, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &in;
FILE *const stdout = &out;
FILE *const stderr = &error;

__attribute__((destructor)) static void flush_at_exit(void)
{
    (void)flush_line(&out);
}
