/*
 * Energy samples: whatever the text, reading ends in samples or in a message of one line that
 * names the file and a line of it; and samples that were read can be fitted to.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "timing/energy_fit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_samples(const gs_energy_samples *samples)
{
    require(samples->rows.count >= 2 && samples->column_count >= 1);
    require(samples->columns[0] == GS_SAMPLE_STALL);
    for (size_t i = 1; i < samples->column_count; i++)
        require(samples->columns[i] > samples->columns[i - 1]);
    for (size_t i = 0; i < samples->rows.count; i++)
        require(samples->rows.items[i].energy_j > 0 && samples->rows.items[i].name);
}

static void check_fit(const gs_energy_samples *samples)
{
    gs_energy_fit fit;
    gs_error err;
    if (samples->rows.count > 16 || gs_energy_fit_open(&fit, samples, 3, &err) != GS_OK)
        return;
    require(fit.groups <= 3 && fit.rank <= fit.columns && fit.error >= 0);
    for (size_t g = 0; g <= fit.groups; g++)
        require(fit.group_j[g] >= 0);
    gs_energy_fit_fini(&fit);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gs_core *core; /* kept until the end */
    gs_energy_samples samples;
    gs_error err;
    if (!core && gs_core_open(&core, "tiger-mips", NULL, 0, &err) != GS_OK)
        abort();
    if (gs_energy_samples_parse(&samples, core, "fuzz", (const char *)bytes, size, &err) == GS_OK) {
        check_samples(&samples);
        check_fit(&samples);
        gs_energy_samples_fini(&samples);
    } else {
        require(!strncmp(err.message, "fuzz:", 5) && !strchr(err.message, '\n'));
        require(err.message[5] >= '1' && err.message[5] <= '9');
    }
    return 0;
}
