/* Which registers there are, and where their values lie. */
#include "debug/registers.h"

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"
#include "machine/mips_cp0.h"
#include "machine/rv_csr.h"

enum kind { GENERAL, PC, FLOAT, CONTROL, LO, HI, FLOAT_CONTROL };

static const char rv_cpu[] = "org.gnu.gdb.riscv.cpu", rv_fpu[] = "org.gnu.gdb.riscv.fpu",
                  rv_csr[] = "org.gnu.gdb.riscv.csr";
static const char mips_cpu[] = "org.gnu.gdb.mips.cpu", mips_cp0[] = "org.gnu.gdb.mips.cp0",
                  mips_fpu[] = "org.gnu.gdb.mips.fpu", mips_more[] = "org.gumshoe.mips.cp0";

typedef struct control {
    const char *name;
    uint16_t number;
} control;

/* Beside those that lie one behind the other, by gdb's names. */
static const control csrs[] = {
    {"mstatus", 0x300},    {"misa", 0x301},      {"mie", 0x304},    {"mtvec", 0x305},
    {"mcounteren", 0x306}, {"mscratch", 0x340},  {"mepc", 0x341},   {"mcause", 0x342},
    {"mtval", 0x343},      {"mip", 0x344},       {"mcycle", 0xb00}, {"minstret", 0xb02},
    {"mcycleh", 0xb80},    {"minstreth", 0xb82}, {"cycle", 0xc00},  {"time", 0xc01},
    {"instret", 0xc02},    {"cycleh", 0xc80},    {"timeh", 0xc81},  {"instreth", 0xc82},
    {"mvendorid", 0xf11},  {"marchid", 0xf12},   {"mimpid", 0xf13}, {"mhartid", 0xf14},
};
static const control cp0[] = {
    {"userlocal", 4 * 8 + 2}, {"hwrena", 7 * 8},    {"count", 9 * 8},      {"compare", 11 * 8},
    {"epc", 14 * 8},          {"prid", 15 * 8},     {"ebase", 15 * 8 + 1}, {"config", 16 * 8},
    {"config1", 16 * 8 + 1},  {"errorepc", 30 * 8},
};

static gs_register *add(gs_debug_registers *r, const char *feature, const char *name,
                        enum kind kind, unsigned index)
{
    gs_register *made = &r->items[r->count++];
    *made = (gs_register){.feature = feature,
                          .bits = 32,
                          .kind = (uint8_t)kind,
                          .index = (uint16_t)index,
                          .general = true,
                          .type = "int"};
    snprintf(made->name, sizeof made->name, "%s", name);
    return made;
}

static gs_register *add_numbered(gs_debug_registers *r, const char *feature, const char *prefix,
                                 enum kind kind, unsigned index)
{
    char name[12];
    snprintf(name, sizeof name, "%s%u", prefix, index);
    return add(r, feature, name, kind, index);
}

static void add_control(gs_debug_registers *r, const char *feature, const control *c)
{
    gs_register *made = add(r, feature, c->name, CONTROL, c->number);
    made->general = false;
    made->group = "system";
}

static void list_rv(gs_debug_registers *r, const gs_machine *machine)
{
    for (unsigned i = 0; i < 32; i++) {
        gs_register *made = add_numbered(r, rv_cpu, "x", GENERAL, i);
        made->type = i == 1                                 ? "code_ptr"
                     : i == 2 || i == 3 || i == 4 || i == 8 ? "data_ptr"
                                                            : "int";
    }
    r->sp = 2;
    r->pc = r->count;
    add(r, rv_cpu, "pc", PC, 0)->type = "code_ptr";
    if (machine->extensions >> GS_RV_F & 1) {
        const bool wide = machine->extensions >> GS_RV_D & 1;
        for (unsigned i = 0; i < 32; i++) {
            gs_register *made = add_numbered(r, rv_fpu, "f", FLOAT, i);
            made->bits = wide ? 64 : 32;
            made->type = wide ? "ieee_double" : "ieee_single";
        }
        add_control(r, rv_fpu, &(control){"fflags", 1});
        add_control(r, rv_fpu, &(control){"frm", 2});
        add_control(r, rv_fpu, &(control){"fcsr", 3});
    }
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        add_control(r, rv_csr, &csrs[i]);
}

