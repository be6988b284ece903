/*
 * Profile files: whatever the bytes, loading ends in profiles or in a message.
 *
 * What a profile says of itself must hold: indices within their tables, parents before
 * children, sums. Those are asserted here, not only memory errors.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool is_index(uint32_t index, size_t count)
{
    return index == GS_PROFILE_NONE || index < count;
}

static size_t check_unit(const gs_result *result)
{
    size_t text = strlen(result->kind) + strlen(result->options);
    for (const gs_result_table *table = result->tables; table; table = table->next) {
        require(table->column_count > 0 && table->column_count <= GS_TABLE_COLUMNS);
        for (size_t i = 0; i < table->column_count; i++)
            text += strlen(table->columns[i].key) + strlen(table->columns[i].head);
        for (size_t i = 0; i < table->row_count * table->column_count; i++)
            text += table->cells[i].type == GS_CELL_TEXT ? strlen(table->cells[i].text) : 0;
    }
    for (const gs_remark *remark = result->remarks; remark; remark = remark->next)
        text += strlen(remark->text);
    return text;
}

static void check_profile(const gs_profile *p)
{
    size_t text = strlen(p->run.program) + strlen(p->run.label) + strlen(p->run.core_yaml);
    for (size_t i = 0; i < p->functions.count; i++) {
        text += strlen(p->functions.items[i].name);
        require(is_index(p->functions.items[i].file, p->files.count));
    }
    for (size_t i = 0; i < p->insns.count; i++) {
        const gs_profile_insn *insn = &p->insns.items[i];
        text += strlen(insn->text);
        require(is_index(insn->function, p->functions.count));
        require(is_index(insn->file, p->files.count));
        require(is_index(insn->block, p->blocks.count));
        require(is_index(insn->loop, p->loops.count));
        require(i == 0 || insn[-1].pc < insn->pc);
    }
    for (size_t i = 0; i < p->nodes.count; i++) {
        const gs_profile_node *node = &p->nodes.items[i];
        require(i == 0 ? node->parent == GS_PROFILE_NONE : node->parent < i);
        require(is_index(node->function, p->functions.count) && node->kind <= GS_FRAME_THREAD);
        require(is_index(node->thread, p->threads.count));
    }
    for (size_t i = 0; i < p->edges.count; i++)
        require(p->edges.items[i].from < p->blocks.count && p->edges.items[i].to < p->blocks.count);
    for (size_t i = 0; i < p->loops.count; i++) {
        uint32_t up = (uint32_t)i;
        for (uint32_t depth = p->loops.items[i].depth; depth > 0; depth--)
            up = p->loops.items[up].parent;
        require(up == GS_PROFILE_NONE);
    }
    for (size_t i = 0; i < p->units.count; i++)
        text += check_unit(p->units.items[i]);
    gs_metrics *inclusive = gs_profile_inclusive(p);
    require(inclusive && text < SIZE_MAX);
    if (p->nodes.count > 0)
        require(memcmp(&inclusive[0], &p->total, sizeof p->total) == 0);
    free(inclusive);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    /* SQLite opens names, not descriptors. */
    char path[] = "/dev/shm/fuzz-profile-XXXXXX", on_disk[] = "/tmp/fuzz-profile-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0) {
        fd = mkstemp(on_disk);
        strcpy(path, on_disk);
    }
    require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    gs_profile_file *file;
    gs_error err;
    if (gs_profile_file_open(&file, path, &err) != GS_OK) {
        require(!file && strlen(err.message) > strlen(path) && !strchr(err.message, '\n'));
        unlink(path);
        return 0;
    }
    for (size_t i = 0; i < gs_profile_file_run_count(file) && i < 8; i++) {
        char which[24];
        snprintf(which, sizeof which, "%lld", (long long)gs_profile_file_run(file, i)->id);
        gs_profile *profile;
        if (gs_profile_file_load(&profile, file, which, &err) == GS_OK)
            check_profile(profile);
        else
            require(!profile && strlen(err.message) > strlen(path) && !strchr(err.message, '\n'));
        gs_profile_free(profile);
    }
    gs_profile_file_free(file);
    unlink(path);
    return 0;
}
