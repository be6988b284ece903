/* The schema of board files, and checks of what it cannot express. */
#include "machine/bare/board_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/bare/atomic.h"
#include "machine/bare/gpio.h"
#include "machine/bare/plic.h"
#include "machine/bare/rp2350_timer.h"
#include "machine/memory.h"

/* Numbers are texts here, so that 128M and 0x8000_0000 can be written. NULL: not given. */
typedef struct yaml_memory {
    char *name;
    char *base;
    char *size;
    unsigned access;
    char *code_at;
    char **code;
    unsigned code_count;
} yaml_memory;

typedef struct yaml_word {
    char *at;
    char *count;
    char *value;
    char *set;
    char *complement_of;
    char *one_hot_of;
    char *mask;
} yaml_word;

typedef struct yaml_device {
    gs_board_device_type type;
    char *base;
    char *size;
    char *divider;
    char *stride;
    char *width;
    char *target;
    bool *interrupt;
    char *name;
    char *read;
    unsigned write; /* 0: no such key */
    bool *atomic;
    char *irq;
    yaml_word *words;
    unsigned words_count;
} yaml_device;

typedef struct yaml_board {
    char *name;
    char *summary;
    gs_arch arch;
    bool is_default;
    bool strict;
    char *clock_hz;
    gs_board_interrupts *interrupts;
    yaml_memory *memory;
    unsigned memory_count;
    yaml_device *devices;
    unsigned devices_count;
} yaml_board;

enum { TEXT = CYAML_FLAG_POINTER, OPTIONAL_TEXT = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };
enum { WORD = CYAML_FLAG_STRICT, OPTIONAL_WORD = CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL };

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
/* The schema of an entry of a list, with its fields. */
#define MAPPING(name_, type_, ...)                                                       \
    static const cyaml_schema_field_t name_##_fields[] = {__VA_ARGS__, CYAML_FIELD_END}; \
    static const cyaml_schema_value_t name_##_schema = {                                 \
        CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, type_, name_##_fields)}

static const cyaml_strval_t yes_no[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}};
static const cyaml_strval_t arches[] = {{"rv32", GS_ARCH_RV32}, {"mips32", GS_ARCH_MIPS32}};
static const cyaml_strval_t types[] = {
    {"clint", GS_BOARD_CLINT},
    {"uart16550", GS_BOARD_UART16550},
    {"test", GS_BOARD_TEST},
    {"alias", GS_BOARD_ALIAS},
    {"region", GS_BOARD_REGION},
    {"registers", GS_BOARD_REGISTERS},
    {"pl011", GS_BOARD_PL011},
    {"rp2350-timer", GS_BOARD_RP2350_TIMER},
    {"rp2350-mtime", GS_BOARD_RP2350_MTIME},
    {"plic", GS_BOARD_PLIC},
    {"sp804", GS_BOARD_SP804},
    {"gpio", GS_BOARD_GPIO},
};
static const cyaml_strval_t controllers[] = {
    {"direct", GS_BOARD_DIRECT}, {"hazard3", GS_BOARD_HAZARD3}, {"plic", GS_BOARD_PLIC_SOURCES}};
enum { WRITE_IGNORE = 1, WRITE_TRAP };
static const cyaml_strval_t writes[] = {{"ignore", WRITE_IGNORE}, {"trap", WRITE_TRAP}};
/* No key at all is 0, which stands for rwx. */
static const cyaml_strval_t accesses[] = {
    {"rwx", GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC},
    {"rx", GS_PROT_READ | GS_PROT_EXEC},
    {"rw", GS_PROT_READ | GS_PROT_WRITE},
    {"r", GS_PROT_READ},
};

static const cyaml_schema_value_t code_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 64)};

