/* A run on several cores: tables for people, and JSON. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "gumshoe/system.h"
#include "report/text_table.h"

static uint64_t stall_of(const gs_timing *timing, const char *key)
{
    for (size_t i = 0; i < gs_timing_stall_count(); i++) {
        if (!strcmp(gs_timing_stall_key(i), key))
            return gs_timing_stalls(timing, i);
    }
    return 0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* -- cores ------------------------------------------------------------------------------------ */

enum { HART, INSTRUCTIONS, CYCLES, CPI, BUS, SPINNING, IDLE, ACCESSES, CORE_COLUMNS };

static const gs_text_column core_columns[CORE_COLUMNS] = {
    [HART] = {.heading = "hart"},     [INSTRUCTIONS] = {.heading = "instructions"},
    [CYCLES] = {.heading = "cycles"}, [CPI] = {.heading = "CPI", .spare = 2},
    [BUS] = {.heading = "bus"},       [SPINNING] = {.heading = "spinning"},
    [IDLE] = {.heading = "idle"},     [ACCESSES] = {.heading = "accesses", .spare = 1},
};

static void put_core_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_system_core core = gs_system_core_at(self, row);
    const uint64_t cycles = gs_timing_cycles(core.timing);
    const uint64_t instructions = gs_machine_instructions(core.machine);
    switch (column) {
    case HART: snprintf(to, GS_TEXT_CELL, "%u", core.hart); break;
    case INSTRUCTIONS: snprintf(to, GS_TEXT_CELL, "%" PRIu64, instructions); break;
    case CYCLES: snprintf(to, GS_TEXT_CELL, "%" PRIu64, cycles); break;
    case CPI:
        snprintf(to, GS_TEXT_CELL, "%.3f",
                 instructions ? (double)cycles / (double)instructions : 0.0);
        break;
    case BUS:
        snprintf(to, GS_TEXT_CELL, "%.1f%%", percent(stall_of(core.timing, "bus"), cycles));
        break;
    case SPINNING: snprintf(to, GS_TEXT_CELL, "%.1f%%", percent(core.spinning, cycles)); break;
    case IDLE:
        snprintf(to, GS_TEXT_CELL, "%.1f%%", percent(stall_of(core.timing, "idle"), cycles));
        break;
    default: snprintf(to, GS_TEXT_CELL, "%" PRIu64, core.accesses);
    }
}

static void put_core_name(FILE *to, void *self, size_t row, unsigned room)
{
    const gs_system_core core = gs_system_core_at(self, row);
    (void)room;
    fprintf(to, "%s (%s)", core.name, gs_core_title(gs_timing_core(core.timing)));
}

static unsigned core_name_width(void *self, size_t row)
{
    const gs_system_core core = gs_system_core_at(self, row);
    return (unsigned)(strlen(core.name) + strlen(gs_core_title(gs_timing_core(core.timing))) + 3);
}

/* -- parts of the bus ------------------------------------------------------------------------- */

enum { LOADS, STORES, WAITED, EACH, PART_COLUMNS };

static const gs_text_column part_columns[PART_COLUMNS] = {
    [LOADS] = {.heading = "loads"},
    [STORES] = {.heading = "stores"},
    [WAITED] = {.heading = "cycles waited"},
    [EACH] = {.heading = "per access"},
};

/* A row of that table is a core's use of a part; only those that are one are shown. */
typedef struct use_list {
    const gs_system *system;
    size_t count;
    struct {
        size_t part, core;
    } at[1024];
} use_list;

static void find_uses(use_list *uses, const gs_system *system)
{
    const size_t room = sizeof uses->at / sizeof *uses->at;
    *uses = (use_list){.system = system};
    for (size_t part = 0; part < gs_system_part_count(system); part++) {
        for (size_t core = 0; core < gs_system_core_count(system); core++) {
            const gs_system_use use = gs_system_use_at(system, part, core);
            if (use.loads + use.stores > 0 && uses->count < room) {
                uses->at[uses->count].part = part;
                uses->at[uses->count++].core = core;
            }
        }
    }
}

static gs_system_use use_of(const use_list *uses, size_t row)
{
    return gs_system_use_at(uses->system, uses->at[row].part, uses->at[row].core);
}

static void put_part_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_system_use use = use_of(self, row);
    const uint64_t accesses = use.loads > use.stores ? use.loads : use.stores;
    switch (column) {
    case LOADS: snprintf(to, GS_TEXT_CELL, "%" PRIu64, use.loads); break;
    case STORES: snprintf(to, GS_TEXT_CELL, "%" PRIu64, use.stores); break;
    case WAITED: snprintf(to, GS_TEXT_CELL, "%" PRIu64, use.waited); break;
    default: snprintf(to, GS_TEXT_CELL, "%.2f", (double)use.waited / (double)accesses);
    }
}

static void part_name(char name[160], const use_list *uses, size_t row)
{
    snprintf(name, 160, "%.64s by %.64s", gs_system_part_at(uses->system, uses->at[row].part).name,
             gs_system_core_at(uses->system, uses->at[row].core).name);
}

static void put_part_name(FILE *to, void *self, size_t row, unsigned room)
{
    char name[160];
    (void)room;
    part_name(name, self, row);
    fputs(name, to);
}

static unsigned part_name_width(void *self, size_t row)
{
    char name[160];
    part_name(name, self, row);
    return (unsigned)strlen(name);
}

/* -- together --------------------------------------------------------------------------------- */

