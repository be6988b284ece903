/*
 * profile_build.h - the steps from a recorder to a profile.
 */
#ifndef GS_PROFILE_PROFILE_BUILD_H
#define GS_PROFILE_PROFILE_BUILD_H

#include "profile/file_table.h"
#include "profile/profile.h"
#include "profile/recorder.h"

typedef struct gs_profile_builder {
    gs_profile *profile;
    const gs_recorder *recorder;
    const gs_image *image;
    uint32_t *function_of; /* from the image's functions to the profile's, or GS_PROFILE_NONE */
    uint32_t *node_of;     /* the same for call paths */
    uint32_t *thread_of;   /* and for threads */
    size_t thread_count;   /* of the profile: 0 if there is only one */
    gs_file_table files;
} gs_profile_builder;

/* profile_threads.c: chooses the threads that are a part of the profile, for which the call paths
 * have been chosen; adds them and their nodes. Needs the functions, and no nodes yet. */
bool gs_profile_choose_threads(gs_profile_builder *builder);
bool gs_profile_add_threads(gs_profile_builder *builder);
/* How often control went from one to another. */
bool gs_profile_add_switches(gs_profile_builder *builder);
/* The node of a thread of the call tree; GS_PROFILE_NONE if there is only one. */
uint32_t gs_profile_thread_node(const gs_profile_builder *builder, uint32_t thread);
/* Once all nodes are there: what the threads are called. */
bool gs_profile_name_threads(gs_profile *profile);

/* profile_flow.c: blocks, edges and loops, and where each instruction is in them. Needs the
 * instructions and the call paths. */
gs_status gs_profile_add_flow(gs_profile_builder *builder, gs_error *err);

/* profile_loops.c: loops, and which one each instruction is in. Needs blocks and edges; `block_of`
 * leads from the cfg's blocks to the profile's. */
gs_status gs_profile_add_loops(gs_profile_builder *builder, const uint32_t *block_of,
                               gs_error *err);

/* profile_inlines.c: the inlined calls around each instruction, as far as the image has read them.
 * Needs the instructions. */
gs_status gs_profile_add_inlines(gs_profile_builder *builder, gs_error *err);

#endif
