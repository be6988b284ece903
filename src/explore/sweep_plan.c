/*
 * What a sweep runs: the executables it needs, what a design's core is, and which points one run is
 * enough for.
 *
 * Latencies of cores on which they can be multiplied out (sweep_linear.h) leave a few runs. Keys
 * that no pipeline looks at (the clock, the energy table, texts for people) leave a run as it is.
 * Points that differ in nothing else are a group: they are run once, and what the keys do is
 * calculated from that run's counts (sweep_run.c).
 */
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/vec.h"
#include "explore/sweep_linear.h"
#include "gumshoe/version.h"
#include "image/image.h"

enum { MAX_EXECUTABLE = 1 << 30 };

static const char *value_of(const gs_sweep *sweep, size_t design, gs_sweep_kind kind,
                            const char *fallback)
{
    const char *const *values = gs_sweep_values(sweep, design);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (sweep->axes.items[i].kind == kind && values[i])
            return values[i];
    }
    return fallback;
}

static bool is_isa(const char *text)
{
    return strncmp(text, "isa", 3) == 0 && (text[3] == '\0' || text[3] == '=');
}

static const char *isa_of(const gs_sweep *sweep, size_t design)
{
    const char *const *values = gs_sweep_values(sweep, design);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (is_isa(sweep->axes.items[i].node->key) && values[i])
            return values[i];
    }
    return NULL;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether one executable is enough for both. */
static bool builds_alike(const gs_sweep *sweep, size_t a, size_t b)
{
    static const gs_sweep_kind kinds[] = {GS_SWEEP_CORE, GS_SWEEP_BOARD, GS_SWEEP_RAM,
                                          GS_SWEEP_FLAGS};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!same(value_of(sweep, a, kinds[i], NULL), value_of(sweep, b, kinds[i], NULL)))
            return false;
    }
    return same(isa_of(sweep, a), isa_of(sweep, b));
}

/* Words of a text, as a shell without quotes has them. */
static gs_status split_words(gs_sweep *sweep, gs_sweep_texts *to, const char *text, gs_error *err)
{
    while (text && *(text += strspn(text, " \t"))) {
        const size_t length = strcspn(text, " \t");
        const char *word = gs_arena_copy(&sweep->arena, text, length);
        if (!word || !gs_vec_push(to, word))
            return gs_fail_no_memory(err);
        text += length;
    }
    return GS_OK;
}

static const char *const *keep_list(gs_sweep *sweep, const gs_sweep_texts *list)
{
    const char **copy = gs_arena_alloc(&sweep->arena, (list->count + 1) * sizeof *copy);
    if (copy && list->count)
        memcpy(copy, list->items, list->count * sizeof *copy);
    return copy;
}

static gs_status describe_build(gs_sweep *sweep, gs_sweep_executable *e, gs_error *err)
{
    const gs_sweep_program *program = &sweep->programs.items[e->program];
    gs_sweep_texts flags = {0}, set = {0};
    const char *isa = isa_of(sweep, e->design);
    gs_status status = GS_OK;
    for (size_t i = 0; i < program->flags.count && status == GS_OK; i++)
        status = gs_vec_push(&flags, program->flags.items[i]) ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = split_words(sweep, &flags, value_of(sweep, e->design, GS_SWEEP_FLAGS, NULL), err);
    for (size_t i = 0; i < sweep->set.count && status == GS_OK; i++) {
        if (is_isa(sweep->set.items[i]) && !gs_vec_push(&set, sweep->set.items[i]))
            status = gs_fail_no_memory(err);
    }
    if (status == GS_OK && isa) {
        char *text = gs_arena_alloc(&sweep->arena, strlen(isa) + 5);
        if (text)
            sprintf(text, "isa=%s", isa);
        status = text && gs_vec_push(&set, text) ? GS_OK : gs_fail_no_memory(err);
    }
    e->flags = keep_list(sweep, &flags);
    e->flag_count = flags.count;
    e->set = keep_list(sweep, &set);
    e->set_count = set.count;
    free(flags.items);
    free(set.items);
    return status != GS_OK || (e->flags && e->set) ? status : gs_fail_no_memory(err);
}

