/* Reads descriptions of high-level synthesis: a schema, and what it cannot express. */
#include "partition/hls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/embedded.h"
#include "base/file.h"

enum { FILE_SIZE_MAX = 1 << 20, CYCLES_MAX = 1000, AREA_MAX = 10000000 };

const char *const gs_hls_resource_names[] = {"LUT", "FF", "DSP"};

static const char *const operator_keys[GS_HLS_KIND_COUNT] = {
#define OPERATOR(name, key) [GS_HLS_##name] = key,
#include "partition/operators.def"
};

typedef struct yaml_area {
    unsigned of[GS_HLS_RESOURCE_COUNT];
} yaml_area;

typedef struct yaml_bus {
    unsigned word, start, load, store;
} yaml_bus;

typedef struct yaml_memory {
    unsigned ports;
    bool apart;
} yaml_memory;

typedef struct yaml_device {
    char *name;
    yaml_area area;
} yaml_device;

typedef struct yaml_hls {
    char *name, *summary;
    double clock_ns;
    bool pipeline;
    unsigned speculation, call;
    yaml_memory memory;
    yaml_area state;
    yaml_bus bus;
    yaml_device device;
    struct {
        gs_hls_operator of[GS_HLS_KIND_COUNT];
    } operators;
} yaml_hls;

static const cyaml_strval_t yes_no[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}};

enum { OPTIONAL = CYAML_FLAG_OPTIONAL, REQUIRED = CYAML_FLAG_DEFAULT };

#define AREA_FIELDS(type, member)                                  \
    CYAML_FIELD_UINT("lut", OPTIONAL, type, member[GS_HLS_LUT]),   \
        CYAML_FIELD_UINT("ff", OPTIONAL, type, member[GS_HLS_FF]), \
        CYAML_FIELD_UINT("dsp", OPTIONAL, type, member[GS_HLS_DSP])

static const cyaml_schema_field_t operator_fields[] = {
    CYAML_FIELD_FLOAT("ns", REQUIRED, gs_hls_operator, ns),
    CYAML_FIELD_UINT("cycles", OPTIONAL, gs_hls_operator, cycles),
    CYAML_FIELD_UINT("interval", OPTIONAL, gs_hls_operator, interval),
    CYAML_FIELD_UINT("units", OPTIONAL, gs_hls_operator, units),
    AREA_FIELDS(gs_hls_operator, area),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t operators_fields[] = {
#define OPERATOR(name, key_)                                                        \
    {                                                                               \
        .key = key_,                                                                \
        .data_offset = (uint32_t)(GS_HLS_##name * sizeof(gs_hls_operator)),         \
        .value = {CYAML_VALUE_MAPPING(REQUIRED, gs_hls_operator, operator_fields)}, \
    },
#include "partition/operators.def"
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t area_fields[] = {AREA_FIELDS(yaml_area, of), CYAML_FIELD_END};

static const cyaml_schema_field_t device_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, yaml_device, name, 1, 64),
    AREA_FIELDS(yaml_device, area.of),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t memory_fields[] = {
    CYAML_FIELD_UINT("ports", REQUIRED, yaml_memory, ports),
    CYAML_FIELD_ENUM("apart", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, yaml_memory, apart, yes_no,
                     CYAML_ARRAY_LEN(yes_no)),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t bus_fields[] = {
    CYAML_FIELD_UINT("word", REQUIRED, yaml_bus, word),
    CYAML_FIELD_UINT("start", REQUIRED, yaml_bus, start),
    CYAML_FIELD_UINT("load", REQUIRED, yaml_bus, load),
    CYAML_FIELD_UINT("store", REQUIRED, yaml_bus, store),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t hls_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, yaml_hls, name, 1, 64),
    CYAML_FIELD_STRING_PTR("summary", CYAML_FLAG_POINTER, yaml_hls, summary, 1, 200),
    CYAML_FIELD_FLOAT("clock_ns", REQUIRED, yaml_hls, clock_ns),
    CYAML_FIELD_ENUM("pipeline", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, yaml_hls, pipeline,
                     yes_no, CYAML_ARRAY_LEN(yes_no)),
    CYAML_FIELD_UINT("speculation", OPTIONAL, yaml_hls, speculation),
    CYAML_FIELD_UINT("call", REQUIRED, yaml_hls, call),
    CYAML_FIELD_MAPPING("memory", REQUIRED, yaml_hls, memory, memory_fields),
    CYAML_FIELD_MAPPING("state", REQUIRED, yaml_hls, state, area_fields),
    CYAML_FIELD_MAPPING("bus", REQUIRED, yaml_hls, bus, bus_fields),
    CYAML_FIELD_MAPPING("device", REQUIRED, yaml_hls, device, device_fields),
    CYAML_FIELD_MAPPING("operators", REQUIRED, yaml_hls, operators, operators_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hls_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, yaml_hls, hls_fields),
};

static gs_status check_count(const gs_config *config, const char *path, unsigned value,
                             unsigned least, unsigned most, gs_error *err)
{
    if (value >= least && value <= most)
        return GS_OK;
    return gs_config_fail(config, err, path, "%u; it can be %u to %u", value, least, most);
}

static gs_status check_ns(const gs_config *config, const char *path, double value, double least,
                          gs_error *err)
{
    if (value >= least && value <= 1000)
        return GS_OK;
    return gs_config_fail(config, err, path, "%g ns; it can be %g to 1000", value, least);
}

static gs_status check_area(const gs_config *config, const char *path, const unsigned *area,
                            gs_error *err)
{
    gs_status status = GS_OK;
    for (unsigned i = 0; i < GS_HLS_RESOURCE_COUNT && status == GS_OK; i++)
        status = check_count(config, path, area[i], 0, AREA_MAX, err);
    return status;
}

static gs_status check_operator(const gs_config *config, gs_hls_kind kind,
                                const gs_hls_operator *op, gs_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "operators.%s", operator_keys[kind]);
    gs_status status = check_ns(config, path, op->ns, 0, err);
    if (status == GS_OK)
        status = check_count(config, path, op->cycles, 0, CYCLES_MAX, err);
    if (status == GS_OK)
        status = check_count(config, path, op->interval, 0, CYCLES_MAX, err);
    if (status == GS_OK)
        status = check_count(config, path, op->units, 0, CYCLES_MAX, err);
    return status == GS_OK ? check_area(config, path, op->area, err) : status;
}

static gs_status check(const gs_config *config, const yaml_hls *yaml, gs_error *err)
{
    const struct {
        const char *path;
        unsigned value, least;
    } counts[] = {
        {"memory.ports", yaml->memory.ports, 1},
        {"speculation", yaml->speculation, 0},
        {"call", yaml->call, 0},
        {"bus.word", yaml->bus.word, 0},
        {"bus.start", yaml->bus.start, 0},
        {"bus.load", yaml->bus.load, 0},
        {"bus.store", yaml->bus.store, 0},
    };
    gs_status status = check_ns(config, "clock_ns", yaml->clock_ns, 0.1, err);
    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == GS_OK; i++)
        status =
            check_count(config, counts[i].path, counts[i].value, counts[i].least, CYCLES_MAX, err);
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT && status == GS_OK; i++)
        status = check_operator(config, (gs_hls_kind)i, &yaml->operators.of[i], err);
    if (status == GS_OK)
        status = check_area(config, "state", yaml->state.of, err);
    return status == GS_OK ? check_area(config, "device", yaml->device.area.of, err) : status;
}

