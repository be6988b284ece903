/* The schema of systems' files, and checks of what it cannot express. */
#include "system/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/config.h"
#include "base/file.h"
#include "machine/memory.h"
#include "system/shared.h"

/* Numbers are texts here, so that 64K and 0x4000_0000 can be written. NULL: not given. */
typedef struct yaml_core {
    char *name, *core, *board, *program, *hart, *priority;
    char **set;
    unsigned set_count;
} yaml_core;

typedef struct yaml_bus {
    gs_arbiter *arbiter;
    char *width, *grant, *first, *next, *write, *slot;
    char **slots;
    unsigned slots_count;
} yaml_bus;

typedef struct yaml_part {
    gs_bus_part_type type; /* of memory: not in the file */
    char *name, *base, *size, *first, *next, *write, *count, *depth;
} yaml_part;

typedef struct yaml_system {
    char *name, *summary;
    yaml_core *cores;
    unsigned cores_count;
    yaml_bus *bus;
    yaml_part *memory, *devices;
    unsigned memory_count, devices_count;
} yaml_system;

enum { TEXT = CYAML_FLAG_POINTER, OPTIONAL_TEXT = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };
enum { WORD = CYAML_FLAG_STRICT, OPTIONAL_WORD = CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL };
enum { NAME_MAX = 64, PATH_TEXT_MAX = 1024, FILE_SIZE_MAX = 1 << 20 };

#define COUNT(array)               ((uint32_t)(sizeof(array) / sizeof *(array)))
#define NUMBER(key_, type_, flags) CYAML_FIELD_STRING_PTR(#key_, flags, type_, key_, 1, NAME_MAX)

static const cyaml_strval_t arbiters[] = {{"round-robin", GS_ARBITER_ROUND_ROBIN},
                                          {"fixed", GS_ARBITER_FIXED},
                                          {"tdma", GS_ARBITER_TDMA}};
static const cyaml_strval_t types[] = {
    {"clint", GS_PART_CLINT},       {"mutexes", GS_PART_MUTEXES}, {"mailboxes", GS_PART_MAILBOXES},
    {"barriers", GS_PART_BARRIERS}, {"test", GS_PART_TEST},
};

static const cyaml_schema_value_t set_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 256)};
static const cyaml_schema_value_t slots_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX)};

static const cyaml_schema_field_t core_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, yaml_core, name, 1, NAME_MAX),
    CYAML_FIELD_STRING_PTR("core", TEXT, yaml_core, core, 1, PATH_TEXT_MAX),
    CYAML_FIELD_STRING_PTR("board", OPTIONAL_TEXT, yaml_core, board, 1, PATH_TEXT_MAX),
    CYAML_FIELD_STRING_PTR("program", OPTIONAL_TEXT, yaml_core, program, 1, PATH_TEXT_MAX),
    NUMBER(hart, yaml_core, OPTIONAL_TEXT),
    NUMBER(priority, yaml_core, OPTIONAL_TEXT),
    CYAML_FIELD_SEQUENCE("set", OPTIONAL_TEXT, yaml_core, set, &set_schema, 0, GS_SYSTEM_SET_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t core_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, yaml_core, core_fields)};

static const cyaml_schema_field_t bus_fields[] = {
    CYAML_FIELD_ENUM_PTR("arbiter", OPTIONAL_WORD, yaml_bus, arbiter, arbiters, COUNT(arbiters)),
    NUMBER(width, yaml_bus, OPTIONAL_TEXT),
    NUMBER(grant, yaml_bus, OPTIONAL_TEXT),
    NUMBER(first, yaml_bus, OPTIONAL_TEXT),
    NUMBER(next, yaml_bus, OPTIONAL_TEXT),
    NUMBER(write, yaml_bus, OPTIONAL_TEXT),
    NUMBER(slot, yaml_bus, OPTIONAL_TEXT),
    CYAML_FIELD_SEQUENCE("slots", OPTIONAL_TEXT, yaml_bus, slots, &slots_schema, 0,
                         GS_BUS_SLOTS_MAX),
    CYAML_FIELD_END,
};

