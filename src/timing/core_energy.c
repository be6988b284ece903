/* Reads the energy table of a core description. */
#include <stdio.h>
#include <string.h>

#include "timing/core_yaml.h"
#include "timing/energy.h"

enum { NO_GROUP = UINT8_MAX, POWER_MAX_MW = 1000000 };

/* A counter of femtojoules then lasts for ten thousand million of the dearest cycles. */
enum { CYCLE_MAX_FJ = 1000000000 };

typedef struct reader {
    gs_core *core;
    const gs_config *config;
    const gs_isa *isa;
    uint8_t *group_of;
    gs_error *err;
    char path[64];
} reader;

/* "53.95" as 53950. Exact, which a double would not be. */
static bool parse_thousandths(const char *text, uint32_t most, uint32_t *thousandths)
{
    uint64_t whole = 0;
    uint32_t fraction = 0, scale = 1000;
    const char *at = text;

    if (*at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        whole = whole * 10 + (uint64_t)(*at - '0');
        if (whole > most)
            return false;
    }
    if (*at == '.') {
        if (!at[1])
            return false;
        for (at++; *at >= '0' && *at <= '9' && scale > 1; at++) {
            scale /= 10;
            fraction += (uint32_t)(*at - '0') * scale;
        }
    }
    if (*at || whole * 1000 + fraction > most * UINT64_C(1000))
        return false;
    *thousandths = (uint32_t)(whole * 1000 + fraction);
    return true;
}

/* Milliwatts as microwatts, and what that is in one cycle. */
static gs_status read_power(reader *r, const char *path, const char *text, uint32_t *power_uw,
                            uint32_t *cycle_fj)
{
    if (!parse_thousandths(text, POWER_MAX_MW, power_uw))
        return gs_config_fail(r->config, r->err, path,
                              "'%.40s' is not a power; allowed are forms like 57.32, from 0 to %d "
                              "mW, with up to three digits after the point",
                              text, POWER_MAX_MW);
    uint64_t fj = gs_energy_of_cycle(*power_uw, r->core->energy.clock_hz);
    if (fj > CYCLE_MAX_FJ)
        return gs_config_fail(r->config, r->err, path,
                              "%s mW at %llu Hz is more than a microjoule per cycle; is one of the "
                              "two in another unit?",
                              text, (unsigned long long)r->core->energy.clock_hz);
    *cycle_fj = (uint32_t)fj;
    return GS_OK;
}

static gs_status read_average(reader *r, const char *text)
{
    uint32_t *average = &r->core->energy.average_stall;
    if (parse_thousandths(text, 100, average) && *average > 0)
        return GS_OK;
    return gs_config_fail(r->config, r->err, "energy.average_stall_percent",
                          "'%.40s' is not a share; allowed are forms like 33.9, above 0 and up to "
                          "100, with up to three digits after the point",
                          text);
}

/* Names in the table have an underscore where the manual has a dot; both are understood. */
static bool same_name(const char *in_table, const char *name)
{
    for (; *in_table && *name; in_table++, name++) {
        if (*in_table != *name && !(*in_table == '_' && *name == '.'))
            return false;
    }
    return *in_table == *name;
}

unsigned gs_energy_find_op(const gs_isa *isa, const char *name)
{
    for (unsigned op = GS_OP_FIRST; op < isa->op_count; op++) {
        if (same_name(isa->ops[op].name, name))
            return op;
    }
    return 0;
}

/* Where the group of an instruction goes; NULL if there is no such instruction. */
static uint8_t *group_slot(reader *r, const char *name)
{
    unsigned op = gs_energy_find_op(r->isa, name);
    if (op != 0)
        return &r->group_of[op];
    return strcmp(name, "nop") == 0 ? &r->core->energy.nop_group : NULL;
}

