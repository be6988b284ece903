/* Makes the scheduler's target of a core's description. */
#include <stdlib.h>
#include <string.h>

#include "isa/rv/rv.h"
#include "timing/core_yaml.h"

typedef struct reader {
    gs_core *core;
    const gs_config *config;
    gs_error *err;
    char path[96];
} reader;

static const char *path_of(reader *r, const char *format, unsigned index, const char *key)
{
    snprintf(r->path, sizeof r->path, format, index, key);
    return r->path;
}

/* -- slots ------------------------------------------------------------------------------------ */

static gs_status read_slots(reader *r, unsigned index, const gs_yaml_slots *yaml)
{
    gs_vliw *target = &r->core->vliw;
    uint64_t count = 1;
    gs_status status = GS_OK;

    if (yaml->count)
        status = gs_config_number(r->config, path_of(r, "vliw.slots[%u].%s", index, "count"),
                                  yaml->count, 1, GS_VLIW_WIDTH_MAX, &count, r->err);
    if (status)
        return status;
    if (target->width + count > GS_VLIW_WIDTH_MAX)
        return gs_config_fail(r->config, r->err, "vliw.slots",
                              "a bundle has at most %d slots, these are %u", GS_VLIW_WIDTH_MAX,
                              target->width + (unsigned)count);
    const uint8_t these = (uint8_t)(((1u << count) - 1) << target->width);
    for (unsigned class = 0; class < GS_CLASS_COUNT && !yaml->classes; class ++)
        target->classes[class].slots |= these;
    for (unsigned i = 0; i < yaml->classes_count; i++)
        target->classes[yaml->classes[i]].slots |= these;
    target->width += (unsigned)count;
    return GS_OK;
}

/* Every instruction has to have a slot. */
static gs_status check_slots(reader *r)
{
    for (unsigned class = 0; class < GS_CLASS_COUNT; class ++) {
        if (gs_core_has_class(r->core, (gs_timing_class) class) &&
            !r->core->vliw.classes[class].slots)
            return gs_config_fail(r->config, r->err, "vliw.slots",
                                  "none of the slots takes class %s, which '%s' has",
                                  gs_class_names[class], r->core->isa_text);
    }
    return GS_OK;
}

static gs_status read_all_slots(reader *r, const gs_yaml_core *yaml)
{
    static const gs_yaml_slots all;
    gs_vliw *target = &r->core->vliw;
    const unsigned count = yaml->vliw ? yaml->vliw->slots_count : 0;
    gs_status status = GS_OK;

    if (count > 0 && yaml->issue_width)
        return gs_config_fail(r->config, r->err, "issue_width",
                              "this key has no meaning with vliw.slots, which has the slots one "
                              "by one");
    for (unsigned i = 0; i < count && !status; i++)
        status = read_slots(r, i, &yaml->vliw->slots[i]);
    for (unsigned i = 0; i < r->core->issue_width && count == 0 && !status; i++)
        status = read_slots(r, 0, &all);
    r->core->issue_width = target->width;
    return status ? status : check_slots(r);
}

/* -- classes and units ------------------------------------------------------------------------ */

static void take_classes(gs_core *core)
{
    gs_vliw *target = &core->vliw;
    for (unsigned i = 0; i < core->unit_count; i++) {
        target->units[i + 1] = core->units[i].name;
        target->copies[i + 1] = (uint8_t)core->units[i].count;
    }
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        const gs_core_class *class = &core->classes[i];
        gs_vliw_class *to = &target->classes[i];
        to->latency = (uint16_t)(class->latency + 1);
        to->busy = (uint16_t)(class->busy ? class->busy : 1);
        to->unit = (uint8_t) class->unit;
        if (class->unit || class->busy <= 1)
            continue;
        to->unit = (uint8_t)(GS_CORE_UNIT_MAX + i + 1); /* it waits for itself only */
        target->units[to->unit] = gs_class_names[i];
        target->copies[to->unit] = 1;
    }
}

/* -- operations that do what several instructions do ------------------------------------------ */

static unsigned op_named(const char *name, size_t length)
{
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    for (unsigned op = GS_OP_FIRST; op < isa->op_count; op++) {
        if (strlen(isa->ops[op].name) == length && !strncmp(isa->ops[op].name, name, length))
            return op;
    }
    return 0;
}

/* Whether it makes a value for an instruction behind it. */
static bool makes_value(gs_timing_class class)
{
    switch (class) {
    case GS_CLASS_STORE:
    case GS_CLASS_FP_STORE:
    case GS_CLASS_BRANCH: return false;
    default: return true;
    }
}

/* What may not be moved, or leaves and comes back, is an operation of its own. */
static bool may_be_fused(gs_timing_class class)
{
    switch (class) {
    case GS_CLASS_ATOMIC:
    case GS_CLASS_JUMP:
    case GS_CLASS_JUMP_REG:
    case GS_CLASS_CSR:
    case GS_CLASS_FENCE:
    case GS_CLASS_FENCE_I:
    case GS_CLASS_SYSTEM: return false;
    default: return true;
    }
}

