/*
 * debugger.h - what a debugger consists of, for the files of src/debug.
 *
 * debugger.c has its turn and decides where to stop, commands.c answers packets while the program
 * is stopped, monitor.c the commands that are Gumshoe's own.
 */
#ifndef GS_DEBUG_DEBUGGER_H
#define GS_DEBUG_DEBUGGER_H

#include <stdio.h>

#include "debug/history.h"
#include "debug/packets.h"
#include "debug/registers.h"
#include "gumshoe/debug.h"
#include "machine/stops.h"
#include "profile/recorder.h"

typedef enum gs_debug_mode {
    GS_DEBUG_STOPPED,
    GS_DEBUG_RUN,
    GS_DEBUG_STEP,
    GS_DEBUG_SEEK, /* to a position, where it stops */
    GS_DEBUG_SCAN, /* from a checkpoint up to a position, for the last stop before that */
    GS_DEBUG_GONE, /* the debugger has left, and the program runs on */
} gs_debug_mode;

typedef enum gs_stop_kind {
    GS_STOP_SIGNAL,
    GS_STOP_WATCH,
    GS_STOP_BEGINNING, /* of the run: backwards there is nothing more */
} gs_stop_kind;

typedef struct gs_stop_reason {
    gs_stop_kind kind;
    unsigned signal; /* gdb's number */
    gs_addr address;
    unsigned accesses; /* of the watchpoint */
} gs_stop_reason;

struct gs_debugger {
    gs_machine *machine;
    gs_timing *timing;
    gs_recorder *recorder;
    gs_debug_link link;
    gs_control control;
    gs_stops stops;
    gs_history history;
    gs_debug_registers registers;

    gs_packets packets;
    uint8_t incoming[4096];
    size_t incoming_at, incoming_size;
    bool acknowledges, interrupted, killed, dying;
    bool left; /* gdb has detached */
    bool told; /* gdb waits to be told why the program stops: not at the beginning, when it asks */
    char *reply; /* the last one, in its frame */
    size_t reply_size;

    gs_debug_mode mode;
    uint64_t begun_at; /* position: of a step, or where an instruction to stop at is passed over */
    uint64_t target;   /* of SEEK; the end of SCAN */
    uint64_t segment;  /* SCAN: where it began */
    bool found;        /* SCAN: a stop, at: */
    uint64_t found_at;
    gs_stop_reason reason, found_reason;
    uint64_t next_poll; /* instructions */
    unsigned asked;
    struct {
        gs_addr *items;
        size_t count, capacity;
    } breakpoints;
    struct {
        gs_watchpoint *items;
        size_t count, capacity;
    } watchpoints;
    char *description, *map; /* XML, once it has been asked for */
    size_t description_size, map_size;
    uint32_t thread; /* whose registers are meant, from 1 on; 0: the one that runs */
    struct gs_profile_baseline *baseline;
};

/* Sends a packet. False if the other side is gone. */
bool gs_debugger_send(gs_debugger *d, const char *data, size_t size);
bool gs_debugger_say(gs_debugger *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends why the program has stopped. */
bool gs_debugger_tell_stop(gs_debugger *d);

/* Answers packets until one lets the program go on, which sets the mode. False: the run is over. */
bool gs_debugger_converse(gs_debugger *d);

/* Lets the program go on, forwards or backwards; to be called while it is stopped. */
void gs_debugger_resume(gs_debugger *d, bool step);
void gs_debugger_reverse(gs_debugger *d, bool step);
/* Goes to the beginning of the run. False if the past is not kept. */
bool gs_debugger_restart(gs_debugger *d);

/* Changes something, and keeps that it did. False if it cannot. */
bool gs_debugger_edit(gs_debugger *d, bool is_register, uint32_t target, const void *bytes,
                      uint32_t size);

/* Whether the program stands where it was before. */
bool gs_debugger_in_past(const gs_debugger *d);

/* The answer to a command of Gumshoe's own: text, to be freed; NULL when memory is out. */
char *gs_monitor_answer(gs_debugger *d, const char *command);
void gs_monitor_free(gs_debugger *d);

/* Threads, from 1 on; 1 if nothing is known of them. */
uint32_t gs_debugger_thread_count(const gs_debugger *d);
uint32_t gs_debugger_thread_running(const gs_debugger *d);
/* Whether it is there, with a stack. */
bool gs_debugger_thread_lives(const gs_debugger *d, uint32_t thread);
/* Where a thread that does not run goes on, and its stack pointer then. */
bool gs_debugger_thread_place(const gs_debugger *d, uint32_t thread, gs_addr *pc, gs_addr *sp);
void gs_debugger_thread_name(const gs_debugger *d, uint32_t thread, char *to, size_t size);

#endif
