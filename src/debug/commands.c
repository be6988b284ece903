/* Answers gdb's packets while the program is stopped. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/vec.h"
#include "debug/debugger.h"

/* What a packet leads to. */
typedef enum outcome {
    STAY,   /* the program stays stopped */
    RESUME, /* it goes on, or has gone elsewhere */
    OVER,
} outcome;

static const char in_the_past[] =
    "E.the past cannot be changed: continue to where the program was, or reload";

/* -- sending ------------------------------------------------------------------------------------
 */

static bool resend(gs_debugger *d)
{
    return d->link.write(d->link.self, d->reply, d->reply_size);
}

bool gs_debugger_send(gs_debugger *d, const char *data, size_t size)
{
    char *frame = realloc(d->reply, 2 * size + 8);
    if (!frame)
        return false;
    d->reply = frame;
    d->reply_size = gs_packet_frame((uint8_t *)frame, data, size);
    return resend(d);
}

bool gs_debugger_say(gs_debugger *d, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const size_t size = length < 0 ? 0 : (size_t)length;
    return gs_debugger_send(d, text, size < sizeof text ? size : sizeof text - 1);
}

static bool say_ok(gs_debugger *d)
{
    return gs_debugger_say(d, "OK");
}

static bool say_error(gs_debugger *d)
{
    return gs_debugger_say(d, "E01");
}

static bool say_unknown(gs_debugger *d)
{
    return gs_debugger_say(d, "%s", "");
}

bool gs_debugger_tell_stop(gs_debugger *d)
{
    static const char *const watches[] = {
        [GS_WATCH_LOADS] = "rwatch",
        [GS_WATCH_STORES] = "watch",
        [GS_WATCH_LOADS | GS_WATCH_STORES] = "awatch",
    };
    char text[160], hex[2 * GS_REGISTER_BYTES + 1];
    uint8_t pc[GS_REGISTER_BYTES];
    const gs_stop_reason *r = &d->reason;
    int at = snprintf(text, sizeof text, "T%02x", r->signal & 0xff);
    if (r->kind == GS_STOP_WATCH)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s:%" PRIx32 ";", watches[r->accesses],
                       r->address);
    else if (r->kind == GS_STOP_BEGINNING)
        at += snprintf(text + at, sizeof text - (size_t)at, "replaylog:begin;");
    if (gs_register_read(&d->registers, d->machine, d->registers.pc, pc)) {
        gs_hex_write(hex, pc, gs_register_size(&d->registers, d->registers.pc));
        at += snprintf(text + at, sizeof text - (size_t)at, "%x:%s;", d->registers.pc, hex);
    }
    snprintf(text + at, sizeof text - (size_t)at, "thread:%" PRIx32 ";",
             gs_debugger_thread_running(d));
    d->thread = 0;
    return gs_debugger_say(d, "%s", text);
}

/* -- registers ----------------------------------------------------------------------------------
 */

/* Of the thread that is meant. False: nothing is known of it. */
static bool read_register(gs_debugger *d, unsigned number, uint8_t bytes[GS_REGISTER_BYTES])
{
    gs_addr pc, sp;
    if (d->thread == 0 || d->thread == gs_debugger_thread_running(d))
        return gs_register_read(&d->registers, d->machine, number, bytes);
    if ((number != d->registers.pc && number != d->registers.sp) ||
        !gs_debugger_thread_place(d, d->thread, &pc, &sp))
        return false;
    gs_register_bytes(&d->registers, number, number == d->registers.pc ? pc : sp, bytes);
    return true;
}

static void put_register(gs_debugger *d, unsigned number, char *to)
{
    uint8_t bytes[GS_REGISTER_BYTES];
    const unsigned size = gs_register_size(&d->registers, number);
    memset(to, 'x', 2 * size);
    to[2 * size] = '\0';
    if (read_register(d, number, bytes))
        gs_hex_write(to, bytes, size);
}

static bool send_registers(gs_debugger *d)
{
    char text[2 * GS_REGISTER_BYTES * GS_REGISTERS_MAX + 1] = "";
    size_t at = 0;
    for (unsigned i = 0; i < d->registers.count && d->registers.items[i].general; i++) {
        put_register(d, i, text + at);
        at += 2 * gs_register_size(&d->registers, i);
    }
    return gs_debugger_send(d, text, at);
}

