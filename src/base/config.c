/*
 * Checks a YAML tree against its schema, with errors that name file, line and key, then loads it
 * with libcyaml.
 */
#include "base/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* What libcyaml said first: used should it ever refuse what the comparison let pass. */
typedef struct complaint {
    char text[160];
} complaint;

static void keep_first(cyaml_log_t level, void *context, const char *format, va_list args)
{
    complaint *kept = context;
    if (level != CYAML_LOG_ERROR || kept->text[0])
        return;
    char text[sizeof kept->text];
    vsnprintf(text, sizeof text, format, args);
    static const char prefix[] = "Load: ";
    const char *start = strncmp(text, prefix, sizeof prefix - 1) ? text : text + sizeof prefix - 1;
    snprintf(kept->text, sizeof kept->text, "%s", start);
    kept->text[strcspn(kept->text, "\n")] = '\0';
}

static cyaml_config_t settings(complaint *kept)
{
    return (cyaml_config_t){
        .log_fn = kept ? keep_first : NULL,
        .log_ctx = kept,
        .log_level = CYAML_LOG_ERROR,
        .mem_fn = cyaml_mem,
        .flags = CYAML_CFG_NO_ALIAS,
    };
}

static gs_status load_text(const gs_config *config, const char *text, size_t size, void **out,
                           gs_error *err)
{
    complaint kept = {""};
    cyaml_config_t cyaml = settings(&kept);
    cyaml_data_t *data = NULL;

    cyaml_err_t code =
        cyaml_load_data((const uint8_t *)text, size, &cyaml, config->schema, &data, NULL);
    if (code == CYAML_ERR_OOM)
        return gs_fail_no_memory(err);
    if (code != CYAML_OK || !data)
        return gs_fail(err, GS_E_FORMAT, "%s: %s", config->root->origin,
                       kept.text[0] ? kept.text : cyaml_strerror(code));
    *out = data;
    return GS_OK;
}

gs_status gs_config_load(const gs_config *config, void **out, gs_error *err)
{
    char *text;
    size_t size;

    *out = NULL;
    gs_status status = gs_config_check(config, false, err);
    if (!status)
        status = gs_config_print(&text, &size, config->root, err);
    if (status)
        return status;
    status = load_text(config, text, size, out, err);
    free(text);
    return status;
}

void gs_config_free(const gs_config *config, void *data)
{
    cyaml_config_t cyaml = settings(NULL);
    if (data)
        cyaml_free(&cyaml, config->schema, data, 0);
}

/* Quoted parts of a text may have line breaks in them; a message has none. */
static void keep_to_one_line(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            *text = '?';
    }
}

/* Says what is wrong at a node, which `path` names. */
static gs_status fail(gs_error *err, const gs_config_node *node, const char *path, char *problem)
{
    char line[16] = "";

    keep_to_one_line(problem);
    if (node->line)
        snprintf(line, sizeof line, ":%u", node->key ? node->key_line : node->line);
    return gs_fail(err, GS_E_FORMAT, "%s%s: %s%s%s", node->origin, line, path, path[0] ? ": " : "",
                   problem);
}

gs_status gs_config_fail(const gs_config *config, gs_error *err, const char *path,
                         const char *format, ...)
{
    const gs_config_node *node = gs_config_find(config->root, path);
    char problem[320];
    va_list args;

    va_start(args, format);
    vsnprintf(problem, sizeof problem, format, args);
    va_end(args);
    return fail(err, node, path, problem);
}

/* "functions.main.cycles", from the root down to `node`. Cut at the end if it does not fit. */
static void put_path(const gs_config_node *node, char *path, size_t size)
{
    if (!node->parent)
        return;
    put_path(node->parent, path, size);
    size_t length = strlen(path), index = 0;
    if (node->key) {
        snprintf(path + length, size - length, "%s%s", length ? "." : "", node->key);
        return;
    }
    for (const gs_config_node *other = node->parent->first; other != node; other = other->next)
        index++;
    snprintf(path + length, size - length, "[%zu]", index);
}

gs_status gs_config_fail_at(const gs_config_node *node, gs_error *err, const char *format, ...)
{
    char problem[320], path[128] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(problem, sizeof problem, format, args);
    va_end(args);
    put_path(node, path, sizeof path);
    keep_to_one_line(path);
    return fail(err, node, path, problem);
}

gs_status gs_config_number(const gs_config *config, const char *path, const char *text,
                           uint64_t min, uint64_t max, uint64_t *value, gs_error *err)
{
    uint64_t number;

    if (!gs_number_parse(text, &number))
        return gs_config_fail(config, err, path,
                              "'%.40s' is not a number; allowed are forms like 4096, 0x1000 and 4K",
                              text);
    bool decimal = max < 10000 || max % 1000 == 0; /* else it is an address or a size */
    if (number < min || number > max)
        return gs_config_fail(config, err, path,
                              decimal ? "%.40s is out of range; allowed are %llu to %llu"
                                      : "%.40s is out of range; allowed are 0x%llx to 0x%llx",
                              text, (unsigned long long)min, (unsigned long long)max);
    *value = number;
    return GS_OK;
}