static void put_waits(FILE *to, const gs_system *system)
{
    const size_t count = gs_system_core_count(system);
    for (size_t core = 0; core < count; core++) {
        const char *before = "";
        for (size_t other = 0; other < count; other++) {
            const uint64_t waited = gs_system_waited(system, core, other);
            if (waited == 0)
                continue;
            if (!*before)
                fprintf(to, "  %s waited for", gs_system_core_at(system, core).name);
            fprintf(to, "%s %s %" PRIu64, before, gs_system_core_at(system, other).name, waited);
            before = ",";
        }
        if (*before)
            fputs(" cycles\n", to);
    }
}

gs_status gs_report_system(FILE *to, const gs_system *system, unsigned width, gs_error *err)
{
    const uint64_t cycles = gs_system_cycles(system);
    const gs_system_bus bus = gs_system_bus_counts(system);
    use_list rows;
    find_uses(&rows, system);
    const gs_text_table cores = {.columns = core_columns,
                                 .count = CORE_COLUMNS,
                                 .rows = gs_system_core_count(system),
                                 .name = "core",
                                 .width = width,
                                 .self = (void *)system,
                                 .cell = put_core_cell,
                                 .put_name = put_core_name,
                                 .name_width = core_name_width};
    const gs_text_table parts = {.columns = part_columns,
                                 .count = PART_COLUMNS,
                                 .rows = rows.count,
                                 .name = "on the bus",
                                 .width = width,
                                 .self = &rows,
                                 .cell = put_part_cell,
                                 .put_name = put_part_name,
                                 .name_width = part_name_width};
    fprintf(to, "%s: %zu core%s, %" PRIu64 " cycles\n\n", gs_system_name(system),
            gs_system_core_count(system), gs_system_core_count(system) == 1 ? "" : "s", cycles);
    gs_text_table_put(to, &cores);
    fprintf(to, "\nThe bus was busy in %.1f%% of the cycles, with %" PRIu64 " transfer%s.\n",
            percent(bus.busy, cycles), bus.transfers, bus.transfers == 1 ? "" : "s");
    put_waits(to, system);
    if (rows.count > 0) {
        fputc('\n', to);
        gs_text_table_put(to, &parts);
    }
    return ferror(to) ? gs_fail(err, GS_E_IO, "the report could not be written") : GS_OK;
}

static void put_core_json(gs_json *json, const gs_system *system, size_t index)
{
    const gs_system_core core = gs_system_core_at(system, index);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", core.name);
    gs_json_uint(json, "hart", core.hart);
    gs_json_string(json, "core", gs_core_name(gs_timing_core(core.timing)));
    gs_json_bool(json, "estimate", gs_core_estimates(gs_timing_core(core.timing)));
    gs_json_string(json, "program", gs_image_name(gs_machine_image(core.machine)));
    gs_json_uint(json, "instructions", gs_machine_instructions(core.machine));
    gs_json_uint(json, "cycles", gs_timing_cycles(core.timing));
    gs_json_uint(json, "spinning", core.spinning);
    gs_json_uint(json, "accesses", core.accesses);
    gs_json_open_object(json, "stalls");
    for (size_t i = 0; i < gs_timing_stall_count(); i++)
        gs_json_uint(json, gs_timing_stall_key(i), gs_timing_stalls(core.timing, i));
    gs_json_close_object(json);
    gs_json_open_object(json, "waited_for");
    for (size_t i = 0; i < gs_system_core_count(system); i++)
        gs_json_uint(json, gs_system_core_at(system, i).name, gs_system_waited(system, index, i));
    gs_json_close_object(json);
    gs_json_close_object(json);
}

static void put_part_json(gs_json *json, const gs_system *system, size_t index)
{
    const gs_system_part part = gs_system_part_at(system, index);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", part.name);
    gs_json_string(json, "type", part.type);
    gs_json_uint(json, "base", part.base);
    gs_json_uint(json, "size", part.size);
    gs_json_open_object(json, "cores");
    for (size_t i = 0; i < gs_system_core_count(system); i++) {
        const gs_system_use use = gs_system_use_at(system, index, i);
        gs_json_open_object(json, gs_system_core_at(system, i).name);
        gs_json_uint(json, "loads", use.loads);
        gs_json_uint(json, "stores", use.stores);
        gs_json_uint(json, "waited", use.waited);
        gs_json_close_object(json);
    }
    gs_json_close_object(json);
    gs_json_close_object(json);
}

static const char *exit_word(gs_exit_kind kind)
{
    switch (kind) {
    case GS_EXIT_CODE: return "code";
    case GS_EXIT_SIGNAL: return "signal";
    case GS_EXIT_LIMIT: return "limit";
    case GS_EXIT_HALT: return "halt";
    default: return "interrupted";
    }
}

gs_status gs_report_system_json(FILE *to, const gs_system *system, gs_error *err)
{
    const gs_system_bus bus = gs_system_bus_counts(system);
    const gs_exit *exit = gs_system_exit(system);
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "schema", "gumshoe-system-1");
    gs_json_string(&json, "system", gs_system_name(system));
    gs_json_open_object(&json, "exit");
    gs_json_string(&json, "kind", exit_word(exit->kind));
    gs_json_int(&json, "code", exit->code);
    gs_json_string(&json, "message", exit->message);
    gs_json_close_object(&json);
    gs_json_uint(&json, "cycles", gs_system_cycles(system));
    gs_json_open_object(&json, "bus");
    gs_json_uint(&json, "busy", bus.busy);
    gs_json_uint(&json, "transfers", bus.transfers);
    gs_json_close_object(&json);
    gs_json_open_array(&json, "cores");
    for (size_t i = 0; i < gs_system_core_count(system); i++)
        put_core_json(&json, system, i);
    gs_json_close_array(&json);
    gs_json_open_array(&json, "parts");
    for (size_t i = 0; i < gs_system_part_count(system); i++)
        put_part_json(&json, system, i);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    return gs_json_end(&json) ? GS_OK : gs_fail(err, GS_E_IO, "the report could not be written");
}
