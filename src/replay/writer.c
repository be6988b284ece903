/* Writes a trace: what the reader's predictions do not have. */
#include "replay/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { BUFFER = 1 << 16, LEVEL = 3, NUMBER_MAX = 10, COST_SLOTS = 1 << 12 };

typedef struct block {
    uint32_t successor; /* that came the last time */
    uint32_t count;
    int64_t stack;
    gs_traced *insns;
    uint64_t *accessed; /* a bit per instruction: the execution that comes has told its access */
} block;

struct gs_trace_writer {
    FILE *to;
    ZSTD_CStream *stream;
    uint8_t in[BUFFER], out[BUFFER];
    size_t used;
    int failed; /* an errno, or 0 */
    struct {
        block *items;
        size_t count, capacity;
    } blocks;
    gs_trace_cost *costs; /* what has been written; the first is a cycle */
    uint32_t cost_count;  /* in the table, */
    uint32_t next_cost;   /* where the next goes when it is full */
    uint32_t cost_at[COST_SLOTS];
    uint64_t defined_to; /* where the block defined last ends */
    uint32_t last;       /* block, or GS_TRACE_NO_BLOCK */
    uint64_t same;       /* executions as predicted that have not been written */
    bool exceptional;    /* there are records for the execution that comes */
};

static void fail(gs_trace_writer *w, int why)
{
    w->failed = w->failed ? w->failed : why;
}

static void compress(gs_trace_writer *w, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {w->in, w->used, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {w->out, sizeof w->out, 0};
        left = ZSTD_compressStream2(w->stream, &out, &in, how);
        if (ZSTD_isError(left))
            fail(w, ENOMEM);
        else if (fwrite(w->out, 1, out.pos, w->to) != out.pos)
            fail(w, errno);
    } while (!w->failed && (how == ZSTD_e_continue ? in.pos < in.size : left > 0));
    w->used = 0;
}

static inline void reserve(gs_trace_writer *w, size_t bytes)
{
    if (w->used + bytes > BUFFER)
        compress(w, ZSTD_e_continue);
}

static inline void put_number(gs_trace_writer *w, uint64_t value)
{
    reserve(w, NUMBER_MAX);
    while (value >= 0x80) {
        w->in[w->used++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    w->in[w->used++] = (uint8_t)value;
}

static void put_bytes(gs_trace_writer *w, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        reserve(w, 1);
        size_t part = size - done < BUFFER - w->used ? size - done : BUFFER - w->used;
        memcpy(w->in + w->used, (const uint8_t *)bytes + done, part);
        w->used += part;
        done += part;
    }
}

static void put_record(gs_trace_writer *w, gs_trace_kind kind, uint64_t argument)
{
    put_number(w, argument << 3 | kind);
}

/* The executions that were as predicted come before anything else. */
static void settle(gs_trace_writer *w)
{
    if (w->same > 0)
        put_record(w, GS_TRACE_SAME, w->same - 1);
    w->same = 0;
}

static void put_exception(gs_trace_writer *w, gs_trace_kind kind, uint64_t argument)
{
    settle(w);
    put_record(w, kind, argument);
    w->exceptional = true;
}

gs_trace_writer *gs_trace_writer_open(FILE *to)
{
    gs_trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->to = to;
    w->last = GS_TRACE_NO_BLOCK;
    w->stream = ZSTD_createCStream();
    w->costs = calloc(GS_TRACE_COST_TABLE, sizeof *w->costs);
    if (!w->stream || !w->costs ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->stream, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->stream, ZSTD_c_checksumFlag, 1))) {
        ZSTD_freeCStream(w->stream);
        free(w->costs);
        free(w);
        return NULL;
    }
    w->costs[0].value[0] = 1;
    w->cost_count = 1;
    if (fwrite(GS_TRACE_MAGIC, 1, GS_TRACE_MAGIC_SIZE, to) != GS_TRACE_MAGIC_SIZE)
        fail(w, errno);
    put_number(w, GS_TRACE_VERSION);
    return w;
}

