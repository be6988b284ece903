/*
 * wire.h - datagrams between a Statistics Module and its collector, and their layout in bytes.
 *
 * wire.def has the layout, docs/live.md what it means. A datagram is made, or taken apart, as a
 * whole; nothing is kept. Any thread may do it.
 */
#ifndef GS_LIVE_WIRE_H
#define GS_LIVE_WIRE_H

#include "gumshoe/live.h"

enum { GS_WIRE_TAG = 8, GS_WIRE_MAGIC = 0x474c01 };

enum {
#define KIND(name, value, text)    GS_WIRE_##name = value,
#define MARK(name, bit, text)      GS_WIRE_MARK_##name = 1 << (bit),
#define ORDER(name, bit, text)     GS_LIVE_ORDER_##name = 1 << (bit),
#define STATUS(name, bit, text)    GS_WIRE_STATUS_##name = 1 << (bit),
#define OUTCOME(name, value, text) GS_WIRE_OUTCOME_##name = value,
#include "live/wire.def"
    GS_WIRE_CHANGES = GS_LIVE_ORDER_SET | GS_LIVE_ORDER_START | GS_LIVE_ORDER_STOP |
                      GS_LIVE_ORDER_TO_SENDER, /* what is no question */
};

/* The types of fields. */
typedef uint32_t gs_wire_WORD;
typedef uint64_t gs_wire_LONG;
typedef gs_live_program gs_wire_HASH;
typedef struct gs_wire_SPARE {
    char none;
} gs_wire_SPARE;

#define GS_WIRE_FIELD(type, name, text) gs_wire_##type name;

typedef struct gs_wire_header {
#define HEADER GS_WIRE_FIELD
#include "live/wire.def"
} gs_wire_header;

typedef struct gs_wire_counter {
#define COUNTER GS_WIRE_FIELD
#include "live/wire.def"
} gs_wire_counter;

typedef struct gs_wire_result {
    gs_wire_header header;
#define RESULT GS_WIRE_FIELD
#include "live/wire.def"
    gs_wire_counter counter[GS_LIVE_COUNTERS];
} gs_wire_result;

typedef struct gs_wire_command {
    gs_wire_header header;
#define COMMAND GS_WIRE_FIELD
#include "live/wire.def"
    gs_live_setting setting;
} gs_wire_command;

typedef struct gs_wire_state {
    gs_wire_header header;
#define STATE GS_WIRE_FIELD
#include "live/wire.def"
    gs_live_setting setting;
} gs_wire_state;

#undef GS_WIRE_FIELD

/* Lengths in bytes, with the tag. */
size_t gs_wire_result_length(unsigned counters);
size_t gs_wire_command_length(void); /* of a STATE, too */

/* Writes a datagram with its tag into `bytes`, which has room for GS_LIVE_DATAGRAM, and returns its
 * length. Magic and length are set here. */
size_t gs_wire_write_result(uint8_t *bytes, const gs_wire_result *from, const gs_live_key *key);
size_t gs_wire_write_command(uint8_t *bytes, const gs_wire_command *from, const gs_live_key *key);
size_t gs_wire_write_state(uint8_t *bytes, const gs_wire_state *from, const gs_live_key *key);

/* What is wrong with a datagram. */
typedef enum gs_wire_fault {
    GS_WIRE_FINE,
    GS_WIRE_FOREIGN, /* it is none of ours, or of another version, or damaged */
    GS_WIRE_FORGED,  /* it is, and its tag is wrong */
} gs_wire_fault;

/* The kind of a datagram that is `length` bytes long. Only with GS_WIRE_FINE it may be read. */
gs_wire_fault gs_wire_check(const uint8_t *bytes, size_t length, const gs_live_key *key,
                            unsigned *kind);

/* Take apart a datagram of that kind, which has been checked. */
void gs_wire_read_result(gs_wire_result *to, const uint8_t *bytes);
void gs_wire_read_command(gs_wire_command *to, const uint8_t *bytes);
void gs_wire_read_state(gs_wire_state *to, const uint8_t *bytes);

/* The tag of a datagram that is `length` bytes long without it; behind it. */
void gs_wire_seal(uint8_t *bytes, size_t length, const gs_live_key *key);

#endif
