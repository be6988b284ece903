/* Decodes a function, finds its blocks, and what is live at their ends. */
#include "schedule/routine.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

/* Operand numbers of the calling convention. */
enum { RA = 1, SP = 2, GP = 3, TP = 4, A0 = 10, FS0 = 40, FA0 = 42, FS2 = 50, FT8 = 60 };

#define BITS(from, count) (((UINT64_C(1) << (count)) - 1) << (from))

static const gs_register_set everything = ~UINT64_C(1);
static const gs_register_set fixed = UINT64_C(1) << SP | UINT64_C(1) << GP | UINT64_C(1) << TP;
static const gs_register_set arguments = BITS(A0, 8) | BITS(FA0, 8);
static const gs_register_set results = BITS(A0, 2) | BITS(FA0, 2);
static const gs_register_set preserved =
    BITS(8, 2) | BITS(18, 10) | BITS(FS0, 2) | BITS(FS2, 10); /* s0 to s11, fs0 to fs11 */

static gs_register_set bit_of(unsigned operand)
{
    return operand == GS_OPERAND_NONE || operand >= 64 ? 0 : UINT64_C(1) << operand;
}

gs_register_set gs_routine_reads(const gs_routine_insn *insn)
{
    const uint8_t *source = insn->operands.source;
    return bit_of(source[0]) | bit_of(source[1]) | bit_of(source[2]);
}

gs_register_set gs_routine_writes(const gs_routine_insn *insn)
{
    return bit_of(insn->operands.target[0]) | bit_of(insn->operands.target[1]);
}

/* -- pointers to code ------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool gs_code_pointers_find(gs_code_pointers *pointers, const gs_image *image)
{
    const size_t functions = gs_image_function_count(image);
    if (functions == 0)
        return true;
    const uint64_t lowest = gs_image_function(image, 0)->start;
    const uint64_t highest = gs_image_function(image, functions - 1)->end;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        for (uint64_t at = 0; at + 4 <= segment->file_size; at += 4) {
            const uint8_t *byte = segment->bytes + at;
            uint32_t word = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
                            (uint32_t)byte[3] << 24;
            if (!(word & 1) && word >= lowest && word < highest && !gs_vec_push(pointers, word))
                return false;
        }
    }
    if (pointers->count)
        qsort(pointers->items, pointers->count, sizeof *pointers->items, by_address);
    return true;
}

/* -- instructions ----------------------------------------------------------------------------- */

static const gs_isa *isa_of(const gs_image *image)
{
    return gs_isa_for(gs_image_arch(image));
}

static uint32_t count_insns(const gs_image *image, uint32_t start, uint32_t end)
{
    uint32_t count = 0;
    gs_insn insn;
    for (uint32_t pc = start; pc < end && gs_image_insn_at(image, pc, &insn); pc += insn.length)
        count++;
    return count;
}

/* The index of the instruction at `pc`, or NOWHERE. */
static int32_t index_of(const gs_routine *r, uint64_t pc)
{
    const size_t low = gs_count_below(r->insns, r->insn_count, pc, pc);
    return low < r->insn_count && r->insns[low].pc == pc ? (int32_t)low : GS_ROUTINE_NOWHERE;
}

static bool is_direct(gs_flow flow)
{
    return flow == GS_FLOW_BRANCH || flow == GS_FLOW_JUMP;
}

static void decode(gs_routine *r)
{
    const gs_isa *isa = isa_of(r->image);
    uint32_t pc = r->start;
    for (uint32_t i = 0; i < r->insn_count; i++) {
        gs_routine_insn *at = &r->insns[i];
        (void)gs_image_insn_at(r->image, pc, &at->insn);
        uint64_t target = 0;
        at->pc = pc;
        at->flow = isa->flow(&at->insn, pc, &target);
        at->operands = isa->operands(&at->insn);
        at->class = isa->ops[at->insn.op].timing;
        at->target = is_direct(at->flow) ? (int32_t)(target - r->start) : GS_ROUTINE_NOWHERE;
        if (target < r->start || target >= r->end)
            at->target = GS_ROUTINE_NOWHERE;
        pc += at->insn.length;
    }
}

static void join(gs_routine *r, int32_t at)
{
    if (at != GS_ROUTINE_NOWHERE)
        r->insns[at].leads = r->insns[at].joins = true;
}

