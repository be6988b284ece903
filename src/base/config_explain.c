/*
 * libcyaml 1.3.1 reports the line of the last thing it understood, which for an
 * unknown key is the line before, and never what would be allowed. So a refused text
 * is parsed into libyaml's document tree, whose nodes carry their lines, and compared
 * with the schema. The comparison goes no deeper than the schema and looks into no
 * list that is longer than the schema allows, so hostile texts do not make it slow.
 */
#include "base/config_explain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct walk {
    yaml_document_t document;
    gs_config_place *place;
    size_t path_length;
} walk;

static unsigned line_of(const yaml_mark_t *mark)
{
    return (unsigned)mark->line + 1;
}

static bool report(walk *w, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Always true, for "here is a mistake". */
static bool report(walk *w, const yaml_node_t *node, const char *format, ...)
{
    va_list args;

    w->place->line = line_of(&node->start_mark);
    w->place->path[w->path_length] = '\0';
    va_start(args, format);
    vsnprintf(w->place->problem, sizeof w->place->problem, format, args);
    va_end(args);
    return true;
}

static void path_add(walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void path_add(walk *w, const char *format, ...)
{
    size_t room = sizeof w->place->path - w->path_length;
    va_list args;

    va_start(args, format);
    int n = vsnprintf(w->place->path + w->path_length, room, format, args);
    va_end(args);
    w->path_length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

/* A list of words for a message: "a, b, c". Cut short when it does not fit. */
typedef struct word_list {
    char text[200];
    size_t length;
} word_list;

static void list_add(word_list *list, const char *word)
{
    int n = snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s",
                     list->length ? ", " : "", word);
    if (n > 0)
        list->length += (size_t)n;
    if (list->length >= sizeof list->text)
        list->length = sizeof list->text - 1;
}

static const char *kind_of(const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_SCALAR_NODE: return "a single value";
    case YAML_SEQUENCE_NODE: return "a list";
    case YAML_MAPPING_NODE: return "keys";
    default: return "nothing";
    }
}

static const char *scalar_text(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static bool explain_value(walk *w, int index, const cyaml_schema_value_t *schema);

static bool explain_strings(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    word_list allowed = {"", 0};

    for (uint32_t i = 0; i < schema->enumeration.count; i++) {
        if (!strcmp(schema->enumeration.strings[i].str, scalar_text(node)))
            return false;
        list_add(&allowed, schema->enumeration.strings[i].str);
    }
    return report(w, node, "'%.60s' is not allowed; allowed: %s", scalar_text(node), allowed.text);
}

static bool explain_integer(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    const char *text = scalar_text(node);
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
        return false;
    return report(w, node, "'%.60s' is not %s of %u bits", text,
                  is_signed ? "an integer" : "a non-negative integer", bits);
}

static bool explain_float(walk *w, const yaml_node_t *node)
{
    char *end;
    strtod(scalar_text(node), &end);
    if (scalar_text(node)[0] && !*end)
        return false;
    return report(w, node, "'%.60s' is not a number", scalar_text(node));
}

static bool explain_string(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    size_t length = node->data.scalar.length;
    if (length < schema->string.min)
        return report(w, node, "the text is shorter than %u characters", schema->string.min);
    if (length > schema->string.max)
        return report(w, node, "the text is longer than %u characters", schema->string.max);
    return false;
}

static bool explain_scalar(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    if (node->type != YAML_SCALAR_NODE)
        return report(w, node, "a single value belongs here, not %s", kind_of(node));
    switch (schema->type) {
    case CYAML_ENUM: return explain_strings(w, node, schema);
    case CYAML_INT:
    case CYAML_UINT: return explain_integer(w, node, schema);
    case CYAML_FLOAT: return explain_float(w, node);
    case CYAML_STRING: return explain_string(w, node, schema);
    default: return false;
    }
}

static bool explain_list(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return report(w, node, "a list belongs here, not %s", kind_of(node));

    const yaml_node_item_t *start = node->data.sequence.items.start;
    size_t count = (size_t)(node->data.sequence.items.top - start);
    bool flags = schema->type == CYAML_FLAGS;
    if (!flags && count < schema->sequence.min)
        return report(w, node, "at least %u entries are needed", schema->sequence.min);
    if (!flags && count > schema->sequence.max)
        return report(w, node, "%zu entries are too many; at most %u are allowed", count,
                      schema->sequence.max);

    for (size_t i = 0; i < count; i++) {
        size_t length = w->path_length;
        path_add(w, "[%zu]", i);
        if (flags) {
            const yaml_node_t *entry = yaml_document_get_node(&w->document, start[i]);
            if (entry->type != YAML_SCALAR_NODE)
                return report(w, entry, "a single value belongs here, not %s", kind_of(entry));
            if (explain_strings(w, entry, schema))
                return true;
        } else if (explain_value(w, start[i], schema->sequence.entry)) {
            return true;
        }
        w->path_length = length;
    }
    return false;
}

static const cyaml_schema_field_t *field_named(const cyaml_schema_field_t *fields, const char *key)
{
    for (; fields->key; fields++) {
        if (!strcmp(fields->key, key))
            return fields;
    }
    return NULL;
}

/* The value's node number of `key` in a mapping, or 0. */
static int value_of(yaml_document_t *document, const yaml_node_t *node, const char *key)
{
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(document, pair->key);
        if (name->type == YAML_SCALAR_NODE && !strcmp(scalar_text(name), key))
            return pair->value;
    }
    return 0;
}

static bool explain_pair(walk *w, const yaml_node_t *node, const yaml_node_pair_t *pair,
                         const cyaml_schema_field_t *fields)
{
    const yaml_node_t *name = yaml_document_get_node(&w->document, pair->key);
    if (name->type != YAML_SCALAR_NODE)
        return report(w, name, "a key must be a single word");

    const cyaml_schema_field_t *field = field_named(fields, scalar_text(name));
    if (!field) {
        word_list allowed = {"", 0};
        for (; fields->key; fields++)
            list_add(&allowed, fields->key);
        return report(w, name, "unknown key '%.60s'; allowed: %s", scalar_text(name), allowed.text);
    }
    if (value_of(&w->document, node, field->key) != pair->value)
        return report(w, name, "the key '%s' is given twice", field->key);

    size_t length = w->path_length;
    path_add(w, "%s%s", length ? "." : "", field->key);
    bool found = explain_value(w, pair->value, &field->value);
    if (!found)
        w->path_length = length;
    return found;
}

static bool explain_mapping(walk *w, const yaml_node_t *node, const cyaml_schema_value_t *schema)
{
    const cyaml_schema_field_t *fields = schema->mapping.fields;

    if (node->type != YAML_MAPPING_NODE) {
        word_list allowed = {"", 0};
        for (; fields->key; fields++)
            list_add(&allowed, fields->key);
        return report(w, node, "keys belong here, not %s; allowed: %s", kind_of(node),
                      allowed.text);
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        if (explain_pair(w, node, pair, fields))
            return true;
    }
    for (; fields->key; fields++) {
        if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) &&
            !value_of(&w->document, node, fields->key))
            return report(w, node, "the key '%s' is missing", fields->key);
    }
    return false;
}

