/* Reads a sweep's description: a YAML file, which docs/sweeps.md describes. */
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/file.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/vec.h"
#include "explore/sweep.h"
#include "timing/core.h"

enum { MAX_FILE = 1 << 20, MAX_PROGRAMS = 64, MAX_NAME = 64 };

typedef const gs_config_node node;

/* What is read of a key. */
typedef gs_status reader(gs_sweep *sweep, node *n, gs_error *err);

typedef struct key {
    const char *name;
    reader *read;
} key;

/* Reads keys in the order of the table, NULL at its end, whatever their order in the file. */
static gs_status read_keys(gs_sweep *sweep, node *keys, const key *table, const char *allowed,
                           gs_error *err)
{
    for (node *child = keys->first; child; child = child->next) {
        const key *k = table;
        while (k->name && strcmp(k->name, child->key) != 0)
            k++;
        if (!k->name)
            return gs_config_fail_at(child, err, "unknown key; allowed are %s", allowed);
        if (gs_config_child(keys, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
    }
    for (const key *k = table; k->name; k++) {
        node *child = gs_config_child(keys, k->name);
        gs_status status = child ? k->read(sweep, child, err) : GS_OK;
        if (status != GS_OK)
            return status;
    }
    return GS_OK;
}

static const char *keep(gs_sweep *sweep, const char *text)
{
    return gs_arena_copy(&sweep->arena, text, strlen(text));
}

/* A path in the description is relative to its folder. */
static const char *resolve(gs_sweep *sweep, const char *path)
{
    const size_t length = strlen(sweep->folder) + strlen(path) + 1;
    if (path[0] == '/' || !sweep->folder[0])
        return keep(sweep, path);
    char *whole = gs_arena_alloc(&sweep->arena, length);
    if (whole)
        snprintf(whole, length, "%s%s", sweep->folder, path);
    return whole;
}

static const char *resolve_description(gs_sweep *sweep, const char *name)
{
    const size_t length = strlen(name);
    const bool file = strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0);
    return file ? resolve(sweep, name) : keep(sweep, name);
}

static gs_status want_text(node *n, const char *what, gs_error *err)
{
    return n->kind == GS_CONFIG_VALUE && n->text[0]
               ? GS_OK
               : gs_config_fail_at(n, err, "%s belongs here", what);
}

static gs_status read_count(node *n, uint64_t *to, gs_error *err)
{
    if (n->kind != GS_CONFIG_VALUE || !gs_number_parse(n->text, to) || *to == 0)
        return gs_config_fail_at(n, err, "a whole number from 1 belongs here");
    return GS_OK;
}

static gs_status push(gs_sweep_texts *list, const char *text, gs_error *err)
{
    return text && gs_vec_push(list, text) ? GS_OK : gs_fail_no_memory(err);
}

/* A text, or a list of texts. */
static gs_status read_texts(gs_sweep *sweep, node *n, gs_sweep_texts *to, const char *what,
                            gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind == GS_CONFIG_VALUE)
        return push(to, keep(sweep, n->text), err);
    if (n->kind != GS_CONFIG_LIST)
        return gs_config_fail_at(n, err, "%s belongs here", what);
    for (node *child = n->first; child && status == GS_OK; child = child->next) {
        if (to->count == GS_SWEEP_MAX_ARGUMENTS)
            return gs_config_fail_at(child, err, "at most %d of them", GS_SWEEP_MAX_ARGUMENTS);
        status = child->kind == GS_CONFIG_VALUE
                     ? push(to, keep(sweep, child->text), err)
                     : gs_config_fail_at(child, err, "%s belongs here", what);
    }
    return status;
}

static gs_status read_name(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = want_text(n, "a name", err);
    if (status == GS_OK && strlen(n->text) > MAX_NAME)
        return gs_config_fail_at(n, err, "a name has at most %d characters", MAX_NAME);
    sweep->name = n->text;
    return status;
}

static gs_status read_core(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = want_text(n, "a core's name or file", err);
    if (status == GS_OK && !(sweep->core = resolve_description(sweep, n->text)))
        return gs_fail_no_memory(err);
    return status;
}

static gs_status read_board(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = want_text(n, "a board's name or file", err);
    if (status == GS_OK && !(sweep->board = resolve_description(sweep, n->text)))
        return gs_fail_no_memory(err);
    return status;
}