MAPPING(memory, yaml_memory,
        CYAML_FIELD_STRING_PTR("name", OPTIONAL_TEXT, yaml_memory, name, 1, 64),
        CYAML_FIELD_STRING_PTR("base", TEXT, yaml_memory, base, 1, 64),
        CYAML_FIELD_STRING_PTR("size", TEXT, yaml_memory, size, 1, 64),
        CYAML_FIELD_ENUM("access", OPTIONAL_WORD, yaml_memory, access, accesses, COUNT(accesses)),
        CYAML_FIELD_STRING_PTR("code_at", OPTIONAL_TEXT, yaml_memory, code_at, 1, 64),
        CYAML_FIELD_SEQUENCE("code", OPTIONAL_TEXT, yaml_memory, code, &code_schema, 0,
                             GS_BOARD_CODE_MAX));

MAPPING(word, yaml_word, CYAML_FIELD_STRING_PTR("at", TEXT, yaml_word, at, 1, 64),
        CYAML_FIELD_STRING_PTR("count", OPTIONAL_TEXT, yaml_word, count, 1, 64),
        CYAML_FIELD_STRING_PTR("value", OPTIONAL_TEXT, yaml_word, value, 1, 64),
        CYAML_FIELD_STRING_PTR("set", OPTIONAL_TEXT, yaml_word, set, 1, 64),
        CYAML_FIELD_STRING_PTR("complement_of", OPTIONAL_TEXT, yaml_word, complement_of, 1, 64),
        CYAML_FIELD_STRING_PTR("one_hot_of", OPTIONAL_TEXT, yaml_word, one_hot_of, 1, 64),
        CYAML_FIELD_STRING_PTR("mask", OPTIONAL_TEXT, yaml_word, mask, 1, 64));

MAPPING(device, yaml_device, CYAML_FIELD_ENUM("type", WORD, yaml_device, type, types, COUNT(types)),
        CYAML_FIELD_STRING_PTR("base", TEXT, yaml_device, base, 1, 64),
        CYAML_FIELD_STRING_PTR("size", OPTIONAL_TEXT, yaml_device, size, 1, 64),
        CYAML_FIELD_STRING_PTR("divider", OPTIONAL_TEXT, yaml_device, divider, 1, 64),
        CYAML_FIELD_STRING_PTR("stride", OPTIONAL_TEXT, yaml_device, stride, 1, 64),
        CYAML_FIELD_STRING_PTR("width", OPTIONAL_TEXT, yaml_device, width, 1, 64),
        CYAML_FIELD_STRING_PTR("target", OPTIONAL_TEXT, yaml_device, target, 1, 64),
        CYAML_FIELD_ENUM_PTR("interrupt", OPTIONAL_WORD, yaml_device, interrupt, yes_no,
                             COUNT(yes_no)),
        CYAML_FIELD_STRING_PTR("name", OPTIONAL_TEXT, yaml_device, name, 1, 64),
        CYAML_FIELD_STRING_PTR("read", OPTIONAL_TEXT, yaml_device, read, 1, 64),
        CYAML_FIELD_ENUM("write", OPTIONAL_WORD, yaml_device, write, writes, COUNT(writes)),
        CYAML_FIELD_ENUM_PTR("atomic", OPTIONAL_WORD, yaml_device, atomic, yes_no, COUNT(yes_no)),
        CYAML_FIELD_STRING_PTR("irq", OPTIONAL_TEXT, yaml_device, irq, 1, 64),
        CYAML_FIELD_SEQUENCE("words", OPTIONAL_TEXT, yaml_device, words, &word_schema, 0,
                             GS_BOARD_WORD_MAX));

static const cyaml_schema_field_t board_fields[] = {
    CYAML_FIELD_STRING_PTR("name", TEXT, yaml_board, name, 1, 64),
    CYAML_FIELD_STRING_PTR("summary", OPTIONAL_TEXT, yaml_board, summary, 0, 200),
    CYAML_FIELD_ENUM("arch", WORD, yaml_board, arch, arches, COUNT(arches)),
    CYAML_FIELD_ENUM("default", OPTIONAL_WORD, yaml_board, is_default, yes_no, COUNT(yes_no)),
    CYAML_FIELD_ENUM("strict", OPTIONAL_WORD, yaml_board, strict, yes_no, COUNT(yes_no)),
    CYAML_FIELD_STRING_PTR("clock_hz", TEXT, yaml_board, clock_hz, 1, 64),
    CYAML_FIELD_ENUM_PTR("interrupts", OPTIONAL_WORD, yaml_board, interrupts, controllers,
                         COUNT(controllers)),
    CYAML_FIELD_SEQUENCE("memory", CYAML_FLAG_POINTER, yaml_board, memory, &memory_schema, 1,
                         GS_BOARD_MEMORY_MAX),
    CYAML_FIELD_SEQUENCE("devices", OPTIONAL_TEXT, yaml_board, devices, &device_schema, 0,
                         GS_BOARD_DEVICE_MAX),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t gs_board_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, yaml_board, board_fields),
};