static void list_mips(gs_debug_registers *r, const gs_machine *machine)
{
    for (unsigned i = 0; i < 32; i++)
        add_numbered(r, mips_cpu, "r", GENERAL, i);
    r->sp = 29;
    add(r, mips_cp0, "status", CONTROL, 12 * 8);
    add(r, mips_cpu, "lo", LO, 0);
    add(r, mips_cpu, "hi", HI, 0);
    add(r, mips_cp0, "badvaddr", CONTROL, 8 * 8);
    add(r, mips_cp0, "cause", CONTROL, 13 * 8);
    r->pc = r->count;
    add(r, mips_cpu, "pc", PC, 0)->type = "code_ptr";
    const bool wide = machine->hart.mips.cp0_status & GS_MIPS_STATUS_FR;
    for (unsigned i = 0; i < 32; i++) {
        gs_register *made = add_numbered(r, mips_fpu, "f", FLOAT, i);
        made->bits = wide ? 64 : 32;
        made->type = wide ? "ieee_double" : "ieee_single";
    }
    add(r, mips_fpu, "fcsr", FLOAT_CONTROL, 31)->group = "float";
    add(r, mips_fpu, "fir", FLOAT_CONTROL, 0)->group = "float";
    for (size_t i = 0; i < sizeof cp0 / sizeof *cp0; i++)
        add_control(r, mips_more, &cp0[i]);
}

void gs_debug_registers_init(gs_debug_registers *r, gs_machine *machine)
{
    *r = (gs_debug_registers){.arch = machine->isa->arch, .big_endian = machine->memory.big_endian};
    if (r->arch == GS_ARCH_RV32)
        list_rv(r, machine);
    else
        list_mips(r, machine);
}

static void describe_register(const gs_register *r, unsigned number, FILE *to)
{
    fprintf(to, "<reg name=\"%s\" bitsize=\"%u\" regnum=\"%u\"", r->name, r->bits, number);
    if (r->type)
        fprintf(to, " type=\"%s\"", r->type);
    if (r->group)
        fprintf(to, " group=\"%s\"", r->group);
    fputs(r->general ? "/>" : " save-restore=\"no\"/>", to);
}

void gs_debug_registers_describe(const gs_debug_registers *r, const gs_machine *machine, FILE *to)
{
    static const char *const features[] = {rv_cpu,   rv_fpu,   rv_csr,   mips_cpu,
                                           mips_cp0, mips_fpu, mips_more};
    (void)machine;
    fprintf(to,
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target "
            "version=\"1.0\"><architecture>%s</architecture>",
            r->arch == GS_ARCH_RV32 ? "riscv:rv32" : "mips:isa32r2");
    for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
        bool any = false;
        for (unsigned i = 0; i < r->count; i++) {
            if (r->items[i].feature != features[f])
                continue;
            if (!any)
                fprintf(to, "<feature name=\"%s\">", features[f]);
            any = true;
            describe_register(&r->items[i], i, to);
        }
        if (any)
            fputs("</feature>", to);
    }
    fputs("</target>", to);
}

unsigned gs_register_size(const gs_debug_registers *r, unsigned number)
{
    return number < r->count ? r->items[number].bits / 8u : 0;
}

void gs_register_bytes(const gs_debug_registers *r, unsigned number, uint64_t value,
                       uint8_t bytes[GS_REGISTER_BYTES])
{
    const unsigned size = gs_register_size(r, number);
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (r->big_endian ? size - 1 - i : i));
}

static uint64_t value_of(const gs_debug_registers *r, unsigned number, const uint8_t *bytes)
{
    const unsigned size = gs_register_size(r, number);
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (r->big_endian ? size - 1 - i : i);
    return value;
}

