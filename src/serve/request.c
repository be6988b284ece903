/* Decodes the parameters of a request. */
#include "serve/request.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const char *gs_request_parameter(const gs_request *request, const char *name)
{
    for (size_t i = request->parameter_count; i > 0; i--) {
        if (strcmp(request->parameters[i - 1].name, name) == 0)
            return request->parameters[i - 1].value;
    }
    return NULL;
}

/* A decimal number of digits only. *end gets what follows. */
static bool read_number(const char *text, uint64_t most, uint64_t *value, const char **end)
{
    char *after;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &after, 10);
    *end = after;
    *value = number;
    return errno == 0 && number <= most;
}

gs_status gs_request_count(const gs_request *request, const char *name, uint64_t most,
                           uint64_t *value, gs_error *err)
{
    const char *text = gs_request_parameter(request, name), *end;
    uint64_t number;
    if (!text)
        return GS_OK;
    if (!read_number(text, most, &number, &end) || *end)
        return gs_fail(err, GS_E_ARGUMENT, "parameter '%s' has to be a number up to %" PRIu64, name,
                       most);
    *value = number;
    return GS_OK;
}

gs_status gs_request_switch(const gs_request *request, const char *name, bool *value, gs_error *err)
{
    uint64_t number = *value;
    gs_status status = gs_request_count(request, name, 1, &number, err);
    *value = number == 1;
    return status;
}

gs_status gs_request_address(const gs_request *request, const char *name, uint32_t *value,
                             bool *given, gs_error *err)
{
    const char *text = gs_request_parameter(request, name);
    *given = text != NULL;
    if (!text)
        return GS_OK;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)text[0]) || *end || errno || number > UINT32_MAX)
        return gs_fail(err, GS_E_ARGUMENT, "parameter '%s' has to be an address of 32 bits", name);
    *value = (uint32_t)number;
    return GS_OK;
}

gs_status gs_request_run(const gs_request *request, const char *name, gs_run_name *value,
                         gs_error *err)
{
    const char *text = gs_request_parameter(request, name), *end = NULL;
    uint64_t file = 0, run = 0;
    if (!text || !read_number(text, GS_SHELF_FILES, &file, &end) || file == 0 || *end != '.' ||
        !read_number(end + 1, INT64_MAX, &run, &end) || *end)
        return gs_fail(err, GS_E_ARGUMENT,
                       "parameter '%s' has to be a file and a run in it, such as 1.3", name);
    *value = (gs_run_name){file - 1, (int64_t)run};
    return GS_OK;
}

gs_status gs_request_numbers(const gs_request *request, const char *name, uint32_t *values,
                             size_t most, size_t *count, gs_error *err)
{
    const char *text = gs_request_parameter(request, name);
    *count = 0;
    while (text && *text) {
        uint64_t number;
        if (*count == most || !read_number(text, UINT32_MAX, &number, &text) ||
            (*text && (*text != '.' || !text[1])))
            return gs_fail(err, GS_E_ARGUMENT,
                           "parameter '%s' has to be at most %zu numbers with dots between them",
                           name, most);
        values[(*count)++] = (uint32_t)number;
        text += *text == '.';
    }
    return GS_OK;
}
