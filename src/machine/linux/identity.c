/*
 * The user and the groups a process belongs to, and the files it owns. A guest that inherits
 * nothing is a user of its own with one group; files of Gumshoe's own user are that user's, so
 * that a program finds itself the owner of what it makes.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <unistd.h>

static bool inherits(const gs_linux_process *process)
{
    return process->machine->inherit & GS_INHERIT_ENVIRONMENT;
}

uint32_t gs_linux_swap_uid(const gs_linux_process *process, uint32_t uid)
{
    uint32_t own = geteuid();
    if (inherits(process))
        return uid;
    return uid == own ? GS_LINUX_UID : uid == GS_LINUX_UID ? own : uid;
}

uint32_t gs_linux_swap_gid(const gs_linux_process *process, uint32_t gid)
{
    uint32_t own = getegid();
    if (inherits(process))
        return gid;
    return gid == own ? GS_LINUX_GID : gid == GS_LINUX_GID ? own : gid;
}

uint32_t gs_linux_uid(const gs_linux_process *process)
{
    return inherits(process) ? getuid() : GS_LINUX_UID;
}

uint32_t gs_linux_euid(const gs_linux_process *process)
{
    return inherits(process) ? geteuid() : GS_LINUX_UID;
}

uint32_t gs_linux_gid(const gs_linux_process *process)
{
    return inherits(process) ? getgid() : GS_LINUX_GID;
}

uint32_t gs_linux_egid(const gs_linux_process *process)
{
    return inherits(process) ? getegid() : GS_LINUX_GID;
}

int64_t gs_linux_sys_getuid(gs_linux_call *call)
{
    return gs_linux_uid(call->process);
}

int64_t gs_linux_sys_geteuid(gs_linux_call *call)
{
    return gs_linux_euid(call->process);
}

int64_t gs_linux_sys_getgid(gs_linux_call *call)
{
    return gs_linux_gid(call->process);
}

int64_t gs_linux_sys_getegid(gs_linux_call *call)
{
    return gs_linux_egid(call->process);
}

static int64_t put_three(gs_linux_call *call, const uint32_t values[3])
{
    for (unsigned i = 0; i < 3; i++) {
        if (!gs_memory_write32(&call->process->machine->memory, call->args[i], values[i]))
            return -EFAULT;
    }
    return 0;
}

int64_t gs_linux_sys_getresuid(gs_linux_call *call)
{
    uid_t ids[3] = {GS_LINUX_UID, GS_LINUX_UID, GS_LINUX_UID};
    if (inherits(call->process) && getresuid(&ids[0], &ids[1], &ids[2]) != 0)
        return -errno;
    return put_three(call, ids);
}

int64_t gs_linux_sys_getresgid(gs_linux_call *call)
{
    gid_t ids[3] = {GS_LINUX_GID, GS_LINUX_GID, GS_LINUX_GID};
    if (inherits(call->process) && getresgid(&ids[0], &ids[1], &ids[2]) != 0)
        return -errno;
    return put_three(call, ids);
}

/* Identities can be set to what they are. */
static int64_t keep_ids(const gs_linux_call *call, unsigned count, uint32_t real,
                        uint32_t effective)
{
    const uint32_t unchanged = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint32_t id = call->args[i];
        if (id != real && id != effective && (id != unchanged || count == 1))
            return -EPERM;
    }
    return 0;
}

static int64_t keep_uids(const gs_linux_call *call, unsigned count)
{
    return keep_ids(call, count, gs_linux_uid(call->process), gs_linux_euid(call->process));
}

static int64_t keep_gids(const gs_linux_call *call, unsigned count)
{
    return keep_ids(call, count, gs_linux_gid(call->process), gs_linux_egid(call->process));
}

/* The calls that set a number of identities at once. */
#define KEEP(call_, kind_, count_)                    \
    int64_t gs_linux_sys_##call_(gs_linux_call *call) \
    {                                                 \
        return keep_##kind_(call, count_);            \
    }
KEEP(setuid, uids, 1)
KEEP(setreuid, uids, 2)
KEEP(setresuid, uids, 3)
KEEP(setgid, gids, 1)
KEEP(setregid, gids, 2)
KEEP(setresgid, gids, 3)
#undef KEEP

/* These return the identity there was, whatever is asked. */
int64_t gs_linux_sys_setfsuid(gs_linux_call *call)
{
    return gs_linux_euid(call->process);
}

int64_t gs_linux_sys_setfsgid(gs_linux_call *call)
{
    return gs_linux_egid(call->process);
}

int64_t gs_linux_sys_getgroups(gs_linux_call *call)
{
    enum { GROUPS_MAX = 1024 };
    gid_t groups[GROUPS_MAX] = {GS_LINUX_GID};
    int count = inherits(call->process) ? getgroups(GROUPS_MAX, groups) : 1;
    if (count < 0)
        return -errno;
    if (call->args[0] == 0)
        return count;
    if ((int32_t)call->args[0] < count)
        return -EINVAL;
    for (int i = 0; i < count; i++) {
        if (!gs_memory_write32(&call->process->machine->memory, call->args[1] + 4 * (gs_addr)i,
                               groups[i]))
            return -EFAULT;
    }
    return count;
}