static gs_status read_group(reader *r, unsigned index, const gs_yaml_group *yaml)
{
    gs_core_energy *energy = &r->core->energy;
    gs_core_group *group = &energy->groups[index];

    snprintf(r->path, sizeof r->path, "energy.groups[%u].name", index);
    for (unsigned i = 0; i < index; i++) {
        if (!strcmp(energy->groups[i].name, yaml->name))
            return gs_config_fail(r->config, r->err, r->path, "there are two groups '%s'",
                                  yaml->name);
    }
    gs_status status = gs_core_keep(r->core, &group->name, yaml->name, r->err);
    energy->group_count = index + 1;
    snprintf(r->path, sizeof r->path, "energy.groups[%u].power_mw", index);
    if (!status)
        status = read_power(r, r->path, yaml->power_mw, &group->power_uw, &group->cycle_fj);
    for (unsigned i = 0; i < yaml->instructions_count && !status; i++) {
        const char *name = yaml->instructions[i];
        snprintf(r->path, sizeof r->path, "energy.groups[%u].instructions[%u]", index, i);
        uint8_t *of = group_slot(r, name);
        if (!of)
            return gs_config_fail(r->config, r->err, r->path, "%s has no instruction '%s'",
                                  r->isa->name, name);
        if (*of != NO_GROUP)
            return gs_config_fail(r->config, r->err, r->path, "'%s' is in group '%s' already", name,
                                  energy->groups[*of].name);
        *of = (uint8_t)index;
    }
    return status;
}

/* Gives everything that no group names to the group `others`. */
static gs_status place_the_rest(reader *r, const char *others)
{
    const gs_core_energy *energy = &r->core->energy;
    uint8_t rest = NO_GROUP;

    for (unsigned i = 0; others && i < energy->group_count; i++) {
        if (!strcmp(energy->groups[i].name, others))
            rest = (uint8_t)i;
    }
    if (others && rest == NO_GROUP)
        return gs_config_fail(r->config, r->err, "energy.others", "there is no group '%s'", others);
    for (unsigned i = 0; i < r->isa->encoding_count; i++) {
        const gs_encoding *encoding = &r->isa->encodings[i];
        bool known = r->core->extensions >> encoding->extension & 1;
        if (known && encoding->op >= GS_OP_FIRST && r->group_of[encoding->op] == NO_GROUP &&
            !others)
            return gs_config_fail(r->config, r->err, "energy",
                                  "'%s' is in no group; list it, or name a group for the rest with "
                                  "the key 'others'",
                                  r->isa->ops[encoding->op].name);
    }
    for (unsigned op = 0; op < r->isa->op_count; op++) {
        if (r->group_of[op] == NO_GROUP)
            r->group_of[op] = rest == NO_GROUP ? 0 : rest;
    }
    if (r->core->energy.nop_group == NO_GROUP)
        r->core->energy.nop_group = r->group_of[gs_energy_nop_op(r->isa)];
    return GS_OK;
}

gs_status gs_core_read_energy(gs_core *core, const gs_config *config, const gs_yaml_energy *yaml,
                              gs_error *err)
{
    reader r = {.core = core, .config = config, .isa = gs_isa_for(core->arch), .err = err};
    gs_core_energy *energy = &core->energy;

    if (core->any_isa)
        return gs_config_fail(config, err, "energy",
                              "a table needs one instruction set; the isa is 'any'");
    r.group_of = gs_arena_alloc(&core->arena, r.isa->op_count);
    if (!r.group_of)
        return gs_fail_no_memory(err);
    memset(r.group_of, NO_GROUP, r.isa->op_count);
    energy->group_of = r.group_of;
    energy->nop_group = NO_GROUP;
    energy->stalls = yaml->stalls ? *yaml->stalls : GS_ENERGY_STALLS_ALL;
    energy->clock_hz = core->clock_hz;
    gs_status status = gs_core_keep(core, &energy->source, yaml->source ? yaml->source : "", err);
    if (!status && yaml->clock_hz)
        status = gs_config_number(config, "energy.clock_hz", yaml->clock_hz, 1,
                                  UINT64_C(1000000000000), &energy->clock_hz, err);
    if (!status)
        status =
            read_power(&r, "energy.stall_mw", yaml->stall_mw, &energy->stall_uw, &energy->stall_fj);
    if (!status && yaml->average_stall_percent)
        status = read_average(&r, yaml->average_stall_percent);
    for (unsigned i = 0; i < yaml->groups_count && !status; i++)
        status = read_group(&r, i, &yaml->groups[i]);
    if (!status)
        status = place_the_rest(&r, yaml->others);
    return status;
}