/* One place of a pattern: "mul", or "srli|srai" if it can be either. */
static gs_status read_place(reader *r, gs_vliw_fused *fused, const char *text, bool last)
{
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    uint16_t *choices = fused->ops[fused->op_count++];
    unsigned count = 0;

    for (bool more = true; more;) {
        const size_t length = strcspn(text, "|");
        unsigned op = op_named(text, length);
        if (!op)
            return gs_config_fail(r->config, r->err, r->path, "there is no instruction '%.*s'",
                                  (int)length, text);
        if (!gs_core_has_op(r->core, op))
            return gs_config_fail(r->config, r->err, r->path, "'%s' has no instruction '%.*s'",
                                  r->core->isa_text, (int)length, text);
        const gs_timing_class class = (gs_timing_class)isa->ops[op].timing;
        if (!may_be_fused(class))
            return gs_config_fail(r->config, r->err, r->path,
                                  "%.*s, of class %s, cannot be a part of another operation",
                                  (int)length, text, gs_class_names[class]);
        if (!last && !makes_value(class))
            return gs_config_fail(r->config, r->err, r->path,
                                  "%.*s makes no value for an instruction behind it: it can only "
                                  "stand last",
                                  (int)length, text);
        if (count == GS_VLIW_CHOICES_MAX - 1)
            return gs_config_fail(r->config, r->err, r->path, "at most %d instructions here",
                                  GS_VLIW_CHOICES_MAX - 1);
        choices[count++] = (uint16_t)op;
        more = text[length] == '|';
        text += length + more;
    }
    return GS_OK;
}

/* What links the instructions has to be there. */
static gs_status check_link(reader *r, unsigned index, const gs_vliw_fused *fused)
{
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    path_of(r, "vliw.fuse[%u].%s", index, "link");
    if (fused->link == GS_FUSED_VALUES)
        return GS_OK;
    if (fused->op_count != 2)
        return gs_config_fail(r->config, r->err, r->path, "this links two instructions, not %u",
                              fused->op_count);
    for (unsigned place = 0; place < 2; place++) {
        for (unsigned i = 0; i < GS_VLIW_CHOICES_MAX && fused->ops[place][i]; i++) {
            const unsigned op = fused->ops[place][i];
            const bool adds = fused->link == GS_FUSED_BASE && place == 1;
            if (adds ? op != GS_RV_addi : gs_op_access_bytes(isa, (uint16_t)op) == 0)
                return gs_config_fail(r->config, r->err, r->path, "%s here, not %s",
                                      adds ? "the second instruction is addi"
                                           : "this links loads and stores",
                                      isa->ops[op].name);
        }
    }
    return GS_OK;
}

static gs_status read_fused(reader *r, unsigned index, const gs_yaml_fused *yaml)
{
    enum { INPUTS = 3, INPUTS_MAX = 12, OUTPUTS_MAX = 4, LATENCY_MAX = 1000 };
    gs_vliw *target = &r->core->vliw;
    gs_vliw_fused *fused = &target->fused[target->fused_count++];
    uint64_t inputs = INPUTS, outputs = 1, latency = 0;
    gs_status status = gs_core_keep(r->core, &fused->name, yaml->name, r->err);
    fused->link = yaml->link ? *yaml->link : GS_FUSED_VALUES;

    for (unsigned i = 0; i + 1 < target->fused_count && !status; i++) {
        if (!strcmp(target->fused[i].name, yaml->name))
            status =
                gs_config_fail(r->config, r->err, path_of(r, "vliw.fuse[%u].%s", index, "name"),
                               "there are two operations '%s'", yaml->name);
    }
    for (unsigned i = 0; i < yaml->of_count && !status; i++) {
        path_of(r, "vliw.fuse[%u].%s", index, "of");
        const bool last = i + 1 == yaml->of_count || fused->link != GS_FUSED_VALUES;
        status = read_place(r, fused, yaml->of[i], last);
    }
    if (!status)
        status = check_link(r, index, fused);
    if (!status && yaml->inputs)
        status = gs_config_number(r->config, path_of(r, "vliw.fuse[%u].%s", index, "inputs"),
                                  yaml->inputs, 1, INPUTS_MAX, &inputs, r->err);
    if (!status && yaml->outputs)
        status = gs_config_number(r->config, path_of(r, "vliw.fuse[%u].%s", index, "outputs"),
                                  yaml->outputs, 1, OUTPUTS_MAX, &outputs, r->err);
    if (status)
        return status;
    const uint16_t last = fused->ops[fused->op_count - 1][0];
    fused->inputs = (unsigned)inputs;
    fused->outputs = (unsigned)outputs;
    fused->needs =
        target->classes[yaml->class ? *yaml->class
                                    : (gs_timing_class)gs_isa_for(GS_ARCH_RV32)->ops[last].timing];
    if (yaml->latency) {
        status = gs_config_number(r->config, path_of(r, "vliw.fuse[%u].%s", index, "latency"),
                                  yaml->latency, 0, LATENCY_MAX, &latency, r->err);
        fused->needs.latency = (uint16_t)(latency + 1);
    }
    if (!status && !fused->needs.slots)
        status = gs_config_fail(r->config, r->err, path_of(r, "vliw.fuse[%u].%s", index, "class"),
                                "none of the slots takes this class");
    return status;
}

gs_status gs_core_read_vliw(gs_core *core, const gs_config *config, const gs_yaml_core *yaml,
                            gs_error *err)
{
    reader r = {.core = core, .config = config, .err = err};
    gs_vliw *target = &core->vliw;
    const gs_yaml_vliw *vliw = yaml->vliw;

    target->interlocked = !vliw || !vliw->interlocked || *vliw->interlocked;
    target->fixed_bundles = vliw && vliw->fixed_bundles && *vliw->fixed_bundles;
    target->superblocks = vliw && vliw->superblocks && *vliw->superblocks;
    target->pipelines = vliw && vliw->pipelines && *vliw->pipelines;
    target->optimistic = vliw && vliw->optimistic && *vliw->optimistic;
    target->hardware_loops = vliw && vliw->hardware_loops && *vliw->hardware_loops;
    take_classes(core);
    gs_status status = read_all_slots(&r, yaml);
    for (unsigned i = 0; vliw && i < vliw->fused_count && !status; i++)
        status = read_fused(&r, i, &vliw->fused[i]);
    if (!status)
        status = gs_core_keep(core, &core->vliw_why, vliw ? vliw->why : NULL, err);
    return status;
}
