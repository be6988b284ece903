/*
 * signals.h - the signals of a process.
 *
 * Numbers are the guest's throughout; gs_linux_signal_to_host() tells the host's.
 * A signal is raised first, and delivered when the hart is about to go on: into a
 * handler of the guest's, or as the end of the run.
 */
#ifndef GS_MACHINE_LINUX_SIGNALS_H
#define GS_MACHINE_LINUX_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/hart.h"

enum { GS_LINUX_SIGNAL_MAX = 127 };

typedef struct gs_linux_process gs_linux_process;

/* Signal n is bit n - 1. */
typedef struct gs_linux_sigset {
    uint64_t words[2];
} gs_linux_sigset;

enum { GS_LINUX_SIG_DFL = 0, GS_LINUX_SIG_IGN = 1 };

/* The same in all ABIs; SA_SIGINFO is not. */
#define GS_LINUX_SA_ONSTACK   0x08000000u
#define GS_LINUX_SA_NODEFER   0x40000000u
#define GS_LINUX_SA_RESETHAND 0x80000000u

typedef struct gs_linux_action {
    uint32_t handler; /* or one of GS_LINUX_SIG_* */
    uint32_t flags;
    gs_linux_sigset mask;
} gs_linux_action;

/* si_code values, the same in all ABIs. */
enum {
    GS_LINUX_SI_USER = 0,
    GS_LINUX_SI_KERNEL = 0x80,
    GS_LINUX_SI_QUEUE = -1,
    GS_LINUX_SI_TKILL = -6,
    GS_LINUX_ILL_ILLOPC = 1,
    GS_LINUX_FPE_INTDIV = 1,
    GS_LINUX_FPE_INTOVF = 2,
    GS_LINUX_FPE_FLTDIV = 3,
    GS_LINUX_FPE_FLTOVF = 4,
    GS_LINUX_FPE_FLTUND = 5,
    GS_LINUX_FPE_FLTRES = 6,
    GS_LINUX_FPE_FLTINV = 7,
    GS_LINUX_SEGV_MAPERR = 1,
    GS_LINUX_SEGV_ACCERR = 2,
    GS_LINUX_BUS_ADRALN = 1,
    GS_LINUX_TRAP_BRKPT = 1,
};

/* What a handler learns. The union of the kernel's is three words for all that occur here. */
typedef struct gs_linux_siginfo {
    int code;
    uint32_t fields[3]; /* a fault: address; else sender's pid and uid, and a value */
} gs_linux_siginfo;

typedef struct gs_linux_altstack {
    uint32_t start, size;
    uint32_t flags;
} gs_linux_altstack;

enum { GS_LINUX_SS_ONSTACK = 1, GS_LINUX_SS_DISABLE = 2 };
#define GS_LINUX_SS_AUTODISARM 0x80000000u

typedef struct gs_linux_signals {
    gs_linux_action actions[GS_LINUX_SIGNAL_MAX + 1];
    gs_linux_sigset blocked, pending;
    gs_linux_siginfo infos[GS_LINUX_SIGNAL_MAX + 1]; /* of the pending ones */
    gs_linux_altstack altstack;
    bool restore_mask; /* after this delivery `blocked` goes back to `saved_mask` */
    gs_linux_sigset saved_mask;
} gs_linux_signals;

bool gs_linux_sigset_has(const gs_linux_sigset *set, int signal);
void gs_linux_sigset_add(gs_linux_sigset *set, int signal);
void gs_linux_sigset_remove(gs_linux_sigset *set, int signal);

/* `signal` of the host as the guest numbers it, and back. */
int gs_linux_signal(const gs_linux_process *process, int host_signal);
int gs_linux_signal_to_host(const gs_linux_process *process, int signal);
const char *gs_linux_signal_name(const gs_linux_process *process, int signal);

/* Makes a signal pending, unless the process ignores it. */
void gs_linux_raise(gs_linux_process *process, int signal, gs_linux_siginfo info);

/* Whether gs_linux_deliver() would do anything that the guest notices. */
bool gs_linux_deliverable(const gs_linux_process *process);

/* Whether a signal would end a sleep: it is neither ignored nor blocked. */
bool gs_linux_wakes(const gs_linux_process *process, int signal);

/* Delivers what is pending and not blocked. The hart stands between two instructions. */
void gs_linux_deliver(gs_linux_process *process);

/* The hart's trap as a signal, delivered at once whatever is blocked or ignored. */
void gs_linux_deliver_fault(gs_linux_process *process);

/* A signal frame was no good: SIGSEGV, whatever is blocked or ignored. */
void gs_linux_bad_frame(gs_linux_process *process);

/* The mask for one system call: the old one comes back after the next delivery. */
void gs_linux_set_temporary_mask(gs_linux_process *process, const gs_linux_sigset *mask);

/* The stack pointer for a frame of `size` bytes, before alignment. */
gs_addr gs_linux_signal_stack(const gs_linux_process *process, const gs_linux_action *action,
                              gs_addr sp);

/* sigaltstack(2): what the kernel checks before it takes a new one. 0 or a negative errno. */
int gs_linux_set_altstack(gs_linux_process *process, gs_linux_altstack next, gs_addr sp);

/* As the guest sees the current one. */
gs_linux_altstack gs_linux_get_altstack(const gs_linux_process *process, gs_addr sp);

#endif
