/* Opens a trace with all that stands around a run, and plays it. */
#include "gumshoe/replay.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "replay/code_hash.h"
#include "replay/formats.h"
#include "replay/player.h"
#include "replay/reader.h"
#include "timing/core.h"

enum { PROGRESS = 1 << 22, CHECKED = 1 << 12 };

struct gs_replay {
    const gs_image *image;
    gs_replay_options options;
    gs_input *source;
    gs_machine *machine;
    gs_core *core; /* of the trace's own description, or NULL */
    gs_timing *timing;
    bool has_cycles;
    const char *format;
    gs_player player;
    /* Gumshoe's own format, */
    gs_trace_reader *trace;
    gs_trace_item item;
    uint8_t columns[GS_TRACE_COSTS]; /* of its costs: index + 1 of gs_recorded_column(), or 0 */
    gs_recorded_cost cost, tail;
    uint64_t stack; /* pointer, behind the block played last */
    /* or another. */
    const gs_replay_format_reader *reader;
    void *state;
    gs_replay_record record;
    uint64_t cycle; /* of the record before */
    bool trapped, ended;
    uint64_t trapped_at;
    gs_recorded_cost before_trap;
    bool has_next, interrupted; /* the record before says where control goes; an interrupt comes */
    uint64_t next_pc;
};

/* -- a machine that does nothing -- */

static gs_status start(gs_machine *machine, const gs_machine_options *options, gs_error *err)
{
    gs_status status = GS_OK;
    (void)options;
    for (size_t i = 0; i < gs_image_segment_count(machine->image) && status == GS_OK; i++) {
        const gs_segment *segment = gs_image_segment(machine->image, i);
        const unsigned prot = GS_PROT_READ | (segment->write ? GS_PROT_WRITE : 0) |
                              (segment->execute || segment->no_flags ? GS_PROT_EXEC : 0);
        if (segment->memory_size == 0)
            continue;
        if (segment->address + segment->memory_size > UINT32_MAX)
            return gs_fail(err, GS_E_UNSUPPORTED, "%s: a segment lies above 4 GiB",
                           gs_image_name(machine->image));
        const gs_addr at = (gs_addr)segment->address;
        const unsigned before = machine->memory.prot[at >> GS_PAGE_SHIFT];
        status = gs_memory_map(&machine->memory, at, segment->memory_size, prot, err);
        if (status == GS_OK && (before & GS_PROT_MAPPED))
            gs_memory_protect(&machine->memory, at, 1, prot | before);
        if (status == GS_OK && segment->file_size > 0)
            (void)gs_memory_poke(&machine->memory, at, segment->bytes, segment->file_size);
    }
    return status;
}

static void trap(gs_machine *machine)
{
    (void)machine;
}

static uint64_t events(gs_machine *machine, uint64_t now)
{
    (void)machine;
    (void)now;
    return UINT64_MAX;
}

/* The name is that of the environment the trace was made in. */
#define ENVIRONMENT(name_)                                                            \
    {                                                                                 \
        .name = (name_), .start = start, .trap = trap, .events = events, .stop = trap \
    }
static const gs_environment environments[] = {ENVIRONMENT("trace"), ENVIRONMENT("bare"),
                                              ENVIRONMENT("linux")};

static const gs_environment *environment_of(const gs_replay *r)
{
    const char *name = r->trace ? gs_trace_field(r->trace, "environment") : NULL;
    for (size_t i = 0; name && i < sizeof environments / sizeof *environments; i++) {
        if (strcmp(environments[i].name, name) == 0)
            return &environments[i];
    }
    return &environments[0];
}

static uint64_t number_field(const gs_replay *r, const char *key)
{
    const char *text = r->trace ? gs_trace_field(r->trace, key) : NULL;
    return text ? strtoull(text, NULL, 10) : 0;
}

