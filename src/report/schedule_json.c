/* A program's schedule for a statically scheduled core, for scripts. */
#include "report/schedule_json.h"

#include "base/error.h"
#include "base/json.h"

typedef struct writer {
    gs_json json;
    const gs_image *image;
    const gs_core *core;
    gs_disassembler *disassembler;
} writer;

static void write_insn(writer *w, const gs_scheduled_function *f, uint32_t number)
{
    const gs_scheduled_insn *at = &f->insns[number];
    char text[96] = "";
    gs_insn insn;
    if (gs_image_insn_at(w->image, f->pcs[number], &insn))
        gs_disassemble(w->disassembler, &insn, f->pcs[number], text, sizeof text);
    gs_json_open_object(&w->json, NULL);
    gs_json_uint(&w->json, "address", f->pcs[number]);
    gs_json_string(&w->json, "text", text);
    gs_json_uint(&w->json, "cycle", at->cycle);
    if (at->slot != GS_SLOT_NONE)
        gs_json_uint(&w->json, "slot", at->slot);
    gs_json_uint(&w->json, "operation", at->node);
    if (at->fused >= 0)
        gs_json_string(&w->json, "as", w->core->vliw.fused[at->fused].name);
    gs_json_close_object(&w->json);
}

static void write_region(writer *w, const gs_scheduled_function *f, const gs_vliw_region *region)
{
    gs_json_open_object(&w->json, NULL);
    gs_json_uint(&w->json, "address", f->pcs[region->first]);
    gs_json_uint(&w->json, "cycles", region->length);
    gs_json_uint(&w->json, "bundles", region->bundles);
    gs_json_bool(&w->json, "loop", region->loops);
    if (region->interval)
        gs_json_uint(&w->json, "interval", region->interval);
    gs_json_uint(&w->json, "operations", region->operations);
    gs_json_uint(&w->json, "spilled", region->spilled);
    gs_json_uint(&w->json, "bytes", region->bytes);
    gs_json_open_array(&w->json, "instructions");
    for (uint32_t i = region->first; i < region->first + region->count; i++)
        write_insn(w, f, i);
    gs_json_close_array(&w->json);
    gs_json_close_object(&w->json);
}

static void write_function(writer *w, const gs_function *function, const gs_scheduled_function *f)
{
    gs_json_open_object(&w->json, NULL);
    gs_json_string(&w->json, "name", function->name);
    gs_json_open_array(&w->json, "regions");
    for (uint32_t i = 0; i < f->region_count; i++)
        write_region(w, f, &f->regions[i]);
    gs_json_close_array(&w->json);
    gs_json_close_object(&w->json);
}

gs_status gs_schedule_write_json(FILE *to, const gs_image *image, const gs_core *core,
                                 gs_scheduler *scheduler, gs_disassembler *disassembler,
                                 const gs_function *one, gs_error *err)
{
    writer w = {.image = image, .core = core, .disassembler = disassembler};
    gs_json_begin(&w.json, to);
    gs_json_open_object(&w.json, NULL);
    gs_json_string(&w.json, "core", core->name);
    gs_json_bool(&w.json, "estimate", true);
    gs_json_uint(&w.json, "slots", core->vliw.width);
    gs_json_open_array(&w.json, "functions");
    for (size_t i = 0; i < gs_image_function_count(image); i++) {
        const gs_function *function = gs_image_function(image, i);
        if (one && one != function)
            continue;
        const gs_scheduled_function *f =
            gs_scheduler_function_at(scheduler, (uint32_t)function->start);
        if (!f)
            return gs_fail_no_memory(err);
        write_function(&w, function, f);
    }
    gs_json_close_array(&w.json);
    gs_json_close_object(&w.json);
    return gs_json_end(&w.json) ? GS_OK : gs_fail(err, GS_E_IO, "the schedule cannot be written");
}