const char *gs_board_type_name(gs_board_device_type type)
{
    return types[type].str;
}

/* What is being read, for messages. */
typedef struct reader {
    const gs_config *config;
    gs_error *err;
    char item[40]; /* "devices[3]", "devices[3].words[0]" */
    char path[80]; /* "devices[3].base" */
} reader;

static const char *path_to(reader *r, const char *key)
{
    snprintf(r->path, sizeof r->path, "%s%s%s", r->item, r->item[0] && key[0] ? "." : "", key);
    return r->path;
}

static gs_status number(reader *r, const char *key, const char *text, uint64_t min, uint64_t max,
                        uint64_t *value)
{
    return gs_config_number(r->config, path_to(r, key), text, min, max, value, r->err);
}

/* base and size of something that must end at 4 GiB or before. */
static gs_status range(reader *r, const char *base_text, const char *size_text, uint64_t *base,
                       uint64_t *size)
{
    const uint64_t end = UINT64_C(1) << 32;
    gs_status status = number(r, "base", base_text, 0, end - 1, base);
    if (!status && size_text)
        status = number(r, "size", size_text, 1, end, size);
    if (!status && *size > end - *base)
        return gs_config_fail(r->config, r->err, path_to(r, size_text ? "size" : "base"),
                              "0x%llx and 0x%llx bytes more is past 4 GiB",
                              (unsigned long long)*base, (unsigned long long)*size);
    return status;
}

static gs_status whole_pages(reader *r, const char *key, uint64_t value)
{
    if (value % GS_PAGE_SIZE == 0)
        return GS_OK;
    return gs_config_fail(r->config, r->err, path_to(r, key), "0x%llx is not a multiple of %d",
                          (unsigned long long)value, GS_PAGE_SIZE);
}

static gs_status copy_text(char **to, const char *from, gs_error *err)
{
    *to = from ? strdup(from) : NULL;
    return from && !*to ? gs_fail_no_memory(err) : GS_OK;
}

static gs_status whole_words(reader *r, const char *key, uint64_t value)
{
    if (value % sizeof(uint32_t) == 0)
        return GS_OK;
    return gs_config_fail(r->config, r->err, path_to(r, key), "0x%llx is not a multiple of 4",
                          (unsigned long long)value);
}

/* A number of 32 bits, which may be left out. */
static gs_status optional_word(reader *r, const char *key, const char *text, uint32_t *value)
{
    uint64_t number_read = *value;
    gs_status status = text ? number(r, key, text, 0, UINT32_MAX, &number_read) : GS_OK;
    *value = (uint32_t)number_read;
    return status;
}

static gs_status read_code(gs_board_memory *memory, reader *r, const yaml_memory *yaml)
{
    if (!yaml->code_count && !yaml->code_at)
        return GS_OK;
    if (!yaml->code_count || !yaml->code_at)
        return gs_config_fail(r->config, r->err, path_to(r, ""), "code needs the key '%s'",
                              yaml->code_at ? "code" : "code_at");
    const uint64_t size = yaml->code_count * (uint64_t)sizeof *memory->code;
    gs_status status = number(r, "code_at", yaml->code_at, 0, UINT32_MAX, &memory->code_at);
    if (!status)
        status = whole_words(r, "code_at", memory->code_at);
    if (!status && (memory->code_at < memory->base || size > memory->size ||
                    memory->code_at - memory->base > memory->size - size))
        status = gs_config_fail(r->config, r->err, path_to(r, "code_at"),
                                "0x%llx bytes of code do not lie in this memory",
                                (unsigned long long)size);
    if (status)
        return status;
    memory->code = calloc(yaml->code_count, sizeof *memory->code);
    if (!memory->code)
        return gs_fail_no_memory(r->err);
    for (unsigned i = 0; i < yaml->code_count && !status; i++) {
        char key[32];
        snprintf(key, sizeof key, "code[%u]", i);
        status = optional_word(r, key, yaml->code[i], &memory->code[i]);
    }
    memory->code_count = yaml->code_count;
    return status;
}

