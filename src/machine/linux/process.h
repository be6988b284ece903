/*
 * process.h - a Linux process, and what it may expect.
 *
 * One process with one thread, its memory, its files and its signals, as the kernel
 * presents them to 32-bit MIPS (o32) and RISC-V programs. Files and pipes are the
 * host's. Everything else repeats from run to run, on any host, unless the guest is to
 * inherit it (gs_inherit in gumshoe/machine.h):
 *
 *   - the program's name, its environment, the numbers of process, user and groups are
 *     fixed, and random bytes come from a fixed seed;
 *   - a terminal looks like a pipe, and so do standard output and error wherever they go;
 *   - all clocks tell the machine's time, so that a program that measures itself measures
 *     the model; CLOCK_REALTIME starts at a fixed date;
 *   - a sleep takes no time on the host or on the machine, but moves the guest's
 *     clocks on, CPU clocks excepted.
 *
 * What cannot be done (threads, child processes, sockets) fails with ENOSYS and leaves
 * a note for the user. The process is the machine's environment state: made by
 * start(), freed by stop(), and private to this directory.
 */
#ifndef GS_MACHINE_LINUX_PROCESS_H
#define GS_MACHINE_LINUX_PROCESS_H

#include <time.h>

#include "machine/linux/abi.h"
#include "machine/linux/files.h"
#include "machine/linux/signals.h"
#include "machine/linux/wire.h"
#include "machine/machine.h"

/* Where things lie in the guest's memory. Below user space's end on either architecture. */
#define GS_LINUX_MMAP_BASE  0x40000000u
#define GS_LINUX_STACK_TOP  0x7fff0000u
#define GS_LINUX_STACK_SIZE 0x00800000u
#define GS_LINUX_TRAMPOLINE 0x7fff1000u
#define GS_LINUX_STACK_LOW  (GS_LINUX_STACK_TOP - GS_LINUX_STACK_SIZE)
#define GS_LINUX_GUARD_LOW  (GS_LINUX_STACK_LOW - GS_PAGE_SIZE)
#define GS_LINUX_LOWEST_MAP 0x00010000u

/* Who the process is. */
enum { GS_LINUX_PID = 1000, GS_LINUX_PPID = 999, GS_LINUX_UID = 1000, GS_LINUX_GID = 1000 };

enum {
    GS_LINUX_SPANS = 1024,      /* IOV_MAX */
    GS_LINUX_BUFFER = 64 << 10, /* bytes moved between guest and host at once */
    GS_LINUX_CLOCK_TICKS = 100, /* per second: AT_CLKTCK, times(2) */
    GS_LINUX_LIMITS = 16,       /* RLIM_NLIMITS */
};

/* Bytes of the guest's, as in a struct iovec. */
typedef struct gs_linux_span {
    gs_addr address;
    uint32_t size;
} gs_linux_span;

/* A mapped file. Private ones are copies; shared ones are written back. */
typedef struct gs_linux_mapping {
    gs_addr start;
    uint64_t size;
    uint64_t offset;
    int host; /* for writing back, the mapping's own; -1 if there is nothing to write */
} gs_linux_mapping;

/* In nanoseconds of its clock; 0 when it is not armed. */
typedef struct gs_linux_timer {
    uint64_t deadline;
    uint64_t interval;
} gs_linux_timer;

enum { GS_LINUX_TIMER_REAL, GS_LINUX_TIMER_VIRTUAL, GS_LINUX_TIMER_PROF, GS_LINUX_TIMERS };

#define GS_LINUX_UNLIMITED UINT64_MAX
typedef struct gs_linux_limit {
    uint64_t soft, hard;
} gs_linux_limit;

struct gs_linux_process {
    gs_machine *machine;
    const gs_linux_abi *abi;
    gs_linux_files files;
    gs_linux_signals signals;

    gs_addr brk_start, brk;
    gs_addr first_free; /* nothing is free between the base of the mmap area and here */
    struct {
        gs_linux_mapping *items;
        size_t count, capacity;
    } mappings;

    uint64_t slept_ns;   /* added to the machine's time */
    uint64_t skipped_ns; /* of these, what the host did not wait for */
    gs_linux_timer timers[GS_LINUX_TIMERS];
    uint64_t random; /* state of the generator */

