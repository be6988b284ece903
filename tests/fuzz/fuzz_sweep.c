/*
 * Descriptions of sweeps: whatever the bytes, parsing ends in a sweep or in a message of one line.
 *
 * Every design is made and every formula evaluated, with 1 for all names.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool look_up(void *self, const char *name, gs_formula_value *value, gs_error *err)
{
    (void)self;
    (void)err;
    require(name[0] != '\0');
    *value = (gs_formula_value){.number = 1};
    return true;
}

static void check_design(const gs_sweep *sweep, size_t number)
{
    gs_sweep_design design;
    gs_error err;
    require(gs_sweep_design_make(&design, sweep, number, &err) == GS_OK);
    require(design.set_count <= GS_SWEEP_MAX_SETTINGS);
    for (size_t i = 0; i < design.set_count; i++)
        require(strchr(design.set[i], '=') != NULL);
    gs_sweep_design_clear(&design);
    char *label = gs_sweep_label(sweep, number), *json = gs_sweep_settings_json(sweep, number);
    require(label && json && json[0] == '{');
    free(label);
    free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_sweep *sweep;
    gs_error err;
    if (gs_sweep_parse(&sweep, "fuzz", (const char *)bytes, size, &err)) {
        require(!sweep && !strncmp(err.message, "fuzz", 4) && strlen(err.message) > 5);
        require(!strchr(err.message, '\n'));
        return 0;
    }
    const size_t designs = gs_sweep_design_count(sweep);
    require(designs > 0 && gs_sweep_program_count(sweep) > 0 && gs_sweep_build_count(sweep) > 0);
    for (size_t i = 0; i < designs && i < 64; i++)
        check_design(sweep, i);
    for (size_t i = 0; i < gs_sweep_point_count(sweep); i++)
        require(sweep->build_of[i] < gs_sweep_build_count(sweep));
    for (size_t i = 0; i < sweep->objectives.count; i++) {
        double result;
        if (gs_formula_evaluate(sweep->objectives.items[i].formula, look_up, NULL, &result, &err))
            require(err.message[0] && result == 0);
    }
    gs_sweep_free(sweep);
    return 0;
}
