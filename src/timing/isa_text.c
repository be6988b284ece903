/* Parses and prints instruction sets such as rv32imc_zba. */
#include "timing/isa_text.h"

#include <string.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

#define BIT(extension) (UINT64_C(1) << (extension))

typedef struct part {
    const char *name;
    uint64_t extensions;
} part;

/* Everything that has control registers also has the machine mode they belong to. */
#define RV_ZICSR (BIT(GS_RV_ZICSR) | BIT(GS_RV_PRIV))
#define RV_F     (BIT(GS_RV_F) | RV_ZICSR)
#define RV_D     (BIT(GS_RV_D) | RV_F)
#define RV_ZBB   (BIT(GS_RV_ZBB) | BIT(GS_RV_ZBB_ZBKB))

static const part rv_letters[] = {
    {"m", BIT(GS_RV_M)}, {"a", BIT(GS_RV_A)}, {"f", RV_F},
    {"d", RV_D},         {"c", BIT(GS_RV_C)}, {"b", BIT(GS_RV_ZBA) | RV_ZBB | BIT(GS_RV_ZBS)},
    {NULL, 0},
};
static const part rv_words[] = {
    {"zicsr", RV_ZICSR},
    {"zifencei", BIT(GS_RV_ZIFENCEI)},
    {"zba", BIT(GS_RV_ZBA)},
    {"zbb", RV_ZBB},
    {"zbkb", BIT(GS_RV_ZBKB) | BIT(GS_RV_ZBB_ZBKB)},
    {"zbs", BIT(GS_RV_ZBS)},
    {"zicond", BIT(GS_RV_ZICOND)},
    {"zcb", BIT(GS_RV_ZCB)},
    {"zcmp", BIT(GS_RV_ZCMP)},
    {NULL, 0},
};
static const char rv_allowed[] =
    "allowed are rv32i or rv32g, letters of m a f d c b, then any of _zicsr _zifencei _zba _zbb "
    "_zbs _zbkb _zicond _zcb _zcmp";

#define MIPS_1  (BIT(GS_MIPS_I) | BIT(GS_MIPS_CP0))
#define MIPS_2  (MIPS_1 | BIT(GS_MIPS_II))
#define MIPS_R1 (MIPS_2 | BIT(GS_MIPS_R1))

static const part mips_bases[] = {
    {"mips1", MIPS_1},   {"mips2", MIPS_2},
    {"mips32", MIPS_R1}, {"mips32r2", MIPS_R1 | BIT(GS_MIPS_R2)},
    {NULL, 0},
};
static const part mips_words[] = {{"fpu", BIT(GS_MIPS_FPU)}, {NULL, 0}};
static const char mips_allowed[] =
    "allowed are mips1, mips2, mips32, mips32r2, each with _fpu or without";

/* What is being read. */
typedef struct reader {
    const char *text;
    const char *allowed;
    uint64_t seen; /* parts of the lists above, by position: letters, then words */
    gs_error *err;
} reader;

static gs_status refuse(const reader *r, const char *what, size_t length, const char *problem)
{
    return gs_fail(r->err, GS_E_FORMAT, "'%.40s': '%.*s' %s; %s", r->text, (int)length, what,
                   problem, r->allowed);
}

/* Looks up one part of the text and adds what it stands for. */
static gs_status add(reader *r, const part *list, unsigned first_seen, const char *name,
                     size_t length, uint64_t *extensions)
{
    for (unsigned i = 0; list[i].name; i++) {
        if (strlen(list[i].name) != length || strncmp(list[i].name, name, length) != 0)
            continue;
        if (r->seen & BIT(first_seen + i))
            return refuse(r, name, length, "is given twice");
        r->seen |= BIT(first_seen + i);
        *extensions |= list[i].extensions;
        return GS_OK;
    }
    return refuse(r, name, length < 20 ? length : 20, "is nothing Gumshoe knows");
}

/* "_word" after "_word". */
static gs_status add_words(reader *r, const part *list, const char *at, uint64_t *extensions)
{
    while (*at) {
        at++; /* the underscore */
        size_t length = strcspn(at, "_");
        gs_status status = add(r, list, 32, at, length, extensions);
        if (status)
            return status;
        at += length;
    }
    return GS_OK;
}

static gs_status parse_rv(gs_isa_choice *out, reader *r)
{
    const char *at = r->text + strlen("rv32");
    uint64_t extensions = BIT(GS_RV_I);
    gs_status status = GS_OK;

    if (*at == 'g')
        extensions |= BIT(GS_RV_M) | BIT(GS_RV_A) | RV_D | BIT(GS_RV_ZIFENCEI);
    else if (*at != 'i')
        return refuse(r, *at ? at : r->text, *at ? 1 : strlen(r->text), "is not a base");
    for (at++; !status && *at && *at != '_'; at++)
        status = add(r, rv_letters, 0, at, 1, &extensions);
    if (!status)
        status = add_words(r, rv_words, at, &extensions);
    if (extensions & BIT(GS_RV_C)) {
        extensions |= extensions & BIT(GS_RV_F) ? BIT(GS_RV_CF) : 0;
        extensions |= extensions & BIT(GS_RV_D) ? BIT(GS_RV_CD) : 0;
    }
    if (extensions & BIT(GS_RV_ZCB)) {
        extensions |= extensions & BIT(GS_RV_M) ? BIT(GS_RV_ZCB_M) : 0;
        extensions |= extensions & BIT(GS_RV_ZBB) ? BIT(GS_RV_ZCB_ZBB) : 0;
    }
    if (!status && extensions & (BIT(GS_RV_ZCB) | BIT(GS_RV_ZCMP)) && !(extensions & BIT(GS_RV_C)))
        return refuse(r, "zcb and zcmp", 12, "need c");
    if (!status && extensions & BIT(GS_RV_ZCMP) && extensions & BIT(GS_RV_CD))
        return refuse(r, "zcmp", 4, "has the encodings of compressed d");
    out->arch = GS_ARCH_RV32;
    out->extensions = extensions;
    return status;
}

static gs_status parse_mips(gs_isa_choice *out, reader *r)
{
    size_t length = strcspn(r->text, "_");
    uint64_t extensions = 0;
    gs_status status = add(r, mips_bases, 0, r->text, length, &extensions);
    if (!status)
        status = add_words(r, mips_words, r->text + length, &extensions);
    if (extensions & BIT(GS_MIPS_FPU) && extensions & BIT(GS_MIPS_R2))
        extensions = gs_isa_mips32.all_extensions; /* release 2 completes the FPU, too */
    out->arch = GS_ARCH_MIPS32;
    out->extensions = extensions;
    return status;
}

gs_status gs_isa_parse(gs_isa_choice *out, const char *text, gs_error *err)
{
    *out = (gs_isa_choice){.arch = GS_ARCH_RV32};
    if (!strcmp(text, "any")) {
        out->any = true;
        return GS_OK;
    }
    if (!strncmp(text, "rv32", 4))
        return parse_rv(out, &(reader){.text = text, .allowed = rv_allowed, .err = err});
    if (!strncmp(text, "mips", 4))
        return parse_mips(out, &(reader){.text = text, .allowed = mips_allowed, .err = err});
    return gs_fail(err, GS_E_FORMAT,
                   "'%.40s' is no instruction set Gumshoe knows; allowed are forms like "
                   "rv32imc_zicsr and mips32r2, and any",
                   text);
}