static gs_status find_build(gs_sweep *sweep, size_t design, size_t program, uint32_t *index,
                            gs_error *err)
{
    const bool compiled = sweep->programs.items[program].compiled;
    for (size_t i = 0; i < sweep->builds.count; i++) {
        const gs_sweep_executable *e = &sweep->builds.items[i];
        *index = (uint32_t)i;
        if (e->program == program && (!compiled || builds_alike(sweep, e->design, design)))
            return GS_OK;
    }
    if (sweep->builds.count == GS_SWEEP_MAX_BUILDS)
        return gs_config_fail_at(sweep->programs.items[program].node, err,
                                 "the designs need more than %d executables", GS_SWEEP_MAX_BUILDS);
    gs_sweep_executable e = {.program = program, .design = design};
    if (!compiled)
        e.path = sweep->programs.items[program].files.items[0];
    gs_status status = describe_build(sweep, &e, err);
    *index = (uint32_t)sweep->builds.count;
    return status != GS_OK                  ? status
           : gs_vec_push(&sweep->builds, e) ? GS_OK
                                            : gs_fail_no_memory(err);
}

gs_status gs_sweep_find_builds(gs_sweep *sweep, gs_error *err)
{
    const size_t programs = sweep->programs.count;
    gs_status status = GS_OK;
    sweep->build_of = calloc(gs_sweep_point_count(sweep), sizeof *sweep->build_of);
    if (!sweep->build_of)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < gs_sweep_point_count(sweep) && status == GS_OK; i++)
        status = find_build(sweep, i / programs, i % programs, &sweep->build_of[i], err);
    return status;
}

size_t gs_sweep_build_count(const gs_sweep *sweep)
{
    return sweep->builds.count;
}

static uint64_t ram_of(const gs_sweep *sweep, size_t design)
{
    uint64_t ram = sweep->ram;
    const char *text = value_of(sweep, design, GS_SWEEP_RAM, NULL);
    if (text)
        (void)gs_number_parse(text, &ram); /* checked when it was read */
    return ram;
}

gs_sweep_build gs_sweep_build_at(const gs_sweep *sweep, size_t index)
{
    const gs_sweep_executable *e = &sweep->builds.items[index];
    const gs_sweep_program *program = &sweep->programs.items[e->program];
    return (gs_sweep_build){
        .sources = program->compiled ? program->files.items : NULL,
        .source_count = program->compiled ? program->files.count : 0,
        .flags = e->flags,
        .flag_count = e->flag_count,
        .core = value_of(sweep, e->design, GS_SWEEP_CORE, sweep->core),
        .set = e->set,
        .set_count = e->set_count,
        .board = value_of(sweep, e->design, GS_SWEEP_BOARD, sweep->board),
        .ram = ram_of(sweep, e->design),
        .executable = e->path,
        .failure = e->failure,
    };
}

gs_status gs_sweep_set_executable(gs_sweep *sweep, size_t build, const char *path,
                                  const char *failure, gs_error *err)
{
    gs_sweep_executable *e = &sweep->builds.items[build];
    const char *text = path ? path : failure;
    const char *copy = gs_arena_copy(&sweep->arena, text, strlen(text));
    *(path ? &e->path : &e->failure) = copy;
    return copy ? GS_OK : gs_fail_no_memory(err);
}

gs_status gs_sweep_design_make(gs_sweep_design *design, const gs_sweep *sweep, size_t number,
                               gs_error *err)
{
    const char *const *values = gs_sweep_values(sweep, number);
    size_t length = 1;
    *design = (gs_sweep_design){
        .core = value_of(sweep, number, GS_SWEEP_CORE, sweep->core),
        .board = value_of(sweep, number, GS_SWEEP_BOARD, sweep->board),
        .flags = value_of(sweep, number, GS_SWEEP_FLAGS, NULL),
        .ram = ram_of(sweep, number),
    };
    for (size_t i = 0; i < sweep->axes.count; i++)
        length += values[i] ? strlen(sweep->axes.items[i].node->key) + strlen(values[i]) + 2 : 0;
    char *text = design->texts = malloc(length);
    if (!text)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < sweep->set.count; i++)
        design->set[design->set_count++] = sweep->set.items[i];
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (sweep->axes.items[i].kind != GS_SWEEP_KEY || !values[i])
            continue;
        design->set[design->set_count++] = text;
        text += sprintf(text, "%s=%s", sweep->axes.items[i].node->key, values[i]) + 1;
    }
    return GS_OK;
}