#define PART_FIELDS                                                              \
    CYAML_FIELD_STRING_PTR("name", OPTIONAL_TEXT, yaml_part, name, 1, NAME_MAX), \
        NUMBER(base, yaml_part, TEXT), NUMBER(first, yaml_part, OPTIONAL_TEXT),  \
        NUMBER(next, yaml_part, OPTIONAL_TEXT), NUMBER(write, yaml_part, OPTIONAL_TEXT)

static const cyaml_schema_field_t memory_fields[] = {
    PART_FIELDS,
    NUMBER(size, yaml_part, TEXT),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t memory_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, yaml_part, memory_fields)};

static const cyaml_schema_field_t device_fields[] = {
    PART_FIELDS,
    CYAML_FIELD_ENUM("type", WORD, yaml_part, type, types, COUNT(types)),
    NUMBER(count, yaml_part, OPTIONAL_TEXT),
    NUMBER(depth, yaml_part, OPTIONAL_TEXT),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t device_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, yaml_part, device_fields)};

static const cyaml_schema_field_t system_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, yaml_system, name, 1, NAME_MAX),
    CYAML_FIELD_STRING_PTR("summary", OPTIONAL_TEXT, yaml_system, summary, 0, 200),
    CYAML_FIELD_SEQUENCE("cores", TEXT, yaml_system, cores, &core_schema, 1, GS_BUS_CORES_MAX),
    CYAML_FIELD_MAPPING_PTR("bus", OPTIONAL_TEXT, yaml_system, bus, bus_fields),
    CYAML_FIELD_SEQUENCE("memory", OPTIONAL_TEXT, yaml_system, memory, &memory_schema, 0,
                         GS_SYSTEM_PARTS_MAX),
    CYAML_FIELD_SEQUENCE("devices", OPTIONAL_TEXT, yaml_system, devices, &device_schema, 0,
                         GS_SYSTEM_PARTS_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t system_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, yaml_system, system_fields)};

const char *gs_bus_part_type_name(gs_bus_part_type type)
{
    for (size_t i = 0; i < COUNT(types); i++) {
        if (types[i].val == (int64_t)type)
            return types[i].str;
    }
    return "memory";
}

/* What is being read, for messages. */
typedef struct reader {
    const gs_config *config;
    gs_error *err;
    const char *file;
    char item[40]; /* "cores[3]" */
    char path[80]; /* "cores[3].hart" */
} reader;

static const char *path_to(reader *r, const char *key)
{
    snprintf(r->path, sizeof r->path, "%s.%s", r->item, key);
    return r->path;
}

/* A number that may be left out: then `value` keeps what it is. */
static gs_status number(reader *r, const char *key, const char *text, uint64_t min, uint64_t max,
                        unsigned *value)
{
    uint64_t read = *value;
    gs_status status =
        text ? gs_config_number(r->config, path_to(r, key), text, min, max, &read, r->err) : GS_OK;
    *value = (unsigned)read;
    return status;
}

static gs_status copy_text(char **to, const char *from, gs_error *err)
{
    *to = from ? strdup(from) : NULL;
    return from && !*to ? gs_fail_no_memory(err) : GS_OK;
}

/* A path is relative to the file it stands in; a name without a slash may be of something built in
 * (`built_in`), which has no ending. */
static gs_status copy_path(char **to, reader *r, const char *from, bool built_in)
{
    const char *slash = strrchr(r->file, '/');
    const bool is_name = built_in && from && !strchr(from, '/') && !strchr(from, '.');
    if (!from || from[0] == '/' || is_name || (!slash && strchr(from, '/')))
        return copy_text(to, from, r->err);
    const int length = slash ? (int)(slash + 1 - r->file) : 2;
    if (asprintf(to, "%.*s%s", length, slash ? r->file : "./", from) < 0) {
        *to = NULL;
        return gs_fail_no_memory(r->err);
    }
    return GS_OK;
}

static gs_status read_core(gs_core_entry *core, reader *r, const yaml_core *yaml, unsigned index)
{
    core->hart = index;
    gs_status status = number(r, "hart", yaml->hart, 0, GS_SYSTEM_COUNT_MAX - 1, &core->hart);
    core->priority = core->hart;
    if (!status)
        status = number(r, "priority", yaml->priority, 0, UINT16_MAX, &core->priority);
    if (!status)
        status = copy_text(&core->name, yaml->name, r->err);
    if (!status)
        status = copy_path(&core->core, r, yaml->core, true);
    if (!status)
        status = copy_path(&core->board, r, yaml->board, true);
    if (!status)
        status = copy_path(&core->program, r, yaml->program, false);
    for (unsigned i = 0; i < yaml->set_count && !status; i++) {
        core->set_count++;
        status = copy_text(&core->set[i], yaml->set[i], r->err);
    }
    return status;
}

