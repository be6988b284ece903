/*
 * Equal inlined calls are one: the same function, at the same place, within the same inlined call.
 * So a profile has as many as the source has, however often the compiler cut their code in pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "profile/demangle.h"
#include "profile/profile_build.h"

typedef struct intern {
    gs_profile_builder *b;
    const char **names; /* per inlined call: its name in the image */
    size_t name_count, name_capacity;
    uint32_t *slots; /* a hash table of indices */
    size_t slot_count;
    gs_inline *frames; /* around the instruction at hand */
    size_t frame_capacity;
} intern;

static size_t hash_call(const intern *in, const gs_profile_inline *call, const char *name)
{
    uint64_t hash = (uintptr_t)name >> 3;
    hash = (hash ^ call->outer) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ call->call_file) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ call->call_line) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 20) & (in->slot_count - 1);
}

/* The slot that has the call, or the empty one where it belongs. */
static size_t slot_of(const intern *in, const gs_profile_inline *call, const char *name)
{
    const gs_profile_inline *calls = in->b->profile->inlines.items;
    size_t slot = hash_call(in, call, name);
    for (; in->slots[slot] != GS_PROFILE_NONE; slot = (slot + 1) & (in->slot_count - 1)) {
        const gs_profile_inline *other = &calls[in->slots[slot]];
        if (other->outer == call->outer && other->call_file == call->call_file &&
            other->call_line == call->call_line && in->names[in->slots[slot]] == name)
            break;
    }
    return slot;
}

static bool widen(intern *in)
{
    size_t count = in->b->profile->inlines.count;
    if (2 * count < in->slot_count)
        return true;
    size_t wider = in->slot_count ? 2 * in->slot_count : 256;
    uint32_t *slots = malloc(wider * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xff, wider * sizeof *slots); /* GS_PROFILE_NONE */
    free(in->slots);
    in->slots = slots;
    in->slot_count = wider;
    for (size_t i = 0; i < count; i++)
        slots[slot_of(in, &in->b->profile->inlines.items[i], in->names[i])] = (uint32_t)i;
    return true;
}

static bool add_name(intern *in, const char *name)
{
    if (in->name_count == in->name_capacity &&
        !gs_vec_grow((void **)&in->names, &in->name_capacity, in->name_count, sizeof *in->names))
        return false;
    in->names[in->name_count++] = name;
    return true;
}

/* Makes *index, which is of the call around `frame`, that of the call itself. */
static bool enter(intern *in, const gs_inline *frame, uint32_t *index)
{
    gs_profile *profile = in->b->profile;
    gs_profile_inline call = {
        .outer = *index, .call_file = GS_PROFILE_NONE, .call_line = frame->call_line};
    if (frame->call_file[0] &&
        !gs_file_table_index(&in->b->files, profile, frame->call_file, &call.call_file))
        return false;
    if (!widen(in))
        return false;
    size_t slot = slot_of(in, &call, frame->function);
    if (in->slots[slot] == GS_PROFILE_NONE) {
        call.function = gs_demangle(frame->function[0] ? frame->function : "(nameless)");
        if (!call.function || !add_name(in, frame->function) ||
            !gs_vec_push(&profile->inlines, call)) {
            free(call.function);
            return false;
        }
        in->slots[slot] = (uint32_t)profile->inlines.count - 1;
    }
    *index = in->slots[slot];
    return true;
}

static bool place(intern *in, gs_profile_insn *insn)
{
    const gs_image *image = in->b->image;
    size_t count = gs_image_inlines_at(image, insn->pc, in->frames, in->frame_capacity);
    if (count > in->frame_capacity) {
        gs_inline *frames = realloc(in->frames, count * sizeof *frames);
        if (!frames)
            return false;
        in->frames = frames;
        in->frame_capacity = count;
        gs_image_inlines_at(image, insn->pc, frames, count);
    }
    for (size_t i = count; i > 0; i--) {
        if (!enter(in, &in->frames[i - 1], &insn->inlined))
            return false;
    }
    return true;
}

gs_status gs_profile_add_inlines(gs_profile_builder *builder, gs_error *err)
{
    intern in = {.b = builder};
    bool good = true;
    for (size_t i = 0; i < builder->profile->insns.count && good; i++)
        good = place(&in, &builder->profile->insns.items[i]);
    free(in.names);
    free(in.slots);
    free(in.frames);
    return good ? GS_OK : gs_fail_no_memory(err);
}
