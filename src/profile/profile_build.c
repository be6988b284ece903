/* Makes a profile from a recorder: functions, lines, blocks, edges, loops and call paths. */
#include "profile/profile_build.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "gumshoe/version.h"
#include "isa/disassembler.h"
#include "profile/demangle.h"
#include "timing/core.h"

typedef gs_profile_builder builder;

static bool set_text(char **to, const char *text)
{
    *to = strdup(text ? text : "");
    return *to != NULL;
}

static bool describe_run(builder *b, const gs_profile_options *options)
{
    const gs_machine *machine = gs_recorder_machine(b->recorder);
    const gs_timing *timing = gs_recorder_timing(b->recorder);
    const gs_exit *exit = gs_machine_exit(machine);
    gs_profile_run *run = &b->profile->run;
    run->started = options->started ? options->started : (int64_t)time(NULL);
    run->exit = exit->kind;
    run->exit_code = exit->kind == GS_EXIT_SIGNAL ? exit->signal : exit->code;
    run->clock_hz = machine->clock_hz;
    run->desyncs = gs_recorder_desyncs(b->recorder);
    char inherited[GS_MACHINE_INHERITED];
    gs_machine_inherited(machine, inherited);
    const gs_core *core = timing ? gs_timing_core(timing) : NULL;
    return set_text(&run->program, gs_image_name(b->image)) &&
           set_text(&run->label, options->label) && set_text(&run->commit, options->commit) &&
           set_text(&run->core, core ? gs_core_title(core) : "") &&
           set_text(&run->core_yaml, core ? gs_core_yaml(core) : "") &&
           set_text(&run->isa, machine->isa->name) &&
           set_text(&run->environment, machine->environment->name) &&
           set_text(&run->inherited, inherited) && set_text(&run->variables, machine->variables) &&
           set_text(&run->region, options->region) && set_text(&run->version, GUMSHOE_VERSION);
}

static bool place_of(builder *b, uint32_t pc, uint32_t *file, uint32_t *line)
{
    gs_line where;
    *file = GS_PROFILE_NONE;
    *line = 0;
    if (!gs_image_line_at(b->image, pc, &where))
        return true;
    *line = where.line;
    return gs_file_table_index(&b->files, b->profile, where.file, file);
}

static size_t number_of(const builder *b, const gs_function *function)
{
    return (size_t)(function - gs_image_function(b->image, 0));
}

static uint32_t function_index(const builder *b, const gs_function *function)
{
    return function ? b->function_of[number_of(b, function)] : GS_PROFILE_NONE;
}

/* Whether anything was counted at a node itself. Outside a region of interest nothing is. */
static bool has_counts(const gs_call_node *node)
{
    uint64_t any = node->calls;
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        any |= node->self.value[i];
    return any != 0;
}

/* Numbers the call paths that are a part of the profile: those with counts, and all above them. */
static bool choose_nodes(builder *b)
{
    const gs_calltree *calls = gs_recorder_calls(b->recorder);
    size_t count = gs_calltree_count(calls);
    uint32_t next = 0;
    b->node_of = malloc(count * sizeof *b->node_of);
    if (!b->node_of)
        return false;
    memset(b->node_of, 0xff, count * sizeof *b->node_of); /* GS_PROFILE_NONE */
    b->node_of[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_counts(gs_calltree_node(calls, i)))
            continue;
        for (uint32_t at = i; at != GS_CALLTREE_NONE && b->node_of[at] == GS_PROFILE_NONE;
             at = gs_calltree_node(calls, at)->parent)
            b->node_of[at] = 0;
    }
    if (!gs_profile_choose_threads(b))
        return false;
    next = b->thread_count ? (uint32_t)b->thread_count + 1 : 0; /* behind the nodes of these */
    for (size_t i = 0; i < count; i++) {
        if (b->node_of[i] != GS_PROFILE_NONE)
            b->node_of[i] = next++;
    }
    return true;
}

static void mark_functions(builder *b)
{
    size_t count;
    const gs_insn_profile *insns = gs_recorder_insns(b->recorder, &count);
    const gs_function *function = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!function || insns[i].pc < function->start || insns[i].pc >= function->end)
            function = gs_image_function_at(b->image, insns[i].pc);
        if (function)
            b->function_of[number_of(b, function)] = 0;
    }
    /* A function may have been called and never got to run its first instruction. */
    const gs_calltree *calls = gs_recorder_calls(b->recorder);
    for (size_t i = 0; i < gs_calltree_count(calls); i++) {
        const gs_call_node *node = gs_calltree_node(calls, i);
        if (node->function && b->node_of[i] != GS_PROFILE_NONE)
            b->function_of[number_of(b, node->function)] = 0;
    }
}

static bool add_functions(builder *b)
{
    size_t count = gs_image_function_count(b->image);
    b->function_of = malloc((count + 1) * sizeof *b->function_of);
    if (!b->function_of)
        return false;
    memset(b->function_of, 0xff, (count + 1) * sizeof *b->function_of); /* GS_PROFILE_NONE */
    mark_functions(b);
    for (size_t i = 0; i < count; i++) {
        if (b->function_of[i] == GS_PROFILE_NONE)
            continue;
        const gs_function *function = gs_image_function(b->image, i);
        gs_profile_function row = {
            .name = gs_demangle(function->name),
            .start = (uint32_t)function->start,
            .end = (uint32_t)function->end,
        };
        if (!row.name || !place_of(b, row.start, &row.file, &row.line) ||
            !gs_vec_push(&b->profile->functions, row)) {
            free(row.name);
            return false;
        }
        b->function_of[i] = (uint32_t)b->profile->functions.count - 1;
    }
    return true;
}

