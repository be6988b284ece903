/* Writes the C of functions that are compiled together, and loads what becomes of it. */
#include "engine/fast/tier/batch.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fast/tier/compiler.h"
#include "engine/fast/translate/icache_lines.h"
#include "machine/stops.h"

bool gs_batch_open(gs_batch *b, size_t room)
{
    *b = (gs_batch){.codes = calloc(room, sizeof *b->codes)};
    return b->codes != NULL;
}

void gs_batch_close(gs_batch *b)
{
    free(b->codes);
    free(b->source);
    *b = (gs_batch){0};
}

unsigned gs_code_steps(const gs_code *code)
{
    unsigned steps = 0;
    for (size_t i = 0; i < code->count; i++)
        steps += code->superblocks[i].step_count;
    return steps;
}

unsigned gs_batch_steps(const gs_batch *b)
{
    unsigned steps = 0;
    for (size_t i = 0; i < b->count; i++)
        steps += gs_code_steps(&b->codes[i]);
    return steps;
}

bool gs_batch_has_numbers(const gs_batch *b, const gs_fast_engine *fast)
{
    size_t superblocks = gs_fast_next_number(fast, b->quick);
    for (size_t i = 0; i < b->count; i++)
        superblocks += b->codes[i].count + b->codes[i].room;
    return superblocks <= (b->quick ? GS_FAST_SUPERBLOCKS : GS_FAST_QUICK_FIRST);
}

/* Where it matters when I-cache lines are used. */
static bool prepare_icache(gs_batch *b, gs_icache_lru *lru)
{
    bool ok = gs_icache_lru_add(lru, b->codes, b->count);
    for (size_t i = 0; ok && lru->cache && i < b->count; i++)
        ok = gs_icache_lines_mark(&b->codes[i], lru->cache);
    return ok;
}

bool gs_batch_write_source(gs_batch *b, gs_arena *arena, gs_machine *machine, gs_timing *timing,
                           gs_fast_engine *fast, bool paths)
{
    for (size_t i = 0; i < b->count; i++)
        b->codes[i].quick = b->quick;
    if (!gs_fast_predict(fast, arena, b->codes, b->count) ||
        !gs_fast_has_room(fast, b->codes, b->count) || !prepare_icache(b, gs_fast_icache_lru(fast)))
        return false;
    b->pointed = gs_fast_pointed(fast)->count;
    FILE *to = open_memstream(&b->source, &b->size);
    if (!to)
        return false;
    gs_translation_options options = {
        .machine = machine,
        .timing = timing,
        .first = gs_fast_next_number(fast, b->quick),
        .near = gs_fast_near_used(fast, b->quick),
        .lru_icache = gs_fast_icache_lru(fast)->cache,
        .bmi2 = gs_compiler_may_use_bmi2(),
        .paths = paths,
        .dates = gs_fast_dates_passes(fast),
        .quick = b->quick,
        .shared = gs_fast_shared(fast),
    };
    gs_translate(to, &options, b->codes, b->count);
    return fclose(to) == 0;
}

gs_fast_function **gs_batch_open_object(gs_batch *b, const char *path)
{
    b->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    gs_fast_function **functions = calloc(b->count + 1, sizeof *functions);
    bool ok = b->object && functions && dlsym(b->object, "forget");
    for (size_t i = 0; ok && i < b->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "f_%08" PRIx32, b->codes[i].low);
        void *symbol = dlsym(b->object, name);
        memcpy(&functions[i], &symbol, sizeof symbol);
        ok = symbol != NULL;
    }
    if (ok)
        return functions;
    free(functions);
    if (b->object)
        dlclose(b->object);
    b->object = NULL;
    return NULL;
}

void gs_batch_unload(const gs_batch *b, gs_fast_engine *fast, gs_code *code)
{
    void *symbol = b->object ? dlsym(b->object, "forget") : NULL;
    void (*forget)(uint32_t function);
    memcpy(&forget, &symbol, sizeof symbol);
    if (forget)
        forget(code->low);
    gs_fast_remove(fast, code);
    code->count = 0;
}

static bool is_still_there(const gs_machine *machine, gs_addr pc, uint32_t raw)
{
    uint32_t word;
    return gs_memory_fetch(&machine->memory, machine->isa, pc, &word) == GS_ACCESS_OK &&
           word == raw;
}

bool gs_code_is_unchanged(const gs_code *code, const gs_machine *machine)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->step_count; k++) {
            uint32_t word;
            gs_insn now;
            if (gs_memory_fetch(&machine->memory, machine->isa, s->steps[k].pc, &word) !=
                    GS_ACCESS_OK ||
                gs_stops_at(machine->stops, s->steps[k].pc))
                return false;
            gs_decode(&now, &machine->decoder, word);
            if (now.raw != s->steps[k].insn.raw || now.op != s->steps[k].insn.op)
                return false;
        }
        for (unsigned k = 0; k < s->wrong_path_count; k++) {
            for (unsigned n = 0; n < s->wrong_path[k].count; n++) {
                if (!is_still_there(machine, s->wrong_path[k].pc[n], s->wrong_path[k].raw[n]))
                    return false;
            }
        }
    }
    return true;
}
