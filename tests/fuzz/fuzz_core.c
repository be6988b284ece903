/*
 * Core descriptions: whatever the text, reading ends in a core or in a message of one line.
 *
 * Lines "#set key=value" at the start are settings of the command line. A core that was read
 * must be one the models can use, and its merged text must describe it again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/core.h"

enum { MAX_SETTINGS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_core(const gs_core *core)
{
    gs_error err;
    require(core->name[0] && core->summary && core->evidence && core->isa_text[0]);
    require(core->clock_hz > 0 && core->pipeline < GS_PIPELINE_COUNT);
    require(core->issue_width >= 1 && core->issue_width <= GS_VLIW_WIDTH_MAX &&
            core->write_buffer <= 64);
    require(!core->has_icache || gs_cache_check(&core->icache, &err) == GS_OK);
    require(!core->has_dcache || gs_cache_check(&core->dcache, &err) == GS_OK);
    require(gs_predictor_check(&core->branch.predictor, &err) == GS_OK);
    require(core->memory.width > 0);
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        const gs_core_class *class = &core->classes[i];
        require(class->cycles >= 1 && class->unit <= core->unit_count);
        if (class->operand == GS_OPERAND_RULE_SHIFT_STEPS ||
            class->operand == GS_OPERAND_RULE_EARLY_OUT)
            require(class->step >= 1);
    }
    for (unsigned i = 0; i < core->unit_count; i++)
        require(core->units[i].count >= 1 && core->units[i].count <= GS_CORE_UNIT_COPIES_MAX);
    if (core->energy.group_count > 0) {
        for (unsigned op = 0; op < gs_isa_for(core->arch)->op_count; op++)
            require(core->energy.group_of[op] < core->energy.group_count);
    }
}

static void check_reports(const gs_core *core)
{
    gs_error err;
    FILE *nowhere = fopen("/dev/null", "w");
    require(nowhere != NULL);
    require(gs_report_core(nowhere, core, true, &err) == GS_OK);
    require(gs_report_core_json(nowhere, core, &err) == GS_OK);
    fclose(nowhere);
}

/* Takes the settings off the front of `text`, which it cuts up. */
static size_t take_settings(char **text, const char **set)
{
    static const char mark[] = "#set ";
    size_t count = 0;
    while (count < MAX_SETTINGS && !strncmp(*text, mark, strlen(mark))) {
        char *end = strchr(*text, '\n');
        set[count++] = *text + strlen(mark);
        if (!end) {
            *text += strlen(*text);
            break;
        }
        *end = '\0';
        *text = end + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *copy = malloc(size + 1), *text = copy;
    const char *set[MAX_SETTINGS];
    gs_core *core, *again;
    gs_error err;

    require(copy != NULL);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    size_t count = take_settings(&text, set);
    size_t length = size - (size_t)(text - copy);
    if (gs_core_parse(&core, "fuzz", text, length, set, count, &err)) {
        require(!core && err.message[0] && !strchr(err.message, '\n'));
        free(copy);
        return 0;
    }
    check_core(core);
    check_reports(core);
    if (gs_core_parse(&again, "again", core->yaml, strlen(core->yaml), NULL, 0, &err)) {
        fprintf(stderr, "%s\n%s\n", err.message, core->yaml);
        abort();
    }
    require(!strcmp(core->yaml, again->yaml));
    gs_core_free(again);
    gs_core_free(core);
    free(copy);
    return 0;
}