void gs_sweep_design_clear(gs_sweep_design *design)
{
    free(design->texts);
    *design = (gs_sweep_design){0};
}

gs_status gs_sweep_open_core(gs_core **out, const gs_sweep_design *design, const gs_image *image,
                             gs_error *err)
{
    const char *name = design->core;
    *out = NULL;
    gs_status status = name ? GS_OK : gs_core_choose(&name, image, err);
    if (status == GS_OK)
        status = gs_core_open(out, name, design->set, design->set_count, err);
    return status;
}

char *gs_sweep_label(const gs_sweep *sweep, size_t design)
{
    const char *const *values = gs_sweep_values(sweep, design);
    size_t length = 1, at = 0;
    for (size_t i = 0; i < sweep->axes.count; i++)
        length += values[i] ? strlen(sweep->axes.items[i].node->key) + strlen(values[i]) + 2 : 0;
    char *text = calloc(1, length);
    for (size_t i = 0; i < sweep->axes.count && text; i++) {
        if (values[i])
            at += (size_t)sprintf(text + at, "%s%s=%s", at ? " " : "",
                                  sweep->axes.items[i].node->key, values[i]);
    }
    return text;
}

char *gs_sweep_settings_json(const gs_sweep *sweep, size_t design)
{
    const char *const *values = gs_sweep_values(sweep, design);
    char *text = NULL;
    size_t size;
    gs_json json;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    gs_json_begin_compact(&json, to);
    gs_json_open_object(&json, NULL);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (values[i])
            gs_json_string(&json, sweep->axes.items[i].node->key, values[i]);
    }
    gs_json_close_object(&json);
    const bool ok = !ferror(to);
    if (fclose(to) != 0 || !ok) {
        free(text);
        return NULL;
    }
    return text;
}

/* Groups */

/* Keys that no pipeline looks at. */
static bool leaves_run_alone(const gs_sweep_axis *axis)
{
    static const char *const keys[] = {"clock_hz", "energy",   "evidence",     "name",
                                       "summary",  "verified", "verified_over"};
    const char *key = axis->node->key, *last = strrchr(key, '.');
    if (axis->kind != GS_SWEEP_KEY)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t length = strlen(keys[i]);
        if (strncmp(key, keys[i], length) == 0 && (key[length] == '\0' || key[length] == '.'))
            return true;
    }
    return last && strcmp(last, ".why") == 0;
}

static int compare_texts(const char *a, const char *b)
{
    if (a == b)
        return 0;
    return !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare_axes(const gs_sweep *sweep, size_t a, size_t b, bool linear)
{
    const char *const *x = gs_sweep_values(sweep, a), *const *y = gs_sweep_values(sweep, b);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        const gs_sweep_axis *axis = &sweep->axes.items[i];
        if (leaves_run_alone(axis) || linear != gs_sweep_key_is_linear(axis->node->key))
            continue;
        const int order = compare_texts(x[i], y[i]);
        if (order)
            return order;
    }
    return 0;
}

/* Zero if both are of one group. The axes that can be linear come last: whether they are is the
 * same for all designs that are equal up to there. */
static int compare_runs(const gs_sweep *sweep, uint32_t a, uint32_t b)
{
    const size_t programs = sweep->programs.count;
    if (a % programs != b % programs)
        return a % programs < b % programs ? -1 : 1;
    const int order = compare_axes(sweep, a / programs, b / programs, false);
    if (order || (sweep->linear && sweep->linear[a / programs]))
        return order;
    return compare_axes(sweep, a / programs, b / programs, true);
}

static int by_run(const void *a, const void *b, void *sweep)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = compare_runs(sweep, x, y);
    return order ? order : x < y ? -1 : x > y;
}

