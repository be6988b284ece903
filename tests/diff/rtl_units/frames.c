/* Ethernet, ARP, IPv4 and UDP. */
#include "frames.h"

#include <string.h>

enum {
    ETHERNET = 14,
    IP = 20,
    UDP = 8,
    ARP = 28,
    LEAST = 60, /* bytes of a frame */
    TYPE_IP = 0x0800,
    TYPE_ARP = 0x0806,
    PROTOCOL_UDP = 17,
    DO_NOT_FRAGMENT = 0x4000,
    FRAGMENT = 0x3fff,
};
static const uint64_t broadcast = UINT64_C(0xffffffffffff);

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static uint32_t add(uint32_t sum, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        sum += (uint32_t)bytes[i] << (i % 2 ? 0 : 8);
    return sum;
}

static uint16_t fold(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/* Of a UDP datagram with its header, which has its sum in it or 0. */
static uint16_t udp_sum(const uint8_t *addresses, const uint8_t *udp, size_t length)
{
    return fold(add(add(PROTOCOL_UDP + (uint32_t)length, addresses, 8), udp, length));
}

static void pad(frame *f)
{
    while (f->length < LEAST)
        f->bytes[f->length++] = 0;
}

static void head(frame *f, uint64_t from, uint64_t to, uint16_t type)
{
    memset(f, 0, sizeof *f);
    put(f->bytes, to, 6);
    put(f->bytes + 6, from, 6);
    put(f->bytes + 12, type, 2);
}

void frame_udp(frame *f, const endpoint *from, const endpoint *to, const uint8_t *bytes,
               size_t length, const frame_oddities *odd)
{
    static const frame_oddities none;
    if (!odd)
        odd = &none;
    uint8_t *ip = f->bytes + ETHERNET;
    const size_t header = IP + 4 * odd->option_words;
    uint8_t *udp = ip + header;
    head(f, from->mac, to->mac, TYPE_IP);
    put(ip, 0x4000 | (header / 4) << 8, 2);
    put(ip + 2, header + UDP + length, 2);
    put(ip + 6, DO_NOT_FRAGMENT | odd->fragment, 2);
    put(ip + 8, 64, 1);
    put(ip + 9, odd->protocol ? odd->protocol : PROTOCOL_UDP, 1);
    put(ip + 12, from->ip, 4);
    put(ip + 16, to->ip, 4);
    memset(ip + IP, 1, header - IP);
    put(ip + 10, (uint16_t)~fold(add(0, ip, header)), 2);
    put(udp, from->port, 2);
    put(udp + 2, to->port, 2);
    put(udp + 4, UDP + length, 2);
    memcpy(udp + UDP, bytes, length);
    const uint16_t sum = (uint16_t)~udp_sum(ip + 12, udp, UDP + length);
    if (!odd->no_sum)
        put(udp + 6, sum ? sum : 0xffff, 2);
    f->length = ETHERNET + header + UDP + length + odd->padding;
    pad(f);
}

void frame_arp(frame *f, bool answer, const endpoint *from, const endpoint *to, uint64_t to_mac)
{
    uint8_t *arp = f->bytes + ETHERNET;
    head(f, from->mac, to_mac, TYPE_ARP);
    put(arp, 1, 2);
    put(arp + 2, TYPE_IP, 2);
    put(arp + 4, 0x0604, 2);
    put(arp + 6, answer ? 2 : 1, 2);
    put(arp + 8, from->mac, 6);
    put(arp + 14, from->ip, 4);
    put(arp + 18, answer ? to->mac : 0, 6);
    put(arp + 24, to->ip, 4);
    f->length = ETHERNET + ARP;
    pad(f);
}

static frame_kind read_arp(const uint8_t *arp, size_t length, const endpoint *device,
                           endpoint *from)
{
    if (length < ARP)
        return FRAME_STRANGE;
    from->mac = get(arp + 8, 6);
    from->ip = (uint32_t)get(arp + 14, 4);
    return get(arp, 8) == UINT64_C(0x0001080006040001) && get(arp + 24, 4) == device->ip
               ? FRAME_ASKS
               : FRAME_FOR_OTHERS;
}

static frame_kind read_udp(const uint8_t *ip, const uint8_t *udp, size_t length,
                           const endpoint *device, endpoint *from)
{
    if (length < UDP || get(udp + 4, 2) != length)
        return FRAME_STRANGE;
    if (get(udp + 6, 2) != 0 && udp_sum(ip + 12, udp, length) != 0xffff)
        return FRAME_STRANGE;
    from->port = (uint16_t)get(udp, 2);
    return get(udp + 2, 2) == device->port ? FRAME_IS_DATAGRAM : FRAME_FOR_OTHERS;
}

static frame_kind read_ip(const uint8_t *ip, size_t length, const endpoint *device, endpoint *from,
                          size_t *header, size_t *body)
{
    if (length < IP)
        return FRAME_STRANGE;
    const size_t total = get(ip + 2, 2);
    *header = (size_t)(ip[0] & 15) * 4;
    if (ip[0] >> 4 != 4 || *header < IP || total < *header || total > length ||
        fold(add(0, ip, *header)) != 0xffff)
        return FRAME_STRANGE;
    if (ip[9] != PROTOCOL_UDP || get(ip + 16, 4) != device->ip)
        return FRAME_FOR_OTHERS;
    if (get(ip + 6, 2) & FRAGMENT)
        return FRAME_STRANGE;
    from->ip = (uint32_t)get(ip + 12, 4);
    *body = total - *header;
    return read_udp(ip, ip + *header, *body, device, from);
}

frame_kind frame_read(const frame *f, const endpoint *device, endpoint *from, size_t *at,
                      size_t *length)
{
    const uint8_t *bytes = f->bytes;
    if (f->length >= 6 && get(bytes, 6) != device->mac && get(bytes, 6) != broadcast)
        return FRAME_FOR_OTHERS;
    if (f->length < ETHERNET)
        return FRAME_STRANGE;
    const uint64_t type = get(bytes + 12, 2);
    if (type != TYPE_IP && type != TYPE_ARP)
        return FRAME_FOR_OTHERS;
    if (f->damaged)
        return FRAME_STRANGE;
    from->mac = get(bytes + 6, 6);
    if (type == TYPE_ARP)
        return read_arp(bytes + ETHERNET, f->length - ETHERNET, device, from);
    size_t header = 0, body = 0;
    const frame_kind kind =
        read_ip(bytes + ETHERNET, f->length - ETHERNET, device, from, &header, &body);
    *at = ETHERNET + header + UDP;
    *length = body - UDP;
    return kind;
}
