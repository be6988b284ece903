/*
 * Options of units: whatever the text, every kind's parser ends in a configuration or in a
 * message of one line; and the text of a configuration gives the same configuration again.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "units/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void try_kind(const gs_unit_kind *kind, const char *text)
{
    gs_arena arena = {0};
    gs_error err = {.message = ""};
    void *config = calloc(1, kind->config_size);
    require(config != NULL);
    if (gs_options_parse(config, kind->options, kind->option_count, kind->name, text, &arena,
                         &err) == GS_OK) {
        char *again = gs_options_text(config, kind->options, kind->option_count, &arena);
        require(again != NULL);
        require(gs_options_parse(config, kind->options, kind->option_count, kind->name, again,
                                 &arena, &err) == GS_OK);
        char *third = gs_options_text(config, kind->options, kind->option_count, &arena);
        require(third && strcmp(again, third) == 0);
    } else {
        require(err.message[0] && (err.status == GS_E_ARGUMENT || err.status == GS_E_NO_MEMORY));
    }
    free(config);
    gs_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    for (size_t i = 0; i < gs_unit_count(); i++)
        try_kind(gs_unit_at(i), text);
    free(text);
    return 0;
}
