/*
 * profile.h - a finished profile: everything a report can say about one run.
 *
 * Made from a recorder when a run has ended (profile_build.c) or read from a profile file
 * (profile_file.c), and read-only from then on. It stands on its own: neither the program
 * nor the machine is needed to report on it. Everything in it belongs to it and goes with
 * gs_profile_free().
 *
 * Costs are kept once, per instruction and per call path; functions, lines, blocks and
 * inclusive costs are sums of those, so every view adds up to the same total.
 */
#ifndef GS_PROFILE_PROFILE_H
#define GS_PROFILE_PROFILE_H

#include "gumshoe/profile.h"
#include "probe/metrics.h"
#include "profile/calltree.h"
#include "units/result.h"

#define GS_PROFILE_NONE UINT32_MAX

enum { GS_PROFILE_MARKERS = 1 << 16 }; /* at most */

/* How the run came about. Texts are never NULL; unknown ones are "". */
typedef struct gs_profile_run {
    int64_t id;        /* in its file; 0 before it is in one */
    char *program;     /* path */
    char *label;       /* --label */
    char *core;        /* "" if the run was not timed */
    char *core_yaml;   /* its whole description; "" the same */
    char *isa;         /* "rv32" */
    char *environment; /* "bare", "linux" */
    char *inherited;   /* what the guest got of the host: "nothing", "environment, clock" */
    char *variables;   /* lines NAME=VALUE that a Linux guest got; "" if they are the host's */
    char *region;      /* what of the run counts, "from main to exit"; "" for all of it */
    char *commit;      /* of the git work tree the run was started in */
    char *version;     /* of Gumshoe */
    int64_t started;   /* seconds since 1970 */
    gs_exit_kind exit;
    int exit_code; /* or signal */
    uint64_t clock_hz;
    uint64_t desyncs; /* calls and returns that could not be followed exactly */
    bool totals_only; /* a point of a sweep: there is nothing but these and the totals */
} gs_profile_run;

typedef struct gs_profile_function {
    char *name; /* demangled */
    uint32_t start, end;
    uint32_t file; /* index in files, or GS_PROFILE_NONE */
    uint32_t line;
} gs_profile_function;

/* An executed instruction, sorted by pc. */
typedef struct gs_profile_insn {
    uint32_t pc;
    uint32_t word;
    uint8_t length;
    uint32_t function; /* index, or GS_PROFILE_NONE */
    uint32_t file;     /* index, or GS_PROFILE_NONE */
    uint32_t line;
    uint32_t block;   /* index of its basic block, or GS_PROFILE_NONE */
    uint32_t loop;    /* index of the innermost loop around it, or GS_PROFILE_NONE */
    uint32_t inlined; /* index of the innermost inlined call around it, or GS_PROFILE_NONE */
    char *text;       /* disassembly */
    uint64_t executions, taken;
    gs_metrics cost;
} gs_profile_insn;

/* A call path; [0] is the root, and a parent comes before its children. If there are threads, the
 * root stands for all of them and has a node for each below it; below that are its functions. */
typedef struct gs_profile_node {
    uint32_t parent;   /* index, or GS_PROFILE_NONE */
    uint32_t function; /* index, or GS_PROFILE_NONE */
    uint32_t site;     /* pc of the call */
    uint32_t thread;   /* index, of the node of a thread; or GS_PROFILE_NONE */
    gs_frame_kind kind;
    uint64_t calls;
    gs_metrics self;
} gs_profile_node;

/* A thread: a stack, see calltree.h. */
typedef struct gs_profile_thread {
    char *name;
    char *label;       /* "[name]": tells it from a function where those are expected */
    uint32_t function; /* that it begins with: index, or GS_PROFILE_NONE */
    uint32_t sp;       /* that it begins with; GS_THREAD_NO_SP: that is not known */
} gs_profile_thread;

/* Control went from one thread to another; sorted by these. */
typedef struct gs_profile_switch {
    uint32_t from, to;
    uint64_t count;
} gs_profile_switch;

/* A basic block that was executed, sorted by start. */
typedef struct gs_profile_block {
    uint32_t start, end;
    uint32_t function;
    uint64_t executions;
} gs_profile_block;

/* Control went from one block to another. */
typedef struct gs_profile_edge {
    uint32_t from, to; /* blocks */
    uint64_t count;
} gs_profile_edge;

typedef struct gs_profile_loop {
    uint32_t header; /* pc */
    uint32_t function;
    uint32_t parent; /* index of the loop around it, or GS_PROFILE_NONE */
    uint32_t depth;
    uint64_t entries;
    uint64_t iterations;           /* times its header was executed */
    uint64_t min_trips, max_trips; /* iterations of one entry; both 0 if not known */
    gs_metrics inclusive;          /* with the loops in it and everything called */
} gs_profile_loop;

/* A call that the compiler replaced by the called function's body. Outer ones come first. */
typedef struct gs_profile_inline {
    char *function;     /* the inlined one, demangled */
    uint32_t outer;     /* index of the inlined call around it, or GS_PROFILE_NONE */
    uint32_t call_file; /* where the call stood: index, or GS_PROFILE_NONE */
    uint32_t call_line;
} gs_profile_inline;

/* What a function cost in an interval of time; sorted by interval, then function. */
typedef struct gs_profile_moment {
    uint64_t start, end; /* in cycles */
    uint32_t function;   /* index, or GS_PROFILE_NONE */
    gs_metrics cost;
} gs_profile_moment;

#define GS_PROFILE_LIST(type)   \
    struct {                    \
        type *items;            \
        size_t count, capacity; \
    }

struct gs_profile {
    gs_profile_run run;
    gs_metrics total;
    GS_PROFILE_LIST(char *) files;
    GS_PROFILE_LIST(gs_profile_function) functions; /* executed ones, by address */
    GS_PROFILE_LIST(gs_profile_insn) insns;
    GS_PROFILE_LIST(gs_profile_node) nodes;
    GS_PROFILE_LIST(gs_profile_thread) threads; /* empty if there is only one */
    GS_PROFILE_LIST(gs_profile_switch) switches;
    GS_PROFILE_LIST(gs_profile_block) blocks;
    GS_PROFILE_LIST(gs_profile_edge) edges;
    GS_PROFILE_LIST(gs_profile_loop) loops;
    GS_PROFILE_LIST(gs_profile_inline) inlines;
    GS_PROFILE_LIST(gs_profile_moment) timeline; /* empty unless it was asked for */
    GS_PROFILE_LIST(gs_marker) markers;          /* of the whole run, the first ones */
    GS_PROFILE_LIST(const gs_result *) units;    /* what on-chip profilers said; borrowed */
    GS_PROFILE_LIST(gs_result *) loaded_units;   /* the same, owned, if it comes from a file */
};

/* The executed instruction at `pc`, or NULL. */
const gs_profile_insn *gs_profile_insn_at(const gs_profile *profile, uint32_t pc);

/* Per node, what it and everything below it cost. free() it; NULL when memory is out. */
gs_metrics *gs_profile_inclusive(const gs_profile *profile);

/* A run as its file lists it; borrows the texts of `run`. */
gs_run_info gs_profile_run_info(const gs_profile_run *run, const gs_metrics *total);

/* Sets a thread's name, which it takes, and label. False when memory is out. */
bool gs_profile_thread_set_name(gs_profile_thread *thread, char *name);

/* Frees what belongs to `run`, not `run`. */
void gs_profile_run_clear(gs_profile_run *run);

#endif
