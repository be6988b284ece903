/* Reads a budget file: limits, the quantities and the parts they are on. */
#include "report/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"

enum { MAX_FILE = 1 << 20, MAX_LENGTH = 64 };

/* What limits of each kind of part may be about; NULL where there is nothing of the sort. */
static const struct {
    const char *count, *entries; /* quantities */
    const char *per, *per_entry;
    bool inclusive;
    const char *besides; /* metrics, stalls, misses and cpi: for messages */
} kinds[GS_PART_KINDS] = {
    [GS_PART_PROGRAM] = {.besides = ""},
    [GS_PART_FUNCTION] = {.count = "calls",
                          .per = "call",
                          .inclusive = true,
                          .besides = ", share and calls, with total- before or -per-call behind"},
    [GS_PART_LOOP] = {.count = "iterations",
                      .entries = "entries",
                      .per = "iteration",
                      .per_entry = "entry",
                      .inclusive = true,
                      .besides = ", share, iterations and entries, with total- before or "
                                 "-per-iteration or -per-entry behind"},
    [GS_PART_LINE] = {.count = "executions",
                      .per = "execution",
                      .besides = ", share and executions, or with -per-execution behind"},
};

static bool is(const char *name, const char *text)
{
    return name && strcmp(name, text) == 0;
}

static bool parse_quantity(const char *text, gs_part_kind kind, gs_limit *limit)
{
    limit->quantity = GS_QUANTITY_METRIC;
    if (gs_metric_find(text, &limit->metric))
        return true;
    if (is("stalls", text))
        limit->quantity = GS_QUANTITY_STALLS;
    else if (is("misses", text))
        limit->quantity = GS_QUANTITY_MISSES;
    else if (kind != GS_PART_PROGRAM && is("share", text))
        limit->quantity = GS_QUANTITY_SHARE;
    else if (is(kinds[kind].count, text))
        limit->quantity = GS_QUANTITY_COUNT;
    else if (is(kinds[kind].entries, text))
        limit->quantity = GS_QUANTITY_ENTRIES;
    else
        return false;
    return true;
}

static bool parse_per(const char *text, gs_part_kind kind, gs_limit *limit)
{
    if (is(kinds[kind].per, text))
        limit->per = GS_PER_COUNT;
    else if (is(kinds[kind].per_entry, text))
        limit->per = GS_PER_ENTRY;
    else if (is("instruction", text))
        limit->per = GS_PER_INSTRUCTION;
    else
        return false;
    return true;
}

/* "total-stall:load-use-per-call" */
static bool parse_key(const char *key, gs_part_kind kind, gs_limit *limit)
{
    static const char total[] = "total-", per[] = "-per-";
    char text[MAX_LENGTH];
    if (strlen(key) >= sizeof text)
        return false;
    limit->inclusive = kinds[kind].inclusive && strncmp(key, total, sizeof total - 1) == 0;
    strcpy(text, limit->inclusive ? key + sizeof total - 1 : key);
    if (strcmp(text, "cpi") == 0)
        strcpy(text, "cycles-per-instruction");
    char *unit = strstr(text, per);
    if (unit) {
        *unit = '\0';
        unit += sizeof per - 1;
    }
    if (!parse_quantity(text, kind, limit) || (unit && !parse_per(unit, kind, limit)))
        return false;
    bool counted = limit->quantity == GS_QUANTITY_COUNT || limit->quantity == GS_QUANTITY_ENTRIES;
    return !(counted && (limit->inclusive || unit)) &&
           !(limit->quantity == GS_QUANTITY_SHARE && unit);
}

/* 1500, 1_500_000, 1.5M, 40%: never negative. K, M and G are thousands, for these are no sizes. */
static bool parse_most(const char *text, bool percent, long double *most)
{
    char digits[MAX_LENGTH], *end;
    size_t length = 0, points = 0;
    for (; *text == '_' || *text == '.' || (*text >= '0' && *text <= '9'); text++) {
        points += *text == '.';
        if (*text != '_')
            digits[length++] = *text;
        if (length == sizeof digits)
            return false;
    }
    digits[length] = '\0';
    if (length == points || points > 1)
        return false;
    *most = strtold(digits, &end);
    static const char suffixes[] = "KMGT";
    const char *suffix = *text ? strchr(suffixes, *text) : NULL;
    for (long i = suffix ? suffix - suffixes : -1; i >= 0; i--)
        *most *= 1000;
    text += suffix != NULL;
    text += percent && *text == '%';
    return *text == '\0';
}