static int by_first_point(const void *a, const void *b, void *sweep)
{
    const uint32_t *order = ((const gs_sweep *)sweep)->order;
    const uint32_t x = order[((const gs_sweep_group *)a)->first];
    const uint32_t y = order[((const gs_sweep_group *)b)->first];
    return x < y ? -1 : x > y;
}

/* An axis that changes what is linear, or that costs energy for each core alone. */
static bool forbids_linear(const gs_sweep_axis *axis)
{
    static const char *const keys[] = {"pipeline", "extends", "energy"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strncmp(axis->node->key, keys[i], strlen(keys[i])) == 0)
            return true;
    }
    return false;
}

static bool opens_linear(const gs_sweep *sweep, size_t design)
{
    const gs_image *image =
        sweep->builds.items[sweep->build_of[design * sweep->programs.count]].image;
    gs_sweep_design made;
    gs_core *core = NULL;
    gs_error ignored;
    bool linear = false;
    if (!image || gs_sweep_design_make(&made, sweep, design, &ignored) != GS_OK)
        return false;
    if (gs_sweep_open_core(&core, &made, image, &ignored) == GS_OK)
        linear = gs_sweep_core_is_linear(core);
    gs_core_free(core);
    gs_sweep_design_clear(&made);
    return linear;
}

/* A core is asked once, for the first design that has it. */
static gs_status find_linear(gs_sweep *sweep, gs_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < sweep->axes.count; i++) {
        found += gs_sweep_key_is_linear(sweep->axes.items[i].node->key);
        if (forbids_linear(&sweep->axes.items[i]))
            return GS_OK;
    }
    if (found == 0 || sweep->max_cycles)
        return GS_OK;
    sweep->linear = calloc(sweep->design_count, sizeof *sweep->linear);
    const char **cores = calloc(sweep->design_count, sizeof *cores);
    size_t *first = calloc(sweep->design_count, sizeof *first), count = 0;
    gs_status status = sweep->linear && cores && first ? GS_OK : gs_fail_no_memory(err);
    for (size_t d = 0; d < sweep->design_count && status == GS_OK; d++) {
        const char *core = value_of(sweep, d, GS_SWEEP_CORE, sweep->core);
        size_t i = 0;
        while (i < count && !same(cores[i], core))
            i++;
        if (i == count) {
            cores[count] = core;
            first[count++] = d;
            sweep->linear[d] = opens_linear(sweep, d);
        }
        sweep->linear[d] = sweep->linear[first[i]];
    }
    free(cores);
    free(first);
    return status;
}

static gs_status find_groups(gs_sweep *sweep, gs_error *err)
{
    const size_t count = gs_sweep_point_count(sweep);
    sweep->order = calloc(count, sizeof *sweep->order);
    if (!sweep->order)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++)
        sweep->order[i] = (uint32_t)i;
    qsort_r(sweep->order, count, sizeof *sweep->order, by_run, sweep);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && compare_runs(sweep, sweep->order[i - 1], sweep->order[i]) == 0) {
            sweep->groups.items[sweep->groups.count - 1].count++;
            continue;
        }
        const gs_sweep_group group = {i, 1};
        if (!gs_vec_push(&sweep->groups, group))
            return gs_fail_no_memory(err);
    }
    qsort_r(sweep->groups.items, sweep->groups.count, sizeof *sweep->groups.items, by_first_point,
            sweep);
    return GS_OK;
}

/* What makes a difference to any point's run, for finding its rows again. */

static void hash_text(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const uint8_t *)(text ? text : ""),
                              text ? strlen(text) + 1 : 0);
    crypto_generichash_update(state, (const uint8_t *)(text ? "+" : "-"), 1);
}

static void hash_texts(crypto_generichash_state *state, const gs_sweep_texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        hash_text(state, list->items[i]);
    hash_text(state, NULL);
}

static void hash_number(crypto_generichash_state *state, uint64_t number)
{
    crypto_generichash_update(state, (const uint8_t *)&number, sizeof number);
}

/* A core or board that is a file: its text decides, not its name. */
static void hash_description(crypto_generichash_state *state, const char *name)
{
    char *text;
    size_t size;
    hash_text(state, name);
    if (name && strchr(name, '.') && gs_file_read(&text, &size, name, 1 << 20, NULL) == GS_OK) {
        crypto_generichash_update(state, (const uint8_t *)text, size);
        free(text);
    }
}

