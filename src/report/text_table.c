/* Lays out tables: widths of columns, and what goes when the line is too short. */
#include "report/text_table.h"

#include <string.h>

enum { GAP = 2, BAR = 20, SHORTEST_BAR = 8, NAME = 28, SHORTEST_NAME = 12 };

typedef struct layout {
    unsigned widths[GS_TEXT_COLUMNS]; /* 0 for what is not shown */
    unsigned room;                    /* of the name */
} layout;

static unsigned column_width(const gs_text_table *t, size_t column)
{
    char text[GS_TEXT_CELL];
    size_t most = strlen(t->columns[column].heading);
    if (t->columns[column].bar)
        return BAR;
    for (size_t row = 0; row < t->rows; row++) {
        t->cell(text, t->self, row, column);
        size_t length = strlen(text);
        most = length > most ? length : most;
    }
    return (unsigned)most;
}

static unsigned taken(const gs_text_table *t, const layout *l)
{
    unsigned sum = 0;
    for (size_t i = 0; i < t->count; i++)
        sum += l->widths[i] ? l->widths[i] + GAP : 0;
    return sum;
}

/* The column to go without next; `count` if all are needed. Bars come first. */
static size_t sparest(const gs_text_table *t, const layout *l)
{
    size_t found = t->count;
    for (size_t i = 0; i < t->count; i++) {
        if (l->widths[i] && t->columns[i].bar)
            return i;
        if (l->widths[i] && t->columns[i].spare &&
            (found == t->count || t->columns[i].spare > t->columns[found].spare))
            found = i;
    }
    return found;
}

static void lay_out(layout *l, const gs_text_table *t)
{
    unsigned name = (unsigned)strlen(t->name), enough = t->enough ? t->enough : NAME;
    *l = (layout){0};
    for (size_t i = 0; i < t->count; i++)
        l->widths[i] = column_width(t, i);
    if (t->width == 0)
        return;
    for (size_t row = 0; row < t->rows && name < enough; row++) {
        unsigned width = t->name_width(t->self, row);
        name = width > name ? width : name;
    }
    name = name > enough ? enough : name;
    for (size_t i; taken(t, l) + name > t->width && (i = sparest(t, l)) < t->count;) {
        unsigned over = taken(t, l) + name - t->width;
        bool shrinks = t->columns[i].bar && over + SHORTEST_BAR <= l->widths[i];
        l->widths[i] = shrinks ? l->widths[i] - over : 0;
    }
    unsigned used = taken(t, l);
    l->room = t->width > used + SHORTEST_NAME ? t->width - used : SHORTEST_NAME;
}

static void put_bar(FILE *to, double share, unsigned width, bool colour)
{
    unsigned filled = (unsigned)(share / 100 * width + 0.5);
    fputs(colour ? "\033[36m" : "", to);
    for (unsigned i = 0; i < width; i++)
        fputc(i < filled ? '#' : '.', to);
    fputs(colour ? "\033[0m" : "", to);
}

/* A cell behind `spaces`, which wait for something to stand behind them. */
static void put_text(FILE *to, unsigned *spaces, const char *text, unsigned width, bool left)
{
    unsigned padding = width - (unsigned)strlen(text);
    *spaces += left ? 0 : padding;
    if (text[0]) {
        fprintf(to, "%*s%s", (int)*spaces, "", text);
        *spaces = 0;
    }
    *spaces += (left ? padding : 0) + GAP;
}

static void put_row(FILE *to, const gs_text_table *t, const layout *l, size_t row)
{
    char text[GS_TEXT_CELL];
    unsigned spaces = 0;
    for (size_t i = 0; i < t->count; i++) {
        double share = t->columns[i].bar ? t->share(t->self, row) : -1;
        if (l->widths[i] == 0)
            continue;
        if (share >= 0) {
            fprintf(to, "%*s", (int)spaces, "");
            put_bar(to, share, l->widths[i], t->colour);
            spaces = GAP;
            continue;
        }
        text[0] = '\0';
        if (!t->columns[i].bar)
            t->cell(text, t->self, row, i);
        put_text(to, &spaces, text, l->widths[i], t->columns[i].left);
    }
    if (t->name_width(t->self, row) > 0) {
        fprintf(to, "%*s", (int)spaces, "");
        t->put_name(to, t->self, row, l->room);
    }
    fputc('\n', to);
}

static void put_left_out(FILE *to, const gs_text_table *t, const layout *l)
{
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        if (l->widths[i] || t->columns[i].bar)
            continue;
        fprintf(to, any ? ", %s" : "(not shown, for lack of room: %s", t->columns[i].heading);
        any = true;
    }
    fputs(any ? "; --wide shows all)\n" : "", to);
}

void gs_text_table_put(FILE *to, const gs_text_table *t)
{
    layout l;
    lay_out(&l, t);
    unsigned spaces = 0;
    fputs(t->colour ? "\033[1m" : "", to);
    for (size_t i = 0; i < t->count; i++) {
        if (l.widths[i])
            put_text(to, &spaces, t->columns[i].heading, l.widths[i], t->columns[i].left);
    }
    fprintf(to, "%*s%s%s\n", t->name[0] ? (int)spaces : 0, "", t->name, t->colour ? "\033[0m" : "");
    for (size_t row = 0; row < t->rows; row++)
        put_row(to, t, &l, row);
    put_left_out(to, t, &l);
}

void gs_text_put_wrapped(FILE *to, const char *text, unsigned width)
{
    for (size_t column = 0; *text;) {
        size_t length = strcspn(text, " ");
        if (column > 0 && width > 0 && column + 1 + length > width) {
            fputc('\n', to);
            column = 0;
        }
        column += (column > 0) + length;
        fprintf(to, "%s%.*s", column > length ? " " : "", (int)length, text);
        text += length + (text[length] == ' ');
    }
    fputc('\n', to);
}