static gs_status add_limit(gs_budget *budget, gs_part *part, const gs_config_node *node,
                           gs_error *err)
{
    gs_limit limit = {.node = node};
    if (!parse_key(node->key, part->kind, &limit))
        return gs_config_fail_at(node, err,
                                 "unknown limit; allowed are cycles, instructions, d-misses, "
                                 "stall:load-use and the other metrics, stalls, misses, cpi%s",
                                 kinds[part->kind].besides);
    if (node->kind != GS_CONFIG_VALUE ||
        !parse_most(node->text, limit.quantity == GS_QUANTITY_SHARE, &limit.most))
        return gs_config_fail_at(node, err,
                                 "'%.40s' is no limit; allowed are numbers like 1500, 1.25, "
                                 "70_000_000 and 70M%s",
                                 node->kind == GS_CONFIG_VALUE ? node->text : "",
                                 limit.quantity == GS_QUANTITY_SHARE ? ", and 40%" : "");
    part->count++;
    return gs_vec_push(&budget->limits, limit) ? GS_OK : gs_fail_no_memory(err);
}

static gs_status parse_optional(gs_part *part, const gs_config_node *node, gs_error *err)
{
    part->optional = node->kind == GS_CONFIG_VALUE && is("true", node->text);
    if (part->optional || (node->kind == GS_CONFIG_VALUE && is("false", node->text)))
        return GS_OK;
    return gs_config_fail_at(node, err, "true or false belongs here");
}

static gs_status parse_number(uint32_t *to, const gs_config_node *node, gs_error *err)
{
    long double value;
    if (node->kind != GS_CONFIG_VALUE || strspn(node->text, "0123456789") != strlen(node->text) ||
        !parse_most(node->text, false, &value) || value < 1 || value > UINT32_MAX)
        return gs_config_fail_at(node, err, "a number from 1 belongs here");
    *to = (uint32_t)value;
    return GS_OK;
}

/* A key of a part: what it is, or a limit. */
static gs_status parse_member(gs_budget *budget, gs_part *part, const gs_config_node *node,
                              gs_error *err)
{
    if (gs_config_child(node->parent, node->key) != node)
        return gs_config_fail_at(node, err, "this key is given twice");
    if (part->kind != GS_PART_PROGRAM && is("optional", node->key))
        return parse_optional(part, node, err);
    if (part->kind != GS_PART_LOOP)
        return add_limit(budget, part, node, err);
    if (is("line", node->key))
        return parse_number(&part->line, node, err);
    if (is("number", node->key))
        return parse_number(&part->number, node, err);
    if (!is("function", node->key))
        return add_limit(budget, part, node, err);
    if (node->kind != GS_CONFIG_VALUE || !node->text[0])
        return gs_config_fail_at(node, err, "the name of a function belongs here");
    part->name = node->text;
    return GS_OK;
}