/* As machine mode sees it, and without the machine noticing. */
static bool access_csr(gs_machine *machine, const gs_register *r, const uint32_t *write,
                       uint32_t *value)
{
    gs_rv_state *s = &machine->hart.rv;
    const uint8_t mode = s->mode;
    const uint32_t fs = s->mstatus & GS_RV_MSTATUS_FS;
    const bool saw_time = machine->saw_time, resync = machine->hart.resync;
    s->mode = GS_RV_MACHINE;
    if (r->index < 0x100)
        s->mstatus |= GS_RV_MSTATUS_FS;
    const bool there = gs_rv_csr_access(machine, r->index, GS_RV_CSR_WRITE, write ? *write : 0,
                                        write != NULL, value);
    s->mode = mode;
    if (r->index < 0x100)
        s->mstatus = (s->mstatus & ~(uint32_t)GS_RV_MSTATUS_FS) | fs;
    if (!write) {
        machine->saw_time = saw_time;
        machine->hart.resync = resync;
    }
    return there;
}

static uint64_t read_mips(gs_machine *machine, const gs_register *r)
{
    const gs_mips_state *s = &machine->hart.mips;
    const bool saw_time = machine->saw_time;
    switch ((enum kind)r->kind) {
    case GENERAL: return s->r[r->index];
    case LO: return s->lo;
    case HI: return s->hi;
    case FLOAT:
        if (r->bits == 64)
            return (uint64_t)s->f[2 * r->index + 1] << 32 | s->f[2 * r->index];
        return s->f[gs_mips_single(r->index, !(s->cp0_status & GS_MIPS_STATUS_FR))];
    case FLOAT_CONTROL: return gs_mips_fcr_read(s, r->index);
    default: break;
    }
    const uint32_t value = gs_mips_cp0_read(machine, r->index);
    machine->saw_time = saw_time;
    return value;
}

static void write_mips(gs_machine *machine, const gs_register *r, uint64_t value)
{
    gs_mips_state *s = &machine->hart.mips;
    switch ((enum kind)r->kind) {
    case GENERAL: s->r[r->index] = r->index ? (uint32_t)value : 0; break;
    case LO: s->lo = (uint32_t)value; break;
    case HI: s->hi = (uint32_t)value; break;
    case FLOAT:
        if (r->bits == 64) {
            s->f[2 * r->index] = (uint32_t)value;
            s->f[2 * r->index + 1] = (uint32_t)(value >> 32);
        } else {
            s->f[gs_mips_single(r->index, !(s->cp0_status & GS_MIPS_STATUS_FR))] = (uint32_t)value;
        }
        break;
    case FLOAT_CONTROL:
        if (r->index == 31)
            gs_mips_fcsr_write(s, (uint32_t)value);
        break;
    default: gs_mips_cp0_write(machine, r->index, (uint32_t)value); break;
    }
}

bool gs_register_read(const gs_debug_registers *r, gs_machine *machine, unsigned number,
                      uint8_t bytes[GS_REGISTER_BYTES])
{
    if (number >= r->count)
        return false;
    const gs_register *reg = &r->items[number];
    uint32_t word = 0;
    uint64_t value = 0;
    if (reg->kind == PC)
        value = machine->hart.pc;
    else if (r->arch == GS_ARCH_MIPS32)
        value = read_mips(machine, reg);
    else if (reg->kind == GENERAL)
        value = machine->hart.rv.x[reg->index];
    else if (reg->kind == FLOAT)
        value = machine->hart.rv.f[reg->index];
    else if (access_csr(machine, reg, NULL, &word))
        value = word;
    else
        return false;
    gs_register_bytes(r, number, value, bytes);
    return true;
}

bool gs_register_write(const gs_debug_registers *r, gs_machine *machine, unsigned number,
                       const uint8_t bytes[GS_REGISTER_BYTES])
{
    if (number >= r->count)
        return false;
    const gs_register *reg = &r->items[number];
    const uint64_t value = value_of(r, number, bytes);
    const uint32_t word = (uint32_t)value;
    uint32_t old = 0;
    if (reg->kind == PC) {
        if (machine->hart.pc != word)
            machine->hart.mips.in_delay_slot = false;
        machine->hart.pc = word;
    } else if (r->arch == GS_ARCH_MIPS32) {
        write_mips(machine, reg, value);
    } else if (reg->kind == GENERAL) {
        machine->hart.rv.x[reg->index] = reg->index ? word : 0;
    } else if (reg->kind == FLOAT) {
        machine->hart.rv.f[reg->index] =
            reg->bits == 32 ? value | UINT64_C(0xffffffff) << 32 : value;
    } else {
        return access_csr(machine, reg, &word, &old);
    }
    return true;
}
