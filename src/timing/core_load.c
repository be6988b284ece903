/* Loads a core description with all it extends, and what the command line changes. */
#include "timing/core_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "timing/core_schema.h"

enum { FILE_SIZE_MAX = 1 << 20, PATH_LENGTH_MAX = 4096 };
static const char kind[] = "cores";

/* A description as it was found, and the one that extends it. */
typedef struct found {
    const char *name; /* as it was asked for */
    char *label;      /* for messages: its file */
    char *identity;   /* equal only for the same file */
    bool built_in;
    const char *text;
    char *own_text; /* what of it must be freed */
    size_t size;
    const struct found *child;
    unsigned depth;
} found;

static void found_free(found *f)
{
    free(f->label);
    free(f->identity);
    free(f->own_text);
}

static bool is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length >= 5 && !strcmp(name + length - 5, ".yaml"));
}

static gs_status fail_unknown(const char *name, gs_error *err)
{
    char names[240] = "";
    size_t length = 0;

    for (size_t i = 0; gs_embedded_nth(kind, i) && length < sizeof names; i++) {
        int n = snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                         gs_embedded_nth(kind, i)->name);
        length += n > 0 ? (size_t)n : 0;
    }
    return gs_fail(err, GS_E_NOT_FOUND,
                   "there is no core '%.80s'; built in are %s; a file's name ends in .yaml", name,
                   names);
}

static gs_status find_built_in(found *f, const char *name, gs_error *err)
{
    const gs_embedded *file = gs_embedded_find(kind, name);
    if (!file)
        return fail_unknown(name, err);
    if (asprintf(&f->label, "cores/%s.yaml", name) < 0)
        f->label = NULL;
    f->identity = strdup(name);
    f->built_in = true;
    f->text = file->text;
    f->size = file->size;
    return f->label && f->identity ? GS_OK : gs_fail_no_memory(err);
}

/* `name` is relative to the file of `child`, if there is one. */
static gs_status find_file(found *f, const char *name, const found *child, gs_error *err)
{
    const char *slash = child && name[0] != '/' ? strrchr(child->label, '/') : NULL;
    int directory = slash ? (int)(slash - child->label + 1) : 0;

    if (asprintf(&f->label, "%.*s%s", directory, child ? child->label : "", name) < 0)
        f->label = NULL;
    if (!f->label)
        return gs_fail_no_memory(err);
    gs_status status = gs_file_read(&f->own_text, &f->size, f->label, FILE_SIZE_MAX, err);
    if (status)
        return status;
    f->text = f->own_text;
    f->identity = realpath(f->label, NULL);
    if (!f->identity) /* a pipe, for example */
        f->identity = strdup(f->label);
    return f->identity ? GS_OK : gs_fail_no_memory(err);
}

static gs_status find(found *f, const char *name, const found *child, gs_error *err)
{
    *f = (found){.name = name, .child = child, .depth = child ? child->depth + 1 : 0};
    if (!is_path(name))
        return find_built_in(f, name, err);
    if (child && child->built_in)
        return gs_fail(err, GS_E_FORMAT, "a built-in core cannot extend a file");
    return find_file(f, name, child, err);
}

static bool is_among_children(const found *f)
{
    for (const found *child = f->child; child; child = child->child) {
        if (child->built_in == f->built_in && !strcmp(child->identity, f->identity))
            return true;
    }
    return false;
}

static gs_status load_found(gs_core_source *out, gs_arena *arena, const found *f, gs_error *err);

/* Finds and loads what `root`, read from `f`, extends. */
static gs_status load_parent(gs_core_source *out, gs_arena *arena, const gs_config_node *root,
                             const found *f, gs_error *err)
{
    const gs_config config = {&gs_core_schema, root};
    const char *name = gs_config_child(root, "extends")->text;
    found parent = {0};
    gs_error inner = {0};
    gs_status status;

    if (f->depth >= GS_CORE_EXTENDS_MAX)
        return gs_config_fail(&config, err, "extends", "more than %d files extend one another",
                              GS_CORE_EXTENDS_MAX);
    status = find(&parent, name, f, &inner);
    if (status == GS_E_NO_MEMORY)
        gs_fail_no_memory(err);
    else if (status)
        gs_config_fail(&config, err, "extends", "%s", inner.message);
    else if (is_among_children(&parent))
        status =
            gs_config_fail(&config, err, "extends", "%s extends itself in the end", parent.label);
    else
        status = load_found(out, arena, &parent, err);
    found_free(&parent);
    return status;
}