static bool may_change(const gs_debugger *d)
{
    return !gs_debugger_in_past(d);
}

static bool is_running_thread(const gs_debugger *d)
{
    return d->thread == 0 || d->thread == gs_debugger_thread_running(d);
}

static bool write_registers(gs_debugger *d, const char *from)
{
    if (!may_change(d))
        return gs_debugger_say(d, "%s", in_the_past);
    if (!is_running_thread(d))
        return say_error(d);
    for (unsigned i = 0; i < d->registers.count && d->registers.items[i].general && *from; i++) {
        uint8_t bytes[GS_REGISTER_BYTES], now[GS_REGISTER_BYTES];
        const unsigned size = gs_register_size(&d->registers, i);
        if (strncmp(from, "xx", 2) != 0) {
            if (strlen(from) < 2 * size || !gs_hex_read(bytes, from, size))
                return say_error(d);
            if (gs_register_read(&d->registers, d->machine, i, now) &&
                memcmp(now, bytes, size) != 0 && !gs_debugger_edit(d, true, i, bytes, size))
                return say_error(d);
        }
        from += strlen(from) < 2 * size ? strlen(from) : 2 * size;
    }
    return say_ok(d);
}

static bool one_register(gs_debugger *d, const char *at)
{
    uint64_t number;
    char text[2 * GS_REGISTER_BYTES + 1];
    if (!gs_hex_number(&at, &number) || gs_register_size(&d->registers, (unsigned)number) == 0 ||
        number >= d->registers.count)
        return say_error(d);
    put_register(d, (unsigned)number, text);
    return gs_debugger_say(d, "%s", text);
}

static bool write_register(gs_debugger *d, const char *at)
{
    uint64_t number;
    uint8_t bytes[GS_REGISTER_BYTES];
    if (!gs_hex_number(&at, &number) || *at++ != '=' || number >= d->registers.count)
        return say_error(d);
    const unsigned size = gs_register_size(&d->registers, (unsigned)number);
    if (!may_change(d))
        return gs_debugger_say(d, "%s", in_the_past);
    if (strlen(at) != 2 * size || !gs_hex_read(bytes, at, size) || !is_running_thread(d) ||
        !gs_debugger_edit(d, true, (uint32_t)number, bytes, size))
        return say_error(d);
    return say_ok(d);
}

/* -- memory -------------------------------------------------------------------------------------
 */

/* A device is read as the program would, and is as it was before afterwards. */
static bool read_device(gs_debugger *d, gs_addr from, uint8_t *to, size_t size)
{
    gs_machine *machine = d->machine;
    gs_memory *memory = &machine->memory;
    if (!machine->environment->save)
        return false;
    void *saved = machine->environment->save(machine);
    const gs_hart hart = machine->hart;
    const bool saw_time = machine->saw_time;
    bool ok = saved != NULL;
    for (size_t i = 0; i < size && ok;) {
        const size_t left = size - i;
        const gs_addr at = from + (gs_addr)i;
        const unsigned unit = left >= 4 && at % 4 == 0 ? 4 : left >= 2 && at % 2 == 0 ? 2 : 1;
        uint64_t value = 0;
        ok = gs_memory_load(memory, at, unit, &value) == GS_ACCESS_OK;
        for (unsigned k = 0; k < unit; k++)
            to[i + k] = (uint8_t)(value >> 8 * (memory->big_endian ? unit - 1 - k : k));
        i += unit;
    }
    if (saved)
        machine->environment->restore(machine, saved);
    free(saved);
    machine->hart = hart;
    machine->saw_time = saw_time;
    return ok;
}

static bool read_bytes(gs_debugger *d, gs_addr from, uint8_t *to, size_t size)
{
    const gs_memory *memory = &d->machine->memory;
    if ((uint64_t)from + size > UINT64_C(1) << 32)
        return false;
    if (gs_memory_allows(memory, from, size, GS_PROT_MAPPED)) {
        memcpy(to, memory->bytes + from, size);
        return true;
    }
    return memory->prot[from >> GS_PAGE_SHIFT] & GS_PROT_DEVICE && size <= GS_PAGE_SIZE &&
           read_device(d, from, to, size);
}

