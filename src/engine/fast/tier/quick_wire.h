/*
 * quick_wire.h - the messages between the engine and gumshoe-quickcc.
 *
 * Requests and replies go over a socket pair, one packet each. The data lies in shared memory (the
 * desk), at the same address in both processes. First there is room for a text, which the engine
 * writes, and then for code, which gumshoe-quickcc writes and the engine executes where it is.
 */
#ifndef GS_TIER_QUICK_WIRE_H
#define GS_TIER_QUICK_WIRE_H

#include <stdint.h>

/* Descriptors that gumshoe-quickcc is started with: its end of the socket pair, and the desk. */
enum { GS_QUICK_SOCKET = 3, GS_QUICK_DESK = 4 };

/* Addresses to try, where hosts mostly have nothing: one machine takes one of them. */
#define GS_QUICK_ADDRESS  UINT64_C(0x2a0000000000)
#define GS_QUICK_DISTANCE UINT64_C(0x10000000)
enum { GS_QUICK_ADDRESSES = 64 };

enum {
    GS_QUICK_TEXT_ROOM = 4 << 20,
    GS_QUICK_CODE_ROOM = 64 << 20,
    GS_QUICK_DESK_SIZE = GS_QUICK_TEXT_ROOM + GS_QUICK_CODE_ROOM,
};

/* A request to compile the text, which ends with a zero byte. */
typedef struct gs_quick_question {
    uint64_t address;   /* size of the desk: the same every time */
    uint32_t number;    /* the number of this request */
    uint32_t text_size; /* length of the text, without that byte */
    uint32_t code_from; /* where there is room for code: offset from the start of the code area,
                           in bytes */
    uint32_t seconds;   /* processor time it may take, in seconds; or gumshoe-quickcc ends */
} gs_quick_question;

enum { GS_QUICK_WHY = 128 };

typedef struct gs_quick_answer {
    uint32_t number; /* of the request */
    uint32_t done;   /* 0: it could not be compiled, and `why` has the message */
    uint32_t code_size;
    uint32_t functions;    /* offset of the array of functions in the code area */
    uint64_t microseconds; /* processor time since the last reply, in seconds */
    char why[GS_QUICK_WHY];
} gs_quick_answer;

#endif
