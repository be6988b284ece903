/* Marks the instructions that direct control flow reaches, each decoded once. */
#include "image/walk.h"

#include <stdlib.h>

#include "base/vec.h"

size_t gs_walk_mark_count(const gs_walk *walk, size_t index)
{
    return (size_t)(walk->image->segments.items[index].file_size / walk->image->isa->unit);
}

gs_status gs_walk_open(gs_walk *walk, const gs_image *image, gs_error *err)
{
    *walk = (gs_walk){.image = image};
    walk->marks = calloc(image->segments.count, sizeof *walk->marks);
    if (!walk->marks)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < image->segments.count; i++) {
        if (!image->segments.items[i].execute)
            continue;
        walk->marks[i] = calloc(gs_walk_mark_count(walk, i) + 1, 1);
        if (!walk->marks[i]) {
            gs_walk_close(walk);
            return gs_fail_no_memory(err);
        }
    }
    return GS_OK;
}

void gs_walk_close(gs_walk *walk)
{
    for (size_t i = 0; walk->marks && i < walk->image->segments.count; i++)
        free(walk->marks[i]);
    free(walk->marks);
    free(walk->todo.items);
    *walk = (gs_walk){0};
}

bool gs_flow_has_slot(gs_flow flow)
{
    switch (flow) {
    case GS_FLOW_NEXT:
    case GS_FLOW_TRAP:
    case GS_FLOW_TRAP_RETURN:
    case GS_FLOW_ILLEGAL: return false;
    default: return true;
    }
}

/* The segment of an instruction address, or NULL. */
static const gs_segment *code_segment(const gs_walk *walk, uint64_t pc)
{
    const gs_segment *segment = gs_image_segment_at(walk->image, pc);
    unsigned unit = walk->image->isa->unit;
    bool fits = segment && segment->execute && pc % unit == 0 && segment->address % unit == 0 &&
                (pc - segment->address) / unit < segment->file_size / unit;
    return fits ? segment : NULL;
}

uint8_t *gs_walk_marks_at(const gs_walk *walk, uint64_t pc)
{
    const gs_segment *segment = code_segment(walk, pc);
    if (!segment)
        return NULL;
    uint8_t *marks = walk->marks[segment - walk->image->segments.items];
    return marks + (pc - segment->address) / walk->image->isa->unit;
}

/* Marks a leader, and puts it on the list unless it has been there. */
static bool mark_leader(gs_walk *walk, uint64_t pc, uint8_t flags)
{
    uint8_t *mark = gs_walk_marks_at(walk, pc);
    if (!mark)
        return true;
    bool seen = *mark & (GS_WALK_INSN | GS_WALK_LEADER);
    *mark |= (uint8_t)(GS_WALK_LEADER | flags);
    return seen || gs_vec_push(&walk->todo, pc);
}

/* From one leader to where straight-line code ends or has been walked already. */
static bool walk_straight(gs_walk *walk, uint64_t pc)
{
    const gs_image *image = walk->image;
    const gs_isa *isa = image->isa;
    const gs_segment *segment = code_segment(walk, pc);
    uint8_t *marks = walk->marks[segment - image->segments.items];
    uint64_t offset = pc - segment->address;
    while (offset < segment->file_size) {
        uint8_t *mark = &marks[offset / isa->unit];
        if (*mark & GS_WALK_INSN) {
            /* Two streams meet that do not share the instruction before: a leader for both. */
            *mark |= GS_WALK_LEADER;
            return true;
        }
        gs_insn insn;
        if (!gs_image_fetch(image, segment, offset, &insn))
            return true;
        *mark |= GS_WALK_INSN;

        uint64_t target = 0;
        pc = segment->address + offset;
        gs_flow flow = isa->flow(&insn, pc, &target);
        offset += insn.length;
        if (flow == GS_FLOW_NEXT)
            continue;
        if (gs_flow_has_slot(flow))
            offset += isa->delay_slots * isa->unit;
        uint64_t onwards = segment->address + offset;
        switch (flow) {
        case GS_FLOW_BRANCH:
            if (!mark_leader(walk, target, 0))
                return false;
            break;
        case GS_FLOW_CALL:
        case GS_FLOW_BRANCH_CALL:
            /* Calling the next instruction is how position-independent MIPS code asks for its
             * own address. */
            if (target != onwards && !mark_leader(walk, target, GS_WALK_CALLED))
                return false;
            break;
        case GS_FLOW_CALL_INDIRECT:
        case GS_FLOW_RETURN_CALL:
        case GS_FLOW_TRAP: break;
        case GS_FLOW_JUMP: return mark_leader(walk, target, 0);
        default: return true;
        }
        if (offset < segment->file_size)
            marks[offset / isa->unit] |= GS_WALK_LEADER;
    }
    return true;
}

gs_status gs_walk_from(gs_walk *walk, uint64_t pc, uint8_t flags, gs_error *err)
{
    if (!mark_leader(walk, pc, flags))
        return gs_fail_no_memory(err);
    while (walk->todo.count)
        if (!walk_straight(walk, walk->todo.items[--walk->todo.count]))
            return gs_fail_no_memory(err);
    return GS_OK;
}

gs_status gs_walk_from_functions(gs_walk *walk, gs_error *err)
{
    gs_status status = gs_walk_from(walk, walk->image->entry, 0, err);
    for (size_t i = 0; !status && i < walk->image->functions.count; i++)
        status = gs_walk_from(walk, walk->image->functions.items[i].start, 0, err);
    return status;
}