static bool read_memory(gs_debugger *d, const char *at)
{
    enum { MOST = GS_PACKET_MAX / 2 };
    uint64_t from, size;
    if (!gs_hex_number(&at, &from) || *at++ != ',' || !gs_hex_number(&at, &size) ||
        from > UINT32_MAX)
        return say_error(d);
    size = size < MOST ? size : MOST;
    uint8_t *bytes = malloc(3 * size + 1);
    char *text = (char *)bytes + size;
    bool ok = bytes && read_bytes(d, (gs_addr)from, bytes, size);
    if (ok) {
        gs_hex_write(text, bytes, size);
        ok = gs_debugger_send(d, text, 2 * size);
    } else {
        ok = say_error(d);
    }
    free(bytes);
    return ok;
}

/* M: in hexadecimal; X: as bytes. */
static bool write_memory(gs_debugger *d, const char *packet, size_t length, bool binary)
{
    uint64_t to, size;
    const char *at = packet;
    if (!gs_hex_number(&at, &to) || *at++ != ',' || !gs_hex_number(&at, &size) || *at++ != ':' ||
        to > UINT32_MAX || to + size > UINT64_C(1) << 32)
        return say_error(d);
    if (!may_change(d))
        return gs_debugger_say(d, "%s", in_the_past);
    const size_t left = length - (size_t)(at - packet);
    if (left != (binary ? size : 2 * size))
        return say_error(d);
    uint8_t *bytes = malloc(size + 1);
    bool ok = bytes != NULL;
    if (ok && binary)
        memcpy(bytes, at, size);
    else if (ok)
        ok = gs_hex_read(bytes, at, size);
    if (ok && size > 0)
        ok = gs_debugger_edit(d, false, (uint32_t)to, bytes, (uint32_t)size);
    free(bytes);
    return ok ? say_ok(d) : say_error(d);
}

/* -- breakpoints and watchpoints ----------------------------------------------------------------
 */

static bool set_breakpoint(gs_debugger *d, gs_addr address, bool insert)
{
    size_t i = 0;
    while (i < d->breakpoints.count && d->breakpoints.items[i] != address)
        i++;
    if (insert && i == d->breakpoints.count)
        return gs_vec_push(&d->breakpoints, address);
    if (!insert && i < d->breakpoints.count)
        d->breakpoints.items[i] = d->breakpoints.items[--d->breakpoints.count];
    return true;
}

static bool set_watchpoint(gs_debugger *d, gs_watchpoint w, bool insert)
{
    size_t i = 0;
    while (i < d->watchpoints.count && memcmp(&d->watchpoints.items[i], &w, sizeof w) != 0)
        i++;
    if (insert && i == d->watchpoints.count)
        return gs_vec_push(&d->watchpoints, w);
    if (!insert && i < d->watchpoints.count)
        d->watchpoints.items[i] = d->watchpoints.items[--d->watchpoints.count];
    return true;
}

/* Zn and zn: 0 and 1 are breakpoints, 2 to 4 watch stores, loads and both. */
static bool change_point(gs_debugger *d, const char *packet)
{
    static const unsigned kinds[] = {0, 0, GS_WATCH_STORES, GS_WATCH_LOADS,
                                     GS_WATCH_LOADS | GS_WATCH_STORES};
    enum { MOST = 4096 };
    const bool insert = packet[0] == 'Z';
    const unsigned kind = (unsigned)(packet[1] - '0');
    uint64_t address, size;
    if (kind > 4)
        return say_unknown(d);
    const char *at = packet + 2;
    if (*at++ != ',' || !gs_hex_number(&at, &address) || *at++ != ',' ||
        !gs_hex_number(&at, &size) || address > UINT32_MAX || size > MOST ||
        (kind >= 2 && size == 0) || d->breakpoints.count + d->watchpoints.count > MOST)
        return say_error(d);
    const gs_watchpoint w = {(gs_addr)address, (uint32_t)size, kinds[kind]};
    if (kind < 2 && address % d->machine->isa->unit)
        return say_error(d);
    const bool ok =
        kind < 2 ? set_breakpoint(d, (gs_addr)address, insert) : set_watchpoint(d, w, insert);
    return ok ? say_ok(d) : say_error(d);
}

/* -- queries ------------------------------------------------------------------------------------
 */

