/* Writes and reads datagrams by the rows of wire.def, and seals them with the key. */
#include "live/wire.h"

#include <assert.h>
#include <endian.h>
#include <sodium.h>
#include <string.h>

static_assert(crypto_shorthash_BYTES == GS_WIRE_TAG, "the tag is SipHash-2-4");
static_assert(crypto_shorthash_KEYBYTES == sizeof(gs_live_key), "and so is the key");

enum {
    BYTES_WORD = 4,
    BYTES_LONG = 8,
    BYTES_HASH = sizeof(gs_live_program),
    BYTES_SPARE = 40,

#define ADD(type, name, text) +BYTES_##type
    HEADER_BYTES = 0
#define HEADER ADD
#include "live/wire.def"
    ,
    RESULT_BYTES = HEADER_BYTES
#define RESULT ADD
#include "live/wire.def"
    ,
    COUNTER_BYTES = 0
#define COUNTER ADD
#include "live/wire.def"
    ,
    COMMAND_BYTES = HEADER_BYTES
#define COMMAND ADD
#include "live/wire.def"
    ,
    STATE_BYTES = HEADER_BYTES
#define STATE ADD
#include "live/wire.def"
    ,
    SELECTOR_BYTES = 0
#define SELECTOR ADD
#include "live/wire.def"
    ,
    RANGE_BYTES = 0
#define RANGE ADD
#include "live/wire.def"
    ,
    SETTING_BYTES = GS_LIVE_COUNTERS * SELECTOR_BYTES + GS_LIVE_RANGES * RANGE_BYTES
#define SETTING ADD
#include "live/wire.def"
    ,
#undef ADD
    /* Where the fields are that a check looks at. */
    AT_LENGTH = BYTES_WORD,
    AT_COUNTERS = RESULT_BYTES - BYTES_WORD,
};
static_assert(COMMAND_BYTES == STATE_BYTES, "the setting is at the same place in both");
static_assert(RESULT_BYTES + GS_LIVE_COUNTERS * COUNTER_BYTES + GS_WIRE_TAG <= GS_LIVE_DATAGRAM,
              "the longest result fits");
static_assert(STATE_BYTES + SETTING_BYTES + GS_WIRE_TAG <= GS_LIVE_DATAGRAM, "a state fits");

size_t gs_wire_result_length(unsigned counters)
{
    return RESULT_BYTES + counters * COUNTER_BYTES + GS_WIRE_TAG;
}

size_t gs_wire_command_length(void)
{
    return COMMAND_BYTES + SETTING_BYTES + GS_WIRE_TAG;
}

/* -- writing ------------------------------------------------------------------------------------
 */

static void put_WORD(uint8_t **at, uint32_t value)
{
    const uint32_t wire = htobe32(value);
    memcpy(*at, &wire, sizeof wire);
    *at += sizeof wire;
}

static void put_LONG(uint8_t **at, uint64_t value)
{
    put_WORD(at, (uint32_t)(value >> 32));
    put_WORD(at, (uint32_t)value);
}

static void put_HASH(uint8_t **at, gs_live_program value)
{
    memcpy(*at, value.bytes, sizeof value.bytes);
    *at += sizeof value.bytes;
}

static void put_SPARE(uint8_t **at, gs_wire_SPARE value)
{
    (void)value;
    memset(*at, 0, BYTES_SPARE);
    *at += BYTES_SPARE;
}

static void put_header(uint8_t **at, const gs_wire_header *from, unsigned kind, size_t length)
{
    gs_wire_header all = *from;
    all.magic = (uint32_t)GS_WIRE_MAGIC << 8 | kind;
    all.length = (uint32_t)length;
#define HEADER(type, name, text) put_##type(at, all.name);
#include "live/wire.def"
}

static void put_setting(uint8_t **at, const gs_live_setting *from)
{
#define SETTING(type, name, text) put_##type(at, from->name);
#include "live/wire.def"
    for (unsigned i = 0; i < GS_LIVE_COUNTERS; i++) {
#define SELECTOR(type, name, text) put_##type(at, from->selector[i].name);
#include "live/wire.def"
    }
    for (unsigned i = 0; i < GS_LIVE_RANGES; i++) {
#define RANGE(type, name, text) put_##type(at, from->range[i].name);
#include "live/wire.def"
    }
}

void gs_wire_seal(uint8_t *bytes, size_t length, const gs_live_key *key)
{
    crypto_shorthash(bytes + length, bytes, length, key->bytes);
}

/* The tag, and the length with it. */
static size_t seal(uint8_t *bytes, const uint8_t *end, const gs_live_key *key)
{
    const size_t length = (size_t)(end - bytes);
    gs_wire_seal(bytes, length, key);
    return length + GS_WIRE_TAG;
}

static size_t seal_setting(uint8_t *bytes, uint8_t *at, const gs_live_setting *setting,
                           const gs_live_key *key)
{
    put_setting(&at, setting);
    return seal(bytes, at, key);
}

