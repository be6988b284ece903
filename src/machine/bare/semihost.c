/*
 * Semihosting as "RISC-V Semihosting" 0.2 takes it over from Arm's specification
 * (Semihosting for AArch32 and AArch64, release 2.0), and as QEMU answers it: the
 * operation in a0, a pointer to its arguments (or the only one) in a1, the result in a0.
 *
 * Clocks are the machine's own, so that a program sees the same times in every run; the
 * date of SYS_TIME begins at GS_MACHINE_EPOCH unless the clock is inherited. SYS_SYSTEM is
 * refused. As in QEMU, user mode has no semihosting.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/bare/bare.h"
#include "machine/hostpath.h"

enum {
    READS_AT_END = 1000, /* as many say that the program does not know it is there */
    FDEV_EOF = -2,       /* what a stream's get() returns at its end, in picolibc */
};

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITEC = 0x03,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_READC = 0x07,
    SYS_ISERROR = 0x08,
    SYS_ISTTY = 0x09,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_TMPNAM = 0x0d,
    SYS_REMOVE = 0x0e,
    SYS_RENAME = 0x0f,
    SYS_CLOCK = 0x10,
    SYS_TIME = 0x11,
    SYS_SYSTEM = 0x12,
    SYS_ERRNO = 0x13,
    SYS_GET_CMDLINE = 0x15,
    SYS_HEAPINFO = 0x16,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31,
};

static const uint32_t stopped_application_exit = 0x20026;
static const uint32_t failed = UINT32_MAX;

/* Magic "SHFB"; feature bits: SYS_EXIT_EXTENDED is there, ":tt" has an error stream. */
static const char features[] = {0x53, 0x48, 0x46, 0x42, 3};

static uint32_t fail(gs_bare *bare, int number)
{
    bare->last_errno = number;
    return failed;
}

/* From a result in the style of a system call. */
static uint32_t plain(gs_bare *bare, int64_t result)
{
    return result < 0 ? fail(bare, (int)-result) : (uint32_t)result;
}

/* `count` words of the argument block. */
static bool arguments(const gs_bare *bare, gs_addr block, uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!gs_memory_read32(&bare->machine->memory, block + 4 * i, &words[i]))
            return false;
    }
    return true;
}

/* A text given by address and length; 0 or an errno. */
static int sized_string(const gs_bare *bare, gs_addr from, uint32_t length, char *to, size_t size)
{
    if (length >= size)
        return ENAMETOOLONG;
    if (!gs_memory_read(&bare->machine->memory, from, to, length))
        return EFAULT;
    to[length] = '\0';
    return strlen(to) == length ? 0 : EINVAL;
}

static uint32_t do_open(gs_bare *bare, gs_addr block)
{
    static const int modes[] = {O_RDONLY,
                                O_RDWR,
                                O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_WRONLY | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_APPEND};
    uint32_t a[3]; /* name, mode, length */
    char name[PATH_MAX];

    if (!arguments(bare, block, a, 3))
        return fail(bare, EFAULT);
    int bad = sized_string(bare, a[0], a[2], name, sizeof name);
    if (!bad && a[1] >= 12)
        bad = EINVAL;
    if (bad)
        return fail(bare, bad);
    if (!strcmp(name, ":tt")) {
        gs_file_kind kind = a[1] < 4 ? GS_FILE_STDIN : a[1] < 8 ? GS_FILE_STDOUT : GS_FILE_STDERR;
        return plain(bare, gs_files_open_console(&bare->files, kind));
    }
    if (!strcmp(name, ":semihosting-features")) {
        if (a[1] > 1)
            return fail(bare, EACCES);
        return plain(bare, gs_files_open_text(&bare->files, features, sizeof features));
    }
    return plain(bare, gs_files_open(&bare->files, name, modes[a[1] / 2], 0644));
}

/* Reading and writing answer how many bytes were not moved; an error moves none. */
static uint32_t not_moved(gs_bare *bare, uint32_t size, int64_t moved)
{
    if (moved < 0) {
        bare->last_errno = (int)-moved;
        moved = 0;
    }
    return size - (uint32_t)moved;
}

static uint32_t do_write0(gs_bare *bare, gs_addr text)
{
    uint32_t length;
    if (!gs_bare_strlen(bare, text, &length))
        return fail(bare, EFAULT);
    return plain(bare, gs_files_write(bare, 1, text, length, -1));
}

/*
 * At the end of input the answer is -1. The getc() of picolibc up to 1.8 takes the lowest byte of
 * it and never sees the end: sys_semihost_getc() masks what sys_semihost() returns. There the call
 * is answered with picolibc's _FDEV_EOF, and returns behind the mask.
 */
static bool returns_to_mask(const gs_machine *machine, gs_addr ra)
{
    static const uint32_t mask = 0x0ff57513; /* andi a0, a0, 255 */
    const gs_function *function = gs_image_function_at(machine->image, ra);
    uint32_t word;
    return function && !strcmp(function->name, "sys_semihost_getc") &&
           gs_memory_fetch(&machine->memory, machine->isa, ra, &word) == GS_ACCESS_OK &&
           word == mask;
}