static gs_status read_memory(gs_board_memory *memory, reader *r, const yaml_memory *yaml)
{
    gs_status status = range(r, yaml->base, yaml->size, &memory->base, &memory->size);
    if (!status)
        status = whole_pages(r, "base", memory->base);
    if (!status)
        status = whole_pages(r, "size", memory->size);
    if (!status)
        status = copy_text(&memory->name, yaml->name, r->err);
    memory->prot = yaml->access ? yaml->access : GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC;
    return status ? status : read_code(memory, r, yaml);
}

/* A device of type `type` has no such key; those that have are in `having`, a bit each. */
static gs_status fail_wrong_key(reader *r, const char *key, unsigned having,
                                gs_board_device_type type)
{
    char names[80] = "";
    const bool several = having & (having - 1);
    for (unsigned i = 0; having >> i; i++) {
        const size_t length = strlen(names);
        if (having >> i & 1)
            snprintf(names + length, sizeof names - length, "%s%s",
                     length == 0              ? ""
                     : having >> (i + 1) == 0 ? " and "
                                              : ", ",
                     gs_board_type_name((gs_board_device_type)i));
    }
    return gs_config_fail(r->config, r->err, path_to(r, key),
                          several ? "only devices of the types %s have this key, not %s"
                                  : "only a device of type %s has this key, not %s",
                          names, gs_board_type_name(type));
}

/* Keys that only some types have. */
static gs_status check_keys(reader *r, const yaml_device *yaml)
{
    enum {
        CLINT = 1 << GS_BOARD_CLINT,
        UART16550 = 1 << GS_BOARD_UART16550,
        ALIAS = 1 << GS_BOARD_ALIAS,
        REGION = 1 << GS_BOARD_REGION,
        REGISTERS = 1 << GS_BOARD_REGISTERS,
        PL011 = 1 << GS_BOARD_PL011,
        TIMER = 1 << GS_BOARD_RP2350_TIMER,
        MTIME = 1 << GS_BOARD_RP2350_MTIME,
        SP804 = 1 << GS_BOARD_SP804,
        GPIO = 1 << GS_BOARD_GPIO,
    };
    const struct {
        const char *key;
        bool given;
        unsigned types;
    } keys[] = {
        {"size", yaml->size, ALIAS | REGION | REGISTERS},
        {"name", yaml->name, REGION | REGISTERS},
        {"read", yaml->read, REGION},
        {"write", yaml->write, REGION},
        {"target", yaml->target, ALIAS},
        {"divider", yaml->divider, CLINT | TIMER | MTIME | SP804},
        {"stride", yaml->stride, UART16550},
        {"width", yaml->width, UART16550},
        {"interrupt", yaml->interrupt, UART16550},
        {"atomic", yaml->atomic, REGISTERS | PL011},
        {"irq", yaml->irq, UART16550 | PL011 | TIMER | SP804 | GPIO},
        {"words", yaml->words, REGISTERS},
    };
    for (size_t i = 0; i < COUNT(keys); i++) {
        if (keys[i].given && !(keys[i].types >> yaml->type & 1))
            return fail_wrong_key(r, keys[i].key, keys[i].types, yaml->type);
    }
    return GS_OK;
}

