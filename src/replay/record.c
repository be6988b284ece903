/* The observer that writes a run down as a trace. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/replay.h"
#include "gumshoe/version.h"
#include "base/error.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "replay/code_hash.h"
#include "replay/writer.h"
#include "timing/recorded.h"

enum { ALL = GS_TRACE_BLOCK_INSNS, SLOTS = 1 << 12 };

/* A block that has been defined. */
typedef struct known {
    uint32_t pc, count, number;
    uint32_t *words;
    uint32_t next; /* of the same hash: index + 1, or 0 */
} known;

struct gs_record {
    const gs_machine *machine;
    const gs_timing *timing;
    gs_trace_writer *writer;
    gs_observer observer;
    gs_recorded_cost before; /* what the timing had counted when the last instruction retired */
    const uint32_t *sp;
    uint32_t sp_before;
    uint64_t instructions;
    size_t markers;
    bool no_memory, taken, in_slot;
    /* The block that is being executed. */
    uint32_t count, pc;
    uint32_t words[ALL];
    uint8_t lengths[ALL];
    struct {
        uint32_t address;
        uint8_t size;
        bool has_values;
        uint32_t value[2];
    } did[ALL];
    gs_trace_cost costs[ALL];
    struct {
        known *items;
        size_t count, capacity;
    } known;
    uint32_t by_hash[SLOTS]; /* index + 1 */
};

static gs_trace_cost to_columns(const gs_recorded_cost *cost)
{
    gs_trace_cost columns = {0};
    for (size_t i = 0; i < gs_recorded_column_count(); i++)
        columns.value[i] = *gs_recorded_value((gs_recorded_cost *)cost, i);
    return columns;
}

/* What has passed since the last call. */
static gs_trace_cost passed(gs_record *r)
{
    if (!r->timing)
        return (gs_trace_cost){.value = {1}};
    const gs_recorded_cost now = gs_recorded_read(r->timing);
    const gs_recorded_cost cost = gs_recorded_difference(&now, &r->before);
    r->before = now;
    return to_columns(&cost);
}

static void code_of(const gs_record *r, uint8_t code[ALL * 4])
{
    const bool big = r->machine->memory.big_endian;
    for (uint32_t i = 0; i < r->count; i++) {
        for (unsigned b = 0; b < r->lengths[i]; b++)
            *code++ = (uint8_t)(r->words[i] >> 8 * (big ? r->lengths[i] - 1u - b : b));
    }
}

/* GS_TRACE_NO_BLOCK when memory is out. */
static uint32_t number_of_block(gs_record *r)
{
    uint32_t hash = r->pc ^ r->count;
    for (uint32_t i = 0; i < r->count; i++)
        hash = (hash ^ r->words[i]) * UINT32_C(0x9e3779b1);
    uint32_t *first = &r->by_hash[hash >> 20];
    for (uint32_t at = *first; at; at = r->known.items[at - 1].next) {
        const known *k = &r->known.items[at - 1];
        if (k->pc == r->pc && k->count == r->count &&
            memcmp(k->words, r->words, r->count * sizeof *k->words) == 0)
            return k->number;
    }
    uint8_t code[ALL * 4];
    code_of(r, code);
    known k = {.pc = r->pc, .count = r->count, .next = *first};
    k.words = malloc(r->count * sizeof *k.words);
    if (!k.words)
        return GS_TRACE_NO_BLOCK;
    memcpy(k.words, r->words, r->count * sizeof *k.words);
    k.number = gs_trace_define(r->writer, r->pc, r->lengths, r->count, code);
    if (k.number == GS_TRACE_NO_BLOCK || !gs_vec_push(&r->known, k)) {
        free(k.words);
        return GS_TRACE_NO_BLOCK;
    }
    *first = (uint32_t)r->known.count;
    return k.number;
}

/* Writes the block that has been executed up to now. */
static void flush(gs_record *r)
{
    if (r->count == 0)
        return;
    gs_trace_writer *w = r->writer;
    const uint32_t block = number_of_block(r);
    r->no_memory |= block == GS_TRACE_NO_BLOCK;
    if (!r->no_memory) {
        for (uint32_t i = 0; i < r->count; i++) {
            if (r->did[i].size)
                gs_trace_access(w, block, i, r->did[i].address, r->did[i].size);
            if (r->timing)
                gs_trace_cost_of(w, block, i, &r->costs[i]);
            else if (r->did[i].has_values)
                gs_trace_values(w, block, i, r->did[i].value[0], r->did[i].value[1]);
        }
        gs_trace_stack(w, block, (int32_t)(*r->sp - r->sp_before));
        if (r->taken)
            gs_trace_taken(w);
        gs_trace_execute(w, block);
    }
    r->sp_before = *r->sp;
    r->count = 0;
    r->taken = false;
}

