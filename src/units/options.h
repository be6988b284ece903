/*
 * options.h - "functions=64,width=32,hier" into a configuration.
 *
 * A unit describes its options in one table; parsing, defaults, help, messages and the text
 * that a profile file keeps are derived from it. A configuration is the unit's own struct,
 * all of whose options are fields; texts in it live in the arena given to the parser.
 *
 * A comma ends an option; one that belongs to a value is written \, and a backslash \\.
 */
#ifndef GS_UNITS_OPTIONS_H
#define GS_UNITS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "gumshoe/error.h"

/* With the type of the field. */
typedef enum gs_option_type {
    GS_OPTION_NUMBER, /* uint64_t: decimal or 0x, K, M, G; within min..max */
    GS_OPTION_FLAG,   /* bool: given or not */
    GS_OPTION_CHOICE, /* unsigned: index of one of `choices` */
    GS_OPTION_TEXT,   /* const char *: NULL if not given */
    GS_OPTION_LIST,   /* gs_option_list: the option may be given several times */
} gs_option_type;

typedef struct gs_option_list {
    const char **items;
    size_t count;
} gs_option_list;

typedef struct gs_unit_option {
    const char *name;
    gs_option_type type;
    size_t offset;              /* of the field */
    uint64_t fallback;          /* NUMBER, CHOICE: if not given */
    uint64_t min, max;          /* NUMBER */
    bool power_of_two;          /* NUMBER */
    const char *zero;           /* NUMBER: a word for 0, which may lie outside min..max; or NULL */
    const char *const *choices; /* CHOICE: ends with NULL */
    const char *argument;       /* what it wants, as help names it; NULL for a flag */
    const char *help;           /* one line */
} gs_unit_option;

/* A row for a field of the struct `config`. The designated initialisers that may follow are what
 * else there is to say: .fallback, .min, .max, .power_of_two, .zero. */
#define GS_OPTION_ROW(kind, config, field, key, ...)                              \
    {                                                                             \
        .name = key, .type = kind, .offset = offsetof(config, field), __VA_ARGS__ \
    }
#define GS_NUMBER(config, field, key, wants, text, ...)                                  \
    GS_OPTION_ROW(GS_OPTION_NUMBER, config, field, key, .argument = wants, .help = text, \
                  __VA_ARGS__)
#define GS_FLAG(config, field, key, text) \
    GS_OPTION_ROW(GS_OPTION_FLAG, config, field, key, .help = text)
#define GS_CHOICE(config, field, key, wants, text, words, word)                          \
    GS_OPTION_ROW(GS_OPTION_CHOICE, config, field, key, .argument = wants, .help = text, \
                  .choices = words, .fallback = word)
#define GS_TEXT(config, field, key, wants, text) \
    GS_OPTION_ROW(GS_OPTION_TEXT, config, field, key, .argument = wants, .help = text)
#define GS_LIST(config, field, key, wants, text) \
    GS_OPTION_ROW(GS_OPTION_LIST, config, field, key, .argument = wants, .help = text)

/* Fills `config` with defaults and then with what `text` (or NULL) says. `prefix` begins every
 * message. Parsed texts live in `arena`. */
gs_status gs_options_parse(void *config, const gs_unit_option *options, size_t count,
                           const char *prefix, const char *text, gs_arena *arena, gs_error *err);

/* The text that parses into `config`, without what is as by default. In `arena`; NULL when memory
 * is out. */
char *gs_options_text(const void *config, const gs_unit_option *options, size_t count,
                      gs_arena *arena);

#endif
