/* Names of RVFI's signals, and records of their values. */
#include "replay/rvfi.h"

#include "replay/words.h"

static const struct {
    const char *name;
    gs_rvfi_signal signal;
} names[] = {
    {"valid", GS_RVFI_VALID},
    {"trap", GS_RVFI_TRAP},
    {"intr", GS_RVFI_INTR},
    {"pc_rdata", GS_RVFI_PC},
    {"pc_wdata", GS_RVFI_NEXT_PC},
    {"pc", GS_RVFI_PC},
    {"next_pc", GS_RVFI_NEXT_PC},
    {"insn", GS_RVFI_INSN},
    {"mem_addr", GS_RVFI_MEM_ADDR},
    {"mem_rmask", GS_RVFI_MEM_RMASK},
    {"mem_wmask", GS_RVFI_MEM_WMASK},
    {"rd_addr", GS_RVFI_RD_ADDR},
    {"rd_wdata", GS_RVFI_RD_WDATA},
    {"cycle", GS_RVFI_CYCLE},
    {"stall_valid", GS_RVFI_STALL_VALID},
    {"stall", GS_RVFI_STALL},
    {"icache_hit", GS_RVFI_ICACHE_HIT},
    {"icache_miss", GS_RVFI_ICACHE_MISS},
    {"dcache_hit", GS_RVFI_DCACHE_HIT},
    {"dcache_miss", GS_RVFI_DCACHE_MISS},
};

int gs_rvfi_find(const char *name, size_t length, const char *prefix, size_t *prefix_length)
{
    int found = -1;
    size_t shortest = SIZE_MAX;
    if (length > 2 && memcmp(name + length - 2, "_o", 2) == 0)
        length -= 2;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t tail = strlen(names[i].name);
        if (tail > length || memcmp(name + length - tail, names[i].name, tail) != 0)
            continue;
        const size_t before = length - tail;
        const bool fits = prefix ? strlen(prefix) == before && memcmp(name, prefix, before) == 0
                                 : before == 0 || name[before - 1] == '_';
        if (!fits || before >= shortest)
            continue;
        shortest = before;
        found = (int)names[i].signal;
    }
    if (found >= 0 && prefix_length)
        *prefix_length = shortest;
    return found;
}

void gs_rvfi_record(gs_replay_record *record, const gs_rvfi_beat *beat, unsigned sp)
{
    const uint64_t *v = beat->value;
    const uint64_t mask = v[GS_RVFI_MEM_RMASK] | v[GS_RVFI_MEM_WMASK];
    record->what = v[GS_RVFI_TRAP] & 1 ? GS_REPLAY_TRAPPED : GS_REPLAY_RETIRED;
    record->pc = v[GS_RVFI_PC];
    if (gs_rvfi_has(beat, GS_RVFI_INSN))
        gs_words_riscv(record, v[GS_RVFI_INSN]);
    if (mask) {
        record->size = (unsigned)__builtin_popcountll(mask);
        record->address = v[GS_RVFI_MEM_ADDR];
        if (!(mask & 1)) /* of an aligned word, with the lanes that were accessed */
            record->address = (record->address & ~UINT64_C(3)) + (unsigned)__builtin_ctzll(mask);
        record->writes = v[GS_RVFI_MEM_WMASK] != 0;
    }
    if (gs_rvfi_has(beat, GS_RVFI_RD_ADDR) && v[GS_RVFI_RD_ADDR] == sp) {
        record->has_stack = true;
        record->stack = v[GS_RVFI_RD_WDATA];
    }
    record->has_cycle = gs_rvfi_has(beat, GS_RVFI_CYCLE);
    record->cycle = v[GS_RVFI_CYCLE];
    record->has_caches =
        gs_rvfi_has(beat, GS_RVFI_ICACHE_HIT) || gs_rvfi_has(beat, GS_RVFI_DCACHE_HIT);
    record->icache_hits = v[GS_RVFI_ICACHE_HIT];
    record->icache_misses = v[GS_RVFI_ICACHE_MISS];
    record->dcache_hits = v[GS_RVFI_DCACHE_HIT];
    record->dcache_misses = v[GS_RVFI_DCACHE_MISS];
    record->has_next = gs_rvfi_has(beat, GS_RVFI_NEXT_PC);
    record->next_pc = v[GS_RVFI_NEXT_PC];
    record->tells_stack = gs_rvfi_has(beat, GS_RVFI_RD_ADDR) && gs_rvfi_has(beat, GS_RVFI_RD_WDATA);
}
