/*
 * abi.h - where the Linux ABIs differ.
 *
 * A gs_linux_abi is constant data and a few functions for one instruction set:
 * how system calls arrive and return, how a signal handler is entered, and which
 * of the number columns (flavor) its errnos, flags and signals come from.
 */
#ifndef GS_MACHINE_LINUX_ABI_H
#define GS_MACHINE_LINUX_ABI_H

#include "machine/linux/files.h"
#include "machine/linux/signals.h"
#include "machine/linux/wire.h"
#include "machine/machine.h"

struct stat;

/* One column of numbers: what most architectures share, and what MIPS has of its own. */
typedef enum gs_linux_flavor { GS_LINUX_GENERIC, GS_LINUX_MIPS, GS_LINUX_FLAVORS } gs_linux_flavor;

enum { GS_LINUX_ARGUMENTS = 8 };

typedef struct gs_linux_call {
    gs_linux_process *process;
    uint32_t number;
    uint32_t args[GS_LINUX_ARGUMENTS];
    bool has_second; /* MIPS pipe(2) returns two values */
    uint32_t second;
} gs_linux_call;

/*
 * A handler returns the result, or a negative errno of the host's, or one of
 *   NO_RESULT  the registers are already what they shall be;
 *   RESTART    a signal on the host broke in: the guest executes the call once more.
 */
#define GS_LINUX_NO_RESULT INT64_MIN
#define GS_LINUX_RESTART   (INT64_MIN + 1)
typedef int64_t gs_linux_handler(gs_linux_call *call);

typedef struct gs_linux_syscall {
    const char *name;
    gs_linux_handler *handler;
} gs_linux_syscall;

typedef struct gs_linux_abi {
    gs_linux_flavor flavor;
    const char *machine;  /* uname -m */
    const char *platform; /* AT_PLATFORM */
    bool pairs_aligned;   /* a 64-bit argument begins at an even one */
    gs_addr task_end;     /* user space ends here */
    unsigned signal_max;
    unsigned sigset_bytes;
    uint32_t sa_siginfo;

    uint32_t first_call;
    unsigned call_count;
    const gs_linux_syscall *calls; /* indexed from first_call on */

    /* The hart at the program's entry. */
    void (*start)(gs_machine *machine, gs_addr entry);
    uint32_t (*hwcap)(const gs_machine *machine);

    void (*get_call)(gs_linux_call *call);
    void (*set_result)(gs_linux_call *call, int64_t result);
    gs_addr (*sp)(const gs_hart *hart);
    void (*set_sp)(gs_hart *hart, gs_addr sp);

    /* The code that handlers return to, for gs_linux_process.trampoline. */
    void (*put_trampoline)(gs_wire *wire);
    /* Writes a signal frame and goes to the handler; false if the frame does not fit. `info` and
     * `mask` go into the frame. */
    bool (*enter_handler)(gs_linux_process *process, int signal, const gs_linux_action *action,
                          const gs_linux_siginfo *info, const gs_linux_sigset *mask);
    /* And back: restores registers, mask and alternate stack; false if the frame is no good. `rt`
     * tells the two kinds of frames of MIPS apart. */
    bool (*leave_handler)(gs_linux_process *process, bool rt);

    void (*put_stat)(gs_wire *wire, const struct stat *st);
    void (*put_stat64)(gs_wire *wire, const struct stat *st);
} gs_linux_abi;

extern const gs_linux_abi gs_linux_abi_mips;
extern const gs_linux_abi gs_linux_abi_rv32;

/* The numbers of translate.c. */
int gs_linux_errno(gs_linux_flavor flavor, int host_errno);
int gs_linux_open_flags_to_host(gs_linux_flavor flavor, uint32_t flags);
uint32_t gs_linux_open_flags(gs_linux_flavor flavor, int host_flags);

typedef struct gs_linux_signal_row {
    const char *name;
    int host;
    uint8_t guest[GS_LINUX_FLAVORS];
} gs_linux_signal_row;

extern const gs_linux_signal_row gs_linux_signal_rows[];
extern const size_t gs_linux_signal_row_count;

/* Devices in the 32 bits the kernel gives them. */
uint32_t gs_linux_device(uint64_t host_device);

/* File numbers of more than 32 bits, which 32-bit programs refuse to read, made to fit. */
uint64_t gs_linux_file_number(uint64_t host_number);

/* Siginfo, masks and stacks in the guest's layout. */
void gs_linux_put_siginfo(gs_wire *wire, const gs_linux_abi *abi, int signal,
                          const gs_linux_siginfo *info); /* 128 bytes */
void gs_linux_put_sigset(gs_wire *wire, const gs_linux_abi *abi, const gs_linux_sigset *set);
gs_linux_sigset gs_linux_take_sigset(gs_wire *wire, const gs_linux_abi *abi);
void gs_linux_put_altstack(gs_wire *wire, const gs_linux_abi *abi, gs_linux_altstack stack);
gs_linux_altstack gs_linux_take_altstack(gs_wire *wire, const gs_linux_abi *abi);

#endif