static gs_status check_core(const gs_system_description *d, reader *r, unsigned index)
{
    const gs_core_entry *core = &d->cores[index];
    for (unsigned i = 0; i < index; i++) {
        if (d->cores[i].hart == core->hart)
            return gs_config_fail(r->config, r->err, path_to(r, "hart"),
                                  "the core %s has hart %u already", d->cores[i].name, core->hart);
        if (!strcmp(d->cores[i].name, core->name))
            return gs_config_fail(r->config, r->err, path_to(r, "name"), "there are two cores '%s'",
                                  core->name);
    }
    return GS_OK;
}

static int by_hart(const void *a, const void *b)
{
    const gs_core_entry *x = a, *y = b;
    return (x->hart > y->hart) - (x->hart < y->hart);
}

static gs_status read_cores(gs_system_description *d, reader *r, const yaml_system *yaml)
{
    gs_status status = GS_OK;
    for (unsigned i = 0; i < yaml->cores_count && !status; i++) {
        snprintf(r->item, sizeof r->item, "cores[%u]", i);
        d->core_count++;
        status = read_core(&d->cores[i], r, &yaml->cores[i], i);
        if (!status)
            status = check_core(d, r, i);
    }
    if (!status)
        qsort(d->cores, d->core_count, sizeof *d->cores, by_hart);
    return status;
}

static gs_status read_slot(gs_system_description *d, reader *r, const char *name, unsigned index)
{
    char key[32];
    snprintf(key, sizeof key, "slots[%u]", index);
    for (unsigned core = 0; core < d->core_count; core++) {
        if (!strcmp(d->cores[core].name, name)) {
            d->bus.slots[index] = (uint8_t)core;
            return GS_OK;
        }
    }
    return gs_config_fail(r->config, r->err, path_to(r, key), "there is no core '%s'", name);
}

/* Each core needs a slot, or it waits for ever. */
static gs_status check_slots(const gs_system_description *d, reader *r)
{
    for (unsigned core = 0; core < d->core_count; core++) {
        if (!memchr(d->bus.slots, (int)core, d->bus.slot_count))
            return gs_config_fail(r->config, r->err, path_to(r, "slots"), "the core %s has no slot",
                                  d->cores[core].name);
    }
    return GS_OK;
}

static gs_status read_tdma(gs_system_description *d, reader *r, const yaml_bus *yaml)
{
    const bool tdma = d->bus.arbiter == GS_ARBITER_TDMA;
    if (!tdma && (yaml->slot || yaml->slots_count))
        return gs_config_fail(r->config, r->err, path_to(r, yaml->slot ? "slot" : "slots"),
                              "only the arbiter tdma has slots");
    d->bus.slot = 16;
    gs_status status = number(r, "slot", yaml->slot, 1, UINT16_MAX, &d->bus.slot);
    d->bus.slot_count = yaml->slots_count ? yaml->slots_count : d->core_count;
    for (unsigned i = 0; i < d->core_count; i++)
        d->bus.slots[i] = (uint8_t)i;
    for (unsigned i = 0; i < yaml->slots_count && !status; i++)
        status = read_slot(d, r, yaml->slots[i], i);
    return status || !tdma ? status : check_slots(d, r);
}

