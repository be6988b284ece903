/*
 * A process of root's, or one with capabilities, keeps those that concern files, so that the
 * guest's files behave as its user's, and gives up all others for good: no devices are made, no
 * modules loaded, nothing mounted, whatever else the kernel would allow.
 */
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/sandbox.h"

#ifndef PR_CAP_AMBIENT
#define PR_CAP_AMBIENT           47
#define PR_CAP_AMBIENT_CLEAR_ALL 4
#endif

static const uint32_t of_files = 1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_FOWNER;

void gs_sandbox_drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(SYS_capget, &header, data) != 0)
        return;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        const uint32_t kept = i == 0 ? of_files : 0;
        data[i].permitted &= kept;
        data[i].effective &= kept;
        data[i].inheritable = 0;
    }
    (void)syscall(SYS_capset, &header, data);
}
