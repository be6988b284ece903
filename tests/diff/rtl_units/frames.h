/*
 * frames.h - Ethernet frames around datagrams, written and read the plain way.
 *
 * What a device makes of a frame is said here once more, apart from the Verilog: docs/live.md.
 */
#ifndef RTL_UNITS_FRAMES_H
#define RTL_UNITS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct endpoint {
    uint64_t mac;
    uint32_t ip;
    uint16_t port;
} endpoint;

typedef struct frame {
    size_t length;
    bool damaged; /* the MAC says so */
    uint8_t bytes[1600];
} frame;

/* What is out of the ordinary in a frame that is otherwise right. */
typedef struct frame_oddities {
    unsigned option_words; /* of IPv4 */
    bool no_sum;           /* of UDP */
    uint16_t fragment;     /* flags and offset */
    uint8_t protocol;      /* 0: UDP */
    unsigned padding;      /* bytes behind the datagram */
} frame_oddities;

enum { FRAME_DATAGRAM = 42 }; /* where a datagram begins, without options */

void frame_udp(frame *f, const endpoint *from, const endpoint *to, const uint8_t *bytes,
               size_t length, const frame_oddities *odd);
/* A request, or the answer to one. */
void frame_arp(frame *f, bool answer, const endpoint *from, const endpoint *to, uint64_t to_mac);

typedef enum frame_kind {
    FRAME_FOR_OTHERS,
    FRAME_STRANGE, /* damaged, or a part of something */
    FRAME_ASKS,    /* for the device's address */
    FRAME_IS_DATAGRAM,
} frame_kind;

/* What it is for a device; who it is from, and for a datagram, where it is in the frame. */
frame_kind frame_read(const frame *f, const endpoint *device, endpoint *from, size_t *at,
                      size_t *length);

#endif
