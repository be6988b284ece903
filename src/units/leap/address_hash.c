/* Searches for the parameters of a perfect hash, and writes them for C and Verilog. */
#include "units/leap/address_hash.h"

#include <inttypes.h>
#include <stdlib.h>

void gs_leap_hash_fini(gs_leap_hash *hash)
{
    free(hash->tab);
    *hash = (gs_leap_hash){0};
}

uint32_t gs_leap_entries_for(size_t count)
{
    uint32_t entries = 1;
    while (entries < count && entries < GS_LEAP_ENTRIES_MAX)
        entries *= 2;
    return entries;
}

uint64_t gs_leap_tab_length(const gs_leap_hash *hash)
{
    return (uint64_t)hash->b2 + 1;
}

unsigned gs_leap_tab_bits(const gs_leap_hash *hash)
{
    unsigned bits = 0;
    while (UINT32_C(1) << bits < hash->entries)
        bits++;
    return bits ? bits : 1;
}

void gs_leap_hash_write_text(FILE *to, const gs_leap_hash *hash, const char *name)
{
    fprintf(to, "# LEAP address hash of %s\n", name);
    fprintf(to, "entries %" PRIu32 "\nV 0x%08" PRIx32 "\n", hash->entries, hash->v);
    fprintf(to, "A1 %u\nA2 %u\nB1 %u\nB2 0x%" PRIx32 "\n", hash->a1, hash->a2, hash->b1, hash->b2);
    fprintf(to, "tab %" PRIu64 " entries of %u bits\n", gs_leap_tab_length(hash),
            gs_leap_tab_bits(hash));
    for (uint64_t i = 0; i <= hash->b2; i++)
        fprintf(to, "%u%c", hash->tab[i], i % 16 == 15 || i == hash->b2 ? '\n' : ' ');
}

void gs_leap_hash_write_c(FILE *to, const gs_leap_hash *hash, const char *name)
{
    fprintf(to, "/* LEAP address hash of %s */\n#include <stdint.h>\n\n", name);
    fprintf(to, "#define LEAP_ENTRIES %" PRIu32 "u\n", hash->entries);
    fprintf(to, "#define LEAP_V 0x%08" PRIx32 "u\n", hash->v);
    fprintf(to, "#define LEAP_A1 %uu\n#define LEAP_A2 %uu\n", hash->a1, hash->a2);
    fprintf(to, "#define LEAP_B1 %uu\n#define LEAP_B2 0x%" PRIx32 "u\n\n", hash->b1, hash->b2);
    fprintf(to, "static const uint%u_t leap_tab[%" PRIu64 "] = {",
            gs_leap_tab_bits(hash) <= 8 ? 8u : 16u, gs_leap_tab_length(hash));
    for (uint64_t i = 0; i <= hash->b2; i++)
        fprintf(to, "%s%u,", i % 16 == 0 ? "\n    " : " ", hash->tab[i]);
    fprintf(to, "\n};\n");
}

/* Eight words of parameters, then tab. */
void gs_leap_hash_write_memory(FILE *to, const gs_leap_hash *hash, const char *name)
{
    const uint32_t head[8] = {hash->v,
                              hash->a1,
                              hash->a2,
                              hash->b1,
                              hash->b2,
                              hash->entries,
                              (uint32_t)gs_leap_tab_length(hash), /* 0 if that is 2^32 */
                              0};
    static const char *const meaning[8] = {"V",  "A1",      "A2",         "B1",
                                           "B2", "entries", "tab length", "reserved"};
    fprintf(to, "// LEAP address hash of %s\n", name);
    for (unsigned i = 0; i < 8; i++)
        fprintf(to, "%08" PRIx32 " // %s\n", head[i], meaning[i]);
    for (uint64_t i = 0; i <= hash->b2; i++)
        fprintf(to, "%08x\n", hash->tab[i]);
}
