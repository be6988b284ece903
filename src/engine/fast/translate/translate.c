/* Writes a translation unit: the prelude, and a C function for each guest function. */
#include "engine/fast/translate/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "engine/fast/automaton/cells.h"
#include "engine/fast/translate/writer.h"

gs_fast_layout gs_fast_layout_of(const gs_timing *timing)
{
    gs_fast_layout l = {0};
    if (!timing || !timing->model->looks_up)
        return l;
    l.icached = timing->core->has_icache;
    l.dcached = timing->core->has_dcache;
    l.icache_sets = l.icached ? timing->icache.set_mask + 1 : 0;
    l.dcache_sets = l.dcached ? timing->dcache.set_mask + 1 : 0;
    return l;
}

static unsigned stack_pointer(const gs_writer *w)
{
    return w->isa->arch == GS_ARCH_RV32 ? 2 : 29;
}

/* The registers to put back, as SPILL(set), and the number of the set for each superblock and exit.
 */
static void put_spills(gs_writer *w)
{
    fputc('\n', w->to);
    for (size_t i = 0; i < w->spills.sets.count; i++) {
        fprintf(w->to, "#undef SPILL_%1$zu\n#define SPILL_%1$zu() ((void)0", i);
        gs_writer_put_list(w->to, &w->spills.sets.items[i],
                           w->options->quick ? ", X(%2$u) = %1$s" : ", " GS_PUT_BACK,
                           ", " GS_PUT_BACK_FLOAT);
        if (gs_writer_minds_stores(w))
            fputs(", c->stores[0] = store0, c->stores[1] = store1", w->to);
        fputs(")\n", w->to);
    }
    for (size_t i = 0; i < w->spills.count; i++) {
        const gs_superblock *s = &w->code->superblocks[i];
        const struct gs_superblock_spills *spills = &w->spills.superblocks[i];
        fprintf(w->to, "#define S_%08x%s %d\n", GS_LABEL(s), spills->in_set);
        for (unsigned k = 0; k < s->exit_count; k++)
            fprintf(w->to, "#define W_%08x%s_%u %d\n", GS_LABEL(s), k, spills->sets[k]);
    }
}

/* Writes the variables of a function. */
static void put_variables(gs_writer *w)
{
    gs_writer_put_list(w->to, &w->used, "    uint32_t %1$s;\n", "    uint64_t %1$s;\n");
    if (gs_writer_minds_stores(w))
        fputs("    uint64_t store0, store1;\n", w->to);
    if (w->options->paths)
        fputs("    gs_count_block *block = target;\n    uint32_t last = 0, arrival = 0;\n"
              "    uintptr_t callee = 0;\n",
              w->to);
    else
        fprintf(w->to,
                "#undef OWN_PLACE\n#define OWN_PLACE 0x%x\n"
                "    gs_count_block *const block = NEAR_BLOCK;\n",
                w->near);
    fputs("    gs_fast_edge *edge = NULL;\n    uint32_t sink = 0, goal = 0;\n"
          "    int condition = 0;\n    uint64_t result = 0;\n\n",
          w->to);
}

static void put_entry_to(gs_writer *w, const gs_superblock *s)
{
    const bool paths = w->options->paths;
    fprintf(w->to, "%sgoto e_%08x%s;%s\n", paths ? "{ block = target; " : "", GS_LABEL(s),
            paths ? " }" : "");
}

/* Control enters at `pc`, mostly at the start: the compiler sees which registers are written
 * there before they are read. */
static void put_entries(gs_writer *w)
{
    const gs_superblock *start = gs_code_at(w->code, w->code->low);
    if (start && start->entry)
        fprintf(
            w->to,
            "    if (LIKELY(pc == 0x%xu)) {\n        RELOAD();\n        goto e_%08x%s;\n    }\n",
            start->pc, GS_LABEL(start));
    fputs("    RELOAD();\nenter:\n    switch (pc) {\n", w->to);
    for (size_t i = 0; i < w->code->count; i++) {
        const gs_superblock *s = &w->code->superblocks[i];
        if (s->entry) {
            fprintf(w->to, "    case 0x%xu: ", s->pc);
            put_entry_to(w, s);
        }
    }
    fprintf(w->to, "    default: GO(call_entry, pc, %d);\n    }\n", w->spills.anywhere_set);
}

