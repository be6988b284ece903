/*
 * The MIPS Unified Hosting Interface (MD01069): `sdbbp 1` in kernel mode with the
 * operation in $25 and arguments from $4 on; the result goes to $2, an errno to $3.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "machine/bare/bare.h"
#include "machine/hostpath.h"
#include "machine/mips_cp0.h"
#include "machine/mips_trap.h"

enum {
    UHI_EXIT = 1,
    UHI_OPEN = 2,
    UHI_CLOSE = 3,
    UHI_READ = 4,
    UHI_WRITE = 5,
    UHI_LSEEK = 6,
    UHI_UNLINK = 7,
    UHI_FSTAT = 8,
    UHI_ARGC = 9,
    UHI_ARGNLEN = 10,
    UHI_ARGN = 11,
    UHI_PLOG = 13,
    UHI_ASSERT = 14,
    UHI_EXCEPTION = 15,
    UHI_PREAD = 19,
    UHI_PWRITE = 20,
    UHI_LINK = 22,
};

enum { R_V0 = 2, R_V1 = 3, R_A0 = 4, R_T9 = 25 };

static const uint32_t sdbbp_1 = 0x7000007f;

static int64_t do_open(gs_bare *bare, gs_addr path, uint32_t flags, uint32_t mode)
{
    static const struct {
        uint32_t guest;
        int host;
    } bits[] = {
        {0x008, O_APPEND},
        {0x200, O_CREAT},
        {0x400, O_TRUNC},
        {0x800, O_EXCL},
    };
    static const int accesses[] = {O_RDONLY, O_WRONLY, O_RDWR};
    char name[PATH_MAX];

    int bad = gs_bare_string(bare, path, name, sizeof name);
    if (bad)
        return -bad;
    if ((flags & 3) == 3)
        return -EINVAL;
    if (!strcmp(name, "/dev/stdin"))
        return 0;
    if (!strcmp(name, "/dev/stdout"))
        return 1;
    if (!strcmp(name, "/dev/stderr"))
        return 2;
    int host = accesses[flags & 3];
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (flags & bits[i].guest)
            host |= bits[i].host;
    }
    return gs_files_open(&bare->files, name, host, mode & 0777);
}

static int64_t do_path(gs_bare *bare, uint32_t operation, gs_addr first, gs_addr second)
{
    char name[PATH_MAX], other[PATH_MAX];
    int bad = gs_bare_string(bare, first, name, sizeof name);
    if (!bad && operation == UHI_LINK)
        bad = gs_bare_string(bare, second, other, sizeof other);
    if (bad)
        return -bad;
    gs_sandbox *sandbox = bare->machine->sandbox;
    if (operation == UHI_UNLINK)
        return gs_hostpath_unlink(sandbox, AT_FDCWD, name, 0);
    return gs_machine_made(bare->machine,
                           gs_hostpath_link(sandbox, AT_FDCWD, name, AT_FDCWD, other, 0));
}

/* A field of `size` bytes in the guest's order. */
static uint8_t *put(const gs_bare *bare, uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (bare->machine->memory.big_endian ? size - 1 - i : i);
        at[i] = (uint8_t)(value >> shift);
    }
    return at + size;
}

static int64_t do_fstat(gs_bare *bare, uint32_t handle, gs_addr to)
{
    struct stat info;
    uint8_t raw[112] = {0}, *at = raw;

    int bad = gs_files_stat(&bare->files, handle, &info);
    if (bad)
        return bad;
    at = put(bare, at, info.st_dev, 2);
    at = put(bare, at, info.st_ino, 2);
    at = put(bare, at, info.st_mode, 4);
    at = put(bare, at, info.st_nlink, 2);
    at = put(bare, at, info.st_uid, 2);
    at = put(bare, at, info.st_gid, 2);
    at = put(bare, at, info.st_rdev, 2);
    at = put(bare, at, (uint64_t)info.st_size, 8);
    at = put(bare, at, (uint64_t)info.st_atime, 8) + 8;
    at = put(bare, at, (uint64_t)info.st_mtime, 8) + 8;
    at = put(bare, at, (uint64_t)info.st_ctime, 8) + 8;
    at = put(bare, at, (uint64_t)info.st_blksize, 8);
    put(bare, at, (uint64_t)info.st_blocks, 8);
    return gs_memory_write(&bare->machine->memory, to, raw, sizeof raw) ? 0 : -EFAULT;
}

static const char *argument(const gs_bare *bare, uint32_t index)
{
    return index < (uint32_t)bare->argc ? bare->argv[index] : NULL;
}

static int64_t do_argn(gs_bare *bare, uint32_t index, gs_addr to)
{
    const char *text = argument(bare, index);
    if (!text)
        return -EINVAL;
    return gs_memory_write(&bare->machine->memory, to, text, strlen(text) + 1) ? 0 : -EFAULT;
}