static char *text_of(gs_disassembler *dis, const gs_machine *machine, gs_profile_insn *row)
{
    char text[160] = "?"; /* its page is gone */
    uint32_t word;
    gs_insn insn;
    row->length = (uint8_t)machine->isa->unit;
    if (gs_memory_fetch(&machine->memory, machine->isa, row->pc, &word) == GS_ACCESS_OK) {
        gs_decode(&insn, &machine->decoder, word);
        gs_disassemble(dis, &insn, row->pc, text, sizeof text);
        row->length = insn.length;
        row->word = insn.raw;
    }
    for (char *c = text; *c; c++) {
        if (*c == '\t')
            *c = ' ';
    }
    return strdup(text);
}

static bool add_insn(builder *b, const gs_insn_profile *from, gs_disassembler *dis)
{
    gs_profile_insn row = {
        .pc = from->pc,
        .function = function_index(b, gs_image_function_at(b->image, from->pc)),
        .block = GS_PROFILE_NONE,
        .loop = GS_PROFILE_NONE,
        .inlined = GS_PROFILE_NONE,
        .executions = from->executions,
        .taken = from->taken,
        .cost = from->cost,
    };
    row.text = text_of(dis, gs_recorder_machine(b->recorder), &row);
    if (!row.text || !place_of(b, row.pc, &row.file, &row.line) ||
        !gs_vec_push(&b->profile->insns, row)) {
        free(row.text);
        return false;
    }
    return true;
}

static gs_status add_insns(builder *b, gs_error *err)
{
    gs_disassembler *dis;
    gs_status status = gs_disassembler_open(&dis, gs_recorder_machine(b->recorder)->isa->arch, err);
    if (status != GS_OK)
        return status;
    size_t count;
    const gs_insn_profile *insns = gs_recorder_insns(b->recorder, &count);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = add_insn(b, &insns[i], dis);
    gs_disassembler_free(dis);
    return good ? GS_OK : gs_fail_no_memory(err);
}

static bool add_nodes(builder *b)
{
    const gs_calltree *calls = gs_recorder_calls(b->recorder);
    if (!gs_profile_add_threads(b) || !gs_profile_add_switches(b))
        return false;
    for (size_t i = 0; i < gs_calltree_count(calls); i++) {
        const gs_call_node *node = gs_calltree_node(calls, i);
        if (b->node_of[i] == GS_PROFILE_NONE)
            continue;
        gs_profile_node row = {
            .parent = node->parent == GS_CALLTREE_NONE ? gs_profile_thread_node(b, node->thread)
                                                       : b->node_of[node->parent],
            .function = function_index(b, node->function),
            .site = node->parent == GS_CALLTREE_NONE ? 0 : node->site,
            .thread = GS_PROFILE_NONE,
            .kind = node->kind,
            .calls = node->calls,
            .self = node->self,
        };
        if (!gs_vec_push(&b->profile->nodes, row))
            return false;
    }
    return gs_profile_name_threads(b->profile);
}

static bool add_timeline(builder *b)
{
    const gs_timeline *timeline = gs_recorder_timeline(b->recorder);
    size_t count = 0, functions = gs_image_function_count(b->image);
    const gs_timeline_row *rows = timeline ? gs_timeline_rows(timeline, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t length = gs_timeline_cycles(timeline);
        gs_profile_moment row = {
            .start = rows[i].interval * length,
            .end = (rows[i].interval + (uint64_t)1) * length,
            .function =
                rows[i].function < functions ? b->function_of[rows[i].function] : GS_PROFILE_NONE,
            .cost = rows[i].cost,
        };
        if (!gs_vec_push(&b->profile->timeline, row))
            return false;
    }
    return true;
}

static bool add_markers(builder *b)
{
    const gs_machine *machine = gs_recorder_machine(b->recorder);
    for (size_t i = 0; i < gs_machine_marker_count(machine) && i < GS_PROFILE_MARKERS; i++) {
        if (!gs_vec_push(&b->profile->markers, *gs_machine_marker(machine, i)))
            return false;
    }
    return true;
}

static gs_status build(builder *b, const gs_profile_options *options, gs_error *err)
{
    gs_status status = GS_OK;
    if (options->lines) {
        /* The image is read-only but for its lines, which are read once, under a lock. */
        status = gs_image_load_lines((gs_image *)b->image, err);
        if (status != GS_OK)
            return status;
    }
    b->profile->total = *gs_recorder_total(b->recorder);
    if (!describe_run(b, options) || !choose_nodes(b) || !add_functions(b) || !add_nodes(b) ||
        !add_timeline(b) || !add_markers(b))
        status = gs_fail_no_memory(err);
    if (status == GS_OK)
        status = add_insns(b, err);
    if (status == GS_OK)
        status = gs_profile_add_flow(b, err);
    if (status == GS_OK)
        status = gs_profile_add_inlines(b, err);
    return status;
}

gs_status gs_profile_build(gs_profile **out, const gs_recorder *recorder,
                           const gs_profile_options *options, gs_error *err)
{
    static const gs_profile_options defaults = {.lines = true};
    *out = NULL;
    builder b = {
        .profile = calloc(1, sizeof *b.profile),
        .recorder = recorder,
        .image = gs_recorder_image(recorder),
    };
    if (!b.profile)
        return gs_fail_no_memory(err);
    gs_status status = build(&b, options ? options : &defaults, err);
    free(b.function_of);
    free(b.node_of);
    free(b.thread_of);
    gs_file_table_free(&b.files);
    if (status != GS_OK) {
        gs_profile_free(b.profile);
        return status;
    }
    *out = b.profile;
    return GS_OK;
}
