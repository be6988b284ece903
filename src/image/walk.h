/*
 * walk.h - follows control flow through the program's own bytes.
 *
 * Starting from any number of addresses it marks every instruction that direct
 * control flow can reach. Each instruction is decoded once, so a walk is linear
 * in the size of the code whatever the code does. Where an indirect jump goes is
 * not known; calls and traps are taken to come back.
 *
 * A walk borrows the image and is its owner's alone.
 */
#ifndef GS_IMAGE_WALK_H
#define GS_IMAGE_WALK_H

#include "image/internal.h"

enum {
    GS_WALK_INSN = 1,   /* an instruction starts here */
    GS_WALK_LEADER = 2, /* control comes here from elsewhere than the instruction before */
    GS_WALK_CALLED = 4, /* the target of a direct call */
};

typedef struct gs_walk {
    const gs_image *image;
    uint8_t **marks; /* per segment, one byte per isa->unit; NULL if not executable */
    struct {
        uint64_t *items;
        size_t count, capacity;
    } todo;
} gs_walk;

/* On failure there is nothing to close. */
gs_status gs_walk_open(gs_walk *walk, const gs_image *image, gs_error *err);
void gs_walk_close(gs_walk *walk);

/* Marks all that can be reached from `pc`, with `flags` at pc itself. What is not an address of
 * code is ignored. */
gs_status gs_walk_from(gs_walk *walk, uint64_t pc, uint8_t flags, gs_error *err);

/* The same from the entry point and every function of the image. */
gs_status gs_walk_from_functions(gs_walk *walk, gs_error *err);

/* The marks at `pc`: one byte per isa->unit follows, up to the segment's last; NULL if not code. */
uint8_t *gs_walk_marks_at(const gs_walk *walk, uint64_t pc);

/* How many marks segment `index` has. */
size_t gs_walk_mark_count(const gs_walk *walk, size_t index);

/* Whether the instruction moves control, so that a delay slot follows it where there are any. */
bool gs_flow_has_slot(gs_flow flow);

#endif