/* What is said of a core is not true of another that was made from it. */
static gs_status forget_the_claims(gs_arena *arena, gs_config_node *root, const char *name,
                                   gs_error *err)
{
    static const char *const own[] = {"name", "summary", "verified", "verified_over"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        gs_config_remove(root, own[i]);

    const gs_config_node *evidence = gs_config_child(root, "evidence");
    char text[600];
    snprintf(text, sizeof text, "as %.60s, with changes%s%.500s", name, evidence ? ": " : "",
             evidence ? evidence->text : "");
    gs_config_remove(root, "evidence");
    if (!gs_config_add(arena, root, "evidence", text, root->origin))
        return gs_fail_no_memory(err);
    snprintf(text, sizeof text, "a variant of %.60s", name);
    return gs_config_add(arena, root, "summary", text, root->origin) ? GS_OK
                                                                     : gs_fail_no_memory(err);
}

/* The name of a file that gives none. */
static gs_status name_it(gs_arena *arena, gs_config_node *root, const char *label, gs_error *err)
{
    const char *slash = strrchr(label, '/');
    const char *start = slash ? slash + 1 : label;
    size_t length = strlen(start);
    char stem[64];

    if (gs_config_child(root, "name"))
        return GS_OK;
    if (length > 5 && !strcmp(start + length - 5, ".yaml"))
        length -= 5;
    snprintf(stem, sizeof stem, "%.*s", (int)(length < 60 ? length : 60), start);
    return gs_config_add(arena, root, "name", stem, root->origin) ? GS_OK : gs_fail_no_memory(err);
}

static gs_status load_found(gs_core_source *out, gs_arena *arena, const found *f, gs_error *err)
{
    gs_config_node *root;
    gs_config_node *base = gs_arena_alloc(arena, sizeof *base);

    if (!base)
        return gs_fail_no_memory(err);
    base->kind = GS_CONFIG_KEYS;
    base->text = "";
    gs_status status = gs_config_parse(&root, arena, f->label, f->text, f->size, err);
    if (!status)
        status = gs_config_check(&(gs_config){&gs_core_schema, root}, true, err);
    if (status)
        return status;

    const gs_config_node *extends = gs_config_child(root, "extends");
    const char *parent_name = NULL;
    if (extends && !gs_config_is_null(extends)) {
        gs_core_source parent = {0};
        status = load_parent(&parent, arena, root, f, err);
        if (status)
            return status;
        *out = parent;
        base = parent.root;
        parent_name = gs_config_child(base, "name")->text;
        status = forget_the_claims(arena, base, parent_name, err);
    }
    base->origin = root->origin;
    base->line = root->line;
    gs_config_merge(base, root);
    gs_config_remove(base, "extends");
    if (!status)
        status = name_it(arena, base, f->label, err);
    out->root = base;
    out->extends = parent_name;
    if (f->own_text &&
        !(out->files[out->file_count++] = gs_arena_copy(arena, f->label, strlen(f->label))))
        return gs_fail_no_memory(err);
    return status;
}

/* Whether the description says that this key was varied when it was verified. */
static bool varied(const gs_config_node *root, const char *set)
{
    const gs_config_node *keys = gs_config_child(root, "verified_over");
    size_t length = strcspn(set, "=");
    for (const gs_config_node *key = keys ? keys->first : NULL; key; key = key->next) {
        if (strlen(key->text) == length && !strncmp(key->text, set, length))
            return true;
    }
    return false;
}

static gs_status apply_set(gs_core_source *source, gs_arena *arena, const char *set, gs_error *err)
{
    gs_config_node *change;
    gs_status status = gs_config_parse_set(&change, arena, "--set", set, err);
    const gs_config config = {&gs_core_schema, change};

    if (!status)
        status = gs_config_check(&config, true, err);
    if (!status && gs_config_child(change, "extends"))
        status = gs_config_fail(&config, err, "extends", "this can only be said in a file");
    if (status)
        return status;
    if (!varied(source->root, set)) {
        gs_config_remove(source->root, "verified");
        gs_config_remove(source->root, "verified_over");
    }
    gs_config_merge(source->root, change);
    return GS_OK;
}

static gs_status apply_sets(gs_core_source *source, gs_arena *arena, const char *const *set,
                            size_t count, gs_error *err)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        gs_status status = apply_set(source, arena, set[i], err);
        if (status)
            return status;
        length += strlen(set[i]) + 2;
    }
    if (count == 0)
        return GS_OK;
    char *changes = gs_arena_alloc(arena, length + 1);
    if (!changes)
        return gs_fail_no_memory(err);
    source->changes = changes;
    for (size_t i = 0; i < count; i++)
        changes = stpcpy(stpcpy(changes, i ? ", " : ""), set[i]);
    return GS_OK;
}

/* The rest of loading a description, of which `status` says whether it was found. Frees `f`. */
static gs_status load(gs_core_source *out, gs_arena *arena, found *f, gs_status status,
                      const char *const *set, size_t set_count, gs_error *err)
{
    if (!status)
        status = load_found(out, arena, f, err);
    if (!status)
        status = apply_sets(out, arena, set, set_count, err);
    found_free(f);
    return status;
}

gs_status gs_core_load(gs_core_source *out, gs_arena *arena, const char *name,
                       const char *const *set, size_t set_count, gs_error *err)
{
    found f;

    *out = (gs_core_source){0};
    gs_status status = find(&f, name, NULL, err);
    return load(out, arena, &f, status, set, set_count, err);
}

gs_status gs_core_load_text(gs_core_source *out, gs_arena *arena, const char *file,
                            const char *text, size_t size, const char *const *set, size_t set_count,
                            gs_error *err)
{
    found f = {.name = file, .text = text, .size = size};

    *out = (gs_core_source){0};
    f.label = strdup(file);
    f.identity = strdup(file);
    gs_status status = f.label && f.identity ? GS_OK : gs_fail_no_memory(err);
    return load(out, arena, &f, status, set, set_count, err);
}
