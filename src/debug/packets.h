/*
 * packets.h - the frames of gdb's remote protocol: from bytes to packets, and back.
 *
 * $DATA#CHECKSUM, with } as an escape, + and - as acknowledgements until both sides do without, and
 * a byte 3 as an interruption (gdb's manual, "Overview" of "Remote Protocol").
 */
#ifndef GS_DEBUG_PACKETS_H
#define GS_DEBUG_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GS_PACKET_MAX = 1 << 14 };

typedef enum gs_packet_kind {
    GS_PACKET_NONE, /* more bytes are needed */
    GS_PACKET_DATA, /* `data` has it, with a NUL behind it */
    GS_PACKET_INTERRUPT,
    GS_PACKET_RESEND, /* the other side wants to have the last one again */
    GS_PACKET_BROKEN, /* its checksum is wrong, or it is too long */
} gs_packet_kind;

typedef struct gs_packets {
    enum { GS_PACKETS_OUTSIDE, GS_PACKETS_INSIDE, GS_PACKETS_FIRST, GS_PACKETS_SECOND } state;
    bool escaped, overflown;
    uint8_t sum, told; /* the checksum of what came, and as it was told */
    size_t size;
    char data[GS_PACKET_MAX + 1];
} gs_packets;

/* Takes the next byte. */
gs_packet_kind gs_packets_take(gs_packets *packets, uint8_t byte);

/* Frames `size` bytes; returns how many `to` has then, which needs room for 2 * size + 4. */
size_t gs_packet_frame(uint8_t *to, const char *data, size_t size);

/* Hexadecimal: `size` bytes into twice as many characters and a NUL, and back; false if that is not
 * what `from` has. */
void gs_hex_write(char *to, const void *bytes, size_t size);
bool gs_hex_read(void *to, const char *from, size_t size);

/* A number in hexadecimal at *at, which is moved behind it. False if there is none, or it is too
 * large. */
bool gs_hex_number(const char **at, uint64_t *value);

#endif
