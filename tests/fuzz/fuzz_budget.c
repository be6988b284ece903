/*
 * Budgets: whatever the bytes, parsing ends in a budget or in a message.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/budget.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_budget *budget;
    gs_error err;
    if (gs_budget_parse(&budget, "fuzz", (const char *)bytes, size, &err)) {
        require(!budget && !strncmp(err.message, "fuzz", 4) && strlen(err.message) > 5);
        require(!strchr(err.message, '\n'));
        return 0;
    }
    size_t limits = 0;
    for (size_t i = 0; i < budget->parts.count; i++) {
        const gs_part *part = &budget->parts.items[i];
        require(part->name && part->count > 0 && part->first == limits);
        limits += part->count;
    }
    require(limits == budget->limits.count);
    for (size_t i = 0; i < limits; i++)
        require(budget->limits.items[i].most >= 0);
    gs_budget_free(budget);
    return 0;
}
