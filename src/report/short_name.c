/* Shortens C++ names: template arguments, parameters and namespaces go first. */
#include "report/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "profile/demangle.h"
#include "report/names.h"

enum { LONGEST = GS_DEMANGLE_MAX_OUTPUT + 1 };

static const char operator_word[] = "operator", anonymous[] = "(anonymous namespace)";

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Behind the bracket that closes the one at `at`; the end if none does. */
static const char *behind_bracket(const char *at, char open, char close)
{
    int depth = 0;
    for (; *at; at++) {
        bool arrow = *at == '>' && at[-1] == '-';
        depth += (*at == open) - (*at == close && !arrow);
        if (depth == 0 && *at == close)
            return at + 1;
    }
    return at;
}

/* Behind "operator<<" or "operator()", whose brackets are none; `at` itself if it is not there. */
static const char *behind_operator(const char *start, const char *at)
{
    bool inside = at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (inside || !begins(at, operator_word))
        return at;
    const char *end = at + strlen(operator_word);
    return begins(end, "()") ? end + 2 : end + strspn(end, "<>=!+-*/%^&|~,[]");
}

/* The name with "()" for its parameters and, if wanted, "<>" for template arguments, without what
 * a compiler has put behind it. */
static void strip(char *to, const char *name, bool arguments)
{
    for (const char *at = name; *at && !begins(at, " [clone");) {
        const char *end = behind_operator(name, at);
        if (end == at && begins(at, anonymous))
            end = at + strlen(anonymous);
        else if (end == at && *at == '<' && !arguments)
            end = behind_bracket(at, '<', '>');
        if (end > at) {
            memcpy(to, at, (size_t)(end - at));
            to += end - at;
            at = end;
        } else if (*at == '(') {
            to = stpcpy(to, "()");
            at = behind_bracket(at, '(', ')');
        } else if (*at == '<') {
            to = stpcpy(to, "<>");
            at = behind_bracket(at, '<', '>');
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

/* A stripped name behind the type it returns. */
static const char *behind_type(char *name)
{
    char *end = name + strlen(name);
    if (end - name > 6 && strcmp(end - 6, " const") == 0)
        end[-6] = '\0';
    const char *from = name;
    for (const char *at = name; *at; at++) {
        size_t before = (size_t)(at - from), word = strlen(operator_word);
        if (begins(at, anonymous))
            at += strlen(anonymous) - 1;
        else if (*at == ' ' && at[1] != '<' &&
                 !(before >= word && begins(at - word, operator_word)))
            from = at + 1;
    }
    return from;
}

static const char *last_scope(const char *name)
{
    const char *from = name;
    for (const char *at = name; (at = strstr(at, "::")) != NULL; at += 2)
        from = at + 2;
    return from;
}

unsigned gs_report_columns(const char *name)
{
    unsigned columns = 0;
    for (; *name; columns++) {
        unsigned length = gs_report_utf8_length(name);
        name += length ? length : 1;
    }
    return columns;
}

/* The most of the name that fits into `room`, in `to` or the name itself. */
static const char *choose(char to[LONGEST], const char *name, unsigned room)
{
    if (room == 0 || gs_report_columns(name) <= room || strlen(name) >= LONGEST)
        return name;
    strip(to, name, false);
    if (gs_report_columns(to) > room)
        strip(to, name, true);
    const char *shown = gs_report_columns(to) > room ? behind_type(to) : to;
    return gs_report_columns(shown) > room ? last_scope(shown) : shown;
}

unsigned gs_report_put_short(FILE *to, const char *name, unsigned room)
{
    char text[LONGEST];
    const char *shown = choose(text, name, room);
    unsigned columns = gs_report_columns(shown);
    gs_report_put_fitted(to, shown, room);
    return room > 0 && columns > room ? room : columns;
}

char *gs_report_shorten(char to[GS_SHORT_BYTES], const char *name)
{
    char text[LONGEST], *end = to;
    const char *shown = choose(text, name, GS_SHORT_NAME);
    bool cut = gs_report_columns(shown) > GS_SHORT_NAME;
    for (unsigned i = 0; *shown && i < GS_SHORT_NAME - (cut ? 2 : 0); i++) {
        unsigned length = gs_report_utf8_length(shown);
        length = length ? length : 1;
        memcpy(end, shown, length);
        end += length;
        shown += length;
    }
    strcpy(end, cut ? ".." : "");
    return to;
}