/* The first of `lines` numbered interrupts. */
static gs_status read_irq(gs_board_device *device, reader *r, const yaml_device *yaml,
                          const gs_board *board, unsigned lines)
{
    uint64_t irq = 0;
    if (!yaml->irq)
        return GS_OK;
    gs_status status = number(r, "irq", yaml->irq, gs_board_first_line(board),
                              gs_board_line_count(board) - lines, &irq);
    device->irq = (int)irq;
    return status;
}

static gs_status read_uart(gs_board_device *device, reader *r, const yaml_device *yaml,
                           const gs_board *board)
{
    uint64_t stride = 1, width = 1;
    gs_status status = GS_OK;

    if (yaml->stride)
        status = number(r, "stride", yaml->stride, 1, 8, &stride);
    if (!status && (stride & (stride - 1)))
        status = gs_config_fail(r->config, r->err, path_to(r, "stride"),
                                "%s is not allowed; allowed: 1, 2, 4, 8", yaml->stride);
    width = stride < 4 ? stride : 4;
    if (!status && yaml->width)
        status = number(r, "width", yaml->width, 1, 4, &width);
    if (!status && (width == 3 || width > stride))
        status = gs_config_fail(r->config, r->err, path_to(r, "width"),
                                "%s is not allowed; allowed: 1, 2, 4, and not more than the stride",
                                yaml->width);
    device->stride = (uint32_t)stride;
    device->width = (uint32_t)width;
    device->interrupt = yaml->interrupt && *yaml->interrupt;
    device->size = 8 * stride;
    return status ? status : read_irq(device, r, yaml, board, 1);
}

static gs_status read_clint(gs_board_device *device, reader *r, const yaml_device *yaml,
                            gs_arch arch)
{
    device->size = yaml->type == GS_BOARD_CLINT ? 0x10000 : GS_BOARD_MTIME_SIZE;
    device->divider = 1;
    if (arch != GS_ARCH_RV32)
        return gs_config_fail(r->config, r->err, path_to(r, "type"),
                              "a %s needs a board of arch rv32", gs_board_type_name(yaml->type));
    if (yaml->divider)
        return number(r, "divider", yaml->divider, 1, 1u << 30, &device->divider);
    return GS_OK;
}

static gs_status read_alias(gs_board_device *device, reader *r, const yaml_device *yaml)
{
    if (!yaml->size || !yaml->target)
        return gs_config_fail(r->config, r->err, path_to(r, ""), "an alias needs the key '%s'",
                              yaml->size ? "target" : "size");
    return number(r, "target", yaml->target, 0, UINT32_MAX, &device->target);
}

static gs_status read_region(gs_board_device *device, reader *r, const yaml_device *yaml)
{
    uint64_t constant = 0;
    gs_status status = GS_OK;

    if (!yaml->size)
        return gs_config_fail(r->config, r->err, path_to(r, ""), "a region needs the key 'size'");
    device->refuses_loads = yaml->read && strcmp(yaml->read, "trap") == 0;
    device->refuses_stores = yaml->write == WRITE_TRAP;
    if (yaml->read && !device->refuses_loads)
        status = number(r, "read", yaml->read, 0, UINT32_MAX, &constant);
    device->constant = (uint32_t)constant;
    return status ? status : copy_text(&device->name, yaml->name, r->err);
}