/* Prints a text in which the first %d stands for a number. */
static int64_t do_plog(gs_bare *bare, gs_addr text, uint32_t value)
{
    char format[1024], number[16];
    int bad = gs_bare_string(bare, text, format, sizeof format);
    if (bad)
        return -bad;
    size_t length = strlen(format);
    const char *hole = strstr(format, "%d");
    if (!hole) {
        gs_console_write(&bare->console, GS_CONSOLE_OUT, format, length);
        return (int64_t)length;
    }
    int digits = snprintf(number, sizeof number, "%d", (int)value);
    size_t before = (size_t)(hole - format);
    gs_console_write(&bare->console, GS_CONSOLE_OUT, format, before);
    gs_console_write(&bare->console, GS_CONSOLE_OUT, number, (size_t)digits);
    gs_console_write(&bare->console, GS_CONSOLE_OUT, hole + 2, length - before - 2);
    return (int64_t)length - 2 + digits;
}

static void abort_run(gs_bare *bare, const char *message)
{
    gs_exit exit = {.kind = GS_EXIT_SIGNAL, .signal = SIGABRT};
    snprintf(exit.message, sizeof exit.message, "%s", message);
    for (char *c = exit.message; *c; c++) {
        if ((unsigned char)*c < ' ')
            *c = ' ';
    }
    gs_machine_end(bare->machine, exit);
}

static void do_assert(gs_bare *bare, gs_addr text, gs_addr file, uint32_t line)
{
    char what[100], where[100], message[256];
    if (gs_bare_string(bare, text, what, sizeof what))
        strcpy(what, "?");
    if (gs_bare_string(bare, file, where, sizeof where))
        strcpy(where, "?");
    snprintf(message, sizeof message, "the program's assertion '%s' failed at %s:%u", what, where,
             line);
    abort_run(bare, message);
}

/* The start-up code's own handler got an exception it knows nothing about. The context it saved
 * has $1 to $31, EPC, BadVAddr, HI, LO, a link, Status and Cause. */
static void do_exception(gs_bare *bare, gs_addr context)
{
    uint32_t epc = 0, cause = 0;
    char message[128];
    gs_memory_read32(&bare->machine->memory, context + 4 * 31, &epc);
    gs_memory_read32(&bare->machine->memory, context + 4 * 37, &cause);
    snprintf(message, sizeof message, "the program has no handler for exception %u at pc 0x%08x",
             cause >> 2 & 31, epc);
    abort_run(bare, message);
}

static int64_t perform(gs_bare *bare, uint32_t operation, const uint32_t *a)
{
    gs_files *files = &bare->files;

    switch (operation) {
    case UHI_EXIT: gs_bare_exit(bare, (int)a[0]); return 0;
    case UHI_OPEN: return do_open(bare, a[0], a[1], a[2]);
    case UHI_CLOSE: return a[0] < 3 ? 0 : gs_files_close(files, a[0]);
    case UHI_READ: return gs_files_read(bare, a[0], a[1], a[2], -1);
    case UHI_WRITE: return gs_files_write(bare, a[0], a[1], a[2], -1);
    case UHI_LSEEK:
        if (a[2] > 2)
            return -EINVAL;
        return gs_files_seek(files, a[0], (int32_t)a[1], (int)a[2]);
    case UHI_UNLINK:
    case UHI_LINK: return do_path(bare, operation, a[0], a[1]);
    case UHI_FSTAT: return do_fstat(bare, a[0], a[1]);
    case UHI_ARGC: return bare->argc;
    case UHI_ARGNLEN: return argument(bare, a[0]) ? (int64_t)strlen(argument(bare, a[0])) : -EINVAL;
    case UHI_ARGN: return do_argn(bare, a[0], a[1]);
    case UHI_PLOG: return do_plog(bare, a[0], a[1]);
    case UHI_ASSERT: do_assert(bare, a[0], a[1], a[2]); return 0;
    case UHI_EXCEPTION: do_exception(bare, a[0]); return 0;
    case UHI_PREAD: return gs_files_read(bare, a[0], a[1], a[2], a[3] & 0x7fffffff);
    case UHI_PWRITE: return gs_files_write(bare, a[0], a[1], a[2], a[3] & 0x7fffffff);
    default: return -ENOSYS;
    }
}

bool gs_uhi_trap(gs_bare *bare)
{
    gs_machine *machine = bare->machine;
    gs_hart *hart = &machine->hart;
    uint32_t *r = hart->mips.r, word;

    if (gs_mips_user_mode(&hart->mips) ||
        gs_memory_fetch(&machine->memory, machine->isa, hart->trap.pc, &word) != GS_ACCESS_OK ||
        word != sdbbp_1)
        return false;
    int64_t result = perform(bare, r[R_T9], &r[R_A0]);
    r[R_V0] = result < 0 ? UINT32_MAX : (uint32_t)result;
    r[R_V1] = result < 0 ? gs_errno_for_guest((int)-result) : 0;
    gs_mips_skip(hart);
    hart->instret++; /* the breakpoint has done its work */
    return true;
}