/* *usual has the cycles of parts that do not say them. */
static gs_status read_bus(gs_system_description *d, reader *r, const yaml_bus *yaml,
                          gs_bus_part_entry *usual)
{
    static const yaml_bus nothing;
    yaml = yaml ? yaml : &nothing;
    snprintf(r->item, sizeof r->item, "bus");
    d->bus.arbiter = yaml->arbiter ? *yaml->arbiter : GS_ARBITER_ROUND_ROBIN;
    d->bus.width = 4;
    d->bus.grant = 0;
    *usual = (gs_bus_part_entry){.first = 8, .next = 1, .write = 4};
    for (unsigned i = 0; i < d->core_count; i++)
        d->bus.priority[i] = d->cores[i].priority;
    gs_status status = number(r, "width", yaml->width, 4, 8, &d->bus.width);
    if (!status && d->bus.width != 4 && d->bus.width != 8)
        status = gs_config_fail(r->config, r->err, path_to(r, "width"),
                                "%s is not allowed; allowed: 4, 8", yaml->width);
    if (!status)
        status = number(r, "grant", yaml->grant, 0, 1000, &d->bus.grant);
    if (!status)
        status = number(r, "first", yaml->first, 1, 10000, &usual->first);
    if (!status)
        status = number(r, "next", yaml->next, 1, 10000, &usual->next);
    if (!status)
        status = number(r, "write", yaml->write, 1, 10000, &usual->write);
    return status ? status : read_tdma(d, r, yaml);
}

static uint32_t size_of_device(const gs_bus_part_entry *part)
{
    enum { BOX = 16 };
    uint32_t bytes = GS_PAGE_SIZE;
    if (part->type == GS_PART_CLINT)
        bytes = GS_CLINT_SIZE;
    else if (part->type == GS_PART_MUTEXES)
        bytes = part->count * 4;
    else if (part->type == GS_PART_BARRIERS)
        bytes = part->count * BOX;
    else if (part->type == GS_PART_MAILBOXES)
        bytes = GS_SYSTEM_COUNT_MAX * BOX;
    return (bytes + GS_PAGE_SIZE - 1) / GS_PAGE_SIZE * GS_PAGE_SIZE;
}

static gs_status whole_pages(reader *r, const char *key, uint32_t value)
{
    if (value % GS_PAGE_SIZE == 0)
        return GS_OK;
    return gs_config_fail(r->config, r->err, path_to(r, key), "0x%x is not a multiple of %d", value,
                          GS_PAGE_SIZE);
}

/* Only some types have a count, only mailboxes a depth. */
static gs_status read_sizes(gs_bus_part_entry *part, reader *r, const yaml_part *yaml)
{
    const bool counts = part->type == GS_PART_MUTEXES || part->type == GS_PART_BARRIERS;
    if (yaml->count && !counts)
        return gs_config_fail(r->config, r->err, path_to(r, "count"),
                              "only mutexes and barriers have this key");
    if (yaml->depth && part->type != GS_PART_MAILBOXES)
        return gs_config_fail(r->config, r->err, path_to(r, "depth"),
                              "only mailboxes have this key");
    part->count = 32;
    part->depth = 4;
    gs_status status = number(r, "count", yaml->count, 1, GS_SYSTEM_COUNT_MAX, &part->count);
    return status ? status : number(r, "depth", yaml->depth, 1, UINT16_MAX, &part->depth);
}

static gs_status read_part(gs_bus_part_entry *part, reader *r, const yaml_part *yaml,
                           const gs_bus_part_entry *usual)
{
    uint64_t base = 0, size = 0;
    gs_status status =
        gs_config_number(r->config, path_to(r, "base"), yaml->base, 0, UINT32_MAX, &base, r->err);
    part->base = (uint32_t)base;
    part->first = usual->first;
    part->next = usual->next;
    part->write = usual->write;
    if (!status && yaml->size)
        status =
            gs_config_number(r->config, path_to(r, "size"), yaml->size, 1, 1u << 30, &size, r->err);
    if (!status)
        status = number(r, "first", yaml->first, 1, 10000, &part->first);
    if (!status)
        status = number(r, "next", yaml->next, 1, 10000, &part->next);
    if (!status)
        status = number(r, "write", yaml->write, 1, 10000, &part->write);
    if (!status)
        status = read_sizes(part, r, yaml);
    if (!status)
        status = copy_text(&part->name, yaml->name ? yaml->name : gs_bus_part_type_name(part->type),
                           r->err);
    if (status)
        return status;
    part->size = yaml->size ? (uint32_t)size : size_of_device(part);
    status = whole_pages(r, "base", part->base);
    if (!status && yaml->size)
        status = whole_pages(r, "size", part->size);
    if (!status && part->size - 1 > UINT32_MAX - part->base)
        status = gs_config_fail(r->config, r->err, path_to(r, "base"),
                                "0x%x bytes from here are past 4 GiB", part->size);
    return status;
}

