/*
 * pprof's profile.proto, gzipped: every call path with all metrics at once.
 *
 * A frame stands at the call it made, the last one at its function's beginning, because costs
 * are kept per path and per instruction, but not per instruction of each path.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "report/names.h"
#include "report/pprof.pb-c.h"

/* Longer stacks lose their middle: the file would grow with the square of a recursion's depth. */
enum { STACK_MAX = 1024 };

typedef struct builder {
    const gs_profile *profile;
    gs_arena arena;
    gs_metric metrics[GS_METRIC_COUNT];
    size_t metric_count;
    uint64_t *calls; /* caller << 32 | call site, sorted, each once */
    size_t call_count;
    GsPprof__Profile out;
} builder;

/* Where the strings of each kind begin in the string table. */
enum {
    STRING_EMPTY,
    STRING_COUNT,
    STRING_FEMTOJOULES,
    STRING_PROGRAM,
    STRING_NO_FUNCTION,
    STRING_THREAD,
    STRING_METRICS
};

static size_t first_file_string(void)
{
    return STRING_METRICS + GS_METRIC_COUNT;
}

static size_t first_function_string(const builder *b)
{
    return first_file_string() + b->profile->files.count;
}

static size_t first_thread_string(const builder *b)
{
    return first_function_string(b) + b->profile->functions.count;
}

/* protobuf strings are UTF-8; names need not be. */
static char *utf8(builder *b, const char *text)
{
    char *copy = gs_arena_copy(&b->arena, text, strlen(text));
    for (char *at = copy; at && *at;) {
        unsigned length = gs_report_utf8_length(at);
        if (length == 0)
            *at = '?';
        at += length ? length : 1;
    }
    return copy;
}

static bool add_strings(builder *b)
{
    const gs_profile *profile = b->profile;
    size_t count = first_thread_string(b) + profile->threads.count;
    char **table = gs_arena_alloc(&b->arena, count * sizeof *table);
    if (!table)
        return false;
    table[STRING_EMPTY] = utf8(b, "");
    table[STRING_COUNT] = utf8(b, "count");
    table[STRING_FEMTOJOULES] = utf8(b, "femtojoules");
    table[STRING_PROGRAM] = utf8(b, profile->run.program);
    table[STRING_NO_FUNCTION] = utf8(b, gs_report_function_name(profile, GS_PROFILE_NONE));
    table[STRING_THREAD] = utf8(b, "thread");
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++)
        table[STRING_METRICS + m] = utf8(b, gs_metric_key((gs_metric)m));
    for (size_t i = 0; i < profile->files.count; i++)
        table[first_file_string() + i] = utf8(b, profile->files.items[i]);
    for (size_t i = 0; i < profile->functions.count; i++)
        table[first_function_string(b) + i] = utf8(b, profile->functions.items[i].name);
    for (size_t i = 0; i < profile->threads.count; i++)
        table[first_thread_string(b) + i] = utf8(b, profile->threads.items[i].name);
    b->out.string_table = table;
    b->out.n_string_table = count;
    for (size_t i = 0; i < count; i++) {
        if (!table[i])
            return false;
    }
    return true;
}

static GsPprof__ValueType *value_type(builder *b, gs_metric metric)
{
    GsPprof__ValueType *type = gs_arena_alloc(&b->arena, sizeof *type);
    if (!type)
        return NULL;
    gs_pprof__value_type__init(type);
    type->type = (int64_t)STRING_METRICS + metric;
    type->unit = metric == GS_METRIC_ENERGY ? STRING_FEMTOJOULES : STRING_COUNT;
    return type;
}

/* Instructions always, and cycles if the run was timed, the others if there are any. */
static bool add_types(builder *b, gs_metric shown)
{
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        bool always = m == shown || m == GS_METRIC_CYCLES || m == GS_METRIC_INSTRUCTIONS;
        bool counted = gs_report_counted(b->profile) >> m & 1;
        if (counted && (always || b->profile->total.value[m]))
            b->metrics[b->metric_count++] = (gs_metric)m;
    }
    b->out.n_sample_type = b->metric_count;
    b->out.sample_type = gs_arena_alloc(&b->arena, b->metric_count * sizeof *b->out.sample_type);
    if (!b->out.sample_type)
        return false;
    for (size_t i = 0; i < b->metric_count; i++) {
        b->out.sample_type[i] = value_type(b, b->metrics[i]);
        if (!b->out.sample_type[i])
            return false;
    }
    b->out.default_sample_type = (int64_t)STRING_METRICS + shown;
    b->out.period_type = value_type(b, gs_report_is_timed(b->profile) ? GS_METRIC_CYCLES : shown);
    b->out.period = 1;
    return b->out.period_type != NULL;
}

/* Ids are indices plus one; the last function is the one for code in none. */
static size_t function_index(const builder *b, uint32_t function)
{
    size_t functions = b->profile->functions.count;
    return function < functions ? function : functions;
}

