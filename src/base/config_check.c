/*
 * libcyaml 1.3.1 reports the line of the last thing it understood, which for an unknown
 * key is the line before, and never what would be allowed. So a tree, whose nodes know
 * their lines, is compared with the schema first. The comparison goes no deeper than the
 * schema and looks into no list that is longer than the schema allows, so hostile texts
 * do not make it slow.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"

typedef struct walk {
    bool part;
    gs_error *err;
    char path[128];
    size_t path_length;
} walk;

static gs_status refuse(walk *w, const gs_config_node *node, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static gs_status refuse(walk *w, const gs_config_node *node, unsigned line, const char *format, ...)
{
    char problem[320], place[16] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(problem, sizeof problem, format, args);
    va_end(args);
    for (char *at = problem; *at; at++)
        *at = (unsigned char)*at < ' ' ? '?' : *at; /* one line, whatever it quotes */
    if (line)
        snprintf(place, sizeof place, ":%u", line);
    return gs_fail(w->err, GS_E_FORMAT, "%s%s: %s%s%s", node->origin, place, w->path,
                   w->path_length ? ": " : "", problem);
}

/* The line where a person would look for it: a key's own, not that of what it holds. */
static unsigned line_of(const gs_config_node *node)
{
    return node->key ? node->key_line : node->line;
}

static void path_add(walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void path_add(walk *w, const char *format, ...)
{
    size_t room = sizeof w->path - w->path_length;
    va_list args;

    va_start(args, format);
    int n = vsnprintf(w->path + w->path_length, room, format, args);
    va_end(args);
    w->path_length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void path_cut(walk *w, size_t length)
{
    w->path_length = length;
    w->path[length] = '\0';
}

/* A list of words for a message: "a, b, c". Cut short when it does not fit. */
typedef struct word_list {
    char text[240];
    size_t length;
} word_list;

static void list_add(word_list *list, const char *word)
{
    int n = snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s",
                     list->length ? ", " : "", word);
    if (n > 0)
        list->length += (size_t)n;
    if (list->length >= sizeof list->text) {
        list->length = sizeof list->text - 1;
        memcpy(list->text + list->length - 3, "...", 3);
    }
}

static word_list keys_of(const cyaml_schema_field_t *fields)
{
    word_list keys = {"", 0};
    for (; fields->key; fields++)
        list_add(&keys, fields->key);
    return keys;
}

static const char *kind_of(const gs_config_node *node)
{
    switch (node->kind) {
    case GS_CONFIG_VALUE: return "a single value";
    case GS_CONFIG_LIST: return "a list";
    default: return "keys";
    }
}

static gs_status check_value(walk *w, const gs_config_node *node,
                             const cyaml_schema_value_t *schema);

static gs_status check_choice(walk *w, const gs_config_node *node,
                              const cyaml_schema_value_t *schema)
{
    word_list allowed = {"", 0};

    for (uint32_t i = 0; i < schema->enumeration.count; i++) {
        if (!strcmp(schema->enumeration.strings[i].str, node->text))
            return GS_OK;
        list_add(&allowed, schema->enumeration.strings[i].str);
    }
    return refuse(w, node, node->line, "'%.60s' is not allowed; allowed: %s", node->text,
                  allowed.text);
}

static gs_status check_integer(walk *w, const gs_config_node *node,
                               const cyaml_schema_value_t *schema)
{
    const char *text = node->text;
    unsigned bits = schema->data_size >= 8 ? 64 : schema->data_size * 8;
    bool is_signed = schema->type == CYAML_INT;
    char *end = NULL;
    bool fits;

    errno = 0;
    if (is_signed) {
        long long value = strtoll(text, &end, 0);
        long long top = bits < 64 ? (1LL << (bits - 1)) - 1 : INT64_MAX;
        fits = errno == 0 && value <= top && value >= -top - 1;
    } else {
        unsigned long long value = strtoull(text, &end, 0);
        fits = errno == 0 && (bits == 64 || value >> bits == 0) && !strchr(text, '-');
    }
    if (*text && !*end && fits)
        return GS_OK;
    return refuse(w, node, node->line, "'%.60s' is not %s of %u bits", text,
                  is_signed ? "an integer" : "a non-negative integer", bits);
}

static gs_status check_float(walk *w, const gs_config_node *node)
{
    char *end;
    strtod(node->text, &end);
    if (node->text[0] && !*end)
        return GS_OK;
    return refuse(w, node, node->line, "'%.60s' is not a number", node->text);
}

static gs_status check_text(walk *w, const gs_config_node *node, const cyaml_schema_value_t *schema)
{
    size_t length = strlen(node->text);
    if (length < schema->string.min)
        return refuse(w, node, node->line, "the text is shorter than %u characters",
                      schema->string.min);
    if (length > schema->string.max)
        return refuse(w, node, node->line, "the text is longer than %u characters",
                      schema->string.max);
    return GS_OK;
}

static gs_status check_scalar(walk *w, const gs_config_node *node,
                              const cyaml_schema_value_t *schema)
{
    if (node->kind != GS_CONFIG_VALUE)
        return refuse(w, node, line_of(node), "a single value belongs here, not %s", kind_of(node));
    switch (schema->type) {
    case CYAML_ENUM: return check_choice(w, node, schema);
    case CYAML_INT:
    case CYAML_UINT: return check_integer(w, node, schema);
    case CYAML_FLOAT: return check_float(w, node);
    case CYAML_STRING: return check_text(w, node, schema);
    default: return GS_OK;
    }
}

static gs_status check_list(walk *w, const gs_config_node *node, const cyaml_schema_value_t *schema)
{
    bool flags = schema->type == CYAML_FLAGS;
    size_t count = 0, index = 0;
    gs_status status = GS_OK;

    if (node->kind != GS_CONFIG_LIST)
        return refuse(w, node, line_of(node), "a list belongs here, not %s", kind_of(node));
    for (const gs_config_node *item = node->first; item; item = item->next)
        count++;
    if (!flags && count < schema->sequence.min)
        return refuse(w, node, line_of(node), "at least %u %s needed", schema->sequence.min,
                      schema->sequence.min == 1 ? "entry is" : "entries are");
    if (!flags && count > schema->sequence.max)
        return refuse(w, node, line_of(node), "%zu entries are too many; at most %u are allowed",
                      count, schema->sequence.max);

    for (const gs_config_node *item = node->first; item && !status; item = item->next) {
        size_t length = w->path_length;
        path_add(w, "[%zu]", index++);
        if (!flags)
            status = check_value(w, item, schema->sequence.entry);
        else if (item->kind == GS_CONFIG_VALUE)
            status = check_choice(w, item, schema);
        else
            status =
                refuse(w, item, item->line, "a single value belongs here, not %s", kind_of(item));
        path_cut(w, length);
    }
    return status;
}

static const cyaml_schema_field_t *field_named(const cyaml_schema_field_t *fields, const char *key)
{
    for (; fields->key; fields++) {
        if (!strcmp(fields->key, key))
            return fields;
    }
    return NULL;
}

static gs_status check_pair(walk *w, const gs_config_node *keys, const gs_config_node *child,
                            const cyaml_schema_field_t *fields)
{
    const cyaml_schema_field_t *field = field_named(fields, child->key);
    if (!field)
        return refuse(w, child, child->key_line, "unknown key '%.60s'; allowed: %s", child->key,
                      keys_of(fields).text);
    if (gs_config_child(keys, field->key) != child)
        return refuse(w, child, child->key_line, "the key '%s' is given twice", field->key);

    size_t length = w->path_length;
    path_add(w, "%s%s", length ? "." : "", field->key);
    gs_status status = check_value(w, child, &field->value);
    path_cut(w, length);
    return status;
}

static gs_status check_keys(walk *w, const gs_config_node *node, const cyaml_schema_value_t *schema)
{
    const cyaml_schema_field_t *fields = schema->mapping.fields;

    if (node->kind != GS_CONFIG_KEYS)
        return refuse(w, node, line_of(node), "keys belong here, not %s; allowed: %s",
                      kind_of(node), keys_of(fields).text);
    for (const gs_config_node *child = node->first; child; child = child->next) {
        gs_status status = check_pair(w, node, child, fields);
        if (status)
            return status;
    }
    for (; fields->key && !w->part; fields++) {
        if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) && !gs_config_child(node, fields->key))
            return refuse(w, node, line_of(node), "the key '%s' is missing", fields->key);
    }
    return GS_OK;
}

