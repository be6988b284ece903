#include "base/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/config_explain.h"
#include "base/number.h"

/* What libcyaml said last before it listed where: used when we cannot say it better. */
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

/* Quoted parts of the text may have line breaks in them; a message has none. */
static void keep_to_one_line(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            *text = '?';
    }
}

static gs_status refuse(const gs_config *config, cyaml_err_t code, const complaint *kept,
                        gs_error *err)
{
    gs_config_place place = {0};

    if (code == CYAML_ERR_OOM)
        return gs_fail_no_memory(err);
    if (gs_config_explain(config, &place)) {
        keep_to_one_line(place.problem);
        if (!place.path[0])
            return gs_fail(err, GS_E_FORMAT, "%s:%u: %s", config->name, place.line, place.problem);
        return gs_fail(err, GS_E_FORMAT, "%s:%u: %s: %s", config->name, place.line, place.path,
                       place.problem);
    }
    if (code == CYAML_ERR_ALIAS)
        return gs_fail(err, GS_E_FORMAT, "%s: YAML aliases (*name) are not supported here",
                       config->name);
    return gs_fail(err, GS_E_FORMAT, "%s: %s", config->name,
                   kept->text[0] ? kept->text : cyaml_strerror(code));
}

gs_status gs_config_load(const gs_config *config, void **out, gs_error *err)
{
    complaint kept = {""};
    cyaml_config_t cyaml = settings(&kept);
    cyaml_data_t *data = NULL;

    *out = NULL;
    cyaml_err_t code = cyaml_load_data((const uint8_t *)config->text, config->size, &cyaml,
                                       config->schema, &data, NULL);
    if (code != CYAML_OK)
        return refuse(config, code, &kept, err);
    if (!data)
        return gs_fail(err, GS_E_FORMAT, "%s: there is nothing in it", config->name);
    *out = data;
    return GS_OK;
}

void gs_config_free(const gs_config *config, void *data)
{
    cyaml_config_t cyaml = settings(NULL);
    if (data)
        cyaml_free(&cyaml, config->schema, data, 0);
}

gs_status gs_config_fail(const gs_config *config, gs_error *err, const char *path,
                         const char *format, ...)
{
    char problem[320];
    va_list args;

    va_start(args, format);
    vsnprintf(problem, sizeof problem, format, args);
    va_end(args);
    keep_to_one_line(problem);
    return gs_fail(err, GS_E_FORMAT, "%s:%u: %s: %s", config->name, gs_config_line(config, path),
                   path, problem);
}

gs_status gs_config_number(const gs_config *config, const char *path, const char *text,
                           uint64_t min, uint64_t max, uint64_t *value, gs_error *err)
{
    uint64_t number;

    if (!gs_number_parse(text, &number))
        return gs_config_fail(config, err, path,
                              "'%.40s' is not a number; allowed are forms like 4096, 0x1000 and 4K",
                              text);
    if (number < min || number > max)
        return gs_config_fail(config, err, path,
                              "%.40s is out of range; allowed are 0x%llx to 0x%llx", text,
                              (unsigned long long)min, (unsigned long long)max);
    *value = number;
    return GS_OK;
}