static void find_leaders(gs_routine *r, const gs_code_pointers *pointers)
{
    join(r, r->insn_count ? 0 : GS_ROUTINE_NOWHERE);
    for (uint32_t i = 0; i < r->insn_count; i++) {
        gs_routine_insn *at = &r->insns[i];
        if (at->target != GS_ROUTINE_NOWHERE)
            at->target = index_of(r, r->start + (uint32_t)at->target);
        join(r, at->target);
        if (at->flow == GS_FLOW_NEXT || i + 1 == r->insn_count)
            continue;
        r->insns[i + 1].leads = true;
        r->insns[i + 1].joins |= at->flow != GS_FLOW_BRANCH;
    }
    for (size_t i = 0; i < pointers->count; i++) {
        if (pointers->items[i] >= r->start && pointers->items[i] < r->end)
            join(r, index_of(r, pointers->items[i]));
    }
}

static void cut_blocks(gs_routine *r)
{
    gs_routine_block *block = r->blocks - 1;
    for (uint32_t i = 0; i < r->insn_count; i++) {
        if (r->insns[i].leads)
            *++block = (gs_routine_block){.first = i};
        block->count++;
    }
}

/* -- what is live ----------------------------------------------------------------------------- */

/* The block that starts with an instruction. */
static const gs_routine_block *block_at(const gs_routine *r, uint32_t insn)
{
    const size_t low = gs_count_below(r->blocks, r->block_count, first, insn);
    return low < r->block_count ? &r->blocks[low] : NULL;
}

/* Live where the last instruction of a block leads if it jumps. */
static gs_register_set live_at_target(const gs_routine *r, const gs_routine_insn *last,
                                      gs_register_set behind)
{
    const bool links_ra = gs_routine_writes(last) == bit_of(RA);
    switch (last->flow) {
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
        if (last->target != GS_ROUTINE_NOWHERE)
            return block_at(r, (uint32_t)last->target)->live_in;
        return last->flow == GS_FLOW_JUMP ? fixed | arguments | preserved | bit_of(RA) : everything;
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
        return links_ra ? fixed | arguments | (behind & preserved) : everything;
    case GS_FLOW_RETURN: return fixed | preserved | results;
    default: return everything;
    }
}

/* One pass from the last block to the first; whether anything has changed. */
static bool spread(gs_routine *r)
{
    bool changed = false;
    for (uint32_t b = r->block_count; b-- > 0;) {
        gs_routine_block *block = &r->blocks[b];
        gs_routine_insn *last = &r->insns[block->first + block->count - 1];
        block->onward = b + 1 < r->block_count ? r->blocks[b + 1].live_in : everything;
        last->taken = last->flow == GS_FLOW_NEXT ? 0 : live_at_target(r, last, block->onward);
        gs_register_set live = block->onward;
        if (last->flow == GS_FLOW_BRANCH)
            live |= last->taken;
        else if (last->flow != GS_FLOW_NEXT)
            live = last->taken;
        for (uint32_t i = block->count; i-- > 0;) {
            const gs_routine_insn *insn = &r->insns[block->first + i];
            live = (live & ~gs_routine_writes(insn)) | gs_routine_reads(insn);
        }
        changed |= live != block->live_in;
        block->live_in = live;
    }
    return changed;
}

bool gs_routine_read(gs_routine *routine, gs_arena *arena, const gs_image *image,
                     const gs_function *function, const gs_code_pointers *pointers)
{
    gs_routine *r = routine;
    *r = (gs_routine){
        .image = image, .start = (uint32_t)function->start, .end = (uint32_t)function->end};
    r->insn_count = count_insns(image, r->start, r->end);
    r->insns = gs_arena_alloc(arena, r->insn_count * sizeof *r->insns + 1);
    if (!r->insns)
        return false;
    decode(r);
    find_leaders(r, pointers);
    for (uint32_t i = 0; i < r->insn_count; i++)
        r->block_count += r->insns[i].leads;
    r->blocks = gs_arena_alloc(arena, r->block_count * sizeof *r->blocks + 1);
    if (!r->blocks)
        return false;
    cut_blocks(r);
    while (spread(r))
        ;
    return true;
}
