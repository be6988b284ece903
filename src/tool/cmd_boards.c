/* gumshoe boards: lists the boards, and shows one. */
#include <inttypes.h>
#include <string.h>

#include "gumshoe/board.h"
#include "tool/tool.h"

static const char before_options[] =
    "Usage: gumshoe boards [show NAME|FILE]\n"
    "\n"
    "Lists the built-in boards, or shows one: its clock, where its memory lies and\n"
    "which devices it has. A board is what surrounds a bare-metal program; choose\n"
    "one with 'gumshoe run --board', or write your own YAML file after a built-in\n"
    "one.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a board cannot be read.\n";

static int fail(const gs_error *err)
{
    gs_complain("%s", err->message);
    return GS_TOOL_INPUT;
}

static const char *arch_name(gs_arch arch)
{
    return arch == GS_ARCH_RV32 ? "rv32" : "mips32";
}

static int list(void)
{
    printf("%-12s  %s\n", "NAME", "ISA");
    for (size_t i = 0; i < gs_board_count(); i++) {
        gs_board *board;
        gs_error err;
        if (gs_board_open(&board, gs_board_builtin(i), &err) != GS_OK)
            return fail(&err);
        printf("%-12s  %s%s\n    %s\n", gs_board_name(board), arch_name(gs_board_arch(board)),
               gs_board_is_default(board) ? ", the default" : "", gs_board_summary(board));
        gs_board_free(board);
    }
    return GS_TOOL_OK;
}

static int show(const char *name)
{
    gs_board *board;
    gs_error err;
    if (gs_board_open(&board, name, &err) != GS_OK)
        return fail(&err);
    const char *summary = gs_board_summary(board);
    printf("%s%s%s\n", gs_board_name(board), summary[0] ? ": " : "", summary);
    printf("  %-12s %s\n", "isa", arch_name(gs_board_arch(board)));
    printf("  %-12s %g MHz\n", "clock", (double)gs_board_clock_hz(board) * 1e-6);
    for (size_t i = 0; i < gs_board_part_count(board); i++) {
        gs_board_part part = gs_board_part_at(board, i);
        printf("  %-12s 0x%08" PRIx64 "-0x%08" PRIx64 "%s%s\n", part.type, part.base,
               part.base + part.size - 1, part.name ? "  " : "", part.name ? part.name : "");
    }
    gs_board_free(board);
    return GS_TOOL_OK;
}

static const gs_word actions[] = {{"show", "one board"}, {0}};
static const gs_option table[] = {{0}};

static int boards(int argc, char **argv)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_boards, argc, argv, NULL, &rest);
    if (usage >= 0)
        return usage;
    if (!actions[rest.action].name)
        return list();
    if (rest.count != 1)
        return gs_usage_error(&gs_cmd_boards, "show takes one board");
    return show(rest.at[0]);
}

const gs_command gs_cmd_boards = {
    .name = "boards",
    .summary = "list the boards bare-metal programs can run on",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = boards,
    .actions = actions,
    .argument = GS_VALUE_BOARD,
    .usage_status = GS_TOOL_USAGE,
};
