/* Starts what compiles for the fast engine, and ends it. */
#include "engine/fast/tier/compilers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* For tests: allows one tier only. */
static gs_status choose_tiers(bool tiers[2], gs_error *err)
{
    const char *only = getenv("GUMSHOE_TIER");
    tiers[false] = !only || strcmp(only, "optimizing") == 0;
    tiers[true] = !only || strcmp(only, "quick") == 0;
    if (tiers[false] || tiers[true])
        return GS_OK;
    return gs_fail(err, GS_E_ARGUMENT,
                   "GUMSHOE_TIER is '%s': it may be quick or optimizing, or not be set", only);
}

gs_status gs_compilers_start(gs_compilers **out, gs_error *err)
{
    bool tiers[2];
    *out = NULL;
    gs_status status = choose_tiers(tiers, err);
    if (status != GS_OK)
        return status;
    gs_compilers *c = calloc(1, sizeof *c);
    if (!c)
        return gs_fail_no_memory(err);
    memcpy(c->tiers, tiers, sizeof c->tiers);
    if (tiers[true])
        c->quick = gs_quick_start();
    if (tiers[false])
        c->store = gs_store_open(&c->no_store);
    if (c->store)
        c->optimizing = gs_compiler_start(gs_store_directory(c->store));
    *out = c;
    return GS_OK;
}

const char *gs_compilers_cache(const gs_compilers *compilers)
{
    return compilers->store ? gs_store_directory(compilers->store) : NULL;
}

void gs_compilers_rest(gs_compilers *compilers)
{
    if (compilers->optimizing)
        gs_compiler_cancel(compilers->optimizing);
    if (compilers->quick)
        gs_quick_rest(compilers->quick);
}

void gs_compilers_stop(gs_compilers *compilers)
{
    if (!compilers)
        return;
    gs_compiler_stop(compilers->optimizing);
    gs_quick_stop(compilers->quick);
    gs_store_free(compilers->store);
    free(compilers);
}
