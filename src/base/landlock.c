/* Makes Landlock rulesets, by the system calls themselves: the C library has no names for them. */
#include "base/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    OF_FILES = GS_LANDLOCK_EXECUTE | GS_LANDLOCK_READ_FILE | GS_LANDLOCK_WRITE_FILE |
               GS_LANDLOCK_TRUNCATE | GS_LANDLOCK_IOCTL_DEV,

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

/* All rights that this version of Landlock can refuse. */
static uint64_t handled_files(long version)
{
    uint64_t rights = (1 << 13) - 1;
    rights |= version >= 2 ? GS_LANDLOCK_REFER : 0;
    rights |= version >= 3 ? GS_LANDLOCK_TRUNCATE : 0;
    return rights | (version >= 5 ? GS_LANDLOCK_IOCTL_DEV : 0);
}

int gs_landlock_open(gs_landlock *rules)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    if (version < 1)
        return ENOSYS;
    rules->handled = handled_files(version);
    ruleset_attr attr = {rules->handled, version >= 4 ? ALL_NET : 0, version >= 6 ? ALL_SCOPED : 0};
    size_t size = version >= 6 ? sizeof attr : version >= 4 ? 16 : 8;
    rules->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    return rules->fd < 0 ? errno : 0;
}

void gs_landlock_allow(const gs_landlock *rules, int fd, uint64_t rights)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return;
    if (!S_ISDIR(st.st_mode))
        rights &= OF_FILES;
    if (!S_ISCHR(st.st_mode))
        rights &= ~(uint64_t)GS_LANDLOCK_IOCTL_DEV;
    path_attr attr = {rights & rules->handled, fd};
    (void)syscall(SYS_landlock_add_rule, rules->fd, PATH_BENEATH, &attr, 0);
}

void gs_landlock_allow_path(const gs_landlock *rules, const char *path, uint64_t rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    gs_landlock_allow(rules, fd, rights);
    close(fd);
}

int gs_landlock_enforce(gs_landlock *rules)
{
    int error = syscall(SYS_landlock_restrict_self, rules->fd, 0) == 0 ? 0 : errno;
    close(rules->fd);
    return error;
}