static gs_status check_part(const gs_system_description *d, reader *r, unsigned index)
{
    const gs_bus_part_entry *part = &d->parts[index];
    for (unsigned i = 0; i < index; i++) {
        const gs_bus_part_entry *other = &d->parts[i];
        if (part->base <= other->base + (other->size - 1) &&
            other->base <= part->base + (part->size - 1))
            return gs_config_fail(r->config, r->err, path_to(r, "base"),
                                  "%s lies where %s is, at 0x%08x", part->name, other->name,
                                  other->base);
        if (part->type == GS_PART_CLINT && other->type == GS_PART_CLINT)
            return gs_config_fail(r->config, r->err, path_to(r, "type"),
                                  "a system has at most one clint");
    }
    return GS_OK;
}

static gs_status read_parts(gs_system_description *d, reader *r, const yaml_part *list,
                            unsigned count, const char *key, const gs_bus_part_entry *usual)
{
    gs_status status = GS_OK;
    for (unsigned i = 0; i < count && !status; i++) {
        snprintf(r->item, sizeof r->item, "%s[%u]", key, i);
        if (d->part_count == GS_SYSTEM_PARTS_MAX)
            return gs_config_fail(r->config, r->err, r->item,
                                  "there are more than %d memories and devices",
                                  GS_SYSTEM_PARTS_MAX);
        gs_bus_part_entry *part = &d->parts[d->part_count++];
        part->type = list[i].type;
        status = read_part(part, r, &list[i], usual);
        if (!status)
            status = check_part(d, r, d->part_count - 1);
    }
    return status;
}

static gs_status from_yaml(gs_system_description *d, const gs_config *config, const char *file,
                           const yaml_system *yaml, gs_error *err)
{
    reader r = {.config = config, .err = err, .file = file};
    gs_bus_part_entry usual;
    gs_status status = copy_text(&d->name, yaml->name, err);
    if (!status)
        status = copy_text(&d->summary, yaml->summary, err);
    if (!status)
        status = read_cores(d, &r, yaml);
    if (!status)
        status = read_bus(d, &r, yaml->bus, &usual);
    if (!status)
        status = read_parts(d, &r, yaml->memory, yaml->memory_count, "memory", &usual);
    if (!status)
        status = read_parts(d, &r, yaml->devices, yaml->devices_count, "devices", &usual);
    return status;
}

gs_status gs_system_parse(gs_system_description **out, const char *file, const char *text,
                          size_t size, gs_error *err)
{
    gs_arena arena = {0};
    gs_config config = {.schema = &system_schema};
    gs_config_node *root;
    gs_system_description *d = NULL;
    void *yaml = NULL;

    *out = NULL;
    gs_status status = gs_config_parse(&root, &arena, file, text, size, err);
    config.root = root;
    if (!status)
        status = gs_config_load(&config, &yaml, err);
    if (!status) {
        d = calloc(1, sizeof *d);
        status = d ? from_yaml(d, &config, file, yaml, err) : gs_fail_no_memory(err);
    }
    gs_config_free(&config, yaml);
    gs_arena_free(&arena);
    if (status) {
        gs_system_description_free(d);
        return status;
    }
    *out = d;
    return GS_OK;
}

static gs_status parse(void *out, const char *path, const char *text, size_t size, gs_error *err)
{
    return gs_system_parse(out, path, text, size, err);
}

gs_status gs_system_describe(gs_system_description **out, const char *path, gs_error *err)
{
    *out = NULL;
    return gs_file_parse(parse, out, path, FILE_SIZE_MAX, err);
}

void gs_system_description_free(gs_system_description *d)
{
    if (!d)
        return;
    for (unsigned i = 0; i < d->core_count; i++) {
        gs_core_entry *core = &d->cores[i];
        free(core->name);
        free(core->core);
        free(core->board);
        free(core->program);
        for (unsigned n = 0; n < core->set_count; n++)
            free(core->set[n]);
    }
    for (unsigned i = 0; i < d->part_count; i++)
        free(d->parts[i].name);
    free(d->name);
    free(d->summary);
    free(d);
}
