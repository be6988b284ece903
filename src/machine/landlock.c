/*
 * The files of a sandbox as a Landlock ruleset: what is below a rule is allowed, and nothing else.
 * A read-only rule inside a writable one is for the gate alone, as rules of the kernel only add up.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/landlock.h"
#include "machine/sandbox.h"

enum {
    OF_DEVICES = GS_LANDLOCK_READ_FILE | GS_LANDLOCK_WRITE_FILE | GS_LANDLOCK_TRUNCATE |
                 GS_LANDLOCK_IOCTL_DEV,
    NEVER = GS_LANDLOCK_EXECUTE | GS_LANDLOCK_MAKE_CHAR | GS_LANDLOCK_MAKE_BLOCK,
};

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

/* Standard streams can be opened again, as they were opened. */
static void allow_streams(const gs_landlock *rules)
{
    enum { WRITES = GS_LANDLOCK_WRITE_FILE | GS_LANDLOCK_TRUNCATE };
    for (int fd = 0; fd < 3; fd++) {
        int flags = fcntl(fd, F_GETFL);
        uint64_t rights = (flags & O_ACCMODE) == O_RDONLY   ? GS_LANDLOCK_READ_FILE
                          : (flags & O_ACCMODE) == O_WRONLY ? WRITES
                                                            : GS_LANDLOCK_READ_FILE | WRITES;
        if (flags >= 0)
            gs_landlock_allow(rules, fd, rights | GS_LANDLOCK_IOCTL_DEV);
    }
}

gs_status gs_sandbox_restrict_files(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                    size_t own_count, bool *done, gs_error *err)
{
    gs_landlock rules;
    int error = gs_landlock_open(&rules);
    if (error == ENOSYS)
        return GS_OK;
    if (error)
        return gs_fail(err, GS_E_IO, "cannot confine the run with Landlock: %s", strerror(error));
    const uint64_t writes = rules.handled & ~(uint64_t)NEVER;
    for (size_t i = 0; i < sandbox->rules.count; i++) {
        const gs_sandbox_rule *rule = &sandbox->rules.items[i];
        gs_landlock_allow(&rules, rule->fd, rule->read_only ? GS_LANDLOCK_READS : writes);
    }
    for (size_t i = 0; i < own_count; i++)
        gs_landlock_allow_path(&rules, own[i].path, own[i].read_only ? GS_LANDLOCK_READS : writes);
    for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
        gs_landlock_allow_path(&rules, system_paths[i], GS_LANDLOCK_READS);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        gs_landlock_allow_path(&rules, devices[i], OF_DEVICES);
    if (sandbox->program >= 0)
        gs_landlock_allow(&rules, sandbox->program, GS_LANDLOCK_READS);
    allow_streams(&rules);
    error = gs_landlock_enforce(&rules);
    if (error)
        return gs_fail(err, GS_E_IO, "cannot confine the run with Landlock: %s", strerror(error));
    *done = true;
    return GS_OK;
}
