/* Reads YAML into trees of nodes with their positions, and merges one tree over another. */
#include "base/config_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/plain.h"

/* Nodes */

static gs_config_node *new_node(gs_arena *arena, gs_config_kind kind, const char *origin,
                                unsigned line)
{
    gs_config_node *node = gs_arena_alloc(arena, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->origin = origin;
    node->line = line;
    node->text = "";
    return node;
}

void gs_config_append(gs_config_node *parent, gs_config_node *child)
{
    child->parent = parent;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

gs_config_node *gs_config_child(const gs_config_node *keys, const char *key)
{
    for (gs_config_node *child = keys->first; child; child = child->next) {
        if (child->key && !strcmp(child->key, key))
            return child;
    }
    return NULL;
}

static void unlink_child(gs_config_node *parent, gs_config_node *child)
{
    gs_config_node **link = &parent->first, *before = NULL;
    while (*link != child) {
        before = *link;
        link = &(*link)->next;
    }
    *link = child->next;
    if (parent->last == child)
        parent->last = before;
}

void gs_config_remove(gs_config_node *keys, const char *key)
{
    gs_config_node *child = gs_config_child(keys, key);
    if (child)
        unlink_child(keys, child);
}

bool gs_config_add(gs_arena *arena, gs_config_node *keys, const char *key, const char *text,
                   const char *origin)
{
    gs_config_node *node = new_node(arena, GS_CONFIG_VALUE, origin, 0);
    if (!node)
        return false;
    node->key = gs_arena_copy(arena, key, strlen(key));
    node->text = gs_arena_copy(arena, text, strlen(text));
    node->quoted = true;
    if (!node->key || !node->text)
        return false;
    gs_config_append(keys, node);
    return true;
}

bool gs_config_is_null(const gs_config_node *node)
{
    return node->kind == GS_CONFIG_VALUE && !node->quoted &&
           (!strcmp(node->text, "~") || !strcmp(node->text, "null") || !node->text[0]);
}

/* Trees that reach this point are no deeper than the schema they were checked against. */
static void strip_nulls(gs_config_node *node)
{
    gs_config_node *next;
    for (gs_config_node *child = node->first; child; child = next) {
        next = child->next;
        if (child->key && gs_config_is_null(child))
            unlink_child(node, child);
        else
            strip_nulls(child);
    }
}

static void replace_child(gs_config_node *parent, gs_config_node *old, gs_config_node *child)
{
    gs_config_node **link = &parent->first;
    while (*link != old)
        link = &(*link)->next;
    *link = child;
    child->parent = parent;
    child->next = old->next;
    if (parent->last == old)
        parent->last = child;
}

void gs_config_merge(gs_config_node *base, gs_config_node *over)
{
    gs_config_node *next;
    for (gs_config_node *child = over->first; child; child = next) {
        next = child->next;
        gs_config_node *old = gs_config_child(base, child->key);
        if (gs_config_is_null(child)) {
            if (old)
                unlink_child(base, old);
        } else if (old && old->kind == GS_CONFIG_KEYS && child->kind == GS_CONFIG_KEYS) {
            gs_config_merge(old, child);
        } else {
            strip_nulls(child);
            if (old)
                replace_child(base, old, child);
            else
                gs_config_append(base, child);
        }
    }
    over->first = over->last = NULL;
}

/* One step along a path: what it leads to, or NULL. Moves *path past it. */
static const gs_config_node *follow(const gs_config_node *node, const char **path)
{
    if (**path == '[') {
        char *end;
        size_t index = strtoul(*path + 1, &end, 10);
        *path = *end == ']' ? end + 1 : end;
        if (node->kind != GS_CONFIG_LIST)
            return NULL;
        const gs_config_node *item = node->first;
        while (item && index-- > 0)
            item = item->next;
        return item;
    }
    char key[64];
    if (**path == '.')
        ++*path;
    size_t length = strcspn(*path, ".[");
    snprintf(key, sizeof key, "%.*s", (int)length, *path);
    *path += length;
    return node->kind == GS_CONFIG_KEYS ? gs_config_child(node, key) : NULL;
}

const gs_config_node *gs_config_find(const gs_config_node *root, const char *path)
{
    const gs_config_node *node = root;
    while (*path) {
        const gs_config_node *next = follow(node, &path);
        if (!next)
            return node;
        node = next;
    }
    return node;
}

/* Reading */

enum { MAX_DEPTH = 32 }; /* of a description; ours have 4 */

typedef struct reading {
    unsigned depth;
    gs_arena *arena;
    const char *name;
    const char *text;
    size_t size;
    gs_config_node *root;
    gs_config_node *open; /* the innermost list or keys that has not ended */
    const char *key;      /* read, its value not yet */
    unsigned key_line;
    bool one_line; /* its lines have no numbers */
    gs_error *err;
} reading;

static unsigned line_of(const yaml_mark_t *mark)
{
    return (unsigned)mark->line + 1;
}

static gs_status refuse(const reading *r, unsigned line, const char *problem)
{
    if (line == 0 || r->one_line)
        return gs_fail(r->err, GS_E_FORMAT, "%s: %s", r->name, problem);
    return gs_fail(r->err, GS_E_FORMAT, "%s:%u: %s", r->name, line, problem);
}

static gs_status refuse_yaml(const reading *r, const yaml_parser_t *parser)
{
    char problem[200];
    unsigned line = line_of(&parser->problem_mark);

    if (parser->error == YAML_MEMORY_ERROR)
        return gs_fail_no_memory(r->err);
    /* A reader error has only an offset in bytes: the line is counted from that. */
    if (parser->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < r->size; i++)
            line += r->text[i] == '\n';
    }
    snprintf(problem, sizeof problem, "not YAML: %s%s%s",
             parser->problem ? parser->problem : "it cannot be read", parser->context ? " " : "",
             parser->context ? parser->context : "");
    return refuse(r, line, problem);
}

/* Puts a new node where it belongs. */
static gs_status place(reading *r, gs_config_node *node)
{
    if (!r->open) {
        r->root = node;
        return GS_OK;
    }
    node->key = r->key;
    node->key_line = r->key_line;
    r->key = NULL;
    gs_config_append(r->open, node);
    return GS_OK;
}

static bool wants_key(const reading *r)
{
    return r->open && r->open->kind == GS_CONFIG_KEYS && !r->key;
}

static gs_status read_scalar(reading *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    unsigned line = line_of(&event->start_mark);

    if (strlen(text) != length)
        return refuse(r, line, "a NUL character is not allowed");
    if (!gs_plain_is(text, "\n\t")) /* it would reach a terminal with messages and tables */
        return refuse(r, line, "control characters are not allowed");
    char *copy = gs_arena_copy(r->arena, text, length);
    if (!copy)
        return gs_fail_no_memory(r->err);
    if (wants_key(r)) {
        r->key = copy;
        r->key_line = line;
        return GS_OK;
    }
    gs_config_node *node = new_node(r->arena, GS_CONFIG_VALUE, r->name, line);
    if (!node)
        return gs_fail_no_memory(r->err);
    node->text = copy;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return place(r, node);
}

static gs_status read_start(reading *r, const yaml_event_t *event, gs_config_kind kind)
{
    unsigned line = line_of(&event->start_mark);
    if (wants_key(r))
        return refuse(r, line, "a key must be a single word");
    gs_config_node *node = new_node(r->arena, kind, r->name, line);
    if (!node)
        return gs_fail_no_memory(r->err);
    gs_status status = place(r, node);
    r->open = node;
    /* libyaml takes time quadratic in the depth of brackets: give up while that is nothing. */
    if (status == GS_OK && ++r->depth > MAX_DEPTH)
        return refuse(r, line, "nested too deeply");
    return status;
}

static const yaml_char_t *anchor_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor;
    case YAML_ALIAS_EVENT: return event->data.alias.anchor;
    default: return NULL;
    }
}

