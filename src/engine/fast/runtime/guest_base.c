/* The guest base register: a register of the host that translated code adds to guest addresses. */
#include "engine/fast/runtime/engine_parts.h"

#if GS_HAS_GUEST_BASE
#include <asm/hwcap2.h>
#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * On x86-64 it is the segment register gs, which the C library does not use. AT_HWCAP2 says whether
 * the kernel lets programs set it without a system call.
 */
static bool may_set_segment(void)
{
    return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
}

static uintptr_t segment(void)
{
    uintptr_t base = 0;
    if (may_set_segment())
        __asm__ volatile("rdgsbase %0" : "=r"(base));
    else
        (void)syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    return base;
}

static void set_segment(uintptr_t base)
{
    if (may_set_segment())
        __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
    else
        (void)syscall(SYS_arch_prctl, ARCH_SET_GS, base);
}
#else
static uintptr_t segment(void)
{
    return 0;
}

static void set_segment(uintptr_t base)
{
    (void)base;
}
#endif

bool gs_guest_base_works(const gs_machine *machine)
{
    const uintptr_t before = segment(),
                    base = GS_HAS_GUEST_BASE ? (uintptr_t)machine->memory.bytes : 0;
    set_segment(base);
    const bool works = segment() == base;
    set_segment(before);
    return works;
}

uintptr_t gs_guest_base_take(const gs_fast_engine *e)
{
    const uintptr_t before = segment();
    set_segment((uintptr_t)e->machine->memory.bytes);
    return before;
}

void gs_guest_base_give_back(uintptr_t before)
{
    set_segment(before);
}