static gs_status read_word(gs_board_word *word, reader *r, const yaml_word *yaml, uint64_t size)
{
    *word = (gs_board_word){.count = 1, .mask = UINT32_MAX};
    const char *source = yaml->complement_of ? yaml->complement_of : yaml->one_hot_of;
    const char *source_key = yaml->complement_of ? "complement_of" : "one_hot_of";
    gs_status status = optional_word(r, "at", yaml->at, &word->at);
    if (!status)
        status = optional_word(r, "count", yaml->count, &word->count);
    if (!status)
        status = optional_word(r, "value", yaml->value, &word->value);
    if (!status)
        status = optional_word(r, "set", yaml->set, &word->set);
    if (!status)
        status = optional_word(r, source_key, source, &word->source);
    if (!status)
        status = optional_word(r, "mask", yaml->mask, &word->mask);
    if (!status)
        status = whole_words(r, "at", word->at);
    if (!status)
        status = whole_words(r, source_key, word->source);
    if (status)
        return status;
    if (word->count == 0 || word->at >= size || word->count > (size - word->at) / sizeof(uint32_t))
        return gs_config_fail(r->config, r->err, path_to(r, "at"),
                              "the registers do not have these words: they are 0x%llx bytes",
                              (unsigned long long)size);
    if (word->source >= size)
        return gs_config_fail(r->config, r->err, path_to(r, source_key),
                              "the registers do not have this word: they are 0x%llx bytes",
                              (unsigned long long)size);
    if (yaml->complement_of && yaml->one_hot_of)
        return gs_config_fail(r->config, r->err, path_to(r, "one_hot_of"),
                              "does not go together with complement_of");
    if (yaml->mask && !source)
        return gs_config_fail(r->config, r->err, path_to(r, "mask"),
                              "needs complement_of or one_hot_of");
    if (yaml->one_hot_of && word->mask > 31)
        return gs_config_fail(r->config, r->err, path_to(r, "mask"),
                              "one_hot_of needs a mask of at most 31: a word has 32 bits");
    word->rule = yaml->complement_of ? GS_BOARD_WORD_COMPLEMENT
                 : yaml->one_hot_of  ? GS_BOARD_WORD_ONE_HOT
                                     : GS_BOARD_WORD_PLAIN;
    return GS_OK;
}

static gs_status read_registers(gs_board_device *device, reader *r, const yaml_device *yaml)
{
    uint64_t size = GS_ATOMIC_DISTANCE;
    gs_status status = GS_OK;
    device->atomic = yaml->atomic && *yaml->atomic;
    if (yaml->size && device->atomic)
        return gs_config_fail(r->config, r->err, path_to(r, "size"),
                              "registers with atomic: yes are 4K, and appear four times");
    if (!yaml->size && !device->atomic)
        return gs_config_fail(r->config, r->err, path_to(r, ""), "registers need the key 'size'");
    if (yaml->size)
        status = number(r, "size", yaml->size, 4, GS_BOARD_REGISTERS_MAX, &size);
    device->size = device->atomic ? GS_ATOMIC_COPIES * size : size;
    if (!status)
        status = copy_text(&device->name, yaml->name, r->err);
    if (status || !yaml->words_count)
        return status;
    device->words = calloc(yaml->words_count, sizeof *device->words);
    if (!device->words)
        return gs_fail_no_memory(r->err);
    device->word_count = yaml->words_count;
    const size_t length = strlen(r->item);
    for (unsigned i = 0; i < yaml->words_count && !status; i++) {
        snprintf(r->item + length, sizeof r->item - length, ".words[%u]", i);
        status = read_word(&device->words[i], r, &yaml->words[i], size);
    }
    r->item[length] = '\0';
    return status;
}

static gs_status read_pl011(gs_board_device *device, reader *r, const yaml_device *yaml,
                            const gs_board *board)
{
    device->atomic = yaml->atomic && *yaml->atomic;
    device->size = device->atomic ? GS_ATOMIC_COPIES * GS_ATOMIC_DISTANCE : GS_ATOMIC_DISTANCE;
    return read_irq(device, r, yaml, board, 1);
}

static gs_status read_timer(gs_board_device *device, reader *r, const yaml_device *yaml,
                            const gs_board *board)
{
    device->size = GS_ATOMIC_COPIES * GS_ATOMIC_DISTANCE;
    device->divider = 1;
    gs_status status =
        yaml->divider ? number(r, "divider", yaml->divider, 1, 1u << 30, &device->divider) : GS_OK;
    return status ? status : read_irq(device, r, yaml, board, GS_RP2350_ALARMS);
}

/* Divided clock, one interrupt. */
static gs_status read_sp804(gs_board_device *device, reader *r, const yaml_device *yaml,
                            const gs_board *board)
{
    device->size = GS_PAGE_SIZE;
    device->divider = 1;
    gs_status status =
        yaml->divider ? number(r, "divider", yaml->divider, 1, 1u << 30, &device->divider) : GS_OK;
    return status ? status : read_irq(device, r, yaml, board, 1);
}