/* A core that times is asked what it would cost, so memory and devices are where they would be. */
static gs_status open_machine(gs_replay *r, const gs_core *core, gs_error *err)
{
    gs_machine_options options = gs_machine_options_default();
    if (core)
        gs_core_configure(core, &options);
    if (core && !r->has_cycles) {
        options.board = r->options.board;
        return gs_machine_open(&r->machine, r->image, &options, err);
    }
    gs_status status = gs_machine_open_in(&r->machine, r->image, environment_of(r), &options, err);
    if (status != GS_OK || !r->trace)
        return status;
    const char *variables = gs_trace_field(r->trace, "variables");
    if (variables) {
        char *copy = strdup(variables);
        if (!copy)
            return gs_fail_no_memory(err);
        free(r->machine->variables);
        r->machine->variables = copy;
    }
    r->machine->inherit = (unsigned)number_field(r, "inherited") & 7;
    if (number_field(r, "clock_hz"))
        r->machine->clock_hz = number_field(r, "clock_hz");
    return GS_OK;
}

/* -- cycles -- */

static const char unknown_core[] =
    "name: traced\n"
    "summary: the core that the trace was made on, of which it does not say more\n"
    "evidence: the cycles are those of the trace\n"
    "isa: any\n"
    "clock_hz: 100_000_000\n"
    "pipeline: sequential\n"
    "misaligned: allow\n";

/* The core that the cycles of the trace are of. */
static gs_status core_of_trace(gs_replay *r, const gs_core **core, gs_error *err)
{
    *core = r->options.core;
    if (*core || !r->has_cycles)
        return GS_OK;
    const char *yaml = r->trace ? gs_trace_field(r->trace, "core") : NULL;
    if (!yaml)
        yaml = unknown_core;
    gs_status status =
        gs_core_parse(&r->core, "the trace's core", yaml, strlen(yaml), NULL, 0, err);
    *core = r->core;
    return status;
}

static gs_status find_columns(gs_replay *r, const char *list, gs_error *err)
{
    for (unsigned i = 0; *list; i++) {
        const size_t length = strcspn(list, ",");
        if (i == GS_TRACE_COSTS)
            return gs_fail(err, GS_E_FORMAT, "%.200s: costs have too many columns",
                           r->source->name);
        for (size_t c = 0; c < gs_recorded_column_count(); c++) {
            const char *name = gs_recorded_column(c);
            if (strlen(name) == length && strncmp(name, list, length) == 0)
                r->columns[i] = (uint8_t)(c + 1);
        }
        if (!r->columns[i])
            return gs_fail(err, GS_E_UNSUPPORTED,
                           "%.200s: its costs have a column '%.*s', which this Gumshoe does not "
                           "know",
                           r->source->name, (int)(length < 40 ? length : 40), list);
        list += length + (list[length] == ',');
    }
    return GS_OK;
}

static void convert(const gs_replay *r, gs_recorded_cost *to, const gs_trace_cost *from)
{
    *to = (gs_recorded_cost){0};
    for (unsigned i = 0; i < GS_TRACE_COSTS; i++) {
        if (r->columns[i] && from->value[i])
            *gs_recorded_value(to, r->columns[i] - 1u) = from->value[i];
    }
}

/* -- opening -- */

static gs_status check_program(gs_replay *r, gs_error *err)
{
    const char *hash = gs_trace_field(r->trace, "code");
    const char *isa = gs_trace_field(r->trace, "isa"),
               *program = gs_trace_field(r->trace, "program");
    if (hash && strtoull(hash, NULL, 10) != gs_code_hash(r->image))
        return gs_fail(err, GS_E_FORMAT,
                       "%.150s is a trace of another program than %.150s: that of %.150s%s%.20s",
                       r->source->name, gs_image_name(r->image), program ? program : "?",
                       isa ? ", for " : "", isa ? isa : "");
    r->player.may_change |= hash != NULL; /* it is the program, so what is otherwise, it changed */
    return GS_OK;
}

