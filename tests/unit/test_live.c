/* Datagrams, the module's rules for commands, and a collector behind a network that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <poll.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/module.h"
#include "live/udp.h"

static const gs_live_key key = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

/* The example of docs/live.md. */
static const char example[] = "474c01010000006800000a0b0c0d0e0f11223344556677880000000000000005f0f1"
                              "f2f3f4f5f6f7f8f9fafbfcfdfeff"
                              "0000000300000004000000000007a120000000000000000200000007000000000000"
                              "03e8ffffffff0000000123456789"
                              "a8adf8f8f22c47e1";

static gs_wire_header example_header(void)
{
    gs_wire_header header = {.device = 0x0a0b0c0d0e0f, .session = 0x1122334455667788, .stream = 5};
    for (unsigned i = 0; i < sizeof header.program.bytes; i++)
        header.program.bytes[i] = (uint8_t)(0xf0 + i);
    return header;
}

static void test_example(void **state)
{
    (void)state;
    const gs_wire_result result = {.header = example_header(),
                                   .sequence = 3,
                                   .interval = 4,
                                   .cycle = 500000,
                                   .counters = 2,
                                   .counter = {{7, 1000}, {UINT32_MAX, 0x123456789}}};
    uint8_t bytes[GS_LIVE_DATAGRAM];
    char text[sizeof example];
    unsigned kind;
    size_t length = gs_wire_write_result(bytes, &result, &key);
    assert_int_equal(length, 104);
    sodium_bin2hex(text, sizeof text, bytes, length);
    assert_string_equal(text, example);
    assert_int_equal(gs_wire_check(bytes, length, &key, &kind), GS_WIRE_FINE);
    assert_int_equal(kind, GS_WIRE_RESULT);
    gs_wire_result again;
    gs_wire_read_result(&again, bytes);
    assert_int_equal(again.cycle, 500000);
    assert_int_equal(again.counter[1].total, 0x123456789);
    assert_memory_equal(&again.header.program, &result.header.program, sizeof again.header.program);
}

static gs_live_setting any_setting(void)
{
    gs_live_setting setting = {.interval = 100, .counters = 2};
    setting.selector[1].select = 1 << 8 | GS_STATS_INSTRUCTION;
    setting.range[0].last = UINT32_MAX;
    setting.range[1].first = 0x1000;
    setting.range[1].last = 0x1fff;
    return setting;
}

static void test_round_trips(void **state)
{
    (void)state;
    uint8_t bytes[GS_LIVE_DATAGRAM];
    const gs_wire_command command = {.header = example_header(),
                                     .number = 77,
                                     .orders = GS_LIVE_SET,
                                     .heard = 5,
                                     .setting = any_setting()};
    gs_wire_command command_again;
    assert_int_equal(gs_wire_write_command(bytes, &command, &key), 888);
    gs_wire_read_command(&command_again, bytes);
    assert_int_equal(command_again.number, 77);
    assert_memory_equal(&command_again.setting, &command.setting, sizeof command.setting);
    const gs_wire_state now = {.header = example_header(), .signals = 9, .setting = any_setting()};
    gs_wire_state now_again;
    assert_int_equal(gs_wire_write_state(bytes, &now, &key), 888);
    gs_wire_read_state(&now_again, bytes);
    assert_int_equal(now_again.signals, 9);
    assert_memory_equal(&now_again.setting, &now.setting, sizeof now.setting);
}

/* Any other bit of a datagram, any other length and any other key is noticed. */
static void test_damage(void **state)
{
    (void)state;
    uint8_t bytes[GS_LIVE_DATAGRAM];
    const gs_wire_result result = {.header = example_header(), .counters = 3};
    const size_t length = gs_wire_write_result(bytes, &result, &key);
    gs_live_key other = key;
    unsigned kind;
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_not_equal(gs_wire_check(bytes, length, &key, &kind), GS_WIRE_FINE);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t shorter = 0; shorter < length; shorter++)
        assert_int_equal(gs_wire_check(bytes, shorter, &key, &kind), GS_WIRE_FOREIGN);
    assert_int_equal(gs_wire_check(bytes, length + 1, &key, &kind), GS_WIRE_FOREIGN);
    other.bytes[15] ^= 1;
    assert_int_equal(gs_wire_check(bytes, length, &other, &kind), GS_WIRE_FORGED);
    assert_int_equal(gs_wire_check(bytes, length, &key, &kind), GS_WIRE_FINE);
}