static void describe_memory(const gs_debugger *d, FILE *to)
{
    const gs_memory *memory = &d->machine->memory;
    fputs("<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map "
          "V1.0//EN\" \"http://sourceware.org/gdb/gdb-memory-map.dtd\"><memory-map>",
          to);
    for (uint32_t page = 0; page < GS_PAGE_COUNT;) {
        enum { KIND = GS_PROT_MAPPED | GS_PROT_DEVICE | GS_PROT_WRITE };
        const unsigned kind = memory->prot[page] & KIND;
        uint32_t end = page + 1;
        while (end < GS_PAGE_COUNT && (memory->prot[end] & KIND) == kind)
            end++;
        /* gdb extends addresses of MIPS by their sign. */
        const bool negative = d->registers.arch == GS_ARCH_MIPS32 && page >= GS_PAGE_COUNT / 2;
        if (kind & (GS_PROT_MAPPED | GS_PROT_DEVICE))
            fprintf(to, "<memory type=\"%s\" start=\"0x%" PRIx64 "\" length=\"0x%" PRIx64 "\"/>",
                    kind & (GS_PROT_WRITE | GS_PROT_DEVICE) ? "ram" : "rom",
                    (uint64_t)page << GS_PAGE_SHIFT | (negative ? UINT64_MAX << 32 : 0),
                    (uint64_t)(end - page) << GS_PAGE_SHIFT);
        page = end;
    }
    fputs("</memory-map>", to);
}

static void describe_threads(const gs_debugger *d, FILE *to)
{
    fputs("<?xml version=\"1.0\"?><threads>", to);
    for (uint32_t i = 1; i <= gs_debugger_thread_count(d); i++) {
        char name[128];
        if (!gs_debugger_thread_lives(d, i))
            continue;
        gs_debugger_thread_name(d, i, name, sizeof name);
        fprintf(to, "<thread id=\"%" PRIx32 "\" name=\"", i);
        for (const char *c = name; *c; c++) {
            if (*c == '<' || *c == '>' || *c == '&' || *c == '"' || (unsigned char)*c < ' ')
                fprintf(to, "&#%u;", *c < ' ' ? '?' : (unsigned)*c);
            else
                fputc(*c, to);
        }
        fprintf(to, "\">%s</thread>", i == gs_debugger_thread_running(d) ? "runs" : "does not run");
    }
    fputs("</threads>", to);
}

/* A part of an object, as OFFSET,LENGTH says. */
static bool send_part(gs_debugger *d, const char *at, const char *text, size_t size)
{
    uint64_t offset, length;
    if (!text || !gs_hex_number(&at, &offset) || *at++ != ',' || !gs_hex_number(&at, &length))
        return say_error(d);
    if (offset >= size)
        return gs_debugger_say(d, "l");
    const uint64_t left = size - offset, most = GS_PACKET_MAX / 2;
    length = length < most ? length : most;
    const size_t part = left < length ? (size_t)left : (size_t)length;
    char *packet = malloc(part + 1);
    if (!packet)
        return say_error(d);
    packet[0] = part == left ? 'l' : 'm';
    memcpy(packet + 1, text + offset, part);
    const bool ok = gs_debugger_send(d, packet, part + 1);
    free(packet);
    return ok;
}

/* What `describe` writes; NULL when memory is out. */
static char *text_of(gs_debugger *d, size_t *size, int which)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    if (!to)
        return NULL;
    if (which == 'f')
        gs_debug_registers_describe(&d->registers, d->machine, to);
    else if (which == 'm')
        describe_memory(d, to);
    else
        describe_threads(d, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static bool transfer(gs_debugger *d, const char *what)
{
    if (strncmp(what, "features:read:target.xml:", 25) == 0) {
        if (!d->description)
            d->description = text_of(d, &d->description_size, 'f');
        return send_part(d, what + 25, d->description, d->description_size);
    }
    if (strncmp(what, "memory-map:read::", 17) == 0) {
        if (!d->map)
            d->map = text_of(d, &d->map_size, 'm');
        return send_part(d, what + 17, d->map, d->map_size);
    }
    if (strncmp(what, "threads:read::", 14) == 0) {
        size_t size = 0;
        char *threads = text_of(d, &size, 't');
        const bool ok = send_part(d, what + 14, threads, size);
        free(threads);
        return ok;
    }
    return say_unknown(d);
}

static bool list_threads(gs_debugger *d)
{
    char text[2048] = "m";
    size_t at = 1;
    for (uint32_t i = 1; i <= gs_debugger_thread_count(d) && at + 12 < sizeof text; i++) {
        if (gs_debugger_thread_lives(d, i))
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIx32, at > 1 ? "," : "", i);
    }
    return gs_debugger_say(d, "%s", text);
}