static gs_status open_own(gs_replay *r, gs_error *err)
{
    r->source->at += GS_TRACE_MAGIC_SIZE;
    r->format = "gumshoe";
    gs_status status = gs_trace_reader_open(&r->trace, r->source, err);
    if (status != GS_OK)
        return status;
    const char *costs = gs_trace_field(r->trace, "costs");
    r->has_cycles = costs != NULL;
    return costs ? find_columns(r, costs, err) : GS_OK;
}

static bool is_own(const gs_input *source)
{
    return source->end - source->at >= GS_TRACE_MAGIC_SIZE &&
           memcmp(source->buffer + source->at, GS_TRACE_MAGIC, GS_TRACE_MAGIC_SIZE) == 0;
}

static gs_status choose_reader(gs_replay *r, gs_error *err)
{
    const char *bytes = (const char *)r->source->buffer + r->source->at;
    const size_t size = r->source->end - r->source->at;
    const char *wanted = r->options.format;
    for (size_t i = 0; gs_replay_readers[i]; i++) {
        const gs_replay_format_reader *reader = gs_replay_readers[i];
        if (wanted ? strcmp(reader->name, wanted) == 0 : reader->recognizes(bytes, size)) {
            r->reader = reader;
            r->format = reader->name;
            return GS_OK;
        }
    }
    if (wanted && strcmp(wanted, "gumshoe") != 0)
        return gs_fail(err, GS_E_ARGUMENT, "there is no format '%.40s' of traces", wanted);
    return gs_fail(err, GS_E_FORMAT,
                   wanted ? "%.200s is no trace of Gumshoe's own format"
                          : "%.200s is no trace in a format that is known by its beginning; "
                            "--format says which it is",
                   r->source->name);
}

static gs_status read_record(gs_replay *r, gs_error *err)
{
    memset(&r->record, 0, sizeof r->record);
    return r->reader->next(r->state, &r->record, err);
}

static gs_status open_foreign(gs_replay *r, gs_error *err)
{
    const gs_replay_reader_options options = {
        .prefix = r->options.prefix,
        .sp = gs_image_arch(r->image) == GS_ARCH_RV32 ? 2 : 29,
        .big_endian = gs_image_big_endian(r->image),
    };
    gs_status status = choose_reader(r, err);
    if (status == GS_OK)
        status = r->reader->open(&r->state, r->source, &options, err);
    if (status == GS_OK)
        status = read_record(r, err);
    r->has_cycles = status == GS_OK && r->record.has_cycle;
    return status;
}

/* The first item that is executed says where the program begins. */
static gs_status find_start(gs_replay *r, uint64_t *pc, gs_error *err)
{
    if (!r->trace) {
        *pc = r->record.what == GS_REPLAY_END ? gs_image_entry(r->image) : r->record.pc;
        return GS_OK;
    }
    gs_status status = gs_trace_next(r->trace, &r->item, err);
    if (status != GS_OK)
        return status;
    *pc = r->item.kind == GS_TRACE_ITEM_BLOCK  ? r->item.block->pc
          : r->item.kind == GS_TRACE_ITEM_TRAP ? r->item.pc
                                               : gs_image_entry(r->image);
    return GS_OK;
}

static gs_status open_around(gs_replay *r, gs_error *err)
{
    const gs_core *core;
    uint64_t pc = 0;
    const bool may_change = r->player.may_change;
    gs_status status = core_of_trace(r, &core, err);
    if (status == GS_OK)
        status = open_machine(r, core, err);
    if (status == GS_OK && core)
        status = (r->has_cycles ? gs_timing_open_recorded : gs_timing_open)(&r->timing, core,
                                                                            r->machine, err);
    if (status == GS_OK)
        status = find_start(r, &pc, err);
    if (status != GS_OK)
        return status;
    gs_player *p = &r->player;
    gs_player_init(p, r->machine, r->timing, r->has_cycles);
    p->may_change = may_change;
    p->tells_traps = r->trace != NULL && !gs_trace_field(r->trace, "plugin");
    p->knows_stack = r->trace ? gs_trace_field(r->trace, "stack") != NULL : r->record.tells_stack;
    p->maps = core && !r->has_cycles && r->machine->environment == &gs_environment_linux;
    r->machine->hart.pc = (gs_addr)pc;
    r->stack = p->knows_stack ? number_field(r, "stack") : 0x7ffffff0;
    *p->sp = (uint32_t)r->stack;
    return GS_OK;
}