static gs_status add_part(gs_budget *budget, gs_part *part, gs_error *err)
{
    const gs_config_node *node = part->node;
    gs_status status = GS_OK;
    if (node->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(node, err, "limits belong here, such as cycles: 70M");
    part->first = budget->limits.count;
    for (const gs_config_node *child = node->first; child && !status; child = child->next)
        status = parse_member(budget, part, child, err);
    if (status)
        return status;
    if (part->count == 0)
        return gs_config_fail_at(node, err, "there is no limit here");
    if (part->kind == GS_PART_LOOP && !part->name)
        return gs_config_fail_at(node, err, "the key 'function' is missing");
    if (part->line && part->number)
        return gs_config_fail_at(node, err, "line or number, but not both");
    return gs_vec_push(&budget->parts, *part) ? GS_OK : gs_fail_no_memory(err);
}

static gs_status add_functions(gs_budget *budget, const gs_config_node *node, gs_error *err)
{
    gs_status status = GS_OK;
    if (node->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(node, err, "names of functions belong here, each with its limits");
    for (const gs_config_node *child = node->first; child && !status; child = child->next) {
        gs_part part = {.kind = GS_PART_FUNCTION, .node = child, .name = child->key};
        if (gs_config_child(node, child->key) != child)
            return gs_config_fail_at(child, err, "this function is given twice");
        status = add_part(budget, &part, err);
    }
    return status;
}

static gs_status add_loops(gs_budget *budget, const gs_config_node *node, gs_error *err)
{
    gs_status status = GS_OK;
    if (node->kind != GS_CONFIG_LIST)
        return gs_config_fail_at(node, err, "a list of loops belongs here: '- function: ...'");
    for (const gs_config_node *child = node->first; child && !status; child = child->next) {
        gs_part part = {.kind = GS_PART_LOOP, .node = child};
        status = add_part(budget, &part, err);
    }
    return status;
}

/* "core.c:20" */
static gs_status add_lines(gs_budget *budget, const gs_config_node *node, gs_error *err)
{
    gs_status status = GS_OK;
    if (node->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(node, err, "lines belong here, such as main.c:20");
    for (const gs_config_node *child = node->first; child && !status; child = child->next) {
        gs_part part = {.kind = GS_PART_LINE, .node = child};
        const char *colon = strrchr(child->key, ':');
        size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
        long double line = 0;
        if (gs_config_child(node, child->key) != child)
            return gs_config_fail_at(child, err, "this line is given twice");
        if (!colon || colon == child->key || digits == 0 || colon[1 + digits] != '\0' ||
            !parse_most(colon + 1, false, &line) || line < 1 || line > UINT32_MAX)
            return gs_config_fail_at(child, err, "a line is a file and a number, as in main.c:20");
        part.line = (uint32_t)line;
        part.name = gs_arena_copy(&budget->arena, child->key, (size_t)(colon - child->key));
        status = part.name ? add_part(budget, &part, err) : gs_fail_no_memory(err);
    }
    return status;
}

static gs_status add_program(gs_budget *budget, const gs_config_node *node, gs_error *err)
{
    gs_part part = {.kind = GS_PART_PROGRAM, .node = node, .name = ""};
    return add_part(budget, &part, err);
}

static gs_status read_tree(gs_budget *budget, const gs_config_node *root, gs_error *err)
{
    static const struct {
        const char *key;
        gs_status (*add)(gs_budget *, const gs_config_node *, gs_error *);
    } sections[] = {
        {"program", add_program},
        {"functions", add_functions},
        {"loops", add_loops},
        {"lines", add_lines},
    };
    static const char allowed[] = "program, functions, loops and lines";
    if (root->kind != GS_CONFIG_KEYS)
        return gs_config_fail_at(root, err, "keys belong here: %s", allowed);
    for (const gs_config_node *child = root->first; child; child = child->next) {
        size_t i = 0, count = sizeof sections / sizeof *sections;
        while (i < count && strcmp(sections[i].key, child->key) != 0)
            i++;
        if (i == count)
            return gs_config_fail_at(child, err, "unknown key; allowed are %s", allowed);
        if (gs_config_child(root, child->key) != child)
            return gs_config_fail_at(child, err, "this key is given twice");
        gs_status status = sections[i].add(budget, child, err);
        if (status)
            return status;
    }
    return GS_OK;
}

gs_status gs_budget_parse(gs_budget **out, const char *name, const char *text, size_t size,
                          gs_error *err)
{
    gs_config_node *root;
    gs_budget *budget = calloc(1, sizeof *budget);
    *out = NULL;
    if (!budget)
        return gs_fail_no_memory(err);
    gs_status status = gs_config_parse(&root, &budget->arena, name, text, size, err);
    if (!status) {
        budget->name = root->origin;
        status = read_tree(budget, root, err);
    }
    if (status) {
        gs_budget_free(budget);
        return status;
    }
    *out = budget;
    return GS_OK;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_budget_parse(out, path, text, size, err);
}

gs_status gs_budget_open(gs_budget **out, const char *path, gs_error *err)
{
    *out = NULL;
    return gs_file_parse(parse, out, path, MAX_FILE, err);
}

void gs_budget_free(gs_budget *budget)
{
    if (!budget)
        return;
    free(budget->parts.items);
    free(budget->limits.items);
    gs_arena_free(&budget->arena);
    free(budget);
}