/* An interrupt for each pin, or one for all where a hart has few. */
static gs_status read_gpio(gs_board_device *device, reader *r, const yaml_device *yaml,
                           const gs_board *board)
{
    device->size = GS_PAGE_SIZE;
    return read_irq(device, r, yaml, board, gs_board_gpio_lines(board));
}

static gs_status read_plic(gs_board_device *device, reader *r, const yaml_device *yaml,
                           const gs_board *board)
{
    device->size = GS_PLIC_SIZE;
    if (board->interrupts != GS_BOARD_PLIC_SOURCES)
        return gs_config_fail(r->config, r->err, path_to(r, "type"),
                              "a %s needs a board with interrupts: plic",
                              gs_board_type_name(yaml->type));
    return GS_OK;
}

static gs_status read_device(gs_board_device *device, reader *r, const yaml_device *yaml,
                             const gs_board *board)
{
    gs_status status = check_keys(r, yaml);
    if (status)
        return status;
    device->type = yaml->type;
    device->irq = -1;
    switch (yaml->type) {
    case GS_BOARD_RP2350_MTIME:
    case GS_BOARD_CLINT: status = read_clint(device, r, yaml, board->arch); break;
    case GS_BOARD_UART16550: status = read_uart(device, r, yaml, board); break;
    case GS_BOARD_TEST: device->size = GS_PAGE_SIZE; break;
    case GS_BOARD_ALIAS: status = read_alias(device, r, yaml); break;
    case GS_BOARD_REGION: status = read_region(device, r, yaml); break;
    case GS_BOARD_REGISTERS: status = read_registers(device, r, yaml); break;
    case GS_BOARD_PL011: status = read_pl011(device, r, yaml, board); break;
    case GS_BOARD_RP2350_TIMER: status = read_timer(device, r, yaml, board); break;
    case GS_BOARD_PLIC: status = read_plic(device, r, yaml, board); break;
    case GS_BOARD_SP804: status = read_sp804(device, r, yaml, board); break;
    case GS_BOARD_GPIO: status = read_gpio(device, r, yaml, board); break;
    }
    if (!status)
        status = range(r, yaml->base, yaml->size, &device->base, &device->size);
    if (!status && device->type == GS_BOARD_UART16550) {
        uint64_t page_end = (device->base | (GS_PAGE_SIZE - 1)) + 1;
        if (device->base % device->stride || device->size > page_end - device->base)
            status = gs_config_fail(r->config, r->err, path_to(r, "base"),
                                    "the registers must be aligned to the stride and lie in one "
                                    "page of %d bytes",
                                    GS_PAGE_SIZE);
    } else if (!status && gs_board_shares_pages(device)) {
        status = whole_words(r, "base", device->base);
        if (!status)
            status = whole_words(r, "size", device->size);
    } else if (!status) {
        status = whole_pages(r, "base", device->base);
        if (!status && yaml->size)
            status = whole_pages(r, "size", device->size);
    }
    return status;
}

static bool share_pages(uint64_t base, uint64_t size, uint64_t other, uint64_t other_size)
{
    uint64_t mask = ~(uint64_t)(GS_PAGE_SIZE - 1);
    uint64_t end = (base + size + GS_PAGE_SIZE - 1) & mask;
    uint64_t other_end = (other + other_size + GS_PAGE_SIZE - 1) & mask;
    return (base & mask) < other_end && (other & mask) < end;
}

static bool shares_pages(const gs_board *board, size_t index)
{
    return index >= board->memory_count &&
           gs_board_shares_pages(&board->devices[index - board->memory_count]);
}

