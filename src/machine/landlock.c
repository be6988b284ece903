/*
 * The files of a sandbox as a Landlock ruleset: what is below a rule is allowed, and nothing else.
 * A read-only rule inside a writable one is for the gate alone, as rules of the kernel only add up.
 *
 * Rights are numbered as in linux/landlock.h, which may be older than the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "machine/sandbox.h"

enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    MAKE_CHAR = 1 << 6,
    MAKE_BLOCK = 1 << 11,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    EXECUTE = 1 << 0,

    READS = READ_FILE | READ_DIR,
    OF_FILES = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
    NEVER = EXECUTE | MAKE_CHAR | MAKE_BLOCK,

    VERSION_FLAG = 1, /* LANDLOCK_CREATE_RULESET_VERSION */
    PATH_BENEATH = 1, /* LANDLOCK_RULE_PATH_BENEATH */
    ALL_NET = 3,      /* bind and connect */
    ALL_SCOPED = 3,   /* abstract sockets and signals */
};

typedef struct ruleset_attr {
    uint64_t files, net, scoped;
} ruleset_attr;

typedef struct __attribute__((packed)) path_attr {
    uint64_t allowed;
    int32_t parent;
} path_attr;

/* What the process itself reads, of the system: libraries that are loaded late, and the time zone.
 */
static const char *const system_paths[] = {
    "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo",
#ifdef __SANITIZE_ADDRESS__
    "/proc", /* for the search for leaks */
#endif
};

static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom"};

/* All rights that this version of Landlock can refuse. */
static uint64_t handled_files(long version)
{
    uint64_t rights = (1 << 13) - 1;
    rights |= version >= 2 ? REFER : 0;
    rights |= version >= 3 ? TRUNCATE : 0;
    return rights | (version >= 5 ? IOCTL_DEV : 0);
}

/* Without a rule what `fd` is open on is refused, so a failure is none of safety. */
static void allow(int ruleset, uint64_t handled, int fd, uint64_t rights)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return;
    if (!S_ISDIR(st.st_mode))
        rights &= OF_FILES;
    if (!S_ISCHR(st.st_mode))
        rights &= ~(uint64_t)IOCTL_DEV;
    path_attr attr = {rights & handled, fd};
    (void)syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &attr, 0);
}

static void allow_path(int ruleset, uint64_t handled, const char *path, uint64_t rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    allow(ruleset, handled, fd, rights);
    close(fd);
}

/* Standard streams can be opened again, as they were opened. */
static void allow_streams(int ruleset, uint64_t handled)
{
    for (int fd = 0; fd < 3; fd++) {
        int flags = fcntl(fd, F_GETFL);
        uint64_t rights = (flags & O_ACCMODE) == O_RDONLY   ? READ_FILE
                          : (flags & O_ACCMODE) == O_WRONLY ? WRITE_FILE | TRUNCATE
                                                            : READ_FILE | WRITE_FILE | TRUNCATE;
        if (flags >= 0)
            allow(ruleset, handled, fd, rights | IOCTL_DEV);
    }
}

gs_status gs_sandbox_restrict_files(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                    size_t own_count, bool *done, gs_error *err)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    if (version < 1)
        return GS_OK;
    const uint64_t handled = handled_files(version), writes = handled & ~(uint64_t)NEVER;
    ruleset_attr attr = {handled, version >= 4 ? ALL_NET : 0, version >= 6 ? ALL_SCOPED : 0};
    size_t size = version >= 6 ? sizeof attr : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (ruleset < 0)
        return gs_fail(err, GS_E_IO, "cannot confine the run with Landlock: %s", strerror(errno));
    for (size_t i = 0; i < sandbox->rules.count; i++) {
        const gs_sandbox_rule *rule = &sandbox->rules.items[i];
        allow(ruleset, handled, rule->fd, rule->read_only ? READS : writes);
    }
    for (size_t i = 0; i < own_count; i++)
        allow_path(ruleset, handled, own[i].path, own[i].read_only ? READS : writes);
    for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
        allow_path(ruleset, handled, system_paths[i], READS);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        allow_path(ruleset, handled, devices[i], OF_FILES);
    if (sandbox->program >= 0)
        allow(ruleset, handled, sandbox->program, READS);
    allow_streams(ruleset, handled);
    bool failed = syscall(SYS_landlock_restrict_self, ruleset, 0) != 0;
    int error = errno;
    close(ruleset);
    if (failed)
        return gs_fail(err, GS_E_IO, "cannot confine the run with Landlock: %s", strerror(error));
    *done = true;
    return GS_OK;
}