void gs_trace_write_field(gs_trace_writer *w, const char *key, const char *value)
{
    put_number(w, strlen(key));
    put_bytes(w, key, strlen(key));
    put_number(w, strlen(value));
    put_bytes(w, value, strlen(value));
}

void gs_trace_end_header(gs_trace_writer *w)
{
    put_number(w, 0);
}

static bool grow_blocks(gs_trace_writer *w)
{
    size_t capacity = w->blocks.capacity ? w->blocks.capacity * 2 : 1024;
    block *items = realloc(w->blocks.items, capacity * sizeof *items);
    if (!items)
        return false;
    w->blocks.items = items;
    w->blocks.capacity = capacity;
    return true;
}

uint32_t gs_trace_define(gs_trace_writer *w, uint64_t pc, const uint8_t *lengths, size_t count,
                         const uint8_t *code)
{
    size_t size = 0;
    block made = {.successor = GS_TRACE_NO_BLOCK, .count = (uint32_t)count};
    made.insns = calloc(count, sizeof *made.insns);
    made.accessed = calloc((count + 63) / 64, sizeof *made.accessed);
    if (!made.insns || !made.accessed ||
        (w->blocks.count == w->blocks.capacity && !grow_blocks(w))) {
        free(made.insns);
        free(made.accessed);
        fail(w, ENOMEM);
        return GS_TRACE_NO_BLOCK;
    }
    settle(w);
    put_record(w, GS_TRACE_DEFINE, count);
    put_number(w, gs_trace_zigzag((int64_t)(pc - w->defined_to)));
    put_bytes(w, lengths, count);
    for (size_t i = 0; i < count; i++)
        size += lengths[i];
    put_bytes(w, code, size);
    w->defined_to = pc + size;
    w->blocks.items[w->blocks.count] = made;
    return (uint32_t)w->blocks.count++;
}

void gs_trace_access(gs_trace_writer *w, uint32_t number, size_t index, uint64_t address,
                     unsigned size)
{
    if (w->failed)
        return;
    block *b = &w->blocks.items[number];
    gs_traced *insn = &b->insns[index];
    b->accessed[index / 64] |= UINT64_C(1) << index % 64;
    if (insn->size != size || gs_traced_address(insn) != address) {
        put_exception(w, GS_TRACE_ACCESS, index);
        put_number(w, size);
        put_number(w, gs_trace_zigzag((int64_t)(address - gs_traced_address(insn))));
    }
    gs_traced_accessed(insn, address, size);
}

static void put_cost(gs_trace_writer *w, const gs_trace_cost *cost)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < GS_TRACE_COSTS; i++)
        mask |= (uint64_t)(cost->value[i] != 0) << i;
    put_number(w, mask);
    for (unsigned i = 0; i < GS_TRACE_COSTS; i++) {
        if (cost->value[i] != 0)
            put_number(w, cost->value[i]);
    }
}

static uint32_t slot_of(const gs_trace_cost *cost)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < GS_TRACE_COSTS; i++)
        hash = (hash ^ cost->value[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 40) & (COST_SLOTS - 1);
}