static unsigned size_of(const gs_registers *r)
{
    return (unsigned)(__builtin_popcountll(r->bits[0]) + __builtin_popcountll(r->bits[1]));
}

/* The largest set that is part of another one, but not all of it; or NULL. */
static const gs_registers *part_of(const gs_writer *w, const gs_registers *set)
{
    const gs_registers *part = NULL;
    for (size_t i = 0; i < w->spills.sets.count; i++) {
        const gs_registers *other = &w->spills.sets.items[i],
                           beyond = gs_registers_without(other, set);
        if (size_of(&beyond) == 0 && size_of(other) < size_of(set) &&
            (!part || size_of(other) > size_of(part)))
            part = other;
    }
    return part;
}

/* The ends of the function; `result` is where to go on. Each set of registers puts back what it has
 * beyond a smaller one, and goes on with that. */
static void put_exits(gs_writer *w)
{
    for (size_t i = 0; i < w->spills.sets.count; i++) {
        const gs_registers *set = &w->spills.sets.items[i], *part = part_of(w, set), none = {{0}},
                           more = gs_registers_without(set, part ? part : &none);
        if (w->options->paths)
            fprintf(w->to, "moved_%zu:\n    result = PLACE(c->pc, c->after);\n    goto put_%zu;\n",
                    i, i);
        fprintf(w->to,
                "left_%1$zu:\n    result = GS_FAST_LEFT;\n    goto put_%1$zu;\n"
                "stopped_%1$zu:\n    result = GS_FAST_STOPPED;\nput_%1$zu:\n",
                i);
        gs_writer_put_list(w->to, &more, "    " GS_PUT_BACK ";\n", "    " GS_PUT_BACK_FLOAT ";\n");
        if (part)
            fprintf(w->to, "    goto put_%zu;\n", (size_t)(part - w->spills.sets.items));
        else
            fputs("    goto ended;\n", w->to);
    }
    fprintf(w->to, "refused:\n    c->after = after;\n    goto stopped_%d;\nended:\n",
            w->spills.anywhere_set);
    if (gs_writer_minds_stores(w))
        fputs("    c->stores[0] = store0, c->stores[1] = store1;\n", w->to);
    fputs("    return END(result);\n"
          "out:\n    (void)sink, (void)goal, (void)condition;\n"
          "    (void)edge, (void)block, (void)result, (void)target;\n"
          "    return END(PLACE(pc, after));\n}\n",
          w->to);
}

/* Writes the guest's name for a function, which may be anything but must not end the comment. */
static void put_name(gs_writer *w)
{
    const gs_function *f = gs_image_function_at(w->options->machine->image, w->code->low);
    fputs("/* ", w->to);
    for (const char *at = f ? f->name : "code without a name"; *at; at++)
        fputc(*at == '*' || *at == '\\' || (unsigned char)*at < ' ' ? '?' : *at, w->to);
    fputs(" */\n", w->to);
}

static void put_header(gs_writer *w)
{
    put_spills(w);
    fputs("#undef RELOAD\n#define RELOAD() ((void)0", w->to);
    gs_writer_put_list(w->to, &w->used,
                       w->options->quick ? ", %1$s = X(%2$u)" : ", %1$s = c->x[%2$u]",
                       ", %1$s = c->f[%2$u]");
    if (gs_writer_minds_stores(w))
        fputs(", store0 = c->stores[0], store1 = c->stores[1]", w->to);
    fputs(")\n", w->to);
    if (w->options->for_people)
        put_name(w);
    fprintf(w->to,
            "gs_fast_end f_%08x(gs_fast *c, uint32_t pc, uint32_t after,\n"
            "                       gs_count_block *target, uint64_t cost)\n{\n",
            w->code->low);
}