/* Another library that does so never comes to an end: such a run is ended here. */
static uint32_t answer_end(gs_bare *bare)
{
    uint32_t *ra = &bare->machine->hart.rv.x[1];
    if (returns_to_mask(bare->machine, *ra)) {
        *ra += 4;
        return (uint32_t)FDEV_EOF;
    }
    if (++bare->reads_at_end > READS_AT_END) {
        gs_exit end = {.kind = GS_EXIT_HALT,
                       .message = "it goes on reading standard input, which is at its end; its C "
                                  "library takes the answer of SYS_READC for a character"};
        gs_machine_end(bare->machine, end);
    }
    return fail(bare, EIO);
}

static uint32_t do_readc(gs_bare *bare)
{
    uint8_t byte;
    ssize_t n = gs_console_read(&bare->console, &byte, 1);
    if (n == 0)
        return answer_end(bare);
    bare->reads_at_end = 0;
    return n == 1 ? byte : fail(bare, errno);
}

static uint32_t do_flen(gs_bare *bare, uint32_t handle)
{
    struct stat info;
    int result = gs_files_stat(&bare->files, handle, &info);
    return plain(bare, result < 0 ? result : (int64_t)info.st_size);
}

static uint32_t do_tmpnam(gs_bare *bare, const uint32_t *a)
{
    char name[64];
    int length =
        snprintf(name, sizeof name, "/tmp/gumshoe-%lx-%02x", (unsigned long)getpid(), a[1] & 0xff);
    if (a[1] > 255 || (uint32_t)length >= a[2])
        return fail(bare, EINVAL);
    return gs_memory_write(&bare->machine->memory, a[0], name, (uint64_t)length + 1)
               ? 0
               : fail(bare, EFAULT);
}

static uint32_t do_remove(gs_bare *bare, const uint32_t *a)
{
    char name[PATH_MAX];
    int bad = sized_string(bare, a[0], a[1], name, sizeof name);
    if (!bad)
        bad = -gs_hostpath_remove(bare->machine->sandbox, AT_FDCWD, name);
    return bad ? fail(bare, bad) : 0;
}

static uint32_t do_rename(gs_bare *bare, const uint32_t *a)
{
    char from[PATH_MAX], to[PATH_MAX];
    int bad = sized_string(bare, a[0], a[1], from, sizeof from);
    if (!bad)
        bad = sized_string(bare, a[2], a[3], to, sizeof to);
    if (!bad)
        bad = -gs_hostpath_rename(bare->machine->sandbox, AT_FDCWD, from, AT_FDCWD, to, 0);
    return bad ? fail(bare, bad) : 0;
}

/* The arguments with blanks in between. The block gets the length, without the NUL. */
static uint32_t do_cmdline(gs_bare *bare, gs_addr block, const uint32_t *a)
{
    uint64_t at = a[0], end = (uint64_t)a[0] + a[1];

    for (int i = 0; i < bare->argc; i++) {
        size_t length = strlen(bare->argv[i]);
        if (i > 0) {
            if (at + 1 > end || !gs_memory_write(&bare->machine->memory, (gs_addr)at, " ", 1))
                return fail(bare, at + 1 > end ? E2BIG : EFAULT);
            at++;
        }
        if (at + length > end ||
            !gs_memory_write(&bare->machine->memory, (gs_addr)at, bare->argv[i], length))
            return fail(bare, at + length > end ? E2BIG : EFAULT);
        at += length;
    }
    if (at + 1 > end)
        return fail(bare, E2BIG);
    if (!gs_memory_write(&bare->machine->memory, (gs_addr)at, "", 1) ||
        !gs_memory_write32(&bare->machine->memory, block + 4, (uint32_t)(at - a[0])))
        return fail(bare, EFAULT);
    return 0;
}

/* The end of the last segment, of those that can be written if there are any. */
static uint64_t end_of_program(const gs_image *image)
{
    uint64_t end = 0;
    bool written = false;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        uint64_t its_end = segment->address + segment->memory_size;
        if (segment->write > written || (segment->write == written && its_end > end))
            end = its_end;
        written = written || segment->write;
    }
    return end;
}

/* Heap and stack share the memory from the end of the program to the end of that RAM. */
static uint32_t do_heapinfo(gs_bare *bare, gs_addr to)
{
    gs_machine *machine = bare->machine;
    uint64_t base = end_of_program(machine->image);

    base = (base + 15) & ~UINT64_C(15);
    uint64_t limit = base;
    while (limit < UINT32_MAX &&
           gs_memory_allows(&machine->memory, (gs_addr)limit, 1, GS_PROT_READ | GS_PROT_WRITE))
        limit = (limit | (GS_PAGE_SIZE - 1)) + 1;
    if (limit > UINT32_MAX)
        limit = UINT32_MAX & ~15u;

    const uint32_t info[] = {(uint32_t)base, (uint32_t)limit, (uint32_t)limit, (uint32_t)base};
    for (unsigned i = 0; i < 4; i++) {
        if (!gs_memory_write32(&bare->machine->memory, to + 4 * i, info[i]))
            return fail(bare, EFAULT);
    }
    return 0;
}