/* -- the module ---------------------------------------------------------------------------------
 */

typedef struct sent {
    unsigned count;
    gs_wire_result last;
} sent;

static void keep_result(void *self, const uint8_t *bytes, size_t length)
{
    sent *s = self;
    unsigned kind;
    assert_int_equal(gs_wire_check(bytes, length, &key, &kind), GS_WIRE_FINE);
    gs_wire_read_result(&s->last, bytes);
    s->count++;
}

static void begin_module(gs_live_module *m, sent *s)
{
    *m = (gs_live_module){.key = key,
                          .device = 9,
                          .session = 33,
                          .program = example_header().program,
                          .made = 32 << 16 | 4 << 8 | 8,
                          .signals = 0x7ff,
                          .setting = any_setting(),
                          .send = keep_result,
                          .self = s};
    *s = (sent){0};
    gs_live_module_begin(m);
}

static gs_wire_command order(uint64_t number, uint32_t orders)
{
    return (gs_wire_command){.header = {.device = 9, .session = 33},
                             .number = number,
                             .orders = orders,
                             .setting = any_setting()};
}

/* What the module answers; length 0: nothing. */
static gs_wire_state tell(gs_live_module *m, const gs_wire_command *command, bool *to_sender)
{
    uint8_t bytes[GS_LIVE_DATAGRAM], answer[GS_LIVE_DATAGRAM];
    gs_wire_state now = {0};
    unsigned kind;
    const size_t length = gs_wire_write_command(bytes, command, &key),
                 answered = gs_live_module_receive(m, bytes, length, answer, to_sender);
    if (answered == 0)
        return now;
    assert_int_equal(gs_wire_check(answer, answered, &key, &kind), GS_WIRE_FINE);
    assert_int_equal(kind, GS_WIRE_STATE);
    gs_wire_read_state(&now, answer);
    assert_int_equal(now.answers, command->number);
    return now;
}

/* The module is told and has to answer with this outcome. */
static gs_wire_state expect(gs_live_module *m, gs_wire_command command, unsigned outcome)
{
    bool to_sender;
    const gs_wire_state now = tell(m, &command, &to_sender);
    assert_int_equal(now.header.length, 888);
    assert_int_equal(now.outcome, outcome);
    assert_int_equal(to_sender, outcome == GS_WIRE_OUTCOME_DONE && m->accepted == command.number &&
                                    (command.orders & GS_LIVE_TO_SENDER));
    return now;
}

static void test_streams(void **state)
{
    (void)state;
    static gs_live_module m;
    sent s;
    begin_module(&m, &s);
    gs_wire_state now = expect(&m, order(5, 0), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.status, GS_WIRE_STATUS_RUNNING);
    assert_int_equal(now.header.stream, 0);
    expect(&m, order(6, GS_LIVE_STOP), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.last.marks, GS_WIRE_MARK_LAST);
    assert_int_equal(s.last.cycle, 100); /* the timer runs out */
    expect(&m, order(7, GS_LIVE_STOP), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 1); /* there was none to stop */
    now = expect(&m, order(8, GS_LIVE_START | GS_LIVE_TO_SENDER), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.header.stream, 8);
    assert_int_equal(now.sent, 0);
    gs_wire_command more = order(9, GS_LIVE_SET | GS_LIVE_START);
    more.setting.interval = 50;
    more.setting.range[7].first = 12; /* there is none */
    now = expect(&m, more, GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.setting.interval, 50);
    assert_int_equal(now.setting.range[7].first, 0);
    assert_int_equal(m.stats.interval, 50);
    assert_int_equal(s.count, 1); /* the stream before ended without a last interval */
    now = expect(&m, order(10, GS_LIVE_SET), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.status, 0);
    gs_live_module_end(&m);
    assert_int_equal(s.count, 1);
    expect(&m, order(11, GS_LIVE_START), GS_WIRE_OUTCOME_ENDED);
}