static gs_status read_event(reading *r, const yaml_event_t *event)
{
    if (anchor_of(event))
        return refuse(r, line_of(&event->start_mark),
                      "YAML anchors (&name) and aliases (*name) are not supported here");
    switch (event->type) {
    case YAML_SCALAR_EVENT: return read_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT: return read_start(r, event, GS_CONFIG_LIST);
    case YAML_MAPPING_START_EVENT: return read_start(r, event, GS_CONFIG_KEYS);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        r->open = r->open->parent;
        r->depth--;
        return GS_OK;
    case YAML_DOCUMENT_START_EVENT:
        return r->root ? refuse(r, line_of(&event->start_mark), "a second document begins here")
                       : GS_OK;
    default: return GS_OK;
    }
}

static gs_status read_events(reading *r)
{
    yaml_parser_t parser;
    yaml_event_t event;
    gs_status status = GS_OK;
    bool ended = false;

    if (!yaml_parser_initialize(&parser))
        return gs_fail_no_memory(r->err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)r->text, r->size);
    while (!status && !ended) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = refuse_yaml(r, &parser);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = read_event(r, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

gs_status gs_config_parse(gs_config_node **out, gs_arena *arena, const char *name, const char *text,
                          size_t size, gs_error *err)
{
    reading r = {.arena = arena, .text = text, .size = size, .err = err};

    *out = NULL;
    r.name = gs_arena_copy(arena, name, strlen(name));
    if (!r.name)
        return gs_fail_no_memory(err);
    gs_status status = read_events(&r);
    if (!status && (!r.root || gs_config_is_null(r.root)))
        return refuse(&r, 0, "there is nothing in it");
    if (!status)
        *out = r.root;
    return status;
}

/* Settings */

static void forget_lines(gs_config_node *node)
{
    node->line = node->key_line = 0;
    for (gs_config_node *child = node->first; child; child = child->next)
        forget_lines(child);
}

static bool names_keys(const char *path, size_t length)
{
    if (length == 0 || path[0] == '.' || path[length - 1] == '.')
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)path[i] <= ' ' || (path[i] == '.' && path[i + 1] == '.'))
            return false;
    }
    return true;
}

