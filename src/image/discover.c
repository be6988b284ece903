/*
 * Functions that have no symbol.
 *
 * Code that can be reached but belongs to no function gets one, so that no cycle
 * falls between. A new function starts at every call target in such a gap, and at
 * the first reachable instruction of it; it ends where the next one begins.
 *
 * In a stripped program everything is a gap, and a walk from the entry point
 * alone ends at the first call through a register (`__libc_start_main(main)`).
 * So there the walk also goes to addresses of code that code puts into registers.
 */
#include "image/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "image/constants.h"
#include "image/walk.h"

enum { RV_NOP = 0x00000013, RV_C_NOP = 0x0001 };

enum { PLAUSIBLE_INSNS = 16, MAX_ROUNDS = 16 };

/* How many bytes of what linkers and assemblers fill gaps with are at `pc`; 0 if code is. */
static unsigned padding_at(const gs_image *image, uint64_t pc)
{
    const gs_segment *segment = gs_image_segment_at(image, pc);
    gs_insn insn;
    if (!segment || !gs_image_fetch(image, segment, pc - segment->address, &insn))
        return image->isa->unit; /* less than an instruction left */
    if (insn.raw == 0)
        return insn.length;
    bool nop = image->arch == GS_ARCH_RV32 && (insn.raw == RV_NOP || insn.raw == RV_C_NOP);
    return nop ? insn.length : 0;
}

static uint64_t skip_padding(const gs_image *image, uint64_t pc, uint64_t end)
{
    while (pc < end) {
        unsigned padding = padding_at(image, pc);
        if (!padding)
            break;
        pc += padding;
    }
    return pc < end ? pc : end;
}

static uint64_t align_up(uint64_t address, unsigned unit)
{
    return (address + unit - 1) / unit * unit;
}

/* Visits the ranges of code that no function covers, in order of addresses. */
typedef struct gap_cursor {
    const gs_image *image;
    size_t functions; /* how many there were at the start: the table may grow meanwhile */
    size_t code, function;
    uint64_t at;
} gap_cursor;

static bool next_gap(gap_cursor *cursor, gs_address_range *gap)
{
    const gs_image *image = cursor->image;
    for (; cursor->code < image->code.count; cursor->code++) {
        const gs_address_range *range = &image->code.items[cursor->code];
        if (cursor->at < range->start)
            cursor->at = align_up(range->start, image->isa->unit);
        while (cursor->at < range->end) {
            const gs_function *next = NULL;
            while (cursor->function < cursor->functions) {
                next = &image->functions.items[cursor->function];
                if (next->end > cursor->at)
                    break;
                cursor->function++;
                next = NULL;
            }
            if (next && next->start <= cursor->at) {
                cursor->at = align_up(next->end, image->isa->unit);
                continue;
            }
            gap->start = cursor->at;
            gap->end = next && next->start < range->end ? next->start : range->end;
            cursor->at = gap->end;
            return true;
        }
    }
    return false;
}

static bool has_gaps(const gs_image *image)
{
    gap_cursor cursor = {.image = image, .functions = image->functions.count};
    gs_address_range gap;
    while (next_gap(&cursor, &gap))
        if (skip_padding(image, gap.start, gap.end) < gap.end)
            return true;
    return false;
}

/* Text, tables and constants have something illegal or a jump to nowhere within a few words. */
bool gs_image_looks_like_code(const gs_image *image, uint64_t pc)
{
    const gs_address_range *range = gs_image_code_at(image, pc);
    if (!range || padding_at(image, pc))
        return false;
    for (int i = 0; i < PLAUSIBLE_INSNS && pc < range->end; i++) {
        gs_insn insn;
        uint64_t target = 0;
        if (!gs_image_insn_at(image, pc, &insn))
            return false;
        switch (image->isa->flow(&insn, pc, &target)) {
        case GS_FLOW_ILLEGAL: return false;
        case GS_FLOW_JUMP: return gs_image_code_at(image, target);
        case GS_FLOW_JUMP_INDIRECT:
        case GS_FLOW_RETURN:
        case GS_FLOW_TRAP_RETURN: return true;
        case GS_FLOW_BRANCH:
        case GS_FLOW_BRANCH_CALL:
        case GS_FLOW_CALL:
            if (!gs_image_code_at(image, target))
                return false;
            break;
        default: break;
        }
        pc += insn.length;
    }
    return true;
}

