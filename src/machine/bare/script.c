/* Reads scripts of events, and keeps what is to come in a heap. */
#include "machine/bare/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/file.h"
#include "machine/bare/lines.h"

enum { FILE_SIZE_MAX = 16 << 20, EVENT_MAX = 1 << 16, BYTES_MAX = 4096 };
static const uint64_t cycle_max = UINT64_C(1) << 62;

typedef struct yaml_event {
    char *at, *raise, *lower, *duration, *pin, *to, *input, *every, *times;
    char **bytes;
    unsigned bytes_count;
} yaml_event;

typedef struct yaml_script {
    yaml_event *events;
    unsigned events_count;
} yaml_script;

enum { OPTIONAL = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };
#define NUMBER(key, member, flags) CYAML_FIELD_STRING_PTR(key, flags, yaml_event, member, 1, 64)

static const cyaml_schema_value_t byte_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 64)};
static const cyaml_schema_field_t event_fields[] = {
    NUMBER("at", at, CYAML_FLAG_POINTER),
    NUMBER("raise", raise, OPTIONAL),
    NUMBER("lower", lower, OPTIONAL),
    NUMBER("for", duration, OPTIONAL),
    NUMBER("pin", pin, OPTIONAL),
    NUMBER("to", to, OPTIONAL),
    CYAML_FIELD_STRING_PTR("input", OPTIONAL, yaml_event, input, 1, BYTES_MAX),
    CYAML_FIELD_SEQUENCE("bytes", OPTIONAL, yaml_event, bytes, &byte_schema, 1, BYTES_MAX),
    NUMBER("every", every, OPTIONAL),
    NUMBER("times", times, OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t event_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, yaml_event, event_fields)};
static const cyaml_schema_field_t script_fields[] = {
    CYAML_FIELD_SEQUENCE("events", CYAML_FLAG_POINTER, yaml_script, events, &event_schema, 0,
                         EVENT_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t script_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, yaml_script, script_fields)};

/* When an event happens next. */
typedef struct next {
    uint64_t at;
    uint64_t left; /* times, this one included */
    uint32_t event;
} next;

struct gs_script {
    char *file;
    gs_script_event *events; /* at most two for each of the file: one that raises a line for some
                                cycles lowers it, too */
    size_t event_count;
    struct {
        size_t count;
        next items[];
    } * heap;
};

typedef struct reader {
    const gs_config *config;
    gs_error *err;
    char path[48];
} reader;

static const char *path_to(reader *r, unsigned index, const char *key)
{
    snprintf(r->path, sizeof r->path, "events[%u]%s%s", index, key[0] ? "." : "", key);
    return r->path;
}

static gs_status number(reader *r, unsigned index, const char *key, const char *text, uint64_t min,
                        uint64_t max, uint64_t *value)
{
    return text ? gs_config_number(r->config, path_to(r, index, key), text, min, max, value, r->err)
                : GS_OK;
}

static bool before(const next *a, const next *b)
{
    return a->at != b->at ? a->at < b->at : a->event < b->event;
}

static void swap(next *a, next *b)
{
    const next old = *a;
    *a = *b;
    *b = old;
}

static void sift_down(next *items, size_t count, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (before(&items[child], &items[least]))
                least = child;
        }
        if (least == at)
            return;
        swap(&items[least], &items[at]);
        at = least;
    }
}

static gs_status copy_bytes(gs_script_event *event, reader *r, unsigned index,
                            const yaml_event *yaml)
{
    event->action = GS_SCRIPT_INPUT;
    event->size = yaml->input ? strlen(yaml->input) : yaml->bytes_count;
    event->bytes = malloc(event->size + 1);
    if (!event->bytes)
        return gs_fail_no_memory(r->err);
    if (yaml->input)
        memcpy(event->bytes, yaml->input, event->size);
    for (unsigned i = 0; i < yaml->bytes_count && !yaml->input; i++) {
        char key[24];
        uint64_t byte = 0;
        snprintf(key, sizeof key, "bytes[%u]", i);
        gs_status status = number(r, index, key, yaml->bytes[i], 0, 255, &byte);
        if (status)
            return status;
        event->bytes[i] = (uint8_t)byte;
    }
    return GS_OK;
}

