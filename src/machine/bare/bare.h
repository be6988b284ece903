/*
 * bare.h - a program on a bare board.
 *
 * The state behind gs_environment_bare: the board with its devices, the console, host
 * files, HTIF and the program's arguments. It belongs to its machine and lives from
 * start() to stop(). Private to src/machine/bare.
 */
#ifndef GS_MACHINE_BARE_BARE_H
#define GS_MACHINE_BARE_BARE_H

#include <time.h>

#include "machine/bare/board.h"
#include "machine/bare/clint.h"
#include "machine/bare/console.h"
#include "machine/bare/devices.h"
#include "machine/bare/gpio.h"
#include "machine/bare/hostio.h"
#include "machine/bare/htif.h"
#include "machine/bare/pl011.h"
#include "machine/bare/plic.h"
#include "machine/bare/register_bank.h"
#include "machine/bare/rp2350_timer.h"
#include "machine/bare/script.h"
#include "machine/bare/sp804.h"
#include "machine/bare/uart.h"
#include "machine/bare/unmapped.h"
#include "machine/machine.h"

typedef struct gs_bare_device {
    bool present; /* false if the program's own memory lies there */
    union {
        gs_clint clint;
        gs_uart uart;
        gs_alias alias;
        gs_board_region region;
        gs_register_bank registers;
        gs_pl011 pl011;
        gs_rp2350_timer rp2350_timer;
        gs_plic plic;
        gs_sp804 sp804;
        gs_gpio gpio;
    };
} gs_bare_device;

struct gs_bare {
    gs_machine *machine;
    gs_board *board;
    gs_console console;
    gs_files files;
    gs_htif htif;
    gs_bare_device devices[GS_BOARD_DEVICE_MAX]; /* as in the board */
    gs_script *script;                           /* what happens from outside; or NULL */
    gs_lines scripted;                           /* lines that it has raised */
    int argc;
    char **argv;
    time_t started; /* the date when the machine's time was 0 */
    int last_errno; /* of the last semihosting call that failed; the host's */
    gs_unmapped_log unmapped;
    unsigned reads_at_end; /* SYS_READC calls since standard input was at its end */

    /* Traps taken one after the other without a single instruction retired in between. */
    gs_trap first_trap;
    gs_addr handler;
    uint64_t entered_at; /* hart.instret */
    unsigned storm;
};

/* Maps the board's memory and what the program needs besides, attaches the devices and loads
 * the image (layout.c). */
gs_status gs_bare_load(gs_bare *bare, const gs_machine_options *options, gs_error *err);

/* Frees what that has made. */
void gs_bare_unload(gs_bare *bare);

/* Ends the run with the guest's own exit code. */
void gs_bare_exit(gs_bare *bare, int code);

/* The length of a string of the guest's; false if it faults before it ends. */
bool gs_bare_strlen(const gs_bare *bare, gs_addr from, uint32_t *length);

/* The string itself, NUL included; 0 or an errno: EFAULT, ENAMETOOLONG. */
int gs_bare_string(const gs_bare *bare, gs_addr from, char *to, size_t size);

/* A semihosting request, if the breakpoint that trapped is one: does it and steps over it.
 * False if it is just a breakpoint. */
bool gs_semihost_trap(gs_bare *bare); /* RISC-V */
bool gs_uhi_trap(gs_bare *bare);      /* MIPS */

#endif