/* Whether what it costs on some core depends on its operands. */
static bool has_values(const gs_record *r, const gs_insn *insn)
{
    switch (r->machine->isa->ops[insn->op].timing) {
    case GS_CLASS_SHIFT:
    case GS_CLASS_MUL:
    case GS_CLASS_MULH:
    case GS_CLASS_MULT:
    case GS_CLASS_DIV: return !r->timing;
    default: return false;
    }
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_record *r = self;
    const gs_insn *insn = event->insn;
    const uint32_t i = r->count++, straight = (uint32_t)event->pc + insn->length;
    if (i == 0)
        r->pc = (uint32_t)event->pc;
    r->words[i] = insn->raw;
    r->lengths[i] = insn->length;
    r->did[i].address = (uint32_t)event->address;
    r->did[i].size = (uint8_t)event->size;
    r->did[i].has_values = has_values(r, insn);
    r->did[i].value[0] = (uint32_t)event->value[0];
    r->did[i].value[1] = (uint32_t)event->value[1];
    if (r->timing)
        r->costs[i] = passed(r);
    r->instructions++;
    if (event->taken) {
        const uint32_t slots = machine->isa->delay_slots && event->next_pc != event->goal ? 4 : 0;
        r->taken |= event->goal == straight + slots;
    }
    bool over = event->next_pc != straight || r->count == ALL || r->in_slot;
    const bool slot_follows =
        event->taken && machine->isa->delay_slots && event->next_pc == straight;
    r->in_slot = slot_follows;
    if (slot_follows && r->count < ALL)
        over = false;
    else
        over |= event->transfers;
    if (machine->markers.count > r->markers)
        over = true;
    if (over)
        flush(r);
    for (; r->markers < machine->markers.count; r->markers++)
        gs_trace_marker(r->writer, machine->markers.items[r->markers].value,
                        r->timing ? gs_timing_clock(r->timing) : event->number + 1 + machine->idle);
}

static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    gs_record *r = self;
    (void)machine;
    flush(r);
    const gs_trace_cost nothing = {0}, before = r->timing ? passed(r) : nothing;
    gs_trace_trap_to(r->writer, event->pc, event->handler, &before);
}

static void write_number(gs_trace_writer *w, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    gs_trace_write_field(w, key, text);
}

static void write_columns(gs_trace_writer *w)
{
    char text[512], *at = text;
    for (size_t i = 0; i < gs_recorded_column_count(); i++)
        at += snprintf(at, sizeof text - (size_t)(at - text), "%s%s", i ? "," : "",
                       gs_recorded_column(i));
    gs_trace_write_field(w, "costs", text);
}

static void write_header(const gs_record *r)
{
    gs_trace_writer *w = r->writer;
    const gs_machine *machine = r->machine;
    gs_trace_write_field(w, "by", "gumshoe " GUMSHOE_VERSION);
    gs_trace_write_field(w, "program", gs_image_name(machine->image));
    gs_trace_write_field(w, "isa", machine->isa->name);
    gs_trace_write_field(w, "environment", machine->environment->name);
    gs_trace_write_field(w, "variables", machine->variables);
    write_number(w, "inherited", machine->inherit);
    write_number(w, "code", gs_code_hash(machine->image));
    write_number(w, "clock_hz", machine->clock_hz);
    write_number(w, "stack", *r->sp);
    if (r->timing) {
        gs_trace_write_field(w, "core", gs_core_yaml(gs_timing_core(r->timing)));
        write_columns(w);
    }
    gs_trace_end_header(w);
}

gs_status gs_record_open(gs_record **out, const gs_machine *machine, const gs_timing *timing,
                         FILE *to, gs_error *err)
{
    *out = NULL;
    gs_record *r = calloc(1, sizeof *r);
    if (!r)
        return gs_fail_no_memory(err);
    r->machine = machine;
    r->timing = timing;
    r->sp = machine->isa->arch == GS_ARCH_RV32 ? &machine->hart.rv.x[2] : &machine->hart.mips.r[29];
    r->sp_before = *r->sp;
    r->observer = (gs_observer){
        .retired = on_retired, .trapped = on_trapped, .self = r, .name = "a recorded trace"};
    if (timing)
        r->before = gs_recorded_read(timing);
    r->writer = gs_trace_writer_open(to);
    if (!r->writer) {
        free(r);
        return gs_fail_no_memory(err);
    }
    write_header(r);
    *out = r;
    return GS_OK;
}

const gs_observer *gs_record_observer(const gs_record *r)
{
    return &r->observer;
}

gs_status gs_record_finish(gs_record *r, gs_error *err)
{
    const gs_exit *exit = &r->machine->exit;
    flush(r);
    gs_trace_exit(r->writer, exit->kind, exit->kind == GS_EXIT_SIGNAL ? exit->signal : exit->code,
                  exit->message);
    const gs_trace_cost nothing = {0}, behind = r->timing ? passed(r) : nothing;
    gs_trace_end(r->writer, r->instructions, &behind);
    bool good = gs_trace_writer_close(r->writer);
    r->writer = NULL;
    if (r->no_memory)
        return gs_fail_no_memory(err);
    return good ? GS_OK : gs_fail(err, GS_E_IO, "the trace cannot be written: %s", strerror(errno));
}

void gs_record_free(gs_record *r)
{
    if (!r)
        return;
    (void)gs_trace_writer_close(r->writer);
    for (size_t i = 0; i < r->known.count; i++)
        free(r->known.items[i].words);
    free(r->known.items);
    free(r);
}
