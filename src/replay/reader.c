/* Reads a trace, and trusts nothing in it. */
#include "replay/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/vec.h"

enum { BUFFER = 1 << 17, FIELDS = 32, KEY_BYTES = 64 };
/* Of all blocks, with what is kept of their instructions. */
static const size_t most_memory = (size_t)1 << 30;

typedef struct field {
    char *key, *value;
} field;

struct gs_trace_reader {
    gs_input *source;
    ZSTD_DStream *stream;
    uint8_t *bytes; /* BUFFER of them, decompressed */
    size_t at, end;
    bool stream_ended;
    uint64_t records, offset; /* of what stands at bytes[0] in the decompressed trace */
    struct {
        field *items;
        size_t count, capacity;
    } fields;
    struct {
        gs_traced_block **items;
        size_t count, capacity;
    } blocks;
    size_t memory;
    gs_trace_cost *costs;
    uint32_t cost_count, next_cost;
    uint64_t defined_to;
    gs_traced_block *last;
    uint64_t same; /* further executions as predicted */
    bool taken;
    /* Records of the execution that comes, kept until it is known which block that is. */
    struct {
        struct exception {
            uint8_t kind;
            uint32_t index;
            uint64_t value[2];
        } * items;
        size_t count, capacity;
    } exceptions;
};

static gs_status damaged(const gs_trace_reader *r, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static gs_status damaged(const gs_trace_reader *r, gs_error *err, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gs_fail(err, GS_E_FORMAT,
                   "%.200s: record %" PRIu64 " (byte %" PRIu64 " of the trace, decompressed): %s",
                   r->source->name, r->records, r->offset + r->at, text);
}

static gs_status decompress(gs_trace_reader *r, gs_error *err)
{
    memmove(r->bytes, r->bytes + r->at, r->end - r->at);
    r->offset += r->at;
    r->end -= r->at;
    r->at = 0;
    const size_t before = r->end;
    while (r->end == before) {
        gs_status status = gs_input_fill(r->source, 1, err);
        if (status != GS_OK)
            return status;
        if (r->source->at == r->source->end)
            return damaged(r, err,
                           "the file ends in the middle of the trace: it has been cut, or "
                           "what wrote it was stopped");
        if (r->stream_ended)
            return damaged(r, err, "there is something behind the end of the compressed trace");
        ZSTD_inBuffer in = {r->source->buffer, r->source->end, r->source->at};
        ZSTD_outBuffer out = {r->bytes, BUFFER, r->end};
        size_t left = ZSTD_decompressStream(r->stream, &out, &in);
        r->source->at = in.pos;
        r->end = out.pos;
        if (ZSTD_isError(left))
            return damaged(r, err, "it cannot be decompressed (%s): the file is damaged",
                           ZSTD_getErrorName(left));
        r->stream_ended = left == 0;
    }
    return GS_OK;
}

/* Makes `count` bytes (at most BUFFER) stand at bytes + at. */
static inline gs_status need(gs_trace_reader *r, size_t count, gs_error *err)
{
    gs_status status = GS_OK;
    while (r->end - r->at < count && status == GS_OK)
        status = decompress(r, err);
    return status;
}

static gs_status get_number(gs_trace_reader *r, uint64_t *value, gs_error *err)
{
    uint64_t sum = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (r->at == r->end) {
            gs_status status = decompress(r, err);
            if (status != GS_OK)
                return status;
        }
        uint8_t byte = r->bytes[r->at++];
        if (shift == 63 && byte > 1)
            return damaged(r, err, "a number has more than 64 bits");
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    *value = sum;
    return GS_OK;
}

static gs_status get_text(gs_trace_reader *r, char **out, size_t size, gs_error *err)
{
    char *text = malloc(size + 1);
    *out = NULL;
    if (!text)
        return gs_fail_no_memory(err);
    for (size_t done = 0; done < size;) {
        gs_status status = need(r, 1, err);
        if (status != GS_OK) {
            free(text);
            return status;
        }
        size_t part = r->end - r->at < size - done ? r->end - r->at : size - done;
        memcpy(text + done, r->bytes + r->at, part);
        r->at += part;
        done += part;
    }
    text[size] = '\0';
    *out = text;
    return GS_OK;
}

static gs_status read_field(gs_trace_reader *r, uint64_t key_size, gs_error *err)
{
    field f = {0};
    uint64_t size;
    if (key_size > KEY_BYTES || r->fields.count == FIELDS)
        return damaged(r, err, "the header is not one of a trace");
    gs_status status = get_text(r, &f.key, key_size, err);
    if (status == GS_OK)
        status = get_number(r, &size, err);
    if (status == GS_OK && size > GS_TRACE_FIELD)
        status = damaged(r, err, "the header's field '%.64s' is too long", f.key);
    if (status == GS_OK)
        status = get_text(r, &f.value, size, err);
    if (status == GS_OK && !gs_vec_push(&r->fields, f))
        status = gs_fail_no_memory(err);
    if (status != GS_OK) {
        free(f.key);
        free(f.value);
    }
    return status;
}

static gs_status read_header(gs_trace_reader *r, gs_error *err)
{
    uint64_t number;
    gs_status status = get_number(r, &number, err);
    if (status == GS_OK && number != GS_TRACE_VERSION)
        status = gs_fail(err, GS_E_UNSUPPORTED,
                         "%.200s: the trace has format %" PRIu64 ", and this Gumshoe knows %d",
                         r->source->name, number, GS_TRACE_VERSION);
    while (status == GS_OK) {
        status = get_number(r, &number, err);
        if (status != GS_OK || number == 0)
            break;
        status = read_field(r, number, err);
    }
    return status;
}

gs_status gs_trace_reader_open(gs_trace_reader **out, gs_input *source, gs_error *err)
{
    gs_trace_reader *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return gs_fail_no_memory(err);
    r->source = source;
    r->stream = ZSTD_createDStream();
    r->bytes = malloc(BUFFER);
    r->costs = calloc(GS_TRACE_COST_TABLE, sizeof *r->costs);
    gs_status status = r->stream && r->bytes && r->costs ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK) {
        r->costs[0].value[0] = 1;
        r->cost_count = 1;
        status = read_header(r, err);
    }
    if (status != GS_OK) {
        gs_trace_reader_free(r);
        return status;
    }
    *out = r;
    return GS_OK;
}

