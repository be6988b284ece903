/*
 * quick_wire.h - what the engine and gumshoe-quickcc say to each other.
 *
 * Requests and replies go over a socket pair, one packet each. What they are about lies on a desk:
 * memory of both processes, at the same address in both. First there is room for a text, which the
 * engine writes, and then for code, which gumshoe-quickcc writes and the engine executes where it
 * is.
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

/* Please compile the text, which ends with a zero byte. */
typedef struct gs_quick_question {
    uint64_t address;   /* of the desk: the same every time */
    uint32_t number;    /* counts requests */
    uint32_t text_size; /* without that byte */
    uint32_t code_from; /* where there is room for code, in bytes from the first for code */
    uint32_t seconds;   /* that it may take; or gumshoe-quickcc ends */
} gs_quick_question;

enum { GS_QUICK_WHY = 128 };

typedef struct gs_quick_answer {
    uint32_t number; /* of the request */
    uint32_t done;   /* 0: it could not be compiled; `why` says what was wrong */
    uint32_t code_size;
    uint32_t functions;    /* where the array of that name is, in bytes from the first for code */
    uint64_t microseconds; /* of processor time, since the last reply */
    char why[GS_QUICK_WHY];
} gs_quick_answer;

#endif
