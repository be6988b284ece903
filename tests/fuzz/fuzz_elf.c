/*
 * Program files: whatever the bytes, opening ends in an image or in a message.
 *
 * What an image says of itself must hold: tables sorted and disjoint, edges and
 * loops within bounds. Those are asserted here, not only memory errors.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "image/cfg_internal.h"
#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_functions(const gs_image *image)
{
    uint64_t end = 0;
    for (size_t i = 0; i < gs_image_function_count(image); i++) {
        const gs_function *function = gs_image_function(image, i);
        require(function->start >= end && function->start < function->end && function->name[0]);
        require(gs_image_function_at(image, function->end - 1) == function);
        end = function->end;
    }
}

static void check_segments(const gs_image *image)
{
    uint64_t end = 0;
    volatile uint8_t byte;
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        require(segment->address >= end && segment->file_size <= segment->memory_size);
        end = segment->address + segment->memory_size;
        for (uint64_t b = 0; b < segment->file_size; b++)
            byte = segment->bytes[b];
    }
    require(end <= (uint64_t)1 << 32);
    (void)byte;
    gs_insn insn;
    gs_image_insn_at(image, gs_image_entry(image), &insn);
}

static void check_lines(const gs_image *image)
{
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        for (uint64_t offset = 0; offset < segment->file_size; offset += 2) {
            gs_line line;
            gs_inline frames[4];
            if (gs_image_line_at(image, segment->address + offset, &line))
                require(line.line > 0 && strlen(line.file) < SIZE_MAX);
            size_t count = gs_image_inlines_at(image, segment->address + offset, frames, 4);
            for (size_t f = 0; f < count && f < 4; f++)
                require(strlen(frames[f].function) + strlen(frames[f].call_file) < SIZE_MAX);
        }
    }
}

static void check_cfg(const gs_image *image, const gs_cfg *cfg)
{
    uint64_t start = 0;
    for (size_t i = 0; i < gs_cfg_block_count(cfg); i++) {
        const gs_block *block = gs_cfg_block(cfg, i);
        require(block->start < block->end && (i == 0 || block->start > start) && block->insns);
        require(gs_cfg_block_at(cfg, block->start) == block);
        require(block->function == GS_CFG_NONE || block->function < gs_image_function_count(image));
        for (uint32_t e = 0; e < block->edge_count; e++)
            require(gs_cfg_edges(cfg, block)[e].to < gs_cfg_block_count(cfg));
        require(block->loop == GS_CFG_NONE || block->loop < gs_cfg_loop_count(cfg));
        start = block->start;
    }
    for (size_t i = 0; i < gs_cfg_loop_count(cfg); i++) {
        const gs_loop *loop = gs_cfg_loop(cfg, i);
        const uint32_t *blocks = cfg->loop_blocks + loop->first_block;
        require(loop->block_count && blocks[0] == loop->header && loop->back_edges);
        require(blocks[loop->block_count - 1] < gs_cfg_block_count(cfg));
        if (loop->parent == GS_CFG_NONE)
            require(loop->depth == 1);
        else
            require(gs_cfg_loop(cfg, loop->parent)->depth + 1 == loop->depth);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_image *image;
    gs_error err;
    if (gs_image_open_memory(&image, bytes, size, "fuzz", &err)) {
        require(!image && strlen(err.message) > strlen("fuzz: ") && !strchr(err.message, '\n'));
        return 0;
    }
    check_segments(image);
    check_functions(image);
    gs_image_wants_linux(image);
    gs_image_find_symbol(image, "tohost", NULL);

    require(!gs_image_load_lines(image, &err));
    check_lines(image);

    gs_cfg *cfg;
    require(!gs_cfg_open(&cfg, image, &err));
    check_cfg(image, cfg);
    gs_cfg_free(cfg);
    gs_image_free(image);
    return 0;
}
