/* Frames, checksums, hexadecimal. */
#include "debug/packets.h"

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void add(gs_packets *p, uint8_t byte)
{
    if (p->size < GS_PACKET_MAX)
        p->data[p->size++] = (char)byte;
    else
        p->overflown = true;
}

static gs_packet_kind outside(gs_packets *p, uint8_t byte)
{
    switch (byte) {
    case '$':
        p->state = GS_PACKETS_INSIDE;
        p->escaped = p->overflown = false;
        p->sum = 0;
        p->size = 0;
        return GS_PACKET_NONE;
    case 3: return GS_PACKET_INTERRUPT;
    case '-': return GS_PACKET_RESEND;
    default: return GS_PACKET_NONE;
    }
}

static void inside(gs_packets *p, uint8_t byte)
{
    if (byte == '#') {
        p->state = GS_PACKETS_FIRST;
        return;
    }
    if (byte == '$') { /* the rest of the one before was lost */
        (void)outside(p, byte);
        return;
    }
    p->sum = (uint8_t)(p->sum + byte);
    if (!p->escaped && byte == '}') {
        p->escaped = true;
        return;
    }
    add(p, p->escaped ? byte ^ 0x20 : byte);
    p->escaped = false;
}

gs_packet_kind gs_packets_take(gs_packets *p, uint8_t byte)
{
    const int value = digit((char)byte);
    switch (p->state) {
    case GS_PACKETS_OUTSIDE: return outside(p, byte);
    case GS_PACKETS_INSIDE: inside(p, byte); return GS_PACKET_NONE;
    case GS_PACKETS_FIRST:
        p->state = value < 0 ? GS_PACKETS_OUTSIDE : GS_PACKETS_SECOND;
        p->told = (uint8_t)(value * 16);
        return value < 0 ? GS_PACKET_BROKEN : GS_PACKET_NONE;
    case GS_PACKETS_SECOND: break;
    }
    p->state = GS_PACKETS_OUTSIDE;
    p->data[p->size] = '\0';
    const bool good = value >= 0 && (uint8_t)(p->told + value) == p->sum && !p->overflown;
    return good ? GS_PACKET_DATA : GS_PACKET_BROKEN;
}

size_t gs_packet_frame(uint8_t *to, const char *data, size_t size)
{
    size_t at = 0;
    uint8_t sum = 0;
    to[at++] = '$';
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)data[i];
        if (byte == '$' || byte == '#' || byte == '}' || byte == '*') {
            to[at++] = '}';
            sum = (uint8_t)(sum + '}');
            byte ^= 0x20;
        }
        to[at++] = byte;
        sum = (uint8_t)(sum + byte);
    }
    to[at++] = '#';
    char hex[3];
    gs_hex_write(hex, &sum, 1);
    to[at++] = (uint8_t)hex[0];
    to[at++] = (uint8_t)hex[1];
    return at;
}

void gs_hex_write(char *to, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = '\0';
}

bool gs_hex_read(void *to, const char *from, size_t size)
{
    uint8_t *bytes = to;
    for (size_t i = 0; i < size; i++) {
        const int high = digit(from[2 * i]), low = high < 0 ? -1 : digit(from[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

bool gs_hex_number(const char **at, uint64_t *value)
{
    const char *from = *at;
    uint64_t number = 0;
    for (; digit(*from) >= 0; from++) {
        if (number >> 60)
            return false;
        number = number << 4 | (unsigned)digit(*from);
    }
    if (from == *at)
        return false;
    *at = from;
    *value = number;
    return true;
}