static void test_refusals(void **state)
{
    (void)state;
    static gs_live_module m;
    sent s;
    begin_module(&m, &s);
    gs_wire_command c = order(100, GS_LIVE_START | GS_LIVE_STOP | GS_LIVE_TO_SENDER);
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(101, GS_LIVE_SET);
    c.setting.interval = 11;
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(102, GS_LIVE_SET);
    c.setting.counters = 9;
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(103, GS_LIVE_SET);
    c.setting.counters = 0;
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(104, GS_LIVE_SET);
    c.setting.selector[0].select = 11;
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(105, GS_LIVE_SET);
    c.setting.selector[0].select = 4 << 8;
    expect(&m, c, GS_WIRE_OUTCOME_IMPOSSIBLE);
    c = order(106, GS_LIVE_SET);
    c.header.program.bytes[0] = 1;
    expect(&m, c, GS_WIRE_OUTCOME_OTHER_PROGRAM);
    assert_int_equal(m.stats.interval, 100);
    assert_true(m.running);
    assert_int_equal(m.stream, 0);
}

/* Recorded commands, and those of others, change nothing and are counted. */
static void test_replay(void **state)
{
    (void)state;
    static gs_live_module m;
    sent s;
    bool to_sender;
    begin_module(&m, &s);
    const gs_wire_command start = order(50, GS_LIVE_START | GS_LIVE_TO_SENDER);
    expect(&m, start, GS_WIRE_OUTCOME_DONE);
    expect(&m, order(60, GS_LIVE_STOP), GS_WIRE_OUTCOME_DONE);
    gs_wire_state now = tell(&m, &start, &to_sender);
    assert_int_equal(now.outcome, GS_WIRE_OUTCOME_OLD);
    assert_false(to_sender);
    assert_int_equal(now.status, 0);
    assert_int_equal(now.old, 1);
    now = expect(&m, order(60, GS_LIVE_STOP), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.repeated, 1);
    gs_wire_command other = order(70, GS_LIVE_START);
    other.header.session = 34;
    now = expect(&m, other, GS_WIRE_OUTCOME_OTHER_SESSION);
    assert_int_equal(now.old, 2);
    other = order(71, GS_LIVE_START);
    other.header.device = 10;
    assert_int_equal(tell(&m, &other, &to_sender).header.length, 0);
    other.header.device = 0; /* anyone may be asked, and not told */
    assert_int_equal(tell(&m, &other, &to_sender).header.length, 0);
    assert_int_equal(m.strangers, 2);
    other.orders = 0;
    expect(&m, other, GS_WIRE_OUTCOME_DONE);
    assert_int_equal(m.accepted, 60);
}

/* A module that knows nothing yet, as one in hardware: its first SET says what it counts, and of
 * which program. */
static void test_told(void **state)
{
    (void)state;
    static gs_live_module m;
    sent s;
    begin_module(&m, &s);
    const gs_live_program first = m.program, none = {{0}};
    m.program = none;
    m.setting = (gs_live_setting){0};
    m.running = false;
    gs_live_module_begin(&m);
    gs_wire_state now = expect(&m, order(1, 0), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.status, 0);
    assert_int_equal(now.setting.counters, 0);
    expect(&m, order(2, GS_LIVE_START), GS_WIRE_OUTCOME_IMPOSSIBLE);
    gs_wire_command set = order(3, GS_LIVE_SET | GS_LIVE_START);
    set.header.program = first;
    now = expect(&m, set, GS_WIRE_OUTCOME_DONE);
    assert_memory_equal(&now.header.program, &first, sizeof first);
    assert_int_equal(now.status, GS_WIRE_STATUS_RUNNING);
    expect(&m, order(4, GS_LIVE_STOP), GS_WIRE_OUTCOME_DONE);
    expect(&m, order(5, GS_LIVE_ORDER_AGAIN), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 2);
    set = order(6, GS_LIVE_SET); /* it may be another one: only commands say so */
    set.header.program.bytes[0] = 1;
    now = expect(&m, set, GS_WIRE_OUTCOME_DONE);
    assert_int_equal(now.header.program.bytes[0], 1);
    expect(&m, order(7, GS_LIVE_ORDER_AGAIN), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 2); /* there is no last result any more */
}