gs_status gs_config_parse_set(gs_config_node **out, gs_arena *arena, const char *option,
                              const char *set, gs_error *err)
{
    const char *equals = strchr(set, '=');
    size_t length = equals ? (size_t)(equals - set) : 0;

    *out = NULL;
    if (!names_keys(set, length))
        return gs_fail(err, GS_E_ARGUMENT, "%s %.80s: this is not of the form key.key=value",
                       option, set);
    char label[160];
    snprintf(label, sizeof label, "%s %.120s", option, set);
    for (char *at = label; *at; at++)
        *at = (unsigned char)*at < ' ' ? '?' : *at;
    reading r = {
        .arena = arena,
        .name = gs_arena_copy(arena, label, strlen(label)),
        .text = equals + 1,
        .size = strlen(equals + 1),
        .one_line = true,
        .err = err,
    };
    if (!r.name)
        return gs_fail_no_memory(err);
    gs_status status = read_events(&r);
    if (status)
        return status;
    gs_config_node *node = r.root;
    if (!node || (node->kind == GS_CONFIG_VALUE && !node->quoted && !node->text[0]))
        return refuse(&r, 0, "there is no value after the '='; null would take the key away");
    forget_lines(node);
    /* From the last key of the path outwards. */
    while (length > 0) {
        size_t start = length;
        while (start > 0 && set[start - 1] != '.')
            start--;
        node->key = gs_arena_copy(arena, set + start, length - start);
        gs_config_node *keys = new_node(arena, GS_CONFIG_KEYS, r.name, 0);
        if (!node->key || !keys)
            return gs_fail_no_memory(err);
        gs_config_append(keys, node);
        node = keys;
        length = start > 0 ? start - 1 : 0;
    }
    *out = node;
    return GS_OK;
}

/* Printing */

typedef struct printing {
    yaml_emitter_t emitter;
    char *text;
    size_t size, capacity;
} printing;

static int collect(void *data, unsigned char *bytes, size_t size)
{
    printing *p = data;
    if (p->capacity - p->size <= size) {
        size_t capacity = 2 * (p->capacity + size + 1);
        char *text = realloc(p->text, capacity);
        if (!text)
            return 0;
        p->text = text;
        p->capacity = capacity;
    }
    memcpy(p->text + p->size, bytes, size);
    p->size += size;
    p->text[p->size] = '\0';
    return 1;
}

static bool emit(printing *p, yaml_event_t *event, int made)
{
    return made && yaml_emitter_emit(&p->emitter, event);
}

static bool emit_text(printing *p, const char *text, bool quoted)
{
    yaml_event_t event;
    yaml_scalar_style_t style = quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
    return emit(p, &event,
                yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                                             (int)strlen(text), 1, 1, style));
}

/* Quotes are needed only where a plain text would be something else. */
static bool needs_quotes(const gs_config_node *node)
{
    gs_config_node plain = *node;
    plain.quoted = false;
    return node->quoted && gs_config_is_null(&plain);
}

static bool emit_node(printing *p, const gs_config_node *node)
{
    yaml_event_t event;
    bool keys = node->kind == GS_CONFIG_KEYS;
    bool ok;

    if (node->kind == GS_CONFIG_VALUE)
        return emit_text(p, node->text, needs_quotes(node));
    if (keys)
        ok = emit(
            p, &event,
            yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
    else
        ok = emit(
            p, &event,
            yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
                                                 node->first && node->first->kind == GS_CONFIG_VALUE
                                                     ? YAML_FLOW_SEQUENCE_STYLE
                                                     : YAML_BLOCK_SEQUENCE_STYLE));
    for (const gs_config_node *child = node->first; ok && child; child = child->next)
        ok = (!keys || emit_text(p, child->key, false)) && emit_node(p, child);
    return ok && emit(p, &event,
                      keys ? yaml_mapping_end_event_initialize(&event)
                           : yaml_sequence_end_event_initialize(&event));
}

static bool emit_document(printing *p, const gs_config_node *root)
{
    yaml_event_t event;
    return emit(p, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)) &&
           emit(p, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1)) &&
           emit_node(p, root) && emit(p, &event, yaml_document_end_event_initialize(&event, 1)) &&
           emit(p, &event, yaml_stream_end_event_initialize(&event));
}

gs_status gs_config_print(char **out, size_t *size, const gs_config_node *root, gs_error *err)
{
    printing p = {.text = NULL};

    *out = NULL;
    if (!yaml_emitter_initialize(&p.emitter))
        return gs_fail_no_memory(err);
    yaml_emitter_set_output(&p.emitter, collect, &p);
    yaml_emitter_set_unicode(&p.emitter, 1);
    yaml_emitter_set_width(&p.emitter, 96);
    bool ok = emit_document(&p, root) && p.text;
    if (ok && p.text[p.size - 1] != '\n')
        ok = collect(&p, (unsigned char[]){'\n'}, 1);
    yaml_emitter_delete(&p.emitter);
    if (!ok) {
        free(p.text);
        return gs_fail_no_memory(err);
    }
    *out = p.text;
    *size = p.size;
    return GS_OK;
}