static void free_block(gs_traced_block *block)
{
    free(block->lengths);
    free(block->code);
    free(block->insns);
    free(block->decoded);
    free(block);
}

void gs_trace_reader_free(gs_trace_reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->blocks.count; i++)
        free_block(r->blocks.items[i]);
    free(r->blocks.items);
    for (size_t i = 0; i < r->fields.count; i++) {
        free(r->fields.items[i].key);
        free(r->fields.items[i].value);
    }
    free(r->fields.items);
    free(r->exceptions.items);
    free(r->costs);
    free(r->bytes);
    ZSTD_freeDStream(r->stream);
    free(r);
}

const char *gs_trace_field(const gs_trace_reader *r, const char *key)
{
    for (size_t i = 0; i < r->fields.count; i++) {
        if (strcmp(r->fields.items[i].key, key) == 0)
            return r->fields.items[i].value;
    }
    return NULL;
}

const gs_trace_cost *gs_trace_cost_at(const gs_trace_reader *r, uint32_t number)
{
    return &r->costs[number];
}

uint64_t gs_trace_record_number(const gs_trace_reader *r)
{
    return r->records;
}

static gs_status read_lengths(gs_trace_reader *r, gs_traced_block *block, gs_error *err)
{
    gs_status status = need(r, block->count, err);
    if (status != GS_OK)
        return status;
    memcpy(block->lengths, r->bytes + r->at, block->count);
    r->at += block->count;
    for (uint32_t i = 0; i < block->count; i++) {
        if (block->lengths[i] == 0 || block->lengths[i] > GS_TRACE_INSN_BYTES)
            return damaged(r, err, "an instruction of %u bytes", block->lengths[i]);
        block->size += block->lengths[i];
    }
    return GS_OK;
}

static gs_status define(gs_trace_reader *r, uint64_t count, gs_error *err)
{
    uint64_t distance;
    if (count == 0 || count > GS_TRACE_BLOCK_INSNS)
        return damaged(r, err, "a block of %" PRIu64 " instructions; there are 1 to %d in one",
                       count, GS_TRACE_BLOCK_INSNS);
    gs_status status = get_number(r, &distance, err);
    if (status != GS_OK)
        return status;
    r->memory += sizeof(gs_traced_block) + count * (sizeof(gs_traced) + 32);
    if (r->memory > most_memory)
        return damaged(r, err, "the trace has more code than any program");
    gs_traced_block *block = calloc(1, sizeof *block);
    if (!block)
        return gs_fail_no_memory(err);
    block->pc = r->defined_to + (uint64_t)gs_trace_unzigzag(distance);
    block->count = (uint32_t)count;
    block->successor = GS_TRACE_NO_BLOCK;
    block->lengths = malloc(count);
    block->insns = calloc(count, sizeof *block->insns);
    status = block->lengths && block->insns ? read_lengths(r, block, err) : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = need(r, block->size, err);
    if (status == GS_OK && !(block->code = malloc(block->size)))
        status = gs_fail_no_memory(err);
    if (status == GS_OK) {
        memcpy(block->code, r->bytes + r->at, block->size);
        r->at += block->size;
        r->defined_to = block->pc + block->size;
        if (!gs_vec_push(&r->blocks, block))
            status = gs_fail_no_memory(err);
    }
    if (status != GS_OK)
        free_block(block);
    return status;
}