static bool name_thread(gs_debugger *d, const char *at)
{
    uint64_t thread;
    char name[128], hex[2 * sizeof name + 1];
    if (!gs_hex_number(&at, &thread) || thread > UINT32_MAX)
        return say_error(d);
    gs_debugger_thread_name(d, (uint32_t)thread, name, sizeof name);
    gs_hex_write(hex, name, strlen(name));
    return gs_debugger_say(d, "%s", hex);
}

static bool monitor(gs_debugger *d, const char *hex)
{
    char command[256];
    const size_t length = strlen(hex) / 2;
    if (length >= sizeof command || !gs_hex_read(command, hex, length))
        return say_error(d);
    command[length] = '\0';
    char *answer = gs_monitor_answer(d, command);
    const size_t size = answer ? strlen(answer) : 0;
    char *text = malloc(2 * size + 1);
    bool ok = answer && text;
    if (ok)
        gs_hex_write(text, answer, size);
    ok = ok ? gs_debugger_send(d, size ? text : "OK", size ? 2 * size : 2) : say_error(d);
    free(answer);
    free(text);
    return ok;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool query(gs_debugger *d, const char *packet)
{
    if (begins(packet, "qSupported"))
        return gs_debugger_say(
            d,
            "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;"
            "qXfer:threads:read+;vContSupported+;%s%s",
            GS_PACKET_MAX,
            d->machine->environment == &gs_environment_bare ? "qXfer:memory-map:read+;" : "",
            d->history.journal ? "ReverseStep+;ReverseContinue+" : "");
    if (begins(packet, "qXfer:"))
        return transfer(d, packet + 6);
    if (begins(packet, "qRcmd,"))
        return monitor(d, packet + 6);
    if (begins(packet, "qThreadExtraInfo,"))
        return name_thread(d, packet + 17);
    if (strcmp(packet, "qC") == 0)
        return gs_debugger_say(d, "QC%" PRIx32, gs_debugger_thread_running(d));
    if (strcmp(packet, "qfThreadInfo") == 0)
        return list_threads(d);
    if (strcmp(packet, "qsThreadInfo") == 0)
        return gs_debugger_say(d, "l");
    if (strcmp(packet, "qAttached") == 0)
        return gs_debugger_say(d, "1");
    if (begins(packet, "qSymbol"))
        return say_ok(d);
    if (strcmp(packet, "QStartNoAckMode") == 0) {
        const bool ok = say_ok(d);
        d->acknowledges = false;
        return ok;
    }
    return say_unknown(d);
}

/* -- going on -----------------------------------------------------------------------------------
 */

static outcome resume(gs_debugger *d, bool step, const char *address)
{
    uint64_t pc;
    if (*address && gs_hex_number(&address, &pc) && may_change(d)) {
        uint8_t bytes[GS_REGISTER_BYTES];
        gs_register_bytes(&d->registers, d->registers.pc, pc, bytes);
        (void)gs_debugger_edit(d, true, d->registers.pc, bytes, sizeof(uint32_t));
    }
    gs_debugger_resume(d, step);
    return RESUME;
}

/* vCont: the first action decides, as all threads run together. */
static outcome resume_threads(gs_debugger *d, const char *packet)
{
    if (*packet == '?')
        return gs_debugger_say(d, "vCont;c;C;s;S") ? STAY : OVER;
    if (*packet != ';' || !packet[1] || !strchr("cCsS", packet[1]))
        return say_error(d) ? STAY : OVER;
    return resume(d, packet[1] == 's' || packet[1] == 'S', "");
}

static outcome go_back(gs_debugger *d, const char *packet)
{
    if (!d->history.journal || (packet[1] != 's' && packet[1] != 'c'))
        return say_unknown(d) ? STAY : OVER;
    gs_debugger_reverse(d, packet[1] == 's');
    return RESUME;
}

static outcome choose_thread(gs_debugger *d, const char *packet)
{
    uint64_t thread = 0;
    const char *at = packet + 1;
    if (packet[0] == 'g' && strcmp(at, "-1") != 0 && gs_hex_number(&at, &thread))
        d->thread = (uint32_t)thread;
    return say_ok(d) ? STAY : OVER;
}

static outcome check_thread(gs_debugger *d, const char *at)
{
    uint64_t thread = 0;
    const bool lives = gs_hex_number(&at, &thread) && thread <= UINT32_MAX &&
                       gs_debugger_thread_lives(d, (uint32_t)thread);
    return (lives ? say_ok(d) : say_error(d)) ? STAY : OVER;
}

static outcome leave(gs_debugger *d)
{
    d->breakpoints.count = d->watchpoints.count = 0;
    gs_debugger_resume(d, false);
    d->left = true;
    (void)say_ok(d);
    return RESUME;
}

static outcome kill_program(gs_debugger *d, bool answer)
{
    d->killed = true;
    if (answer)
        (void)say_ok(d);
    return OVER;
}

/* No answer is expected. */
static outcome restart(gs_debugger *d)
{
    (void)gs_debugger_restart(d);
    return STAY;
}

static outcome obey(gs_debugger *d, const char *packet, size_t size)
{
    bool ok = true;
    switch (packet[0]) {
    case '?': ok = gs_debugger_tell_stop(d); break;
    case 'g': ok = send_registers(d); break;
    case 'G': ok = write_registers(d, packet + 1); break;
    case 'p': ok = one_register(d, packet + 1); break;
    case 'P': ok = write_register(d, packet + 1); break;
    case 'm': ok = read_memory(d, packet + 1); break;
    case 'M': ok = write_memory(d, packet + 1, size - 1, false); break;
    case 'X': ok = write_memory(d, packet + 1, size - 1, true); break;
    case 'Z':
    case 'z': ok = change_point(d, packet); break;
    case 'q':
    case 'Q': ok = query(d, packet); break;
    case 'H': return choose_thread(d, packet + 1);
    case 'T': return check_thread(d, packet + 1);
    case 'c': return resume(d, false, packet + 1);
    case 's': return resume(d, true, packet + 1);
    case 'C':
    case 'S': return resume(d, packet[0] == 'S', "");
    case 'b': return go_back(d, packet);
    case 'D': return leave(d);
    case 'k': return kill_program(d, false);
    case 'R': return restart(d);
    case '!': ok = say_ok(d); break;
    case 'v':
        if (begins(packet, "vCont"))
            return resume_threads(d, packet + 5);
        if (begins(packet, "vKill"))
            return kill_program(d, true);
        ok = say_unknown(d);
        break;
    default: ok = say_unknown(d); break;
    }
    return ok ? STAY : OVER;
}

/* The next packet; false if the other side is gone. */
static bool receive(gs_debugger *d)
{
    for (;;) {
        if (d->incoming_at == d->incoming_size) {
            const ptrdiff_t n = d->link.read(d->link.self, d->incoming, sizeof d->incoming, true);
            if (n <= 0)
                return false;
            d->incoming_at = 0;
            d->incoming_size = (size_t)n;
        }
        switch (gs_packets_take(&d->packets, d->incoming[d->incoming_at++])) {
        case GS_PACKET_NONE:
        case GS_PACKET_INTERRUPT: break; /* it is stopped already */
        case GS_PACKET_RESEND:
            if (d->reply_size > 0 && !resend(d))
                return false;
            break;
        case GS_PACKET_BROKEN:
            if (d->acknowledges && !d->link.write(d->link.self, "-", 1))
                return false;
            break;
        case GS_PACKET_DATA: return !d->acknowledges || d->link.write(d->link.self, "+", 1);
        }
    }
}

bool gs_debugger_converse(gs_debugger *d)
{
    for (;;) {
        if (!receive(d)) {
            d->killed = true;
            return false;
        }
        switch (obey(d, d->packets.data, d->packets.size)) {
        case STAY: break;
        case RESUME: return true;
        case OVER: d->killed = true; return false;
        }
    }
}
