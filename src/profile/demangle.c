/*
 * The demangler is the C++ runtime's own, as in elfutils: its interface is plain C, it is on every
 * machine that has a compiler, and it knows each new form as soon as the compilers do. The other
 * one, libiberty's, is made for use within binutils and comes as a static library only.
 */
#include "profile/demangle.h"

#include <stdlib.h>
#include <string.h>

/* Longer names are shown as they are: a demangled name can be far longer than the mangled one. */
enum { MAX_NAME = 1024 };

/* <cxxabi.h>, which is C++. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

char *gs_demangle(const char *name)
{
    if (strncmp(name, "_Z", 2) == 0 && strlen(name) <= MAX_NAME) {
        int status;
        char *readable = __cxa_demangle(name, NULL, NULL, &status);
        if (readable)
            return readable;
    }
    return strdup(name);
}