static gs_status read_ram(gs_sweep *sweep, node *n, gs_error *err)
{
    return read_count(n, &sweep->ram, err);
}

static gs_status read_instructions(gs_sweep *sweep, node *n, gs_error *err)
{
    return read_count(n, &sweep->max_instructions, err);
}

static gs_status read_cycles(gs_sweep *sweep, node *n, gs_error *err)
{
    return read_count(n, &sweep->max_cycles, err);
}

static gs_status read_sample(gs_sweep *sweep, node *n, gs_error *err)
{
    return read_count(n, &sweep->sample, err);
}

static gs_status read_seed(gs_sweep *sweep, node *n, gs_error *err)
{
    return read_count(n, &sweep->seed, err);
}

static gs_status check_key(node *n, gs_error *err)
{
    if (gs_core_knows_key(n->key))
        return GS_OK;
    return gs_config_fail_at(n, err,
                             "no core has this key; docs/cores.md lists those there are, and "
                             "besides them there are core, board, ram and flags");
}

static gs_status read_set(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(n, err, "keys of the core belong here, such as icache.size: 4K");
    for (node *child = n->first; child && status == GS_OK; child = child->next) {
        if (gs_config_child(n, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
        status = check_key(child, err);
        if (status == GS_OK)
            status = want_text(child, "a value", err);
        if (status != GS_OK)
            return status;
        const size_t length = strlen(child->key) + strlen(child->text) + 2;
        char *text = gs_arena_alloc(&sweep->arena, length);
        if (text)
            snprintf(text, length, "%s=%s", child->key, child->text);
        status = push(&sweep->set, text, err);
    }
    if (sweep->set.count + GS_SWEEP_MAX_AXES > GS_SWEEP_MAX_SETTINGS)
        return gs_config_fail_at(n, err, "at most %d settings",
                                 GS_SWEEP_MAX_SETTINGS - GS_SWEEP_MAX_AXES);
    return status;
}

/* Programs */

static gs_status read_files(gs_sweep *sweep, gs_sweep_program *program, node *n, gs_error *err)
{
    gs_status status = read_texts(sweep, n, &program->files, "a file, or a list of C files,", err);
    for (size_t i = 0; i < program->files.count && status == GS_OK; i++) {
        const char *file = program->files.items[i];
        const size_t length = strlen(file);
        const bool is_c = length > 2 && strcmp(file + length - 2, ".c") == 0;
        if (!length || (i > 0 && is_c != program->compiled))
            return gs_config_fail_at(n, err, "an executable belongs here, or C files");
        program->compiled = is_c;
        if (!(program->files.items[i] = resolve(sweep, file)))
            return gs_fail_no_memory(err);
    }
    if (status == GS_OK &&
        (program->files.count == 0 || (!program->compiled && program->files.count > 1)))
        return gs_config_fail_at(n, err, "an executable belongs here, or C files");
    return status;
}

static gs_status read_program_keys(gs_sweep *sweep, gs_sweep_program *program, gs_error *err)
{
    node *n = program->node;
    static const char *const keys[] = {"file", "name", "arguments", "flags", "input"};
    for (node *child = n->first; child; child = child->next) {
        size_t i = 0;
        while (i < 5 && strcmp(keys[i], child->key) != 0)
            i++;
        if (i == 5)
            return gs_config_fail_at(
                child, err, "unknown key; allowed are file, name, arguments, flags and input");
        if (gs_config_child(n, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
    }
    node *file = gs_config_child(n, "file"), *name = gs_config_child(n, "name");
    node *arguments = gs_config_child(n, "arguments"), *flags = gs_config_child(n, "flags");
    node *input = gs_config_child(n, "input");
    if (!file)
        return gs_config_fail_at(n, err, "the key 'file' is missing");
    gs_status status = read_files(sweep, program, file, err);
    if (status == GS_OK && arguments)
        status = read_texts(sweep, arguments, &program->arguments, "a list of arguments", err);
    if (status == GS_OK && flags)
        status = read_texts(sweep, flags, &program->flags, "a list of compiler flags", err);
    if (status == GS_OK && flags && !program->compiled)
        status = gs_config_fail_at(flags, err, "flags are for C files, and this is a program");
    if (status == GS_OK && name)
        status = want_text(name, "a name", err);
    if (status == GS_OK && input)
        status = want_text(input, "a file", err);
    if (status == GS_OK && input && !(program->input = resolve(sweep, input->text)))
        return gs_fail_no_memory(err);
    program->name = name ? name->text : NULL;
    return status;
}

static gs_status read_program(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_sweep_program program = {.node = n};
    gs_status status = GS_OK;
    if (sweep->programs.count == MAX_PROGRAMS)
        return gs_config_fail_at(n, err, "a sweep has at most %d programs", MAX_PROGRAMS);
    if (n->kind == GS_CONFIG_KEYS)
        status = read_program_keys(sweep, &program, err);
    else
        status = read_files(sweep, &program, n, err);
    if (status == GS_OK && !program.name)
        program.name = gs_base_name(program.files.items[0]);
    for (size_t i = 0; i < sweep->programs.count && status == GS_OK; i++) {
        if (strcmp(sweep->programs.items[i].name, program.name) == 0)
            status = gs_config_fail_at(n, err, "there are two programs '%.60s'; give one a name",
                                       program.name);
    }
    if (status == GS_OK && !gs_vec_push(&sweep->programs, program))
        status = gs_fail_no_memory(err);
    if (status != GS_OK) {
        free(program.files.items);
        free(program.arguments.items);
        free(program.flags.items);
    }
    return status;
}

static gs_status read_programs(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind != GS_CONFIG_LIST)
        return read_program(sweep, n, err);
    for (node *child = n->first; child && status == GS_OK; child = child->next)
        status = read_program(sweep, child, err);
    return status;
}

/* Axes */

static gs_status find_kind(node *n, gs_sweep_kind *kind, gs_error *err)
{
    static const char *const names[] = {[GS_SWEEP_CORE] = "core",
                                        [GS_SWEEP_BOARD] = "board",
                                        [GS_SWEEP_RAM] = "ram",
                                        [GS_SWEEP_FLAGS] = "flags"};
    for (unsigned i = GS_SWEEP_CORE; i <= GS_SWEEP_FLAGS; i++) {
        if (strcmp(names[i], n->key) == 0) {
            *kind = (gs_sweep_kind)i;
            return GS_OK;
        }
    }
    *kind = GS_SWEEP_KEY;
    return check_key(n, err);
}

/* Values that name files are relative to the description. */
static gs_status resolve_values(gs_sweep *sweep, gs_sweep_axis *axis, size_t first, gs_error *err)
{
    for (size_t i = first; i < axis->values.count; i++) {
        uint64_t size;
        const char **value = &axis->values.items[i];
        if (axis->kind == GS_SWEEP_RAM && !gs_number_parse(*value, &size))
            return gs_config_fail_at(axis->node, err, "'%.60s' is no size such as 64M", *value);
        if ((axis->kind == GS_SWEEP_CORE || axis->kind == GS_SWEEP_BOARD) &&
            !(*value = resolve_description(sweep, *value)))
            return gs_fail_no_memory(err);
    }
    return GS_OK;
}

static gs_status add_axis(gs_sweep *sweep, node *n, gs_sweep_axis *axis, gs_error *err)
{
    *axis = (gs_sweep_axis){.node = n};
    if (sweep->axes.count == GS_SWEEP_MAX_AXES)
        return gs_config_fail_at(n, err, "a sweep has at most %d axes", GS_SWEEP_MAX_AXES);
    return find_kind(n, &axis->kind, err);
}

static gs_status read_axes(gs_sweep *sweep, node *n, gs_error *err)
{
    if (n->kind != GS_CONFIG_KEYS || !n->first)
        return gs_config_fail_at(n, err, "axes belong here, such as icache.size: [1K, 2K, 4K]");
    for (node *child = n->first; child; child = child->next) {
        gs_sweep_axis axis;
        if (gs_config_child(n, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
        gs_status status = add_axis(sweep, child, &axis, err);
        if (status == GS_OK)
            status = gs_sweep_read_axis(sweep, &axis, child, err);
        if (status == GS_OK)
            status = resolve_values(sweep, &axis, 0, err);
        if (status == GS_OK && !gs_vec_push(&sweep->axes, axis))
            status = gs_fail_no_memory(err);
        if (status != GS_OK) {
            free(axis.values.items);
            return status;
        }
    }
    return GS_OK;
}

/* The axis of a key of a design that is given alone; a new one if need be. */
static gs_status find_axis(gs_sweep *sweep, node *n, size_t *index, gs_error *err)
{
    gs_sweep_axis axis;
    for (*index = 0; *index < sweep->axes.count; ++*index) {
        if (strcmp(sweep->axes.items[*index].node->key, n->key) == 0)
            return GS_OK;
    }
    gs_status status = add_axis(sweep, n, &axis, err);
    return status != GS_OK                   ? status
           : gs_vec_push(&sweep->axes, axis) ? GS_OK
                                             : gs_fail_no_memory(err);
}

static gs_status read_point(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind != GS_CONFIG_KEYS || !n->first)
        return gs_config_fail_at(n, err, "keys belong here, as in {icache.size: 4K}");
    for (node *child = n->first; child && status == GS_OK; child = child->next) {
        size_t index;
        if (gs_config_child(n, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
        status = want_text(child, "a value", err);
        if (status == GS_OK)
            status = find_axis(sweep, child, &index, err);
    }
    return status;
}

/* The designs one by one: first their keys, then their values. */
static gs_status read_points(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    size_t count = 0;
    if (sweep->axes.count > 0)
        return gs_config_fail_at(n, err, "axes or points, one of the two");
    if (n->kind != GS_CONFIG_LIST || !n->first)
        return gs_config_fail_at(n, err, "a list belongs here, such as - {icache.size: 4K}");
    for (node *child = n->first; child && status == GS_OK; child = child->next, count++)
        status = read_point(sweep, child, err);
    if (status != GS_OK)
        return status;
    sweep->is_list = true;
    sweep->values = calloc(count * sweep->axes.count, sizeof *sweep->values);
    if (!sweep->values)
        return gs_fail_no_memory(err);
    for (node *child = n->first; child; child = child->next) {
        const char **values = sweep->values + sweep->design_count++ * sweep->axes.count;
        for (size_t i = 0; i < sweep->axes.count; i++) {
            gs_sweep_axis *axis = &sweep->axes.items[i];
            node *value = gs_config_child(child, axis->node->key);
            if (!value)
                continue;
            status = push(&axis->values, keep(sweep, value->text), err);
            if (status == GS_OK)
                status = resolve_values(sweep, axis, axis->values.count - 1, err);
            if (status != GS_OK)
                return status;
            values[i] = axis->values.items[axis->values.count - 1];
        }
    }
    return GS_OK;
}

/* Formulas */

static gs_status add_constraint(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_formula *formula;
    gs_error problem;
    gs_status status = want_text(n, "a condition such as icache.size <= dcache.size", err);
    if (status != GS_OK)
        return status;
    if (gs_formula_open(&formula, n->text, &problem) != GS_OK)
        return gs_config_fail_at(n, err, "%s", problem.message);
    if (!gs_vec_push(&sweep->constraints, formula)) {
        gs_formula_free(formula);
        return gs_fail_no_memory(err);
    }
    for (size_t i = 0; gs_formula_name(formula, i); i++) {
        size_t axis = 0;
        while (axis < sweep->axes.count &&
               strcmp(sweep->axes.items[axis].node->key, gs_formula_name(formula, i)) != 0)
            axis++;
        if (axis == sweep->axes.count)
            return gs_config_fail_at(n, err, "there is no axis '%.60s'",
                                     gs_formula_name(formula, i));
    }
    return GS_OK;
}

static gs_status read_where(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind != GS_CONFIG_LIST)
        return add_constraint(sweep, n, err);
    for (node *child = n->first; child && status == GS_OK; child = child->next)
        status = add_constraint(sweep, child, err);
    return status;
}

static gs_status add_objective(gs_sweep *sweep, node *n, const char *name, gs_error *err)
{
    gs_error problem;
    gs_status status = want_text(n, "a formula such as cycles or 8 * icache.size", err);
    gs_sweep_objective objective = {.name = name, .text = n->text};
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < sweep->objectives.count; i++) {
        if (strcmp(sweep->objectives.items[i].name, name) == 0)
            return gs_config_fail_at(n, err, "this objective is given twice");
    }
    if (gs_formula_open(&objective.formula, n->text, &problem) != GS_OK)
        return gs_config_fail_at(n, err, "%s", problem.message);
    if (gs_vec_push(&sweep->objectives, objective))
        return GS_OK;
    gs_formula_free(objective.formula);
    return gs_fail_no_memory(err);
}

static gs_status read_objectives(gs_sweep *sweep, node *n, gs_error *err)
{
    gs_status status = GS_OK;
    if (n->kind == GS_CONFIG_VALUE)
        return add_objective(sweep, n, n->text, err);
    for (node *child = n->first; child && status == GS_OK; child = child->next)
        status = add_objective(sweep, child, child->key ? child->key : child->text, err);
    if (status == GS_OK && sweep->objectives.count == 0)
        status = gs_config_fail_at(n, err, "objectives belong here, such as [cycles, energy]");
    return status;
}

static gs_status read_tree(gs_sweep *sweep, node *root, gs_error *err)
{
    static const key keys[] = {
        {"name", read_name},
        {"programs", read_programs},
        {"core", read_core},
        {"board", read_board},
        {"ram", read_ram},
        {"set", read_set},
        {"axes", read_axes},
        {"points", read_points},
        {"where", read_where},
        {"sample", read_sample},
        {"seed", read_seed},
        {"objectives", read_objectives},
        {"max_instructions", read_instructions},
        {"max_cycles", read_cycles},
        {0},
    };
    static const char allowed[] = "name, programs, core, board, ram, set, axes, points, where, "
                                  "sample, seed, objectives, max_instructions and max_cycles";
    if (root->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(root, err, "keys belong here: %s", allowed);
    gs_status status = read_keys(sweep, root, keys, allowed, err);
    if (status != GS_OK)
        return status;
    if (sweep->programs.count == 0)
        return gs_config_fail_at(root, err, "the key 'programs' is missing");
    if (sweep->axes.count == 0)
        return gs_config_fail_at(root, err, "the key 'axes' is missing, or 'points'");
    node *where = gs_config_child(root, "where"), *sample = gs_config_child(root, "sample");
    if (sweep->is_list && (where || sample))
        return gs_config_fail_at(where ? where : sample, err,
                                 "this is for axes; points are taken as they are");
    if (sweep->seed && !sweep->sample)
        return gs_config_fail_at(gs_config_child(root, "seed"), err,
                                 "this key has no meaning without sample");
    if (!sweep->is_list)
        status = gs_sweep_combine(sweep, where ? where : gs_config_child(root, "axes"), err);
    if (status == GS_OK && sweep->design_count * sweep->programs.count > GS_SWEEP_MAX_DESIGNS)
        status = gs_config_fail_at(root, err, "designs times programs are more than %d",
                                   GS_SWEEP_MAX_DESIGNS);
    return status == GS_OK ? gs_sweep_find_builds(sweep, err) : status;
}

/* The name without its folder and ending. */
static const char *default_name(gs_sweep *sweep)
{
    const char *base = gs_base_name(sweep->path), *dot = strrchr(base, '.');
    const size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *name = gs_arena_copy(&sweep->arena, base, length < MAX_NAME ? length : MAX_NAME);
    if (name)
        gs_plain_text(name, "");
    return name;
}

gs_status gs_sweep_parse(gs_sweep **out, const char *name, const char *text, size_t size,
                         gs_error *err)
{
    gs_config_node *root;
    gs_sweep *sweep = calloc(1, sizeof *sweep);
    *out = NULL;
    if (!sweep)
        return gs_fail_no_memory(err);
    sweep->path = keep(sweep, name);
    sweep->folder = gs_arena_copy(&sweep->arena, name, strlen(name) - strlen(gs_base_name(name)));
    sweep->text = gs_arena_copy(&sweep->arena, text, size);
    gs_status status =
        sweep->path && sweep->folder && sweep->text && (sweep->name = default_name(sweep))
            ? GS_OK
            : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = gs_config_parse(&root, &sweep->arena, name, text, size, err);
    if (status == GS_OK)
        status = read_tree(sweep, root, err);
    if (status != GS_OK) {
        gs_sweep_free(sweep);
        return status;
    }
    *out = sweep;
    return GS_OK;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_sweep_parse(out, path, text, size, err);
}

gs_status gs_sweep_open(gs_sweep **out, const char *path, gs_error *err)
{
    *out = NULL;
    return gs_file_parse(parse, out, path, MAX_FILE, err);
}
