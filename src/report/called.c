/* Compares function names without parameters, template arguments and the compiler's suffixes. */
#include "report/called.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "report/names.h"

/* Part of a demangled C++ name. */
typedef struct name_part {
    const char *start, *end;
} name_part;

static bool is_part(name_part part, const char *wanted)
{
    size_t length = (size_t)(part.end - part.start);
    return strlen(wanted) == length && memcmp(part.start, wanted, length) == 0;
}

/* Where the parameters begin, or the end of a name that has none. */
static const char *parameters(name_part name)
{
    const char *close = name.end;
    while (close > name.start && close[-1] != ')')
        close--;
    int depth = 0;
    for (const char *at = close; at > name.start; at--) {
        depth += (at[-1] == ')') - (at[-1] == '(');
        if (depth == 0 && at[-1] == '(')
            return at - 1;
    }
    return name.end;
}

/* Behind what a function template returns, which is part of its name. */
static const char *behind_type(name_part name)
{
    static const char operator[] = "operator";
    const size_t length = sizeof operator- 1;
    int depth = 0;
    for (const char *at = name.end; at > name.start; at--) {
        depth += (at[-1] == '>' || at[-1] == ')') - (at[-1] == '<' || at[-1] == '(');
        bool spelt = (size_t)(at - 1 - name.start) >= length &&
                     memcmp(at - 1 - length, operator, length) == 0; /* operator bool */
        if (at[-1] == ' ' && depth == 0 && !spelt)
            return at;
    }
    return name.start;
}

/* Whether that is what is left of a name without template arguments, or without some of its lists
 * of them. */
static bool is_without_arguments(name_part name, const char *wanted)
{
    int depth = 0;
    for (const char *at = name.start; at < name.end; at++) {
        const bool left_out = depth > 0 || (*at == '<' && *wanted != '<');
        if (left_out)
            depth += (*at == '<') - (*at == '>');
        else if (*wanted++ != *at)
            return false;
    }
    return *wanted == '\0';
}

/* What GCC appends to the name of a function that it has copied or taken apart. */
static const char *const clone_suffixes[] = {"constprop", "isra", "lto_priv", "part", "cold"};
static const char *const split_suffixes[] = {"part", "cold"};

static bool is_any(name_part part, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_part(part, words[i]))
            return true;
    }
    return false;
}

static const char *last_dot(name_part name)
{
    for (const char *at = name.end; at > name.start + 1; at--) {
        if (at[-1] == '.')
            return at - 1;
    }
    return NULL;
}

/* Takes the last suffix, ".isra.0" or ".cold", from a name, and gives its word. False if there is
 * none. */
static bool take_suffix(name_part *name, name_part *word)
{
    name_part rest = *name;
    const char *dot =
        rest.end > rest.start && isdigit((unsigned char)rest.end[-1]) ? last_dot(rest) : NULL;
    if (dot && strspn(dot + 1, "0123456789") >= (size_t)(rest.end - dot - 1))
        rest.end = dot;
    dot = last_dot(rest);
    if (!dot)
        return false;
    *word = (name_part){dot + 1, rest.end};
    if (!is_any(*word, clone_suffixes, sizeof clone_suffixes / sizeof *clone_suffixes))
        return false;
    name->end = dot;
    return true;
}

/* A demangled name has its suffixes at its end: "f(int) [clone .isra.0] [clone .cold]". */
static const char *demangled_clones(const char *name)
{
    return strstr(name, " [clone ");
}

bool gs_report_is_split(const char *name)
{
    const char *clones = demangled_clones(name);
    if (clones)
        return strstr(clones, "[clone .part") || strstr(clones, "[clone .cold");
    name_part part = {name, name + strlen(name)}, word;
    while (take_suffix(&part, &word)) {
        if (is_any(word, split_suffixes, sizeof split_suffixes / sizeof *split_suffixes))
            return true;
    }
    return false;
}

bool gs_report_is_called(const char *name, const char *wanted)
{
    const char *clones = demangled_clones(name);
    name_part part = {name, clones ? clones : name + strlen(name)}, word;
    if (strcmp(name, wanted) == 0 || is_part(part, wanted))
        return true;
    while (take_suffix(&part, &word)) {
        if (is_part(part, wanted))
            return true;
    }
    part.end = parameters(part);
    if (is_part(part, wanted))
        return true;
    part.start = behind_type(part);
    return is_part(part, wanted) || is_without_arguments(part, wanted);
}

enum { MOST_SHOWN = 160 };

/* A name as it may be asked for, in as few words as possible. */
static void shorten(const char *name, char to[MOST_SHOWN])
{
    name_part part = {name, name + strlen(name)};
    size_t length = 0;
    int depth = 0;
    part.end = parameters(part);
    part.start = behind_type(part);
    for (const char *at = part.start; at < part.end && length < MOST_SHOWN - 1; at++) {
        depth += *at == '<';
        if (depth == 0)
            to[length++] = *at;
        depth -= *at == '>' && depth > 0;
    }
    to[length] = '\0';
    if (!gs_report_is_called(name, to)) /* an operator<, or one too long */
        snprintf(to, MOST_SHOWN, "%s", name);
}

void gs_report_explain_missing(const gs_profile *profile, const char *wanted, char *to, size_t size)
{
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        for (uint32_t n = insn->inlined; n != GS_PROFILE_NONE;
             n = profile->inlines.items[n].outer) {
            if (!gs_report_is_called(profile->inlines.items[n].function, wanted))
                continue;
            snprintf(to, size, "%.80s was inlined wherever it is called; see %.80s, for example",
                     wanted, gs_report_function_name(profile, insn->function));
            return;
        }
    }
    for (size_t i = 0; i < profile->functions.count; i++) {
        char shortest[MOST_SHOWN];
        if (!strstr(profile->functions.items[i].name, wanted))
            continue;
        shorten(profile->functions.items[i].name, shortest);
        snprintf(to, size, "no function '%.80s' was executed, but there is '%s'", wanted, shortest);
        return;
    }
    snprintf(to, size,
             "no function '%.80s' was executed; 'gumshoe report --top 0' lists those that were",
             wanted);
}