static void hash_program(crypto_generichash_state *state, const gs_sweep_program *program)
{
    char *input;
    size_t size;
    hash_text(state, program->name);
    hash_texts(state, &program->arguments);
    hash_text(state, program->input);
    if (program->input &&
        gs_file_read(&input, &size, program->input, MAX_EXECUTABLE, NULL) == GS_OK) {
        crypto_generichash_update(state, (const uint8_t *)input, size);
        free(input);
    }
}

static void find_key(gs_sweep *sweep)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof sweep->key);
    hash_text(&state, GUMSHOE_VERSION);
    hash_text(&state, sweep->name);
    hash_description(&state, sweep->core);
    hash_description(&state, sweep->board);
    hash_texts(&state, &sweep->set);
    hash_number(&state, sweep->ram);
    hash_number(&state, sweep->max_instructions);
    hash_number(&state, sweep->max_cycles);
    for (size_t i = 0; i < sweep->programs.count; i++)
        hash_program(&state, &sweep->programs.items[i]);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        const gs_sweep_axis *axis = &sweep->axes.items[i];
        hash_text(&state, axis->node->key);
        for (size_t k = 0; k < axis->values.count; k++) {
            if (axis->kind == GS_SWEEP_CORE || axis->kind == GS_SWEEP_BOARD)
                hash_description(&state, axis->values.items[k]);
        }
    }
    for (size_t i = 0; i < sweep->design_count * sweep->axes.count; i++)
        hash_text(&state, sweep->values[i]);
    for (size_t i = 0; i < sweep->builds.count; i++) {
        hash_text(&state, sweep->builds.items[i].failure);
        crypto_generichash_update(&state, sweep->builds.items[i].hash,
                                  sizeof sweep->builds.items[i].hash);
    }
    crypto_generichash_final(&state, sweep->key, sizeof sweep->key);
}

/* An executable that is not there is a mistake in the description; one that is no program for us
 * is a result. */
static gs_status open_executable(gs_sweep *sweep, gs_sweep_executable *e, gs_error *err)
{
    char *bytes;
    size_t size;
    gs_error problem;
    if (e->failure)
        return GS_OK;
    if (!e->path)
        return gs_fail(err, GS_E_ARGUMENT, "%s has not been compiled",
                       sweep->programs.items[e->program].name);
    gs_status status = gs_file_read(&bytes, &size, e->path, MAX_EXECUTABLE, err);
    if (status != GS_OK)
        return status;
    crypto_generichash(e->hash, sizeof e->hash, (const uint8_t *)bytes, size, NULL, 0);
    status = gs_image_open_memory(&e->image, bytes, size, e->path, &problem);
    free(bytes);
    if (status == GS_E_NO_MEMORY)
        return gs_fail_no_memory(err);
    if (status != GS_OK)
        return gs_sweep_set_executable(sweep, (size_t)(e - sweep->builds.items), NULL,
                                       problem.message, err);
    for (size_t i = 0; i < gs_image_segment_count(e->image); i++)
        e->code_bytes += gs_image_segment(e->image, i)->file_size;
    return GS_OK;
}

gs_status gs_sweep_plan(gs_sweep *sweep, gs_error *err)
{
    gs_status status = GS_OK;
    if (sweep->groups.count > 0)
        return GS_OK;
    if (sodium_init() < 0)
        return gs_fail(err, GS_E_IO, "the system has no random numbers");
    for (size_t i = 0; i < sweep->builds.count && status == GS_OK; i++)
        status = open_executable(sweep, &sweep->builds.items[i], err);
    if (status != GS_OK)
        return status;
    find_key(sweep);
    status = find_linear(sweep, err);
    return status == GS_OK ? find_groups(sweep, err) : status;
}

size_t gs_sweep_group_count(const gs_sweep *sweep)
{
    return sweep->groups.count;
}

size_t gs_sweep_group_size(const gs_sweep *sweep, size_t group)
{
    return sweep->groups.items[group].count;
}
