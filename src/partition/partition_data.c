/* What to move into hardware, for programs: CSV and JSON. */
#include <inttypes.h>
#include <stdlib.h>

#include "partition/partition.h"
#include "report/json_parts.h"
#include "report/names.h"

static const char *const verdicts[] = {
    [GS_HW_CHOSEN] = "chosen",   [GS_HW_HINDERED] = "hindered", [GS_HW_SLOWER] = "slower",
    [GS_HW_LARGE] = "too-large", [GS_HW_NESTED] = "nested",     [GS_HW_NO_ROOM] = "no-room",
};

static uint32_t pc_of(const gs_partition *p, const gs_hw_candidate *c)
{
    return c->is_loop ? p->profile->loops.items[c->loop].header
                      : p->profile->functions.items[c->function].start;
}

gs_status gs_report_partition_csv(FILE *to, const gs_partition *partition, gs_error *err)
{
    const gs_partition *p = partition;
    fputs("candidate,kind,address,software_cycles,times,hardware_cycles,transfer_cycles,"
          "total_cycles,lut,ff,dsp,verdict,reason\n",
          to);
    for (size_t i = 0; i < p->candidates.count; i++) {
        const gs_hw_candidate *c = &p->candidates.items[i];
        char *name = gs_partition_name(p, c), *reason = gs_partition_reason(p, c);
        fputc('"', to);
        gs_report_put_csv(to, name ? name : "");
        fprintf(to, "\",%s,0x%08x,%" PRIu64 ",%" PRIu64 ",%.1f,%.1f,%.1f",
                c->is_loop ? "loop" : "function", pc_of(p, c), c->software, c->times,
                c->cost.cycles, c->transfers, c->total);
        for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
            fprintf(to, ",%" PRIu64, c->area[r]);
        fprintf(to, ",%s,\"", verdicts[c->verdict]);
        gs_report_put_csv(to, reason ? reason : "");
        fputs("\"\n", to);
        const bool failed = !name || !reason;
        free(name);
        free(reason);
        if (failed)
            return gs_fail_no_memory(err);
    }
    return gs_report_end(to, err);
}

static void put_area(gs_json *json, const char *key, const uint64_t *area)
{
    static const char *const keys[] = {"lut", "ff", "dsp"};
    gs_json_open_object(json, key);
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
        gs_json_uint(json, keys[r], area[r]);
    gs_json_close_object(json);
}

static gs_status put_candidate(gs_json *json, const gs_partition *p, const gs_hw_candidate *c,
                               gs_error *err)
{
    char *name = gs_partition_name(p, c), *reason = gs_partition_reason(p, c);
    gs_status status = name && reason ? GS_OK : gs_fail_no_memory(err);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", name ? name : "");
    gs_json_string(json, "kind", c->is_loop ? "loop" : "function");
    gs_json_string(json, "function", gs_report_function_name(p->profile, c->function));
    gs_report_json_address(json, "address", pc_of(p, c));
    gs_json_uint(json, "software_cycles", c->software);
    gs_json_uint(json, "times", c->times);
    gs_json_double(json, "hardware_cycles", c->cost.cycles);
    gs_json_double(json, "transfer_cycles", c->transfers);
    gs_json_double(json, "total_cycles", c->total);
    gs_json_uint(json, "words", c->words);
    gs_json_double(json, "loads", c->cost.loads);
    gs_json_double(json, "stores", c->cost.stores);
    gs_json_uint(json, "states", c->cost.states);
    put_area(json, "area", c->area);
    gs_json_string(json, "verdict", verdicts[c->verdict]);
    gs_json_string(json, "reason", reason ? reason : "");
    gs_json_close_object(json);
    free(name);
    free(reason);
    return status;
}

static gs_status put_step(gs_json *json, const char *key, const gs_partition *p,
                          const gs_partition_step *step, gs_error *err)
{
    gs_status status = GS_OK;
    gs_json_open_object(json, key);
    put_area(json, "budget", step->budget);
    put_area(json, "area", step->area);
    gs_json_double(json, "speedup", gs_partition_speedup(p, step));
    gs_json_double(json, "bound", gs_partition_bound(p, step));
    gs_json_open_array(json, "moved");
    for (size_t i = 0; i < p->candidates.count; i++) {
        if (!step->chosen[i])
            continue;
        char *name = gs_partition_name(p, &p->candidates.items[i]);
        status = name ? status : gs_fail_no_memory(err);
        gs_json_string(json, NULL, name ? name : "");
        free(name);
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
    return status;
}

gs_status gs_report_partition_json(FILE *to, const gs_partition *partition, gs_error *err)
{
    const gs_partition *p = partition;
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-partition-1");
    gs_report_json_run(&json, "run", &p->profile->run);
    gs_json_string(&json, "hls", p->hls->name);
    gs_json_bool(&json, "estimate", true);
    gs_json_uint(&json, "cycles", p->cycles);
    gs_json_double(&json, "clock_ns", p->hls->clock_ns);
    gs_json_double(&json, "clock_ratio", p->ratio);
    gs_status status = put_step(&json, "choice", p, gs_partition_best(p), err);
    gs_json_open_array(&json, "budgets");
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS && status == GS_OK; i++)
        status = put_step(&json, NULL, p, &p->steps[i], err);
    gs_json_close_array(&json);
    gs_json_open_array(&json, "candidates");
    for (size_t i = 0; i < p->candidates.count && status == GS_OK; i++)
        status = put_candidate(&json, p, &p->candidates.items[i], err);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    (void)gs_json_end(&json);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
