/*
 * intake.h - takes datagrams from a socket as they come, on a thread of its own.
 *
 * The kernel keeps few of them; while the owner writes to a disk they wait here, in a ring. One
 * thread takes them out.
 */
#ifndef GS_LIVE_INTAKE_H
#define GS_LIVE_INTAKE_H

#include "live/udp.h"

typedef struct gs_intake gs_intake;

typedef struct gs_intake_datagram {
    gs_udp_address from;
    int64_t arrived_us; /* since 1970 */
    size_t length;      /* longer than GS_LIVE_DATAGRAM: there was more than fits */
    uint8_t bytes[GS_LIVE_DATAGRAM + 1];
} gs_intake_datagram;

/* Borrows the socket, which is not to be read by others. GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_intake_open(gs_intake **out, int socket, gs_error *err);
void gs_intake_close(gs_intake *intake); /* NULL is fine */

/* Readable while there may be datagrams. */
int gs_intake_descriptor(const gs_intake *intake);

/* The oldest datagram; NULL: there is none. Borrowed until gs_intake_drop(), which makes room. */
const gs_intake_datagram *gs_intake_first(gs_intake *intake);
void gs_intake_drop(gs_intake *intake);

/* How many found no room, here or in the kernel. */
uint64_t gs_intake_overrun(const gs_intake *intake);

#endif
