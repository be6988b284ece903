/* What amounts are called, and how much of one the exact profile has. */
#include "units/amount.h"

static const char *const texts[GS_AMOUNT_COUNT] = {
#define AMOUNT(name, key, text) [GS_AMOUNT_##name] = text,
#include "units/amounts.def"
#undef AMOUNT
};

const char *gs_amount_text(gs_amount amount)
{
    return texts[amount];
}

uint64_t gs_amount_in(gs_amount amount, const gs_metrics *metrics)
{
    gs_port port = {
        .valid = true,
        .cycles = metrics->value[GS_METRIC_CYCLES],
    };
    if (amount == GS_AMOUNT_INSTRUCTIONS)
        return metrics->value[GS_METRIC_INSTRUCTIONS];
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        port.stall[i] = metrics->value[GS_METRIC_FIRST_STALL + i];
    return gs_amount_of(amount, &port);
}