/* What an event does is said by one of its keys; others belong to one of those. */
static gs_status check_keys(reader *r, unsigned index, const yaml_event *yaml)
{
    const int actions = !!yaml->raise + !!yaml->lower + !!yaml->pin + !!yaml->input + !!yaml->bytes;
    if (actions != 1)
        return gs_config_fail(r->config, r->err, path_to(r, index, ""),
                              "an event needs one of the keys raise, lower, pin, input and bytes");
    if (!yaml->pin != !yaml->to)
        return gs_config_fail(r->config, r->err, path_to(r, index, yaml->pin ? "pin" : "to"),
                              "pin and to go together: {at: 1000, pin: 3, to: 1}");
    if (yaml->duration && !yaml->raise)
        return gs_config_fail(r->config, r->err, path_to(r, index, "for"),
                              "only an event that raises a line has this key");
    if (yaml->times && !yaml->every)
        return gs_config_fail(r->config, r->err, path_to(r, index, "times"),
                              "needs the key every: {at: 1000, every: 500, times: 10, raise: 3}");
    return GS_OK;
}

static gs_status read_event(gs_script *script, reader *r, unsigned index, const yaml_event *yaml)
{
    gs_script_event *event = &script->events[script->event_count];
    uint64_t at = 0, line = 0, duration = 0, high = 0;
    *event = (gs_script_event){.times = 1, .index = index};
    gs_status status = check_keys(r, index, yaml);
    if (!status)
        status = number(r, index, "at", yaml->at, 0, cycle_max, &at);
    if (!status)
        status = number(r, index, "every", yaml->every, 1, cycle_max, &event->every);
    if (yaml->every)
        event->times = UINT64_MAX;
    if (!status)
        status = number(r, index, "times", yaml->times, 1, UINT64_MAX, &event->times);
    if (!status)
        status = number(r, index, "for", yaml->duration, 1, cycle_max, &duration);
    if (!status)
        status = number(r, index, "raise", yaml->raise, 0, GS_LINE_COUNT - 1, &line);
    if (!status)
        status = number(r, index, "lower", yaml->lower, 0, GS_LINE_COUNT - 1, &line);
    if (!status)
        status = number(r, index, "pin", yaml->pin, 0, 31, &line);
    if (!status)
        status = number(r, index, "to", yaml->to, 0, 1, &high);
    if (!status && yaml->every && duration >= event->every)
        status = gs_config_fail(r->config, r->err, path_to(r, index, "for"),
                                "is not less than every: the line would never be lowered");
    event->action = yaml->raise ? GS_SCRIPT_RAISE : yaml->lower ? GS_SCRIPT_LOWER : GS_SCRIPT_PIN;
    event->number = (unsigned)line;
    event->high = high != 0;
    if (!status && (yaml->input || yaml->bytes))
        status = copy_bytes(event, r, index, yaml);
    script->heap->items[script->heap->count++] =
        (next){at, event->times, (uint32_t)script->event_count++};
    if (!status && duration) {
        script->events[script->event_count] = *event;
        script->events[script->event_count].action = GS_SCRIPT_LOWER;
        script->heap->items[script->heap->count++] =
            (next){at + duration, event->times, (uint32_t)script->event_count++};
    }
    return status;
}

static gs_status read_events(gs_script *script, const gs_config *config, const yaml_script *yaml,
                             gs_error *err)
{
    reader r = {.config = config, .err = err};
    const size_t most = 2 * (size_t)yaml->events_count + 1;
    script->events = calloc(most, sizeof *script->events);
    script->heap = calloc(1, sizeof *script->heap + most * sizeof *script->heap->items);
    gs_status status = script->events && script->heap ? GS_OK : gs_fail_no_memory(err);
    for (unsigned i = 0; i < yaml->events_count && !status; i++)
        status = read_event(script, &r, i, &yaml->events[i]);
    for (size_t i = script->heap ? script->heap->count / 2 : 0; i-- > 0;)
        sift_down(script->heap->items, script->heap->count, i);
    return status;
}

