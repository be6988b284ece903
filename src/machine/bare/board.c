/* Opens boards by name or file, and answers questions about them. */
#include "machine/bare/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "machine/bare/board_yaml.h"
#include "machine/bare/gpio.h"
#include "machine/bare/lines.h"
#include "machine/memory.h"
#include "machine/mips_state.h"
#include "machine/rv_state.h"

enum { FILE_SIZE_MAX = 1 << 20 };
static const char kind[] = "boards";

size_t gs_board_count(void)
{
    return gs_embedded_count_of(kind);
}

const char *gs_board_builtin(size_t index)
{
    return gs_embedded_name(kind, index);
}

gs_status gs_board_parse(gs_board **out, const char *file, const char *text, size_t size,
                         gs_error *err)
{
    gs_arena arena = {0};
    gs_config config = {.schema = &gs_board_schema};
    gs_config_node *root;
    gs_board *board = NULL;
    void *yaml = NULL;

    *out = NULL;
    gs_status status = gs_config_parse(&root, &arena, file, text, size, err);
    config.root = root;
    if (!status)
        status = gs_config_load(&config, &yaml, err);
    if (!status) {
        board = calloc(1, sizeof *board);
        status = board ? gs_board_from_yaml(board, &config, yaml, err) : gs_fail_no_memory(err);
    }
    gs_config_free(&config, yaml);
    gs_arena_free(&arena);
    if (status) {
        gs_board_free(board);
        return status;
    }
    *out = board;
    return GS_OK;
}

static bool is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length >= 5 && !strcmp(name + length - 5, ".yaml"));
}

static gs_status open_builtin(gs_board **out, const gs_embedded *file, gs_error *err)
{
    char label[80];
    snprintf(label, sizeof label, "boards/%s.yaml", file->name);
    return gs_board_parse(out, label, file->text, file->size, err);
}

static gs_status fail_unknown(const char *name, gs_error *err)
{
    char names[200] = "";
    size_t length = 0;

    for (size_t i = 0; gs_board_builtin(i) && length < sizeof names; i++) {
        int n = snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                         gs_board_builtin(i));
        length += n > 0 ? (size_t)n : 0;
    }
    return gs_fail(err, GS_E_NOT_FOUND,
                   "there is no board '%.80s'; built in are %s; a file's name ends in .yaml", name,
                   names);
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_board_parse(out, path, text, size, err);
}

gs_status gs_board_open(gs_board **out, const char *name, gs_error *err)
{
    *out = NULL;
    if (!is_path(name)) {
        const gs_embedded *file = gs_embedded_find(kind, name);
        return file ? open_builtin(out, file, err) : fail_unknown(name, err);
    }
    return gs_file_parse(parse, out, name, FILE_SIZE_MAX, err);
}

gs_status gs_board_open_default(gs_board **out, gs_arch arch, gs_error *err)
{
    *out = NULL;
    for (size_t i = 0; gs_embedded_nth(kind, i); i++) {
        gs_board *board;
        gs_status status = open_builtin(&board, gs_embedded_nth(kind, i), err);
        if (status)
            return status;
        if (board->is_default && board->arch == arch) {
            *out = board;
            return GS_OK;
        }
        gs_board_free(board);
    }
    return gs_fail(err, GS_E_NOT_FOUND, "no board is the default for this architecture");
}

void gs_board_free(gs_board *board)
{
    if (!board)
        return;
    for (unsigned i = 0; i < board->memory_count; i++) {
        free(board->memory[i].name);
        free(board->memory[i].code);
    }
    for (unsigned i = 0; i < board->device_count; i++) {
        free(board->devices[i].name);
        free(board->devices[i].words);
    }
    free(board->name);
    free(board->summary);
    free(board);
}

unsigned gs_board_first_line(const gs_board *board)
{
    return board->interrupts == GS_BOARD_PLIC_SOURCES ? 1 : 0;
}

unsigned gs_board_line_count(const gs_board *board)
{
    switch (board->interrupts) {
    case GS_BOARD_HAZARD3: return GS_RV_H3_IRQS;
    case GS_BOARD_PLIC_SOURCES: return GS_LINE_COUNT;
    case GS_BOARD_DIRECT: break;
    }
    return board->arch == GS_ARCH_MIPS32 ? GS_MIPS_LINES : 1;
}

unsigned gs_board_gpio_lines(const gs_board *board)
{
    return gs_board_line_count(board) > GS_GPIO_PINS ? GS_GPIO_PINS : 1;
}

bool gs_board_shares_pages(const gs_board_device *device)
{
    return device->type == GS_BOARD_REGION || device->type == GS_BOARD_REGISTERS ||
           device->type == GS_BOARD_RP2350_MTIME;
}

const char *gs_board_name(const gs_board *board)
{
    return board->name;
}

const char *gs_board_summary(const gs_board *board)
{
    return board->summary ? board->summary : "";
}

gs_arch gs_board_arch(const gs_board *board)
{
    return board->arch;
}

bool gs_board_is_default(const gs_board *board)
{
    return board->is_default;
}

size_t gs_board_part_count(const gs_board *board)
{
    return board->memory_count + board->device_count;
}

gs_board_part gs_board_part_at(const gs_board *board, size_t index)
{
    if (index < board->memory_count) {
        const gs_board_memory *memory = &board->memory[index];
        return (gs_board_part){"memory", memory->name, memory->base, memory->size};
    }
    const gs_board_device *device = &board->devices[index - board->memory_count];
    return (gs_board_part){gs_board_type_name(device->type), device->name, device->base,
                           device->size};
}

uint64_t gs_board_clock_hz(const gs_board *board)
{
    return board->clock_hz;
}