static void test_again(void **state)
{
    (void)state;
    static gs_live_module m;
    sent s;
    begin_module(&m, &s);
    expect(&m, order(1, GS_LIVE_ORDER_AGAIN), GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 0);
    gs_live_module_end(&m);
    assert_int_equal(s.count, 1);
    const gs_wire_result first = s.last;
    gs_wire_command c = order(2, GS_LIVE_ORDER_AGAIN);
    c.heard = 1;
    c.header.stream = 4;
    expect(&m, c, GS_WIRE_OUTCOME_DONE);
    assert_int_equal(s.count, 2);
    assert_memory_equal(&first, &s.last, sizeof first);
    assert_int_equal(m.heard, 0); /* of another stream */
    c.header.stream = 0;
    expect(&m, c, GS_WIRE_OUTCOME_DONE);
    assert_int_equal(m.heard, 1);
}

/* What is chosen by texts, and named again. */
static void test_settings(void **state)
{
    (void)state;
    gs_live_setting setting;
    gs_error err;
    char name[GS_LIVE_NAME];
    assert_int_equal(
        gs_live_setting_parse(&setting, "count=d-miss@0x100-0x200,count=stall:idle", NULL, &err),
        GS_OK);
    assert_int_equal(setting.counters, 2);
    assert_string_equal(gs_live_counter_name(name, &setting, 0, NULL), "d-miss@0x100-0x200");
    assert_string_equal(gs_live_counter_name(name, &setting, 1, NULL), "stall:idle");
    const size_t idle = gs_live_signal_of(setting.selector[1].select);
    assert_true(idle < gs_live_signal_count());
    assert_string_equal(gs_live_signal_key(idle), "stall:idle");
    assert_non_null(strstr(gs_live_signal_text(idle), "interrupt"));
    assert_int_equal(gs_live_setting_parse(&setting, "count=cycle@main", NULL, &err),
                     GS_E_ARGUMENT);
}

static void test_identity(void **state)
{
    (void)state;
    char path[] = "/tmp/gumshoe-program-XXXXXX";
    const int file = mkstemp(path);
    gs_live_program program;
    char text[2 * sizeof program.bytes + 1];
    assert_int_equal(write(file, "abc", 3), 3);
    assert_int_equal(gs_live_program_read(&program, path, NULL), GS_OK);
    sodium_bin2hex(text, sizeof text, program.bytes, sizeof program.bytes);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223"); /* FIPS 180-2, B.1 */
    close(file);
    unlink(path);
    assert_int_equal(gs_live_program_read(&program, path, NULL), GS_E_NOT_FOUND);
}

/* -- a bad network ------------------------------------------------------------------------------
 */

enum { INTERVALS = 3000, HELD = 64 };

/* One direction of a network in which one in ten datagrams is dropped, doubled, delayed (which
 * changes the order) or damaged. */
typedef struct held {
    uint8_t bytes[GS_LIVE_DATAGRAM];
    size_t length;
    unsigned delay; /* datagrams that go first */
} held;

typedef struct direction {
    uint64_t random;
    held waiting[HELD];
    unsigned dropped, doubled, delayed, damaged;
} direction;

typedef struct network {
    direction results, commands;
    int device, collector; /* sockets of the two sides of it */
    gs_udp_address to_device, to_collector;
    gs_live_module module;
    int module_socket;
    gs_udp_address to_network; /* for the module */
    gs_wire_result made[INTERVALS + 1];
    bool arrived[INTERVALS + 1]; /* in the collector */
    uint64_t first, late, again, next;
} network;

static unsigned draw(direction *d, unsigned below)
{
    d->random = d->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(d->random >> 33) % below;
}

/* What the collector has to find out. */
static void note_arrival(network *n, const uint8_t *bytes, size_t length)
{
    unsigned kind;
    gs_wire_result result;
    if (gs_wire_check(bytes, length, &key, &kind) != GS_WIRE_FINE || kind != GS_WIRE_RESULT)
        return;
    gs_wire_read_result(&result, bytes);
    if (n->arrived[result.sequence]) {
        n->again++;
        return;
    }
    n->arrived[result.sequence] = true;
    n->first++;
    if (result.sequence < n->next)
        n->late++;
    else
        n->next = result.sequence + 1;
}

static void deliver(network *n, const direction *d, const uint8_t *bytes, size_t length)
{
    const gs_udp_address *to = d == &n->results ? &n->to_collector : &n->to_device;
    const int from = d == &n->results ? n->collector : n->device;
    if (d == &n->results)
        note_arrival(n, bytes, length);
    assert_int_equal(sendto(from, bytes, length, 0, (const struct sockaddr *)&to->name, to->length),
                     length);
}