static bool same_cost(const gs_trace_cost *a, const gs_trace_cost *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void gs_trace_cost_of(gs_trace_writer *w, uint32_t number, size_t index, const gs_trace_cost *cost)
{
    if (w->failed)
        return;
    gs_traced *insn = &w->blocks.items[number].insns[index];
    if (same_cost(&w->costs[insn->cost], cost))
        return;
    put_exception(w, GS_TRACE_COST, index);
    uint32_t *known = &w->cost_at[slot_of(cost)];
    if (same_cost(&w->costs[*known], cost)) {
        put_number(w, *known + 1);
        insn->cost = *known;
        return;
    }
    put_number(w, 0);
    put_cost(w, cost);
    *known = gs_trace_cost_place(&w->cost_count, &w->next_cost);
    w->costs[*known] = *cost;
    insn->cost = *known;
}

void gs_trace_values(gs_trace_writer *w, uint32_t number, size_t index, uint64_t first,
                     uint64_t second)
{
    if (w->failed)
        return;
    gs_traced *insn = &w->blocks.items[number].insns[index];
    if (insn->value[0] == first && insn->value[1] == second)
        return;
    put_exception(w, GS_TRACE_VALUES, index);
    put_number(w, insn->value[0] = first);
    put_number(w, insn->value[1] = second);
}

void gs_trace_stack(gs_trace_writer *w, uint32_t number, int64_t change)
{
    if (w->failed)
        return;
    block *b = &w->blocks.items[number];
    if (b->stack != change)
        put_exception(w, GS_TRACE_STACK,
                      gs_trace_zigzag((int64_t)((uint64_t)change - (uint64_t)b->stack)));
    b->stack = change;
}

void gs_trace_taken(gs_trace_writer *w)
{
    put_exception(w, GS_TRACE_EVENT, GS_TRACE_TAKEN);
}

/* Instructions that were expected to access memory and did not. */
static void miss_accesses(gs_trace_writer *w, block *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->insns[i].size == 0 || b->accessed[i / 64] >> i % 64 & 1)
            continue;
        put_exception(w, GS_TRACE_ACCESS, i);
        put_number(w, 0);
        b->insns[i].size = 0;
    }
    memset(b->accessed, 0, (b->count + 63) / 64 * sizeof *b->accessed);
}

void gs_trace_execute(gs_trace_writer *w, uint32_t number)
{
    if (w->failed)
        return;
    miss_accesses(w, &w->blocks.items[number]);
    uint32_t *expected = w->last == GS_TRACE_NO_BLOCK ? NULL : &w->blocks.items[w->last].successor;
    const bool predicted = expected && *expected == number;
    if (expected)
        *expected = number;
    w->last = number;
    if (predicted && !w->exceptional) {
        w->same++;
        return;
    }
    settle(w);
    w->exceptional = false;
    if (predicted)
        w->same = 1; /* the first of these has the records that were written before it */
    else
        put_record(w, GS_TRACE_BLOCK, number);
}

static void put_event(gs_trace_writer *w, gs_trace_event event)
{
    settle(w);
    put_record(w, GS_TRACE_EVENT, event);
}

void gs_trace_trap_to(gs_trace_writer *w, uint64_t pc, uint64_t handler,
                      const gs_trace_cost *before)
{
    put_event(w, GS_TRACE_TRAP);
    put_number(w, pc);
    put_number(w, handler);
    put_cost(w, before);
}

void gs_trace_marker(gs_trace_writer *w, uint64_t value, uint64_t cycle)
{
    put_event(w, GS_TRACE_MARKER);
    put_number(w, value);
    put_number(w, cycle);
}

void gs_trace_exit(gs_trace_writer *w, unsigned kind, int code, const char *message)
{
    put_event(w, GS_TRACE_EXIT);
    put_number(w, kind);
    put_number(w, gs_trace_zigzag(code));
    put_number(w, strlen(message));
    put_bytes(w, message, strlen(message));
}

void gs_trace_end(gs_trace_writer *w, uint64_t instructions, const gs_trace_cost *behind)
{
    put_event(w, GS_TRACE_END);
    put_number(w, instructions);
    put_cost(w, behind);
    compress(w, ZSTD_e_end);
    if (fflush(w->to) != 0)
        fail(w, errno);
}

bool gs_trace_writer_close(gs_trace_writer *w)
{
    if (!w)
        return true;
    int failed = w->failed;
    for (size_t i = 0; i < w->blocks.count; i++) {
        free(w->blocks.items[i].insns);
        free(w->blocks.items[i].accessed);
    }
    free(w->blocks.items);
    free(w->costs);
    ZSTD_freeCStream(w->stream);
    free(w);
    if (failed)
        errno = failed;
    return failed == 0;
}