size_t gs_wire_write_result(uint8_t *bytes, const gs_wire_result *from, const gs_live_key *key)
{
    uint8_t *at = bytes;
    assert(from->counters <= GS_LIVE_COUNTERS);
    put_header(&at, &from->header, GS_WIRE_RESULT, gs_wire_result_length(from->counters));
#define RESULT(type, name, text) put_##type(&at, from->name);
#include "live/wire.def"
    for (unsigned i = 0; i < from->counters; i++) {
#define COUNTER(type, name, text) put_##type(&at, from->counter[i].name);
#include "live/wire.def"
    }
    return seal(bytes, at, key);
}

size_t gs_wire_write_command(uint8_t *bytes, const gs_wire_command *from, const gs_live_key *key)
{
    uint8_t *at = bytes;
    put_header(&at, &from->header, GS_WIRE_COMMAND, gs_wire_command_length());
#define COMMAND(type, name, text) put_##type(&at, from->name);
#include "live/wire.def"
    return seal_setting(bytes, at, &from->setting, key);
}

size_t gs_wire_write_state(uint8_t *bytes, const gs_wire_state *from, const gs_live_key *key)
{
    uint8_t *at = bytes;
    put_header(&at, &from->header, GS_WIRE_STATE, gs_wire_command_length());
#define STATE(type, name, text) put_##type(&at, from->name);
#include "live/wire.def"
    return seal_setting(bytes, at, &from->setting, key);
}

/* -- reading ------------------------------------------------------------------------------------
 */

static uint32_t get_WORD(const uint8_t **at)
{
    uint32_t wire;
    memcpy(&wire, *at, sizeof wire);
    *at += sizeof wire;
    return be32toh(wire);
}

static uint64_t get_LONG(const uint8_t **at)
{
    const uint64_t high = get_WORD(at);
    return high << 32 | get_WORD(at);
}

static gs_live_program get_HASH(const uint8_t **at)
{
    gs_live_program value;
    memcpy(value.bytes, *at, sizeof value.bytes);
    *at += sizeof value.bytes;
    return value;
}

static gs_wire_SPARE get_SPARE(const uint8_t **at)
{
    *at += BYTES_SPARE;
    return (gs_wire_SPARE){0};
}

static uint32_t word_at(const uint8_t *bytes, size_t offset)
{
    const uint8_t *at = bytes + offset;
    return get_WORD(&at);
}

/* How long a datagram of a kind has to be; 0: it cannot be. */
static size_t right_length(const uint8_t *bytes, size_t length, unsigned kind)
{
    if (kind == GS_WIRE_COMMAND || kind == GS_WIRE_STATE)
        return gs_wire_command_length();
    if (kind != GS_WIRE_RESULT || length < RESULT_BYTES)
        return 0;
    const uint32_t counters = word_at(bytes, AT_COUNTERS);
    return counters >= 1 && counters <= GS_LIVE_COUNTERS ? gs_wire_result_length(counters) : 0;
}

gs_wire_fault gs_wire_check(const uint8_t *bytes, size_t length, const gs_live_key *key,
                            unsigned *kind)
{
    uint8_t tag[GS_WIRE_TAG];
    *kind = 0;
    if (length < HEADER_BYTES + GS_WIRE_TAG)
        return GS_WIRE_FOREIGN;
    const uint32_t magic = word_at(bytes, 0);
    if (magic >> 8 != GS_WIRE_MAGIC || word_at(bytes, AT_LENGTH) != length ||
        right_length(bytes, length, magic & 0xff) != length)
        return GS_WIRE_FOREIGN;
    *kind = magic & 0xff;
    crypto_shorthash(tag, bytes, length - GS_WIRE_TAG, key->bytes);
    return sodium_memcmp(tag, bytes + length - GS_WIRE_TAG, sizeof tag) == 0 ? GS_WIRE_FINE
                                                                             : GS_WIRE_FORGED;
}

static void get_header(gs_wire_header *to, const uint8_t **at)
{
#define HEADER(type, name, text) to->name = get_##type(at);
#include "live/wire.def"
}

static void get_setting(gs_live_setting *to, const uint8_t **at)
{
#define SETTING(type, name, text) to->name = get_##type(at);
#include "live/wire.def"
    for (unsigned i = 0; i < GS_LIVE_COUNTERS; i++) {
#define SELECTOR(type, name, text) to->selector[i].name = get_##type(at);
#include "live/wire.def"
    }
    for (unsigned i = 0; i < GS_LIVE_RANGES; i++) {
#define RANGE(type, name, text) to->range[i].name = get_##type(at);
#include "live/wire.def"
    }
}

void gs_wire_read_result(gs_wire_result *to, const uint8_t *at)
{
    get_header(&to->header, &at);
#define RESULT(type, name, text) to->name = get_##type(&at);
#include "live/wire.def"
    for (unsigned i = 0; i < to->counters; i++) {
#define COUNTER(type, name, text) to->counter[i].name = get_##type(&at);
#include "live/wire.def"
    }
}

void gs_wire_read_command(gs_wire_command *to, const uint8_t *at)
{
    get_header(&to->header, &at);
#define COMMAND(type, name, text) to->name = get_##type(&at);
#include "live/wire.def"
    get_setting(&to->setting, &at);
}

void gs_wire_read_state(gs_wire_state *to, const uint8_t *at)
{
    get_header(&to->header, &at);
#define STATE(type, name, text) to->name = get_##type(&at);
#include "live/wire.def"
    get_setting(&to->setting, &at);
}