static bool is_reached(const gs_walk *walk, uint64_t pc)
{
    const uint8_t *mark = gs_walk_marks_at(walk, pc);
    return mark && (*mark & GS_WALK_INSN);
}

/*
 * Reads code in order of addresses, and walks on from what looks like the address of a function.
 * Where instructions are of one length, code that has not been reached is read too, for its calls:
 * few constants look like one.
 */
static gs_status follow_addresses(gs_walk *walk, bool *found, gs_error *err)
{
    const gs_image *image = walk->image;
    gs_status status = GS_OK;
    *found = false;
    for (size_t i = 0; i < image->code.count; i++) {
        gs_constants constants;
        gs_constants_start(&constants, image);
        uint64_t pc = align_up(image->code.items[i].start, image->isa->unit);
        for (; !status && pc < image->code.items[i].end; pc += image->isa->unit) {
            gs_insn insn;
            uint64_t address = 0;
            if ((image->isa->unit < 4 && !is_reached(walk, pc)) ||
                !gs_image_insn_at(image, pc, &insn))
                continue;
            bool call = image->isa->flow(&insn, pc, &address) == GS_FLOW_CALL;
            if (!call && !gs_constants_step(&constants, pc, &insn, &address))
                continue;
            /* Code within a function is not a function. */
            if (is_reached(walk, address) || !gs_image_looks_like_code(image, address))
                continue;
            *found = true;
            status = gs_walk_from(walk, address, GS_WALK_CALLED, err);
        }
    }
    return status;
}

static bool push_function(gs_image *image, uint64_t start, uint64_t end)
{
    char name[32];
    snprintf(name, sizeof name, "fn_%08llx", (unsigned long long)start);
    gs_function function = {
        .start = start,
        .end = end,
        .name = gs_strings_keep(&image->strings, name),
        .discovered = true,
    };
    return function.name && gs_vec_push(&image->functions, function);
}

static bool fill_gap(gs_image *image, const gs_walk *walk, gs_address_range gap, bool stripped)
{
    /* Behind a call that never returns, a walk goes on into what fills the gap. */
    uint64_t content = skip_padding(image, gap.start, gap.end);
    if (content == gap.end)
        return true;
    unsigned unit = image->isa->unit;
    uint64_t start = stripped ? content : gap.end; /* of the function being filled in */
    for (uint64_t pc = gap.start; pc < gap.end; pc += unit) {
        const uint8_t *mark = gs_walk_marks_at(walk, pc);
        if (!mark || !(*mark & GS_WALK_INSN))
            continue;
        if (pc > start && (*mark & GS_WALK_CALLED)) {
            if (!push_function(image, start, pc))
                return false;
            start = pc;
        } else if (pc < start) {
            start = pc;
        }
    }
    return start >= gap.end || push_function(image, start, gap.end);
}

static int by_start(const void *a, const void *b)
{
    const gs_function *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

gs_status gs_image_discover_functions(gs_image *image, gs_error *err)
{
    bool stripped = image->functions.count == 0;
    if (!stripped && !has_gaps(image))
        return GS_OK;

    gs_walk walk;
    gs_status status = gs_walk_open(&walk, image, err);
    if (status)
        return status;
    status = gs_walk_from(&walk, image->entry, GS_WALK_CALLED, err);
    if (!status)
        status = gs_walk_from_functions(&walk, err);
    bool found = stripped;
    for (int round = 0; !status && found && round < MAX_ROUNDS; round++)
        status = follow_addresses(&walk, &found, err);

    gap_cursor cursor = {.image = image, .functions = image->functions.count};
    gs_address_range gap;
    while (!status && next_gap(&cursor, &gap))
        if (!fill_gap(image, &walk, gap, stripped))
            status = gs_fail_no_memory(err);
    if (!status && image->functions.count)
        qsort(image->functions.items, image->functions.count, sizeof *image->functions.items,
              by_start);
    gs_walk_close(&walk);
    return status;
}