/* The body comes first, to know which registers it uses. */
static void put_function(gs_writer *w, const gs_code *code)
{
    char *body = NULL, *cold = NULL;
    size_t size = 0, cold_size = 0;
    FILE *to = w->to, *buffer = open_memstream(&body, &size);
    w->cold = open_memstream(&cold, &cold_size);
    const gs_cache *icache = w->layout.icached ? &w->options->timing->icache : NULL;
    bool ok = gs_icache_lines_open(&w->lines, code, icache) && buffer && w->cold;
    ok = gs_spills_open(&w->spills, code->count + code->clones) && ok;
    w->used = (gs_registers){{0}};
    w->code = code;
    w->to = buffer;
    if (w->options->paths)
        gs_registers_add(&w->used, stack_pointer(w));
    for (size_t i = 0; ok && i < code->count + code->clones; i++)
        gs_writer_put_superblock(w, &code->superblocks[i]);
    for (size_t i = 0; ok && i < code->count; i++) {
        w->s = &code->superblocks[i];
        if (w->s->entry || w->spills.superblocks[i].entered)
            gs_writer_put_entry(w, w->s);
    }
    if (buffer)
        fclose(buffer);
    if (w->cold)
        fclose(w->cold);
    w->base += (unsigned)(code->count + code->clones);
    w->to = to;
    if (ok &&
        gs_spills_solve(&w->spills,
                        code)) { /* or else the function is missing, and the compiler says so */
        put_header(w);
        put_variables(w);
        put_entries(w);
        fwrite(body, 1, size, to);
        fwrite(cold, 1, cold_size, to);
        put_exits(w);
    }
    w->near += w->options->timing ? gs_count_block_size(gs_cells_count(code)) : 0;
    gs_spills_close(&w->spills);
    gs_icache_lines_close(&w->lines);
    free(body);
    free(cold);
}

/* Writes one of our files without its #include lines: those files have been written before. The
 * quick compiler has no headers of the C library, either. */
static void put_embedded(gs_writer *w, const char *kind, const char *name)
{
    const gs_embedded *file = gs_embedded_find(kind, name);
    const char *end = file->text + file->size, *next;
    for (const char *line = file->text; line < end; line = next) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        next = feed ? feed + 1 : end;
        if (strncmp(line, w->options->quick ? "#include " : "#include \"",
                    w->options->quick ? 9 : 10) != 0)
            fwrite(line, 1, (size_t)(next - line), w->to);
    }
}

/* Helpers are called by their names, which softfloat.h has declared. */
static void put_helpers(gs_writer *w)
{
    static const struct {
        const char *name;
        bool hosted;
    } helpers[] = {
#define HELPER(name) {#name, false},
#define HOSTED(name) {#name, true},
#include "engine/fast/prelude/helpers.def"
    };
    const size_t count = sizeof helpers / sizeof *helpers;
    fputs("\nstruct gs_fast_helpers {\n", w->to);
    for (size_t i = 0; i < count; i++)
        fprintf(w->to, "    __typeof__(%1$s) *%1$s;\n", helpers[i].name);
    fputs("};\n", w->to);
    for (size_t i = 0; i < count; i++)
        fprintf(w->to,
                helpers[i].hosted && !w->options->quick
                    ? "#define %1$s(fp_, a_, b_) HOSTED(%1$s, fp_, a_, b_)\n"
                    : "#define %1$s (*c->helpers->%1$s)\n",
                helpers[i].name);
}

/* A number, and the same as text for the assembler. */
static void put_constant(gs_writer *w, const char *name, uint64_t value)
{
    fprintf(w->to, "#define %1$s 0x%2$llx\n#define %1$s_TEXT \"0x%2$llx\"\n", name,
            (unsigned long long)value);
}