static gs_status read_cost(gs_trace_reader *r, gs_trace_cost *cost, gs_error *err)
{
    uint64_t mask;
    *cost = (gs_trace_cost){0};
    gs_status status = get_number(r, &mask, err);
    if (status == GS_OK && mask >> GS_TRACE_COSTS)
        status = damaged(r, err, "a cost has at most %d numbers", GS_TRACE_COSTS);
    for (unsigned i = 0; i < GS_TRACE_COSTS && status == GS_OK; i++) {
        if (mask >> i & 1)
            status = get_number(r, &cost->value[i], err);
    }
    return status;
}

/* A cost that is new to the table, or the number of one that is there. */
static gs_status read_cost_number(gs_trace_reader *r, uint64_t *number, gs_error *err)
{
    gs_status status = get_number(r, number, err);
    if (status != GS_OK)
        return status;
    if (*number > r->cost_count)
        return damaged(r, err, "there is no cost number %" PRIu64, *number - 1);
    if (*number > 0) {
        --*number;
        return GS_OK;
    }
    gs_trace_cost cost;
    status = read_cost(r, &cost, err);
    *number = gs_trace_cost_place(&r->cost_count, &r->next_cost);
    r->costs[*number] = cost;
    return status;
}

static gs_status keep_exception(gs_trace_reader *r, gs_trace_kind kind, uint64_t argument,
                                gs_error *err)
{
    struct exception e = {.kind = (uint8_t)kind, .index = (uint32_t)argument};
    gs_status status = GS_OK;
    if (kind == GS_TRACE_STACK) {
        e.index = 0;
        e.value[0] = argument;
    } else if (argument >= GS_TRACE_BLOCK_INSNS) {
        return damaged(r, err, "no block has an instruction %" PRIu64, argument);
    }
    if (kind == GS_TRACE_ACCESS) {
        status = get_number(r, &e.value[0], err);
        if (status == GS_OK && e.value[0] > UINT8_MAX)
            status = damaged(r, err, "an access of %" PRIu64 " bytes", e.value[0]);
        if (status == GS_OK && e.value[0] > 0)
            status = get_number(r, &e.value[1], err);
    } else if (kind == GS_TRACE_COST) {
        status = read_cost_number(r, &e.value[0], err);
    } else if (kind == GS_TRACE_VALUES) {
        status = get_number(r, &e.value[0], err);
        if (status == GS_OK)
            status = get_number(r, &e.value[1], err);
    }
    if (status == GS_OK && r->exceptions.count > 4 * GS_TRACE_BLOCK_INSNS)
        status = damaged(r, err, "more records for one execution than there can be");
    if (status == GS_OK && !gs_vec_push(&r->exceptions, e))
        status = gs_fail_no_memory(err);
    return status;
}

static void follow_pattern(gs_traced_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        gs_traced *insn = &block->insns[i];
        if (insn->size)
            insn->address = gs_traced_address(insn);
    }
}

static gs_status apply_exceptions(gs_trace_reader *r, gs_traced_block *block, gs_error *err)
{
    uint64_t touched[GS_TRACE_BLOCK_INSNS / 64] = {0};
    for (size_t i = 0; i < r->exceptions.count; i++) {
        const struct exception *e = &r->exceptions.items[i];
        if (e->index >= block->count)
            return damaged(r, err, "instruction %u of a block that has %u", e->index, block->count);
        gs_traced *insn = &block->insns[e->index];
        switch (e->kind) {
        case GS_TRACE_STACK: {
            block->stack =
                (int64_t)((uint64_t)block->stack + (uint64_t)gs_trace_unzigzag(e->value[0]));
            break;
        }
        case GS_TRACE_COST: insn->cost = (uint32_t)e->value[0]; break;
        case GS_TRACE_VALUES:
            insn->value[0] = e->value[0];
            insn->value[1] = e->value[1];
            break;
        default: {
            uint64_t address = gs_traced_address(insn) + (uint64_t)gs_trace_unzigzag(e->value[1]);
            gs_traced_accessed(insn, address, (unsigned)e->value[0]);
            touched[e->index / 64] |= UINT64_C(1) << e->index % 64;
            break;
        }
        }
    }
    r->exceptions.count = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        gs_traced *insn = &block->insns[i];
        if (insn->size && !(touched[i / 64] >> i % 64 & 1))
            insn->address = gs_traced_address(insn);
    }
    return GS_OK;
}

