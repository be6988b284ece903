/* Writes the Verilog that decodes instructions into energy groups. */
#include "units/leap/groups.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "timing/energy.h"

/* Words with these bits are in a group. The first row that fits counts. */
typedef struct row {
    uint32_t match, mask;
    unsigned group;
    const char *name;
} row;

/* What tells groups apart: spellings of nop, and then the rows of the decoder's table. */
typedef struct table {
    const gs_core *core;
    const gs_isa *isa;
    const uint32_t *nops;
    size_t nop_count, count;
} table;

static table table_of(const gs_core *core, const gs_isa *isa)
{
    table t = {.core = core, .isa = isa};
    t.nops = gs_energy_nops(isa, &t.nop_count);
    t.count = t.nop_count + isa->encoding_count;
    return t;
}

/* False for what is no instruction of the core's. */
static bool row_at(const table *t, size_t i, row *out)
{
    const gs_core_energy *energy = &t->core->energy;
    if (i < t->nop_count) {
        uint32_t word = t->nops[i], mask = t->isa->length(word) == 2 ? 0xffff : 0xffffffff;
        *out = (row){word, mask, energy->nop_group, "nop"};
        return true;
    }
    const gs_encoding *e = &t->isa->encodings[i - t->nop_count];
    uint64_t extensions = t->core->any_isa ? t->isa->all_extensions : t->core->extensions;
    *out = (row){e->match, e->mask, energy->group_of[e->op], t->isa->ops[e->op].name};
    return extensions >> e->extension & 1 && e->op >= GS_OP_FIRST;
}

/* The one with most rows. */
static unsigned most_common(const table *t)
{
    unsigned rows[GS_CORE_GROUP_MAX] = {0}, most = 0;
    row r;
    for (size_t i = 0; i < t->count; i++) {
        if (row_at(t, i, &r) && ++rows[r.group] > rows[most])
            most = r.group;
    }
    return most;
}

/* Whether a later row would take some of this one's words for another group. */
static bool shields(const table *t, size_t i, const row *r)
{
    row later;
    while (++i < t->count) {
        if (row_at(t, i, &later) && later.group != r->group &&
            ((r->match ^ later.match) & r->mask & later.mask) == 0)
            return true;
    }
    return false;
}

/* A core's own names, in comments that must not end early. */
static void write_name(FILE *to, const char *name)
{
    for (; *name; name++)
        fputc(isalnum((unsigned char)*name) || strchr("-_. ", *name) ? *name : '?', to);
}

static void write_row(FILE *to, const row *r, unsigned bits, const char *group)
{
    fprintf(to, "            32'b");
    for (unsigned bit = 32; bit-- > 0;)
        fputc(r->mask >> bit & 1 ? "01"[r->match >> bit & 1] : '?', to);
    fprintf(to, ": group_o = %u'd%u; // ", bits, r->group);
    write_name(to, group);
    fprintf(to, ": %s\n", r->name);
}

static unsigned bits_of(unsigned groups)
{
    unsigned bits = 1;
    while (groups > 1u << bits)
        bits++;
    return bits;
}

void gs_leap_write_groups(FILE *to, const gs_core *core, const gs_isa *isa)
{
    const gs_core_energy *energy = &core->energy;
    table t = table_of(core, isa);
    unsigned rest = most_common(&t), bits = bits_of(energy->group_count);
    row r;
    fprintf(to, "// SPDX-License-Identifier: Apache-2.0\n"
                "// leap_groups - the energy group of an instruction, for ");
    write_name(to, core->name);
    fprintf(
        to,
        ".\n"
        "//\n"
        "// Written by 'gumshoe rtl leap --count energy' from the core's energy table. The first "
        "pattern\n// that fits counts.\n"
        "`default_nettype none\n"
        "module leap_groups (\n"
        "    input  wire [31:0] insn_i,\n"
        "    output reg  [%u:0]  group_o\n"
        ");\n"
        "    always @*\n"
        "        casez (insn_i)\n",
        bits - 1);
    for (size_t i = 0; i < t.count; i++) {
        if (row_at(&t, i, &r) && (r.group != rest || shields(&t, i, &r)))
            write_row(to, &r, bits, energy->groups[r.group].name);
    }
    fprintf(to, "            default: group_o = %u'd%u; // ", bits, rest);
    write_name(to, energy->groups[rest].name);
    fprintf(to, ": all others\n        endcase\nendmodule\n`default_nettype wire\n");
}

static void write_cost(FILE *to, uint32_t cycle_fj, const char *name)
{
    fprintf(to, "    %" PRIu32 ", /* ", cycle_fj);
    write_name(to, name);
    fprintf(to, " */\n");
}

void gs_leap_write_costs(FILE *to, const gs_core *core)
{
    const gs_core_energy *energy = &core->energy;
    fprintf(to, "#include <stdint.h>\n\n/* What a cycle costs in femtojoules, by lane: groups of ");
    write_name(to, core->name);
    fprintf(to, ", and stalls. */\nstatic const uint32_t leap_cycle_fj[%u] = {\n",
            energy->group_count + 1);
    for (unsigned i = 0; i < energy->group_count; i++)
        write_cost(to, energy->groups[i].cycle_fj, energy->groups[i].name);
    write_cost(to, energy->stall_fj, "stall");
    fprintf(to, "};\n");
}
