/*
 * option.h - a command's options, written once.
 *
 * A command has one table of rows. Parsing, --help, the option list of the manual page and the
 * completion of the shells are derived from it, so an option is added by adding its row. A row
 * says what its value is (`value`: checked and completed accordingly) and where it is stored: in
 * the struct of the command's arguments, in a member whose type the GS_TO_... macros check.
 *
 *     {"label", .argument = "TEXT", GS_TO_TEXT(run_arguments, label),
 *      .text = "a name for the run in that file."},
 *
 * Rows that several commands share stand in a table of their own, which GS_GROUP() includes.
 * Tables are constant and end with an empty row.
 */
#ifndef GS_TOOL_OPTION_H
#define GS_TOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct gs_command gs_command;
typedef struct gs_option gs_option;

/* What a value is. */
typedef enum gs_value {
    GS_VALUE_NONE, /* nothing that could be completed */
    GS_VALUE_FILE,
    GS_VALUE_DIRECTORY,
    GS_VALUE_CORE,   /* a built-in core's name, or a file */
    GS_VALUE_BOARD,  /* a built-in board's name, or a file */
    GS_VALUE_RUN,    /* a run of a profile file: number, label, or last */
    GS_VALUE_METRIC, /* which is also checked */
    GS_VALUE_UNIT,   /* a kind of unit */
} gs_value;

typedef enum gs_option_store {
    GS_STORE_GROUP, /* not an option: includes `rows` */
    GS_STORE_HELP,  /* prints the help page and ends the command */
    GS_STORE_SWITCH,
    GS_STORE_TEXT,
    GS_STORE_LIST,
    GS_STORE_COUNT,
    GS_STORE_SIZE,
    GS_STORE_WORD,
    GS_STORE_CALL,
} gs_option_store;

/* One of several values. A word is stored as its number in the list, which ends with an empty
 * one. */
typedef struct gs_word {
    const char *name;
    const char *text; /* for help and manual; or NULL */
} gs_word;

/* The values of an option that may be given several times. */
enum { GS_LIST_MAX = 64 };
typedef struct gs_list {
    const char *at[GS_LIST_MAX];
    size_t count;
} gs_list;

/* Stores a value that needs a check of its own: -1, or complains and returns the exit status. */
typedef int gs_setter(void *member, const gs_command *command, const gs_option *option,
                      const char *value);

struct gs_option {
    const char *name;      /* without dashes */
    char letter;           /* for short; or 0 */
    const char *argument;  /* "NAME|FILE"; NULL for a switch, and for `words` joined with bars */
    const char *text;      /* what it does, for help and manual; it begins in lower case */
    const char *more;      /* further sentences for the manual alone; or NULL */
    gs_value value;        /* what the argument is */
    gs_option_store store; /* set by the GS_TO_... macros, as are the next three */
    size_t at;             /* where, in the command's arguments */
    const gs_word *words;  /* of a word; of a text, what is usually given */
    gs_setter *set;        /* of a call */
    size_t given;          /* GS_GIVEN(); or 0 */
    uint64_t least, most;  /* of a count; `most` 0: any */
    const char *wants;     /* for error messages: "a number such as 10M"; NULL for the kind's own */
    const char *only;      /* the actions of the command that take it, "show, counts"; NULL: all */
    const gs_option *rows; /* of a group */
};

/* The offset of a member that has to be of this type. */
#define GS_MEMBER(wanted, type, member) \
    (offsetof(type, member) + 0 * sizeof(&((type *)0)->member == (wanted *)0))

#define GS_TO_SWITCH(type, member) .store = GS_STORE_SWITCH, .at = GS_MEMBER(bool, type, member)
#define GS_TO_TEXT(type, member)   .store = GS_STORE_TEXT, .at = GS_MEMBER(const char *, type, member)
#define GS_TO_LIST(type, member)   .store = GS_STORE_LIST, .at = GS_MEMBER(gs_list, type, member)
#define GS_TO_COUNT(type, member)  .store = GS_STORE_COUNT, .at = GS_MEMBER(uint64_t, type, member)
#define GS_TO_SIZE(type, member)   .store = GS_STORE_SIZE, .at = GS_MEMBER(uint64_t, type, member)
/* An enum, or an unsigned. */
#define GS_TO_WORD(type, member, list) \
    .store = GS_STORE_WORD, .at = GS_MEMBER(unsigned, type, member), .words = (list)
#define GS_TO_CALL(type, member, setter) \
    .store = GS_STORE_CALL, .at = offsetof(type, member), .set = (setter)
/* A bool that becomes true if the option is given. */
#define GS_GIVEN(type, member) .given = 1 + GS_MEMBER(bool, type, member)
#define GS_GROUP(type, member, table)                                          \
    {                                                                          \
        .store = GS_STORE_GROUP, .at = offsetof(type, member), .rows = (table) \
    }
/* Rows of the same struct. */
#define GS_ROWS(table)                           \
    {                                            \
        .store = GS_STORE_GROUP, .rows = (table) \
    }

/* A row for getopt, help and so on, with groups resolved. */
typedef struct gs_option_row {
    const gs_option *option;
    size_t base; /* of its struct, in the command's arguments */
} gs_option_row;

enum { GS_OPTIONS_MAX = 96 };
typedef struct gs_option_rows {
    gs_option_row at[GS_OPTIONS_MAX];
    size_t count;
} gs_option_rows;

/* All options of a table. */
void gs_option_rows_make(gs_option_rows *rows, const gs_option *table);

/* The row of --help, which every command has. */
extern const gs_option gs_help_options[];

/* "NAME|FILE" as it is printed, also for words; NULL for a switch. The buffer is used for words. */
const char *gs_option_argument(const gs_option *option, char *buffer, size_t size);

/* "auto, bare or linux" */
void gs_words_join(const gs_word *words, const char *last, char *to, size_t size);

/* Reads the options in argv[1..], as a command's table says. */
typedef struct gs_syntax {
    const gs_command *command;
    const gs_option *table;
    const char *unit; /* whose options they are, for messages; NULL for the command's own */
    void (*help)(const void *arguments); /* instead of the command's own page; or NULL */
} gs_syntax;

/* What is left: the action, if the command has any, and what follows. */
typedef struct gs_rest {
    unsigned action; /* its number among the command's; their count if none was given */
    int count;
    char **at;
} gs_rest;

/* -1 to go on, or the exit status: what is wrong has been said, or the help been printed. */
int gs_options_parse(const gs_syntax *syntax, int argc, char **argv, void *arguments,
                     gs_rest *rest);

/* The same for a command without options of its own at run time. */
int gs_command_parse(const gs_command *command, int argc, char **argv, void *arguments,
                     gs_rest *rest);

/* The name most like `wrong` among `count` names, or NULL if none is near. */
const char *gs_nearest(const char *wrong, const char *const *names, size_t count);

/* Options as lines of a help page. */
void gs_options_print(FILE *to, const gs_option *table);

/* The whole help page. */
void gs_command_help(FILE *to, const gs_command *command);

#endif