/* Offsets in structures, for the assembler. */
static void put_offsets(gs_writer *w)
{
    static const struct {
        const char *name;
        size_t offset;
    } stubs[] = {
#define STUB(name) {#name, offsetof(gs_fast, name)}
        STUB(slow_exit),  STUB(enter),  STUB(unpredicted), STUB(look_up_lines), STUB(fetch),
        STUB(wrong_path), STUB(load),   STUB(store),       STUB(pass),          STUB(group),
        STUB(range),      STUB(arrive), STUB(resume)
#undef STUB
    };
    for (size_t i = 0; i < sizeof stubs / sizeof *stubs; i++)
        fprintf(w->to, "#define STUB_%s \"%zu\"\n", stubs[i].name, stubs[i].offset);
    put_constant(w, "CELLS", offsetof(gs_count_block, cells));
    put_constant(w, "AGES", GS_FAST_AGES);
}

static bool uses_floats(const gs_writer *w)
{
    for (size_t i = 0; i < w->code_count; i++) {
        for (size_t k = 0; k < w->codes[i].count; k++) {
            const gs_superblock *s = &w->codes[i].superblocks[k];
            for (unsigned n = 0; n < s->step_count; n++) {
                if (gs_semantics_float(w->isa, s->steps[n].insn.op) != GS_FLOAT_NONE)
                    return true;
            }
        }
    }
    return false;
}

/* Writes the options for the host's compiler. */
static void put_pragmas(gs_writer *w, bool floats)
{
    /* Passes of -O2 that pay here, and passes of -O1 that take time and find next to nothing. */
    fputs("#ifndef __clang__\n"
          "#pragma GCC optimize(\"ree\", \"peephole2\", \"ira-region=one\")\n"
          "#pragma GCC optimize(\"reorder-blocks-algorithm=stc\")\n"
          "#pragma GCC optimize(\"no-tree-dominator-opts\", \"no-tree-pta\", \"no-tree-fre\")\n"
          "#pragma GCC optimize(\"no-tree-dse\", \"no-dse\", \"no-forward-propagate\")\n"
          "#pragma GCC optimize(\"no-tree-ccp\", \"no-tree-copy-prop\", \"no-tree-slsr\")\n"
          "#pragma GCC optimize(\"no-tree-sra\", \"no-tree-loop-optimize\")\n"
          "#endif\n",
          w->to);
    if (w->options->bmi2)
        fputs("#pragma GCC target(\"bmi2\")\n", w->to);
    /* See STUB. */
    fprintf(w->to,
            "#define FLOATS %d\n#if !FLOATS && defined __x86_64__ && !defined __clang__\n"
            "#pragma GCC target(\"general-regs-only\")\n#endif\n",
            floats);
}

