/*
 * The demangler is the C++ runtime's own: its interface is plain C, it comes with every compiler,
 * and it knows each new form as soon as the compilers do. __cxa_demangle() bounds nothing: a
 * mangled name refers back to its own parts, so a name of 900 characters can stand for gigabytes
 * of text. Its other entry hands the text out in pieces and allocates on the stack only, so the
 * callback can leave it with longjmp(). That entry is in the static library alone.
 *
 * Two of the demangler's steps take exponential time without any output. Names that could set
 * them off are recognised by their text and left mangled:
 *  - a pack expansion looks for its pack in all it consists of, following each reference back. With
 *    r references that takes 3^(r/3) steps: 3 references each to the part before are the worst.
 *  - the type of a conversion operator is parsed twice at each template parameter with arguments,
 *    and so is what is nested in them.
 */
#include "profile/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PACK_REFERENCES = 32, /* of a name with a pack expansion: 120,000 steps */
    MAX_CONVERSION_ARGUMENTS = 10,
};

/* libstdc++'s cp-demangle.c. 0 if it succeeded. */
extern int __gcclibcxx_demangle_callback(const char *name,
                                         void (*put)(const char *text, size_t length, void *to),
                                         void *to);

typedef struct output {
    jmp_buf full;
    size_t length;
    char text[GS_DEMANGLE_MAX_OUTPUT + 1];
} output;

static void put(const char *text, size_t length, void *to)
{
    output *out = to;
    if (length > GS_DEMANGLE_MAX_OUTPUT - out->length)
        longjmp(out->full, 1);
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

/* How often `letter`, a number in base 36 or none, '_' and `next` follow each other; any `next` if
 * that is 0. Too many within identifiers, which does no harm. */
static unsigned count_references(const char *name, char letter, char next)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    unsigned count = 0;
    for (const char *at = strchr(name, letter); at; at = strchr(at + 1, letter)) {
        const char *end = at + 1 + strspn(at + 1, digits);
        count += *end == '_' && (!next || end[1] == next);
    }
    return count;
}

static bool may_take_long(const char *name)
{
    bool pack = strstr(name, "Dp") || strstr(name, "sp") || strstr(name, "sZ");
    if (pack && count_references(name, 'S', '\0') > MAX_PACK_REFERENCES)
        return true;
    return strstr(name, "cv") && count_references(name, 'T', 'I') > MAX_CONVERSION_ARGUMENTS;
}

/* A function of its own: only *out changes between setjmp() and longjmp(). */
static bool demangle(output *out, const char *name)
{
    out->length = 0;
    if (setjmp(out->full) != 0 || __gcclibcxx_demangle_callback(name, put, out) != 0)
        return false;
    out->text[out->length] = '\0';
    return true;
}

char *gs_demangle(const char *name)
{
    if (strncmp(name, "_Z", 2) != 0 || strlen(name) > GS_DEMANGLE_MAX_INPUT || may_take_long(name))
        return strdup(name);
    output *out = malloc(sizeof *out);
    if (!out)
        return NULL;
    char *readable = strdup(demangle(out, name) ? out->text : name);
    free(out);
    return readable;
}