static void pass(network *n, direction *d, uint8_t *bytes, size_t length)
{
    for (unsigned i = 0; i < HELD; i++) {
        held *h = &d->waiting[i];
        if (h->length && --h->delay == 0) {
            deliver(n, d, h->bytes, h->length);
            h->length = 0;
        }
    }
    switch (draw(d, 40)) {
    case 0: d->dropped++; return;
    case 1:
        d->doubled++;
        deliver(n, d, bytes, length);
        break;
    case 2:
        d->damaged++;
        bytes[draw(d, (unsigned)length)] ^= (uint8_t)(1 << draw(d, 8));
        break;
    case 3: {
        held *h = &d->waiting[draw(d, HELD)];
        if (h->length)
            break;
        d->delayed++;
        memcpy(h->bytes, bytes, length);
        h->length = length;
        h->delay = 1 + draw(d, 8);
        return;
    }
    default: break;
    }
    deliver(n, d, bytes, length);
}

/* Of all that is on its way. */
static void move(network *n)
{
    uint8_t bytes[GS_LIVE_DATAGRAM], answer[GS_LIVE_DATAGRAM];
    ssize_t length;
    bool to_sender;
    while ((length = recv(n->device, bytes, sizeof bytes, 0)) > 0)
        pass(n, &n->results, bytes, (size_t)length);
    while ((length = recv(n->collector, bytes, sizeof bytes, 0)) > 0)
        pass(n, &n->commands, bytes, (size_t)length);
    while ((length = recv(n->module_socket, bytes, sizeof bytes, 0)) > 0) {
        const size_t answered =
            gs_live_module_receive(&n->module, bytes, (size_t)length, answer, &to_sender);
        if (answered)
            sendto(n->module_socket, answer, answered, 0,
                   (const struct sockaddr *)&n->to_network.name, n->to_network.length);
    }
}

static void send_result(void *self, const uint8_t *bytes, size_t length)
{
    network *n = self;
    gs_wire_result result;
    gs_wire_read_result(&result, bytes);
    n->made[result.sequence] = result;
    sendto(n->module_socket, bytes, length, 0, (const struct sockaddr *)&n->to_network.name,
           n->to_network.length);
}

static gs_udp_address address_of(int fd)
{
    gs_udp_address address = {.length = sizeof address.name};
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address.name, &address.length), 0);
    return address;
}

static void open_network(network *n, const char *collector)
{
    gs_udp_address local;
    assert_int_equal(gs_udp_parse(&local, "127.0.0.1:0", NULL), GS_OK);
    assert_int_equal(gs_udp_parse(&n->to_collector, collector, NULL), GS_OK);
    assert_int_equal(gs_udp_open(&n->device, &local, NULL, NULL), GS_OK);
    assert_int_equal(gs_udp_open(&n->collector, &local, NULL, NULL), GS_OK);
    assert_int_equal(gs_udp_open(&n->module_socket, &local, NULL, NULL), GS_OK);
    n->to_device = address_of(n->module_socket);
    n->to_network = address_of(n->device);
    n->results.random = 1;
    n->commands.random = 2;
    n->module = (gs_live_module){.key = key,
                                 .device = 9,
                                 .session = 33,
                                 .made = 32 << 16 | 4 << 8 | 8,
                                 .signals = 0x7ff,
                                 .setting = any_setting(),
                                 .send = send_result,
                                 .self = n};
    n->module.setting.selector[1].select = GS_STATS_INSTRUCTION;
}

/* An interval of which half are instructions. */
static void count_interval(network *n)
{
    gs_insn nop = {0};
    static const gs_op_info op = {0};
    const gs_isa isa = {.ops = &op};
    for (unsigned i = 0; i < 20; i++) {
        const gs_port port = {.valid = true, .cycles = 5, .decoded = &nop};
        gs_stats_beat(&n->module.stats, &port, &isa);
    }
}