static gs_status check_value(walk *w, const gs_config_node *node,
                             const cyaml_schema_value_t *schema)
{
    if (w->part && node->key && gs_config_is_null(node))
        return GS_OK;
    switch (schema->type) {
    case CYAML_IGNORE:
    case CYAML_BITFIELD: return GS_OK;
    case CYAML_MAPPING: return check_keys(w, node, schema);
    case CYAML_FLAGS:
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED: return check_list(w, node, schema);
    default: return check_scalar(w, node, schema);
    }
}

gs_status gs_config_check(const gs_config *config, bool part, gs_error *err)
{
    walk w = {.part = part, .err = err};
    return check_value(&w, config->root, config->schema);
}

void gs_config_order(gs_config_node *node, const cyaml_schema_value_t *schema)
{
    if (node->kind == GS_CONFIG_LIST && schema->type == CYAML_SEQUENCE) {
        for (gs_config_node *item = node->first; item; item = item->next)
            gs_config_order(item, schema->sequence.entry);
        return;
    }
    if (node->kind != GS_CONFIG_KEYS || schema->type != CYAML_MAPPING)
        return;
    gs_config_node ordered = {.kind = GS_CONFIG_KEYS};
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++) {
        gs_config_node *child = gs_config_child(node, field->key);
        if (!child)
            continue;
        gs_config_order(child, &field->value);
        gs_config_remove(node, field->key);
        gs_config_append(&ordered, child);
        child->parent = node;
    }
    node->first = ordered.first;
    node->last = ordered.last;
}

bool gs_config_knows(const cyaml_schema_value_t *schema, const char *path)
{
    while (*path) {
        char key[64];
        size_t length = strcspn(path, ".");
        if (schema->type != CYAML_MAPPING || length >= sizeof key)
            return false;
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        const cyaml_schema_field_t *field = field_named(schema->mapping.fields, key);
        if (!field)
            return false;
        schema = &field->value;
        path += length + (path[length] == '.');
    }
    return true;
}