static gs_status execute(gs_trace_reader *r, gs_traced_block *block, gs_trace_item *item,
                         gs_error *err)
{
    gs_status status = GS_OK;
    if (r->exceptions.count > 0)
        status = apply_exceptions(r, block, err);
    else
        follow_pattern(block);
    r->last = block;
    item->kind = GS_TRACE_ITEM_BLOCK;
    item->block = block;
    item->taken = r->taken;
    r->taken = false;
    return status;
}

static gs_status execute_same(gs_trace_reader *r, gs_trace_item *item, gs_error *err)
{
    if (!r->last || r->last->successor == GS_TRACE_NO_BLOCK)
        return damaged(r, err,
                       "the next block is to be the one that followed before, and there "
                       "is none");
    return execute(r, r->blocks.items[r->last->successor], item, err);
}

static gs_status read_exit(gs_trace_reader *r, gs_trace_item *item, gs_error *err)
{
    uint64_t code, size;
    char *text = NULL;
    gs_status status = get_number(r, &item->value, err);
    if (status == GS_OK)
        status = get_number(r, &code, err);
    if (status == GS_OK)
        status = get_number(r, &size, err);
    if (status == GS_OK && size >= sizeof item->text)
        status = damaged(r, err, "a message of %" PRIu64 " bytes", size);
    if (status == GS_OK)
        status = get_text(r, &text, size, err);
    if (status == GS_OK) {
        item->code = (int)gs_trace_unzigzag(code);
        memcpy(item->text, text, size + 1);
    }
    free(text);
    return status;
}

static gs_status check_end(gs_trace_reader *r, gs_error *err)
{
    return r->at == r->end ? GS_OK : damaged(r, err, "there are records behind the end");
}

/* *again: it was for the execution that comes, and there is no item yet. */
static gs_status read_event(gs_trace_reader *r, uint64_t event, gs_trace_item *item, bool *again,
                            gs_error *err)
{
    gs_status status;
    switch (event) {
    case GS_TRACE_TAKEN: r->taken = *again = true; return GS_OK;
    case GS_TRACE_TRAP:
        item->kind = GS_TRACE_ITEM_TRAP;
        status = get_number(r, &item->pc, err);
        if (status == GS_OK)
            status = get_number(r, &item->handler, err);
        return status == GS_OK ? read_cost(r, &item->cost, err) : status;
    case GS_TRACE_MARKER:
        item->kind = GS_TRACE_ITEM_MARKER;
        status = get_number(r, &item->value, err);
        return status == GS_OK ? get_number(r, &item->cycle, err) : status;
    case GS_TRACE_EXIT: item->kind = GS_TRACE_ITEM_EXIT; return read_exit(r, item, err);
    case GS_TRACE_END:
        item->kind = GS_TRACE_ITEM_END;
        status = get_number(r, &item->instructions, err);
        if (status == GS_OK)
            status = read_cost(r, &item->cost, err);
        return status == GS_OK ? check_end(r, err) : status;
    default: return damaged(r, err, "there is no event %" PRIu64, event);
    }
}

static gs_status read_record(gs_trace_reader *r, gs_trace_item *item, bool *again, gs_error *err)
{
    uint64_t head;
    gs_status status = get_number(r, &head, err);
    r->records++;
    if (status != GS_OK)
        return status;
    const gs_trace_kind kind = (gs_trace_kind)(head & 7);
    const uint64_t argument = head >> 3;
    switch (kind) {
    case GS_TRACE_SAME: r->same = argument; return execute_same(r, item, err);
    case GS_TRACE_BLOCK:
        if (argument >= r->blocks.count)
            return damaged(r, err, "block %" PRIu64 " is not defined", argument);
        if (r->last)
            r->last->successor = (uint32_t)argument;
        return execute(r, r->blocks.items[argument], item, err);
    case GS_TRACE_DEFINE: *again = true; return define(r, argument, err);
    case GS_TRACE_EVENT: return read_event(r, argument, item, again, err);
    default: *again = true; return keep_exception(r, kind, argument, err);
    }
}

gs_status gs_trace_next(gs_trace_reader *r, gs_trace_item *item, gs_error *err)
{
    if (r->same > 0) {
        r->same--;
        return execute_same(r, item, err);
    }
    for (;;) {
        bool again = false;
        gs_status status = read_record(r, item, &again, err);
        if (status != GS_OK || !again)
            return status;
    }
}