static void check_row(const network *n, sqlite3_stmt *query)
{
    const gs_wire_result *made = &n->made[sqlite3_column_int64(query, 0)];
    char values[64], totals[64];
    snprintf(values, sizeof values, "[%u,%u]", made->counter[0].value, made->counter[1].value);
    snprintf(totals, sizeof totals, "[%llu,%llu]", (unsigned long long)made->counter[0].total,
             (unsigned long long)made->counter[1].total);
    assert_int_equal(sqlite3_column_int64(query, 1), made->cycle);
    assert_string_equal(sqlite3_column_text(query, 2), values);
    assert_string_equal(sqlite3_column_text(query, 3), totals);
    assert_true(n->arrived[made->sequence]);
}

static void check_file(const network *n, const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    uint64_t rows = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT sequence, cycle, value, total FROM live_interval",
                                        -1, &query, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(query) == SQLITE_ROW; rows++)
        check_row(n, query);
    assert_int_equal(rows, n->first);
    sqlite3_finalize(query);
    sqlite3_close(db);
}

static bool expect_made(void *self, const gs_live_interval *interval)
{
    const network *n = self;
    const gs_wire_result *made = &n->made[interval->sequence];
    assert_int_equal(interval->cycle, made->cycle);
    assert_int_equal(interval->value[1], made->counter[1].value);
    assert_int_equal(interval->total[0], made->counter[0].total);
    return interval->sequence < 100;
}

static void read_file(network *n, const char *path)
{
    gs_live_file *file;
    gs_error err;
    assert_int_equal(gs_live_file_open(&file, path, &err), GS_OK);
    assert_int_equal(gs_live_file_count(file), 1);
    const gs_live_stream *stream = gs_live_file_stream(file, 0);
    assert_int_equal(stream->received, n->first);
    assert_int_equal(stream->total[1], n->module.stats.total[1]);
    assert_string_equal(gs_live_file_name(file, stream, 1), "instruction");
    assert_int_equal(gs_live_file_read(file, stream, 0, expect_made, n, &err), GS_OK);
    gs_live_file_free(file);
}

static void test_faults(void **state)
{
    (void)state;
    static network n;
    char path[] = "/tmp/gumshoe-live-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const gs_collector_options options = {.listen = "127.0.0.1:0", .key = key, .file = path};
    gs_collector *collector;
    gs_error err;
    assert_int_equal(gs_collector_open(&collector, &options, &err), GS_OK);
    assert_true(gs_collector_descriptor(collector) >= 0);
    open_network(&n, gs_collector_address(collector));
    gs_live_module_begin(&n.module);
    for (unsigned i = 0; i + 1 < INTERVALS; i++) {
        count_interval(&n);
        move(&n);
        if (i % 16 == 0)
            assert_int_equal(gs_collector_serve(collector, 1, &err), GS_OK);
    }
    gs_live_module_end(&n.module);
    for (unsigned i = 0; i < 3000 && n.module.heard != n.module.sent; i++) {
        move(&n);
        assert_int_equal(gs_collector_serve(collector, 2, &err), GS_OK);
    }
    for (unsigned i = 0; i < 50; i++) { /* what is late comes in */
        move(&n);
        assert_int_equal(gs_collector_serve(collector, 2, &err), GS_OK);
    }
    assert_int_equal(n.module.heard, n.module.sent);
    assert_int_equal(gs_collector_stream_count(collector), 1);
    const gs_live_stream *stream = gs_collector_stream(collector, 0);
    assert_true(stream->ended);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(stream->total[i], n.module.stats.total[i]);
    assert_int_equal(stream->next, n.module.sent);
    assert_int_equal(stream->received, n.first);
    assert_int_equal(stream->lost, n.module.sent - n.first);
    assert_int_equal(stream->late, n.late);
    assert_int_equal(stream->doubled, n.again);
    const gs_collector_refused refused = gs_collector_refusals(collector);
    assert_int_equal(refused.foreign + refused.forged, n.results.damaged);
    assert_int_equal(n.module.strangers, n.commands.damaged);
    assert_true(n.results.dropped > 30 && n.results.doubled > 30 && n.results.delayed > 30 &&
                n.results.damaged > 30 && n.late > 0);
    assert_int_equal(gs_collector_close(collector, &err), GS_OK);
    check_file(&n, path);
    read_file(&n, path);
    close(n.device);
    close(n.collector);
    close(n.module_socket);
    close(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),  cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_streams),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_replay),
        cmocka_unit_test(test_told),     cmocka_unit_test(test_again),
        cmocka_unit_test(test_settings), cmocka_unit_test(test_identity),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