    gs_linux_limit limits[GS_LINUX_LIMITS]; /* numbered as in the generic flavor */
    char name[16];                          /* prctl(PR_SET_NAME) */
    char *shown_program;                    /* the path that /proc/self/exe leads to */
    uint32_t clear_tid;

    gs_linux_span spans[GS_LINUX_SPANS];
    uint8_t buffer[GS_LINUX_BUFFER];
};

/* loader.c: the image, the stack and the trampoline into memory, the hart to the entry. */
gs_status gs_linux_load(gs_linux_process *process, const gs_machine_options *options,
                        gs_error *err);
gs_status gs_linux_load_stack(gs_linux_process *process, const gs_machine_options *options,
                              gs_error *err);

/* memory.c: writes back and forgets all mapped files. */
void gs_linux_unmap_files(gs_linux_process *process);

/* random.c: bytes that are the same in every run. */
void gs_linux_random(gs_linux_process *process, void *bytes, size_t size);

/* identity.c: the process's user and group. */
uint32_t gs_linux_uid(const gs_linux_process *process);
uint32_t gs_linux_euid(const gs_linux_process *process);
uint32_t gs_linux_gid(const gs_linux_process *process);
uint32_t gs_linux_egid(const gs_linux_process *process);
/* An owner of a file: the guest's number for the host's, and the other way round. */
uint32_t gs_linux_swap_uid(const gs_linux_process *process, uint32_t uid);
uint32_t gs_linux_swap_gid(const gs_linux_process *process, uint32_t gid);

/* clock.c: times in nanoseconds. */
uint64_t gs_linux_cpu_ns(const gs_linux_process *process);
uint64_t gs_linux_monotonic_ns(const gs_linux_process *process);
struct timespec gs_linux_realtime(const gs_linux_process *process);
struct timespec gs_linux_timespec(uint64_t ns);
/* Saturates; false for times that are negative or not normalized. */
bool gs_linux_to_ns(int64_t seconds, int64_t nanoseconds, uint64_t *ns);

/* timers.c: raises what is due, and tells when the next one is in ticks of the machine. */
uint64_t gs_linux_timers_run(gs_linux_process *process);

/* Sleeps until `ns` of the monotonic clock (UINT64_MAX: for good) or until a signal is to be
 * delivered. True if it slept to the end. A sleep that nothing can end ends the run: `what` says
 * what the guest waits for. */
bool gs_linux_sleep(gs_linux_process *process, uint64_t ns, const char *what);

/* syscall.c: runs the system call the hart has trapped on. */
void gs_linux_syscall_run(gs_linux_process *process);

/* A 64-bit argument whose first half is argument `index` or, by the ABI, the one after it. */
uint64_t gs_linux_arg64(const gs_linux_call *call, unsigned index);

/* A buffer as a structure of the guest's. */
gs_wire gs_linux_wire(const gs_linux_call *call, void *bytes, size_t size);

/* To and from guest memory; 0 or -EFAULT. put() copies what was put into the wire. */
int gs_linux_put(const gs_linux_call *call, gs_addr to, const gs_wire *wire);
int gs_linux_get(const gs_linux_call *call, gs_addr from, gs_wire *wire);

/* A struct timespec of 32 or 64 bits: 0 or a negative errno. */
int gs_linux_put_timespec(const gs_linux_call *call, gs_addr to, struct timespec ts, bool wide);
int gs_linux_get_timespec(const gs_linux_call *call, gs_addr from, struct timespec *ts, bool wide);

/* A signal mask and its size as system calls pass them: 0 or a negative errno. */
int gs_linux_get_sigset(const gs_linux_call *call, gs_addr from, uint32_t size,
                        gs_linux_sigset *set);

/* The result of a host call: the value, -errno, or RESTART. */
int64_t gs_linux_host_result(int64_t value);

/* All system calls, by the tables. */
#define SYSCALL(number, name, handler) gs_linux_handler gs_linux_sys_##handler;
#include "machine/linux/syscalls_mips_o32.def"
#include "machine/linux/syscalls_riscv32.def"
#undef SYSCALL

#endif