/* Looks for an earlier part that part `index` collides with. */
static gs_status check_overlap(const gs_board *board, reader *r, size_t index)
{
    gs_board_part part = gs_board_part_at(board, index);
    for (size_t i = 0; i < index; i++) {
        gs_board_part other = gs_board_part_at(board, i);
        bool by_bytes =
            i >= board->memory_count && (shares_pages(board, index) || shares_pages(board, i));
        if (by_bytes && part.base < other.base + other.size && other.base < part.base + part.size)
            return gs_config_fail(r->config, r->err, path_to(r, "base"),
                                  "the %s at 0x%llx overlaps the %s at 0x%llx", part.type,
                                  (unsigned long long)part.base, other.type,
                                  (unsigned long long)other.base);
        if (!by_bytes && share_pages(part.base, part.size, other.base, other.size))
            return gs_config_fail(r->config, r->err, path_to(r, "base"),
                                  "the %s at 0x%llx lies in the same pages as the %s at 0x%llx",
                                  part.type, (unsigned long long)part.base, other.type,
                                  (unsigned long long)other.base);
    }
    return GS_OK;
}

/* An alias must show memory of the board's, all of it in one piece. */
static gs_status check_alias(const gs_board *board, reader *r, const gs_board_device *alias)
{
    for (unsigned i = 0; i < board->memory_count; i++) {
        const gs_board_memory *memory = &board->memory[i];
        if (alias->target >= memory->base && alias->target - memory->base < memory->size &&
            alias->size <= memory->size - (alias->target - memory->base))
            return GS_OK;
    }
    return gs_config_fail(r->config, r->err, path_to(r, "target"),
                          "the board has no memory of 0x%llx bytes at 0x%llx",
                          (unsigned long long)alias->size, (unsigned long long)alias->target);
}

static gs_status check_single(const gs_board *board, reader *r, unsigned index)
{
    for (unsigned i = 0; i < index; i++) {
        const gs_board_device_type type = board->devices[index].type;
        if (type == board->devices[i].type && (type == GS_BOARD_PLIC || type == GS_BOARD_GPIO))
            return gs_config_fail(r->config, r->err, path_to(r, "type"),
                                  "a board has at most one %s", gs_board_type_name(type));
        if (gs_board_is_hart_timer(&board->devices[i]) &&
            gs_board_is_hart_timer(&board->devices[index]))
            return gs_config_fail(r->config, r->err, path_to(r, "type"),
                                  "a board has at most one clint or rp2350-mtime");
    }
    return GS_OK;
}

gs_status gs_board_from_yaml(gs_board *board, const gs_config *config, const void *data,
                             gs_error *err)
{
    const yaml_board *yaml = data;
    reader r = {.config = config, .err = err};

    board->arch = yaml->arch;
    board->is_default = yaml->is_default;
    board->strict = yaml->strict;
    board->interrupts = yaml->interrupts ? *yaml->interrupts : GS_BOARD_DIRECT;
    gs_status status = copy_text(&board->name, yaml->name, err);
    if (!status && board->interrupts != GS_BOARD_DIRECT && board->arch != GS_ARCH_RV32)
        status = gs_config_fail(config, err, "interrupts", "%s needs a board of arch rv32",
                                controllers[board->interrupts].str);
    if (!status)
        status = copy_text(&board->summary, yaml->summary, err);
    if (!status)
        status =
            number(&r, "clock_hz", yaml->clock_hz, 1, UINT64_C(1000000000000), &board->clock_hz);

    for (unsigned i = 0; !status && i < yaml->memory_count; i++) {
        snprintf(r.item, sizeof r.item, "memory[%u]", i);
        board->memory_count++;
        status = read_memory(&board->memory[i], &r, &yaml->memory[i]);
        if (!status)
            status = check_overlap(board, &r, i);
    }
    for (unsigned i = 0; !status && i < yaml->devices_count; i++) {
        gs_board_device *device = &board->devices[i];
        snprintf(r.item, sizeof r.item, "devices[%u]", i);
        board->device_count++;
        status = read_device(device, &r, &yaml->devices[i], board);
        if (!status)
            status = check_overlap(board, &r, board->memory_count + i);
        if (!status)
            status = check_single(board, &r, i);
        if (!status && device->type == GS_BOARD_ALIAS)
            status = check_alias(board, &r, device);
    }
    return status;
}