/* Messages have words of the trace in them. */
static gs_status plainly(gs_status status, gs_error *err)
{
    if (status != GS_OK && err)
        gs_plain_text(err->message, "");
    return status;
}

static gs_status open_with(gs_replay **out, gs_input *source, const gs_image *image,
                           const gs_replay_options *options, gs_error *err)
{
    gs_replay *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) {
        gs_input_free(source);
        return gs_fail_no_memory(err);
    }
    r->image = image;
    r->source = source;
    if (options)
        r->options = *options;
    r->player.may_change = r->options.changing_code;
    gs_status status = gs_input_fill(source, CHECKED, err);
    const bool own = !r->options.format || strcmp(r->options.format, "gumshoe") == 0;
    if (status == GS_OK)
        status = own && is_own(source) ? open_own(r, err) : open_foreign(r, err);
    if (status == GS_OK && r->trace)
        status = check_program(r, err);
    if (status == GS_OK)
        status = open_around(r, err);
    if (status != GS_OK) {
        gs_replay_free(r);
        return plainly(status, err);
    }
    *out = r;
    return GS_OK;
}

static bool ends_in(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

gs_status gs_replay_open(gs_replay **out, const char *path, const gs_image *image,
                         const gs_replay_options *options, gs_error *err)
{
    const char *const fst[] = {"fst2vcd", path, NULL};
    gs_input *source;
    *out = NULL;
    gs_status status = ends_in(path, ".fst") ? gs_input_open_program(&source, path, fst, err)
                                             : gs_input_open(&source, path, err);
    if (status == GS_E_NOT_FOUND && ends_in(path, ".fst"))
        return gs_fail(err, status,
                       "%.200s: an FST file is read with the program fst2vcd, which is not here: "
                       "Debian has it in the package gtkwave",
                       path);
    return status == GS_OK ? open_with(out, source, image, options, err) : status;
}

gs_status gs_replay_open_memory(gs_replay **out, const void *bytes, size_t size,
                                const gs_image *image, const gs_replay_options *options,
                                gs_error *err)
{
    gs_input *source;
    *out = NULL;
    gs_status status = gs_input_open_memory(&source, bytes, size, err);
    return status == GS_OK ? open_with(out, source, image, options, err) : status;
}

void gs_replay_free(gs_replay *r)
{
    if (!r)
        return;
    if (r->reader)
        r->reader->close(r->state);
    gs_trace_reader_free(r->trace);
    gs_timing_free(r->timing);
    gs_machine_free(r->machine);
    gs_core_free(r->core);
    gs_input_free(r->source);
    free(r);
}

gs_machine *gs_replay_machine(const gs_replay *r)
{
    return r->machine;
}

gs_timing *gs_replay_timing(const gs_replay *r)
{
    return r->timing;
}

const char *gs_replay_format(const gs_replay *r)
{
    return r->format;
}

bool gs_replay_has_cycles(const gs_replay *r)
{
    return r->has_cycles;
}

size_t gs_replay_format_count(void)
{
    size_t count = 1;
    while (gs_replay_readers[count - 1])
        count++;
    return count;
}

const char *gs_replay_format_name(size_t index)
{
    if (index == 0)
        return "gumshoe";
    return index < gs_replay_format_count() ? gs_replay_readers[index - 1]->name : NULL;
}

/* -- playing Gumshoe's own format -- */

/* What does not change from one execution of a block to the next. */
typedef struct decoded {
    const gs_insn *insn;
    uint64_t target;
    gs_flow flow;
    uint32_t pc;
} decoded;

static gs_status decode_block(gs_replay *r, gs_traced_block *block, gs_error *err)
{
    const uint8_t *code = block->code;
    uint64_t pc = block->pc;
    if (!block->decoded) {
        block->decoded = calloc(block->count, sizeof(decoded));
        if (!block->decoded)
            return gs_fail_no_memory(err);
    }
    decoded *d = block->decoded;
    for (uint32_t i = 0; i < block->count; i++, d++) {
        gs_status status = gs_player_decode(&r->player, &d->insn, pc, code, block->lengths[i], err);
        if (status != GS_OK)
            return status;
        if (d->insn->length != block->lengths[i])
            return gs_fail(err, GS_E_FORMAT,
                           "%.200s: record %" PRIu64 ": the instruction at 0x%08" PRIx64
                           " has %u bytes, and not %u",
                           r->source->name, gs_trace_record_number(r->trace), pc, d->insn->length,
                           block->lengths[i]);
        d->pc = (uint32_t)pc;
        d->flow = r->machine->isa->flow(d->insn, pc, &d->target);
        pc += block->lengths[i];
        code += block->lengths[i];
    }
    block->epoch = (uint64_t)r->machine->memory.code_changes + 1;
    return GS_OK;
}

/* The jump of a block, which its delay slot may follow. */
static uint32_t jump_of(const gs_player *p, const gs_traced_block *block)
{
    const decoded *d = block->decoded;
    for (uint32_t i = block->count; i-- > 0;) {
        if (d[i].flow != GS_FLOW_NEXT || gs_player_is_jump(p, d[i].insn))
            return i;
    }
    return block->count;
}

static gs_status play_block(gs_replay *r, gs_error *err)
{
    gs_traced_block *block = r->item.block;
    gs_player *p = &r->player;
    if (__builtin_expect(block->epoch != (uint64_t)r->machine->memory.code_changes + 1, 0)) {
        gs_player_settle_before(p, block->pc);
        gs_status status = decode_block(r, block, err);
        if (status != GS_OK)
            return status;
    }
    const decoded *d = block->decoded;
    const uint32_t jump = __builtin_expect(r->item.taken, 0) ? jump_of(p, block) : UINT32_MAX;
    for (uint32_t i = 0; i < block->count; i++, d++) {
        const gs_traced *did = &block->insns[i];
        gs_played played = {
            .pc = d->pc,
            .address = did->address,
            .size = did->size,
            .taken = i == jump,
            .value = {did->value[0], did->value[1]},
        };
        if (r->has_cycles && did->cost != 0) {
            convert(r, &r->cost, gs_trace_cost_at(r->trace, did->cost));
            played.cost = &r->cost;
        }
        gs_player_play_decoded(p, &played, d->insn, d->flow, d->target);
    }
    if (block->stack != 0 && p->knows_stack)
        gs_player_stack(p, (uint32_t)(r->stack += (uint64_t)block->stack));
    return GS_OK;
}

static gs_status end_own(gs_replay *r, gs_error *err)
{
    gs_player_end(&r->player);
    if (r->item.instructions != r->player.number)
        return gs_fail(err, GS_E_FORMAT,
                       "%.200s: it says that it has %" PRIu64 " instructions, and has %" PRIu64,
                       r->source->name, r->item.instructions, r->player.number);
    if (r->has_cycles) {
        convert(r, &r->tail, &r->item.cost);
        gs_recorded_pass(r->timing, &r->tail);
    }
    r->ended = true;
    return GS_OK;
}

static void set_exit(gs_replay *r)
{
    gs_exit exit = {.kind = GS_EXIT_INTERRUPTED};
    if (r->item.value <= GS_EXIT_INTERRUPTED)
        exit.kind = (gs_exit_kind)r->item.value;
    if (exit.kind == GS_EXIT_SIGNAL)
        exit.signal = r->item.code;
    else
        exit.code = r->item.code;
    memcpy(exit.message, r->item.text, sizeof exit.message - 1);
    if (exit.kind != GS_EXIT_NONE)
        gs_machine_end(r->machine, exit);
}

static gs_status play_own(gs_replay *r, gs_error *err)
{
    gs_recorded_cost before;
    gs_status status = GS_OK;
    switch (r->item.kind) {
    case GS_TRACE_ITEM_BLOCK: status = play_block(r, err); break;
    case GS_TRACE_ITEM_TRAP:
        convert(r, &before, &r->item.cost);
        gs_player_trap(&r->player, r->item.pc, r->item.handler, &before);
        break;
    case GS_TRACE_ITEM_MARKER:
        status = gs_player_marker(&r->player, r->item.value, r->item.cycle, err);
        break;
    case GS_TRACE_ITEM_EXIT: set_exit(r); break;
    case GS_TRACE_ITEM_END: return end_own(r, err);
    }
    return status == GS_OK ? gs_trace_next(r->trace, &r->item, err) : status;
}

/* -- playing other formats -- */

static void cost_of_record(gs_replay *r, gs_recorded_cost *cost)
{
    const gs_replay_record *record = &r->record;
    const uint64_t cycles = record->cycle > r->cycle ? record->cycle - r->cycle : 0;
    uint64_t known = 0;
    *cost = (gs_recorded_cost){.cycles = cycles};
    for (unsigned i = 0; i < GS_STALL_COUNT && record->has_stalls; i++)
        known += cost->stalls[i] = record->stalls[i];
    /* What it waited for, the trace does not say. */
    if (cycles > known + 1)
        cost->stalls[GS_STALL_STRUCTURAL] += cycles - known - 1;
    if (record->has_caches) {
        cost->icache.reads = record->icache_hits + record->icache_misses;
        cost->icache.read_misses = record->icache_misses;
        uint64_t accesses = record->dcache_hits + record->dcache_misses;
        *(record->writes ? &cost->dcache.writes : &cost->dcache.reads) = accesses;
        *(record->writes ? &cost->dcache.write_misses : &cost->dcache.read_misses) =
            record->dcache_misses;
    }
    r->cycle = record->cycle;
}

/* No instruction has issued. */
static void cost_of_trap(gs_replay *r, gs_recorded_cost *cost)
{
    uint64_t lost = 0;
    cost_of_record(r, cost);
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        lost += cost->stalls[i];
    if (cost->cycles > lost)
        cost->stalls[GS_STALL_TRAP] += cost->cycles - lost;
}

static gs_status play_retired(gs_replay *r, gs_error *err)
{
    const gs_replay_record *record = &r->record;
    gs_played played = {
        .pc = record->pc,
        .code = record->code_size ? record->code : NULL,
        .code_size = record->code_size,
        .address = record->address,
        .size = record->size,
    };
    if (r->has_cycles) {
        cost_of_record(r, &r->cost);
        played.cost = &r->cost;
    }
    gs_status status = gs_player_play(&r->player, &played, err);
    r->has_next = record->has_next;
    r->next_pc = record->next_pc;
    r->interrupted = record->interrupts;
    if (record->has_stack)
        gs_player_stack(&r->player, (uint32_t)record->stack);
    return status;
}

/* Whether QEMU may end a block behind an instruction that is no jump: at the end of a page, and
 * where the state of the processor changes. */
static bool may_end_block(const gs_isa *isa, const gs_insn *insn, uint64_t behind, uint32_t count)
{
    enum { QEMU_MOST = 512 };
    const unsigned class = isa->ops[insn->op].timing;
    return (behind & (GS_PAGE_SIZE - 1)) < 4 || count >= QEMU_MOST || class == GS_CLASS_CSR ||
           class == GS_CLASS_FENCE || class == GS_CLASS_FENCE_I || class == GS_CLASS_SYSTEM;
}

/* QEMU names blocks only: what is in them, the program says. */
static gs_status play_straight(gs_replay *r, gs_error *err)
{
    const gs_isa *isa = r->machine->isa;
    uint64_t pc = r->record.pc, target;
    for (uint32_t i = 1; i <= GS_PAGE_SIZE; i++) {
        const gs_insn *insn;
        gs_status status = gs_player_decode(&r->player, &insn, pc, NULL, 0, err);
        if (status != GS_OK)
            return status;
        const gs_flow flow = isa->flow(insn, pc, &target);
        gs_player_play_decoded(&r->player, &(gs_played){.pc = pc}, insn, flow, target);
        pc += insn->length;
        if (pc == r->record.next_pc && flow == GS_FLOW_NEXT && may_end_block(isa, insn, pc, i))
            return GS_OK;
        if (flow == GS_FLOW_NEXT && !gs_player_is_jump(&r->player, insn))
            continue;
        if (isa->delay_slots && gs_player_is_jump(&r->player, insn)) {
            status = gs_player_decode(&r->player, &insn, pc, NULL, 0, err);
            if (status == GS_OK)
                gs_player_play_decoded(&r->player, &(gs_played){.pc = pc}, insn,
                                       isa->flow(insn, pc, &target), target);
            return status;
        }
        return GS_OK;
    }
    return GS_OK;
}

static gs_status play_foreign(gs_replay *r, gs_error *err)
{
    const gs_replay_record *record = &r->record;
    gs_status status = GS_OK;
    if (record->what != GS_REPLAY_END && r->trapped)
        gs_player_trap(&r->player, r->trapped_at, record->pc, &r->before_trap);
    else if (record->what != GS_REPLAY_END && r->has_next &&
             (r->interrupted || r->next_pc != record->pc))
        gs_player_trap(&r->player, r->next_pc, record->pc, NULL);
    r->trapped = r->has_next = false;
    switch (record->what) {
    case GS_REPLAY_RETIRED: status = play_retired(r, err); break;
    case GS_REPLAY_BLOCK: status = play_straight(r, err); break;
    case GS_REPLAY_TRAPPED:
        r->trapped = true;
        r->trapped_at = record->pc;
        r->before_trap = (gs_recorded_cost){0};
        if (r->has_cycles && record->has_cycle)
            cost_of_trap(r, &r->before_trap);
        break;
    case GS_REPLAY_END:
        gs_player_end(&r->player);
        r->ended = true;
        return gs_input_finish(r->source, err);
    }
    return status == GS_OK ? read_record(r, err) : status;
}

/* -- the run -- */

static bool limit_reached(const gs_replay *r, const gs_run_options *options)
{
    return (options->max_instructions && r->player.number >= options->max_instructions) ||
           (options->max_cycles && r->timing && gs_timing_cycles(r->timing) >= options->max_cycles);
}

gs_status gs_replay_run(gs_replay *r, const gs_run_options *options, gs_error *err)
{
    gs_machine *machine = r->machine;
    gs_status status = GS_OK;
    uint64_t reported = 0;
    gs_player_watch(&r->player, options->observers, options->observer_count, options->region);
    while (status == GS_OK && !r->ended) {
        if (limit_reached(r, options)) {
            machine->exit = (gs_exit){.kind = GS_EXIT_LIMIT};
            break;
        }
        if (options->cancel && *options->cancel) {
            machine->exit = *options->cancel == SIGALRM
                                ? (gs_exit){.kind = GS_EXIT_LIMIT, .message = "of time"}
                                : (gs_exit){.kind = GS_EXIT_INTERRUPTED};
            break;
        }
        status = r->trace ? play_own(r, err) : play_foreign(r, err);
        if (options->progress && r->player.number - reported >= PROGRESS) {
            reported = r->player.number;
            options->progress(options->progress_self, machine);
        }
    }
    if (!r->ended)
        gs_player_end(&r->player);
    gs_player_fini(&r->player);
    if (r->timing)
        gs_timing_finished(r->timing);
    return plainly(status, err);
}
