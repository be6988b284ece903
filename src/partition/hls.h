/*
 * hls.h - what a tool for high-level synthesis makes of operations: a description from hls/.
 *
 * Read from YAML (docs/partition.md has the keys), then read-only; its owner's, and any thread may
 * read it.
 */
#ifndef GS_PARTITION_HLS_H
#define GS_PARTITION_HLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum gs_hls_kind {
#define OPERATOR(name, key) GS_HLS_##name,
#include "partition/operators.def"
    GS_HLS_KIND_COUNT,
    GS_HLS_WIRES = GS_HLS_KIND_COUNT, /* moves, constants, shifts by constants */
} gs_hls_kind;

/* What an FPGA has of each. */
enum { GS_HLS_LUT, GS_HLS_FF, GS_HLS_DSP, GS_HLS_RESOURCE_COUNT };
extern const char *const gs_hls_resource_names[GS_HLS_RESOURCE_COUNT];

typedef struct gs_hls_operator {
    double ns;         /* from its inputs to its result, or to the first clock edge; */
    unsigned cycles;   /* and so many clock edges until there is a result: 0 for none */
    unsigned interval; /* between two starts of one unit */
    unsigned units;    /* that all operations share; 0: one for each */
    unsigned area[GS_HLS_RESOURCE_COUNT];
} gs_hls_operator;

typedef struct gs_hls {
    char *name, *summary, *device;
    double clock_ns;
    unsigned ports;       /* of memory */
    bool apart;           /* accesses at unrelated addresses are taken not to overlap */
    bool pipelines;       /* innermost loops */
    unsigned speculation; /* operations that are executed before a branch is decided, at most */
    unsigned call;        /* cycles to start a function's state machine, and for it to be done */
    unsigned state[GS_HLS_RESOURCE_COUNT]; /* area of a state */
    gs_hls_operator operators[GS_HLS_KIND_COUNT];
    unsigned capacity[GS_HLS_RESOURCE_COUNT]; /* of the device */
    /* The processor's bus, in its cycles: a word to or from the accelerator, starting it and
     * noticing that it is done, and what an access to memory takes longer than in the accelerator's
     * own. */
    unsigned bus_word, bus_start, bus_load, bus_store;
} gs_hls;

/* A built-in description by its name, or a file: with a '/' or ".yaml" at the end. *out is the
 * caller's, NULL on failure: GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT, GS_E_NO_MEMORY. */
gs_status gs_hls_open(gs_hls **out, const char *name, gs_error *err);
void gs_hls_free(gs_hls *hls); /* NULL is fine */

/* The same from memory; `name` is for messages. */
gs_status gs_hls_parse(gs_hls **out, const char *name, const char *text, size_t size,
                       gs_error *err);

#endif