static gs_status convert(gs_hls **out, const yaml_hls *yaml, gs_error *err)
{
    gs_hls *hls = *out = calloc(1, sizeof *hls);
    if (!hls)
        return gs_fail_no_memory(err);
    hls->name = strdup(yaml->name);
    hls->summary = strdup(yaml->summary);
    hls->device = strdup(yaml->device.name);
    hls->clock_ns = yaml->clock_ns;
    hls->ports = yaml->memory.ports;
    hls->apart = yaml->memory.apart;
    hls->pipelines = yaml->pipeline;
    hls->speculation = yaml->speculation;
    hls->call = yaml->call;
    hls->bus_word = yaml->bus.word;
    hls->bus_start = yaml->bus.start;
    hls->bus_load = yaml->bus.load;
    hls->bus_store = yaml->bus.store;
    memcpy(hls->state, yaml->state.of, sizeof hls->state);
    memcpy(hls->capacity, yaml->device.area.of, sizeof hls->capacity);
    memcpy(hls->operators, yaml->operators.of, sizeof hls->operators);
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++)
        hls->operators[i].interval += hls->operators[i].interval == 0;
    if (hls->name && hls->summary && hls->device)
        return GS_OK;
    gs_hls_free(hls);
    *out = NULL;
    return gs_fail_no_memory(err);
}

gs_status gs_hls_parse(gs_hls **out, const char *name, const char *text, size_t size, gs_error *err)
{
    gs_arena arena = {0};
    gs_config config = {.schema = &hls_schema};
    gs_config_node *root;
    void *yaml = NULL;
    *out = NULL;
    gs_status status = gs_config_parse(&root, &arena, name, text, size, err);
    config.root = root;
    if (status == GS_OK)
        status = gs_config_load(&config, &yaml, err);
    if (status == GS_OK)
        status = check(&config, yaml, err);
    if (status == GS_OK)
        status = convert(out, yaml, err);
    gs_config_free(&config, yaml);
    gs_arena_free(&arena);
    return status;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_hls_parse(out, path, text, size, err);
}

static bool is_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length >= 5 && !strcmp(name + length - 5, ".yaml"));
}

gs_status gs_hls_open(gs_hls **out, const char *name, gs_error *err)
{
    char label[80], names[200] = "";
    *out = NULL;
    if (is_path(name))
        return gs_file_parse(parse, out, name, FILE_SIZE_MAX, err);
    const gs_embedded *file = gs_embedded_find("hls", name);
    if (file) {
        snprintf(label, sizeof label, "hls/%s.yaml", file->name);
        return gs_hls_parse(out, label, file->text, file->size, err);
    }
    for (size_t i = 0, length = 0; gs_embedded_name("hls", i) && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   gs_embedded_name("hls", i));
    return gs_fail(err, GS_E_NOT_FOUND,
                   "there is no description '%.80s'; built in are %s; a file's name ends in .yaml",
                   name, names);
}

void gs_hls_free(gs_hls *hls)
{
    if (!hls)
        return;
    free(hls->name);
    free(hls->summary);
    free(hls->device);
    free(hls);
}