gs_status gs_script_parse(gs_script **out, const char *file, const char *text, size_t size,
                          gs_error *err)
{
    gs_arena arena = {0};
    gs_config config = {.schema = &script_schema};
    gs_config_node *root;
    gs_script *script = NULL;
    void *yaml = NULL;

    *out = NULL;
    gs_status status = gs_config_parse(&root, &arena, file, text, size, err);
    config.root = root;
    if (!status)
        status = gs_config_check(&config, false, err);
    if (!status)
        status = gs_config_load(&config, &yaml, err);
    if (!status) {
        script = calloc(1, sizeof *script);
        if (script)
            script->file = strdup(file);
        status = script && script->file ? read_events(script, &config, yaml, err)
                                        : gs_fail_no_memory(err);
    }
    gs_config_free(&config, yaml);
    gs_arena_free(&arena);
    if (status) {
        gs_script_free(script);
        return status;
    }
    *out = script;
    return GS_OK;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_script_parse(out, path, text, size, err);
}

gs_status gs_script_open(gs_script **out, const char *path, gs_error *err)
{
    *out = NULL;
    return gs_file_parse(parse, out, path, FILE_SIZE_MAX, err);
}

void gs_script_free(gs_script *script)
{
    if (!script)
        return;
    for (size_t i = 0; i < script->event_count; i++)
        free(script->events[i].bytes);
    free(script->events);
    free(script->heap);
    free(script->file);
    free(script);
}

static bool has_device(const gs_board *board, gs_board_device_type type)
{
    for (unsigned i = 0; i < board->device_count; i++) {
        if (board->devices[i].type == type)
            return true;
    }
    return false;
}

gs_status gs_script_check(const gs_script *script, const gs_board *board, gs_error *err)
{
    const bool receives =
        has_device(board, GS_BOARD_UART16550) || has_device(board, GS_BOARD_PL011);
    for (size_t i = 0; i < script->event_count; i++) {
        const gs_script_event *event = &script->events[i];
        const bool line = event->action == GS_SCRIPT_RAISE || event->action == GS_SCRIPT_LOWER;
        if (line && (event->number >= gs_board_line_count(board) ||
                     event->number < gs_board_first_line(board)))
            return gs_fail(err, GS_E_ARGUMENT,
                           "%s: events[%u]: the board %s has no interrupt line %u, only %u to %u",
                           script->file, event->index, board->name, event->number,
                           gs_board_first_line(board), gs_board_line_count(board) - 1);
        if (event->action == GS_SCRIPT_PIN && !has_device(board, GS_BOARD_GPIO))
            return gs_fail(err, GS_E_ARGUMENT,
                           "%s: events[%u]: the board %s has no gpio, and so no pins", script->file,
                           event->index, board->name);
        if (event->action == GS_SCRIPT_INPUT && !receives)
            return gs_fail(err, GS_E_ARGUMENT, "%s: events[%u]: the board %s has no UART",
                           script->file, event->index, board->name);
    }
    return GS_OK;
}

uint64_t gs_script_due(const gs_script *script)
{
    return script && script->heap->count > 0 ? script->heap->items[0].at : UINT64_MAX;
}

const gs_script_event *gs_script_take(gs_script *script, uint64_t now, uint64_t *at)
{
    if (gs_script_due(script) > now)
        return NULL;
    next *first = &script->heap->items[0];
    const gs_script_event *event = &script->events[first->event];
    *at = first->at;
    if (--first->left > 0 && first->at < cycle_max)
        first->at += event->every;
    else
        *first = script->heap->items[--script->heap->count];
    sift_down(script->heap->items, script->heap->count, 0);
    return event;
}

void *gs_script_progress(gs_script *script, size_t *size)
{
    *size = sizeof *script->heap + script->event_count * sizeof *script->heap->items;
    return script->heap;
}
