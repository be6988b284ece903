/*
 * Symbols' names: whatever the name, what is shown for it is the name itself or no longer than the
 * bound, in little memory and time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *name = malloc(size + 1);
    require(name != NULL);
    if (size > 0)
        memcpy(name, bytes, size);
    name[size] = '\0';
    char *readable = gs_demangle(name);
    require(readable != NULL);
    require(strcmp(readable, name) == 0 || strlen(readable) <= GS_DEMANGLE_MAX_OUTPUT);
    free(readable);
    free(name);
    return 0;
}
