/*
 * text_table.h - tables for people, as wide as there is room.
 *
 * A table is its columns and a function that gives the text of a cell; nothing is kept. A column is
 * as wide as its widest cell. Behind the columns stands a name, which gets the room that is left.
 * Where that is too little, the bars shrink and go, and then columns that can be spared; a line
 * below the table says which.
 */
#ifndef GS_REPORT_TEXT_TABLE_H
#define GS_REPORT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GS_TEXT_COLUMNS = 40, GS_TEXT_CELL = 64 };

typedef struct gs_text_column {
    const char *heading;
    unsigned spare; /* 0 for one that is always shown; others go from the largest down */
    bool bar;       /* `share` is drawn, and there are no cells */
    bool left;      /* of texts, not numbers */
} gs_text_column;

typedef struct gs_text_table {
    const gs_text_column *columns;
    size_t count, rows;
    const char *name; /* heading */
    unsigned enough;  /* columns of names for which others make room; 0 for those of most names */
    unsigned width;   /* columns of the screen; 0 for a table as wide as it needs to be */
    bool colour;
    void *self;
    void (*cell)(char to[GS_TEXT_CELL], void *self, size_t row, size_t column);
    double (*share)(void *self, size_t row); /* in percent, below 0 for none; NULL without bars */
    void (*put_name)(FILE *to, void *self, size_t row, unsigned room); /* 0: any room */
    unsigned (*name_width)(void *self, size_t row); /* at least this; 0 for no name */
} gs_text_table;

void gs_text_table_put(FILE *to, const gs_text_table *table);

/* Words, broken into lines of at most `width` columns unless that is 0. */
void gs_text_put_wrapped(FILE *to, const char *text, unsigned width);

#endif