static bool add_functions(builder *b)
{
    const gs_profile *profile = b->profile;
    size_t count = profile->functions.count + 1;
    GsPprof__Function *functions = gs_arena_alloc(&b->arena, count * sizeof *functions);
    b->out.function = gs_arena_alloc(&b->arena, count * sizeof *b->out.function);
    b->out.n_function = count;
    if (!functions || !b->out.function)
        return false;
    for (size_t i = 0; i < count; i++) {
        GsPprof__Function *function = &functions[i];
        gs_pprof__function__init(function);
        function->id = i + 1;
        function->name = STRING_NO_FUNCTION;
        if (i < profile->functions.count) {
            const gs_profile_function *from = &profile->functions.items[i];
            function->name = (int64_t)(first_function_string(b) + i);
            if (from->file < profile->files.count)
                function->filename = (int64_t)(first_file_string() + from->file);
            function->start_line = from->line;
        }
        function->system_name = function->name;
        b->out.function[i] = function;
    }
    return true;
}

static bool add_mapping(builder *b)
{
    const gs_profile *profile = b->profile;
    GsPprof__Mapping *mapping = gs_arena_alloc(&b->arena, sizeof *mapping);
    b->out.mapping = gs_arena_alloc(&b->arena, sizeof *b->out.mapping);
    b->out.n_mapping = 1;
    if (!mapping || !b->out.mapping)
        return false;
    gs_pprof__mapping__init(mapping);
    mapping->id = 1;
    mapping->memory_limit = UINT64_C(1) << 32;
    mapping->filename = STRING_PROGRAM;
    mapping->has_functions = true; /* or pprof would look for symbols itself */
    mapping->has_filenames = mapping->has_line_numbers = profile->files.count > 0;
    b->out.mapping[0] = mapping;
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t call_key(const gs_profile *profile, size_t node)
{
    const gs_profile_node *nodes = profile->nodes.items;
    return (uint64_t)nodes[nodes[node].parent].function << 32 | nodes[node].site;
}

/* The first function of the program, or of a thread. */
static bool is_first(const gs_profile *profile, size_t node)
{
    const gs_profile_node *nodes = profile->nodes.items;
    return node == 0 || nodes[nodes[node].parent].kind == GS_FRAME_THREAD;
}

static bool collect_calls(builder *b)
{
    size_t nodes = b->profile->nodes.count;
    b->calls = gs_arena_alloc(&b->arena, (nodes + 1) * sizeof *b->calls);
    if (!b->calls)
        return false;
    for (size_t i = 1; i < nodes; i++) {
        if (!is_first(b->profile, i))
            b->calls[b->call_count++] = call_key(b->profile, i);
    }
    qsort(b->calls, b->call_count, sizeof *b->calls, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < b->call_count; i++) {
        if (i == 0 || b->calls[i] != b->calls[kept - 1])
            b->calls[kept++] = b->calls[i];
    }
    b->call_count = kept;
    return true;
}

/* First the beginning of every function, then every call. */
static bool add_locations(builder *b)
{
    const gs_profile *profile = b->profile;
    size_t functions = profile->functions.count + 1, count = functions + b->call_count;
    GsPprof__Location *locations = gs_arena_alloc(&b->arena, count * sizeof *locations);
    GsPprof__Line *lines = gs_arena_alloc(&b->arena, count * sizeof *lines);
    GsPprof__Line **line_of = gs_arena_alloc(&b->arena, count * sizeof *line_of);
    b->out.location = gs_arena_alloc(&b->arena, count * sizeof *b->out.location);
    b->out.n_location = count;
    if (!locations || !lines || !line_of || !b->out.location)
        return false;
    for (size_t i = 0; i < count; i++) {
        GsPprof__Location *location = &locations[i];
        gs_pprof__location__init(location);
        gs_pprof__line__init(&lines[i]);
        if (i < functions) {
            lines[i].function_id = i + 1;
            if (i + 1 < functions) {
                location->address = profile->functions.items[i].start;
                lines[i].line = profile->functions.items[i].line;
            }
        } else {
            uint64_t call = b->calls[i - functions];
            const gs_profile_insn *insn = gs_profile_insn_at(profile, (uint32_t)call);
            location->address = (uint32_t)call;
            lines[i].function_id = function_index(b, (uint32_t)(call >> 32)) + 1;
            lines[i].line = insn ? insn->line : 0;
        }
        location->id = i + 1;
        location->mapping_id = 1;
        location->n_line = 1;
        line_of[i] = &lines[i];
        location->line = &line_of[i];
        b->out.location[i] = location;
    }
    return true;
}

static uint64_t call_location(const builder *b, size_t node)
{
    uint64_t key = call_key(b->profile, node);
    const uint64_t *found = bsearch(&key, b->calls, b->call_count, sizeof *b->calls, by_value);
    return b->profile->functions.count + 1 + (uint64_t)(found - b->calls) + 1;
}

static bool has_values(const builder *b, const gs_metrics *cost)
{
    for (size_t i = 0; i < b->metric_count; i++) {
        if (cost->value[b->metrics[i]])
            return true;
    }
    return false;
}

static GsPprof__Sample *make_sample(builder *b, size_t at, uint32_t depth)
{
    const gs_profile_node *nodes = b->profile->nodes.items;
    size_t frames = depth < STACK_MAX ? depth + 1 : STACK_MAX;
    GsPprof__Sample *sample = gs_arena_alloc(&b->arena, sizeof *sample);
    uint64_t *stack = gs_arena_alloc(&b->arena, frames * sizeof *stack);
    int64_t *values = gs_arena_alloc(&b->arena, b->metric_count * sizeof *values);
    if (!sample || !stack || !values)
        return NULL;
    gs_pprof__sample__init(sample);
    size_t filled = 0;
    stack[filled++] = function_index(b, nodes[at].function) + 1;
    for (size_t node = at, level = depth; level > 0; node = nodes[node].parent, level--) {
        bool left_out = depth >= STACK_MAX && filled >= STACK_MAX / 2 && level > STACK_MAX / 2;
        if (!left_out)
            stack[filled++] = call_location(b, node);
    }
    for (size_t i = 0; i < b->metric_count; i++)
        values[i] = (int64_t)nodes[at].self.value[b->metrics[i]];
    sample->location_id = stack;
    sample->n_location_id = filled;
    sample->value = values;
    sample->n_value = b->metric_count;
    return sample;
}

/* If there are threads: which one it was. */
static bool add_label(builder *b, GsPprof__Sample *sample, uint32_t thread)
{
    if (thread == GS_PROFILE_NONE)
        return true;
    GsPprof__Label *label = gs_arena_alloc(&b->arena, sizeof *label);
    GsPprof__Label **list = gs_arena_alloc(&b->arena, sizeof *list);
    if (!label || !list)
        return false;
    gs_pprof__label__init(label);
    label->key = STRING_THREAD;
    label->str = (int64_t)(first_thread_string(b) + thread);
    *list = label;
    sample->label = list;
    sample->n_label = 1;
    return true;
}

static bool add_samples(builder *b)
{
    const gs_profile_node *nodes = b->profile->nodes.items;
    size_t count = b->profile->nodes.count;
    uint32_t *depth = gs_arena_alloc(&b->arena, (count + 1) * sizeof *depth);
    b->out.sample = gs_arena_alloc(&b->arena, (count + 1) * sizeof *b->out.sample);
    uint32_t *thread = gs_arena_alloc(&b->arena, (count + 1) * sizeof *thread);
    if (!depth || !thread || !b->out.sample)
        return false;
    for (size_t i = 0; i < count; i++) {
        depth[i] = is_first(b->profile, i) ? 0 : depth[nodes[i].parent] + 1;
        thread[i] = nodes[i].kind == GS_FRAME_THREAD ? nodes[i].thread
                    : i == 0                         ? GS_PROFILE_NONE
                                                     : thread[nodes[i].parent];
        if (!has_values(b, &nodes[i].self))
            continue;
        GsPprof__Sample *sample = make_sample(b, i, depth[i]);
        if (!sample || !add_label(b, sample, thread[i]))
            return false;
        b->out.sample[b->out.n_sample++] = sample;
    }
    return true;
}

/* zlib's own gzip writer needs a descriptor; this needs a stream. */
static gs_status put_gzipped(FILE *to, uint8_t *bytes, size_t size, gs_error *err)
{
    z_stream z = {0};
    if (size > UINT32_MAX)
        return gs_fail(err, GS_E_UNSUPPORTED, "the profile is too large for pprof");
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return gs_fail_no_memory(err);
    z.next_in = bytes;
    z.avail_in = (uInt)size;
    int state = Z_OK;
    while (state == Z_OK) {
        uint8_t block[16384];
        z.next_out = block;
        z.avail_out = sizeof block;
        state = deflate(&z, Z_FINISH);
        fwrite(block, 1, sizeof block - z.avail_out, to);
    }
    deflateEnd(&z);
    return gs_report_end(to, err);
}

gs_status gs_report_pprof(FILE *to, const gs_profile *profile, const gs_report_options *options,
                          gs_error *err)
{
    builder b = {.profile = profile};
    gs_metric metric;
    gs_status status = gs_report_metric(profile, options, &metric, err);
    if (status != GS_OK)
        return status;
    gs_pprof__profile__init(&b.out);
    uint8_t *bytes = NULL;
    if (!add_strings(&b) || !add_types(&b, metric) || !add_functions(&b) || !add_mapping(&b) ||
        !collect_calls(&b) || !add_locations(&b) || !add_samples(&b)) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    uint64_t clock = profile->run.clock_hz;
    b.out.time_nanos = profile->run.started * 1000000000;
    if (clock && gs_report_is_timed(profile))
        b.out.duration_nanos =
            (int64_t)((double)profile->total.value[GS_METRIC_CYCLES] * 1e9 / (double)clock);
    size_t size = gs_pprof__profile__get_packed_size(&b.out);
    bytes = malloc(size);
    if (!bytes) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    gs_pprof__profile__pack(&b.out, bytes);
    status = put_gzipped(to, bytes, size, err);
out:
    free(bytes);
    gs_arena_free(&b.arena);
    return status;
}
