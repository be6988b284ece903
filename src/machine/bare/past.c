/*
 * A board is saved as the bytes that it consists of, and what its parts have elsewhere behind them:
 * the words of banks of registers, and how far the script is. What belongs to the host is not
 * restored: open files, and output, which is printed once.
 */
#include "machine/bare/past.h"

#include <stdlib.h>
#include <string.h>

#include "machine/bare/bare.h"

/* Copies all parts that lie elsewhere, one behind the other; returns their size. `copy` is NULL to
 * learn that. */
static size_t copy_parts(gs_bare *bare, uint8_t *copy, bool restore)
{
    size_t at = 0, size;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        if (!bare->devices[i].present || description->type != GS_BOARD_REGISTERS)
            continue;
        uint32_t *words = bare->devices[i].registers.words;
        size = gs_register_bank_size(description);
        if (copy)
            memcpy(restore ? (void *)words : copy + at, restore ? copy + at : (void *)words, size);
        at += size;
    }
    if (bare->script) {
        void *progress = gs_script_progress(bare->script, &size);
        if (copy)
            memcpy(restore ? progress : copy + at, restore ? copy + at : progress, size);
        at += size;
    }
    return at;
}

void *gs_bare_save(gs_machine *machine)
{
    gs_bare *bare = machine->environment_state;
    uint8_t *saved = malloc(sizeof *bare + copy_parts(bare, NULL, false));
    if (!saved)
        return NULL;
    memcpy(saved, bare, sizeof *bare);
    copy_parts(bare, saved + sizeof *bare, false);
    return saved;
}

void gs_bare_restore(gs_machine *machine, const void *saved)
{
    gs_bare *bare = machine->environment_state;
    gs_bare *now = malloc(sizeof *now);
    if (!now)
        return;
    memcpy(now, bare, sizeof *now);
    memcpy(bare, saved, sizeof *bare);
    bare->files = now->files;
    gs_console_keep_output(&bare->console, &now->console);
    free(now);
    copy_parts(bare, (uint8_t *)saved + sizeof *bare, true);
}

void gs_bare_keep_input(gs_machine *machine)
{
    gs_bare *bare = machine->environment_state;
    bare->console.keeps = true;
}

/* After an answer of the environment: what it can have changed besides hart and memory. */
typedef struct input {
    gs_console_input console;
    int last_errno;
    unsigned reads_at_end;
    uint8_t bytes[]; /* that were read from the host, but not by the program */
} input;

void *gs_bare_save_input(gs_machine *machine)
{
    const gs_bare *bare = machine->environment_state;
    const gs_console *console = &bare->console;
    const size_t size = console->input.end - console->input.start;
    input *saved = malloc(sizeof *saved + size);
    if (!saved)
        return NULL;
    saved->console = console->input;
    saved->last_errno = bare->last_errno;
    saved->reads_at_end = bare->reads_at_end;
    memcpy(saved->bytes, console->in + console->input.start, size);
    return saved;
}

void gs_bare_restore_input(gs_machine *machine, const void *from)
{
    gs_bare *bare = machine->environment_state;
    const input *saved = from;
    gs_console *console = &bare->console;
    console->input = saved->console;
    bare->last_errno = saved->last_errno;
    bare->reads_at_end = saved->reads_at_end;
    memcpy(console->in + console->input.start, saved->bytes,
           console->input.end - console->input.start);
}