static uint32_t do_elapsed(gs_bare *bare, gs_addr to)
{
    uint64_t time = gs_machine_show_time(bare->machine);
    bool ok = gs_memory_write32(&bare->machine->memory, to, (uint32_t)time) &&
              gs_memory_write32(&bare->machine->memory, to + 4, (uint32_t)(time >> 32));
    return ok ? 0 : fail(bare, EFAULT);
}

static uint32_t centiseconds(gs_machine *machine)
{
    return (uint32_t)((unsigned __int128)gs_machine_show_time(machine) * 100 / machine->clock_hz);
}

/* How many words an operation wants from its block. */
static unsigned argument_count(uint32_t operation)
{
    switch (operation) {
    case SYS_CLOSE:
    case SYS_ISERROR:
    case SYS_ISTTY:
    case SYS_FLEN:
    case SYS_HEAPINFO: return 1;
    case SYS_SEEK:
    case SYS_REMOVE:
    case SYS_GET_CMDLINE:
    case SYS_EXIT_EXTENDED: return 2;
    case SYS_WRITE:
    case SYS_READ:
    case SYS_TMPNAM: return 3;
    case SYS_RENAME: return 4;
    default: return 0;
    }
}

static uint32_t perform(gs_bare *bare, uint32_t operation, uint32_t argument)
{
    gs_machine *machine = bare->machine;
    gs_files *files = &bare->files;
    uint32_t a[4] = {0};

    if (!arguments(bare, argument, a, argument_count(operation)))
        return fail(bare, EFAULT);
    switch (operation) {
    case SYS_OPEN: return do_open(bare, argument);
    case SYS_CLOSE: return plain(bare, gs_files_close(files, a[0]));
    case SYS_WRITEC: return plain(bare, gs_files_write(bare, 1, argument, 1, -1));
    case SYS_WRITE0: return do_write0(bare, argument);
    case SYS_WRITE: return not_moved(bare, a[2], gs_files_write(bare, a[0], a[1], a[2], -1));
    case SYS_READ: return not_moved(bare, a[2], gs_files_read(bare, a[0], a[1], a[2], -1));
    case SYS_READC: return do_readc(bare);
    case SYS_ISERROR: return a[0] >> 31;
    case SYS_ISTTY: return plain(bare, gs_files_is_terminal(files, a[0]));
    case SYS_SEEK: {
        int64_t at = gs_files_seek(files, a[0], a[1], SEEK_SET);
        return plain(bare, at < 0 ? at : 0);
    }
    case SYS_FLEN: return do_flen(bare, a[0]);
    case SYS_TMPNAM: return do_tmpnam(bare, a);
    case SYS_REMOVE: return do_remove(bare, a);
    case SYS_RENAME: return do_rename(bare, a);
    case SYS_CLOCK: return centiseconds(machine);
    case SYS_TIME:
        return (uint32_t)bare->started +
               (uint32_t)(gs_machine_show_time(machine) / machine->clock_hz);
    case SYS_ERRNO: return gs_errno_for_guest(bare->last_errno);
    case SYS_GET_CMDLINE: return do_cmdline(bare, argument, a);
    case SYS_HEAPINFO: return do_heapinfo(bare, a[0]);
    case SYS_EXIT: gs_bare_exit(bare, argument == stopped_application_exit ? 0 : 1); return 0;
    case SYS_EXIT_EXTENDED:
        gs_bare_exit(bare, a[0] == stopped_application_exit ? (int)a[1] : 1);
        return 0;
    case SYS_ELAPSED: return do_elapsed(bare, argument);
    case SYS_TICKFREQ: return (uint32_t)machine->clock_hz;
    default: return fail(bare, ENOSYS); /* SYS_SYSTEM among them */
    }
}

/* The breakpoint stands between two shifts of x0, all three uncompressed. */
static bool is_request(const gs_machine *machine, gs_addr pc)
{
    static const uint32_t sequence[] = {0x01f01013, 0x00100073, 0x40705013};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t word;
        gs_addr at = pc - 4 + 4 * i;
        if (gs_memory_fetch(&machine->memory, machine->isa, at, &word) != GS_ACCESS_OK ||
            word != sequence[i])
            return false;
    }
    return true;
}

bool gs_semihost_trap(gs_bare *bare)
{
    gs_hart *hart = &bare->machine->hart;
    if (hart->rv.mode != GS_RV_MACHINE || !is_request(bare->machine, hart->trap.pc))
        return false;
    hart->rv.x[10] = perform(bare, hart->rv.x[10], hart->rv.x[11]);
    hart->pc = hart->trap.pc + 4;
    hart->instret++; /* the breakpoint has done its work */
    return true;
}