static void put_prelude(gs_writer *w)
{
    const gs_timing *timing = w->options->timing;
    const gs_machine *machine = w->options->machine;
    const gs_fast_layout *l = &w->layout;
    const bool floats = uses_floats(w);
    if (w->options->quick)
        put_embedded(w, "prelude", "quick");
    else
        put_pragmas(w, floats);
    put_embedded(w, "probe", "callstack");
    put_embedded(w, "prelude", "runtime");
    fputc('\n', w->to);
    put_offsets(w);
    fprintf(w->to, "#define GUEST_BIG_ENDIAN %d\n", machine->memory.big_endian);
    if (l->dcached)
        put_constant(w, "D_NOTES", GS_MEMORY_DCACHE_NOTES);
    else
        fprintf(w->to, "#define PAGE_SHIFT %u\n#define PAGES 0x%x\n", (unsigned)GS_PAGE_SHIFT,
                (unsigned)GS_MEMORY_PAGES);
    if (w->options->quick) {
        const uint64_t shared = (uintptr_t)w->options->shared;
        fprintf(w->to, "#define BYTES 0x%llxul\n#define NOTES 0x%llxul\n",
                (unsigned long long)(uintptr_t)machine->memory.bytes,
                (unsigned long long)(shared + GS_MEMORY_DCACHE_NOTES));
        fprintf(w->to, "#define X(number_) (*(uint32_t *)((char *)c + %zu + 4 * (number_)))\n",
                offsetof(gs_fast, x));
    }
    if (l->icached) {
        put_constant(w, "I_SHIFT", timing->icache.line_shift);
        put_constant(w, "I_NOTES",
                     (uint64_t)gs_memory_icache_notes_distance(timing->icache.line_shift));
    }
    if (timing && timing->predictor.counters) {
        const gs_predictor *p = &timing->predictor;
        fprintf(w->to, "#define G_MASK 0x%xu\n#define G_HISTORY 0x%xu\n", p->counter_mask,
                p->history_mask);
        fprintf(w->to, "#define G_MAX %u\n#define G_FROM %u\n#define G_WRONG %d\n", p->counter_max,
                p->taken_from, GS_GUESS_WRONG ^ GS_GUESS_RIGHT);
    }
    char name[16];
    fprintf(w->to, "#define PATHS %d\n#define DATES %d\n#define SP %s\n", w->options->paths,
            w->options->dates, gs_writer_register_name(stack_pointer(w), name));
    fprintf(w->to, "#define CODE_ALIGN %uu\n", gs_code_align(machine));
    if (floats) {
        put_embedded(w, "base", "softfloat");
        if (!w->options->quick)
            put_embedded(w, "base", "softfloat_host");
        put_helpers(w);
    }
    if (w->isa->arch == GS_ARCH_RV32)
        put_embedded(w, "rv", "rv_ops");
    else {
        put_embedded(w, "mips", "mips_float");
        put_embedded(w, "mips", "mips_ops");
    }
    put_embedded(w, "prelude", "host");
    put_embedded(w, "prelude", "guards");
    put_embedded(w, "prelude", "accesses");
    put_embedded(w, "prelude", "semantics");
    put_embedded(w, "prelude", w->options->paths ? "paths" : "no_paths");
    put_embedded(w, "prelude", "exits");
    put_embedded(w, "prelude", timing ? "timed" : "untimed");
}

/* Callers of a function that is no longer in use are sent to call_entry(), which looks up the one
 * that is. */
static void put_forget(gs_writer *w)
{
    for (size_t i = 0; i < w->code_count; i++)
        fprintf(w->to, "static gs_fast_function *to_%1$08x = f_%1$08x;\n", w->codes[i].low);
    fputs("\nvoid forget(uint32_t function)\n{\n    switch (function) {\n", w->to);
    for (size_t i = 0; i < w->code_count; i++)
        fprintf(w->to, "    case 0x%1$xu: to_%1$08x = call_entry; break;\n", w->codes[i].low);
    fputs("    }\n}\n", w->to);
}

static void put_functions(gs_writer *w)
{
    fputs("gs_fast_function *const functions[] = {\n", w->to);
    for (size_t i = 0; i < w->code_count; i++)
        fprintf(w->to, "    f_%08x,\n", w->codes[i].low);
    fputs("};\n", w->to);
}

void gs_translate(FILE *to, const gs_translation_options *options, const gs_code *codes,
                  size_t count)
{
    gs_writer w = {
        .to = to,
        .options = options,
        .isa = options->machine->isa,
        .layout = gs_fast_layout_of(options->timing),
        .codes = codes,
        .code_count = count,
        .base = options->first,
        .near = options->near,
    };
    if (options->for_people)
        (void)gs_disassembler_open(&w.disassembler, w.isa->arch, NULL); /* without that, the rest
                                                                           is removed as well */
    put_prelude(&w);
    fputc('\n', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "gs_fast_function f_%08x;\n", codes[i].low);
    if (!options->quick)
        put_forget(&w);
    for (size_t i = 0; i < count; i++)
        put_function(&w, &codes[i]);
    if (options->quick)
        put_functions(&w);
    gs_disassembler_free(w.disassembler);
}