static bool explain_value(walk *w, int index, const cyaml_schema_value_t *schema)
{
    const yaml_node_t *node = yaml_document_get_node(&w->document, index);

    switch (schema->type) {
    case CYAML_IGNORE: return false;
    case CYAML_MAPPING: return explain_mapping(w, node, schema);
    case CYAML_FLAGS:
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED: return explain_list(w, node, schema);
    case CYAML_BITFIELD: return false;
    default: return explain_scalar(w, node, schema);
    }
}

/* Parses into `document`, which is to be deleted if this returns true. What libyaml does not
 * like goes into `place`, if that is not NULL. */
static bool parse(const gs_config *config, yaml_document_t *document, gs_config_place *place)
{
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)config->text, config->size);
    bool ok = yaml_parser_load(&parser, document);
    if (!ok && place) {
        /* Some errors have only an offset in bytes: then the line is counted from that. */
        place->line = line_of(&parser.problem_mark);
        if (parser.error == YAML_READER_ERROR) {
            place->line = 1;
            for (size_t i = 0; i < parser.problem_offset && i < config->size; i++)
                place->line += config->text[i] == '\n';
        }
        snprintf(place->problem, sizeof place->problem, "%s%s%s",
                 parser.problem ? parser.problem : "not YAML", parser.context ? " " : "",
                 parser.context ? parser.context : "");
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool gs_config_explain(const gs_config *config, gs_config_place *place)
{
    walk w = {.place = place};

    memset(place, 0, sizeof *place);
    if (!parse(config, &w.document, place))
        return place->line != 0;
    bool found = yaml_document_get_root_node(&w.document) && explain_value(&w, 1, config->schema);
    yaml_document_delete(&w.document);
    return found;
}

/* One step along a path: the number of the node it leads to, or 0. Moves *path past it. */
static int step(yaml_document_t *document, const yaml_node_t *node, const char **path)
{
    if (**path == '[') {
        char *end;
        size_t i = strtoul(*path + 1, &end, 10);
        *path = *end == ']' ? end + 1 : end;
        if (node->type != YAML_SEQUENCE_NODE)
            return 0;
        size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
        return i < count ? node->data.sequence.items.start[i] : 0;
    }
    char key[64];
    if (**path == '.')
        ++*path;
    size_t length = strcspn(*path, ".[");
    snprintf(key, sizeof key, "%.*s", (int)length, *path);
    *path += length;
    return node->type == YAML_MAPPING_NODE ? value_of(document, node, key) : 0;
}

unsigned gs_config_line(const gs_config *config, const char *path)
{
    yaml_document_t document;
    unsigned line = 0;

    if (!parse(config, &document, NULL))
        return 0;
    const yaml_node_t *node = yaml_document_get_root_node(&document);
    while (node) {
        line = line_of(&node->start_mark);
        int next = *path ? step(&document, node, &path) : 0;
        node = next ? yaml_document_get_node(&document, next) : NULL;
    }
    yaml_document_delete(&document);
    return line;
}
