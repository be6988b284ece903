/*
 * Files for tools, of what was chosen.
 *
 * All of them are about functions. A chosen loop has to be made one in the source first: the files
 * say so, and name it after its function and line.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "partition/partition.h"
#include "report/names.h"

/* The functions to be made. */
typedef struct top {
    char *name;
    const char *source; /* file; NULL: not known */
} top;

typedef struct tops {
    top *items;
    size_t count, capacity;
} tops;

static void tops_close(tops *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i].name);
    free(t->items);
}

static unsigned line_of(const gs_profile *profile, uint32_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(profile, pc);
    return insn ? insn->line : 0;
}

static char *top_name(const gs_partition *p, const gs_hw_candidate *c)
{
    const char *function = p->profile->functions.items[c->function].name;
    char *name = NULL;
    if (!c->is_loop)
        return strdup(function);
    const unsigned line = line_of(p->profile, p->profile->loops.items[c->loop].header);
    return asprintf(&name, "%s_line_%u", function, line) < 0 ? NULL : name;
}

static bool tops_open(tops *t, const gs_partition *p)
{
    *t = (tops){0};
    for (size_t i = 0; i < p->candidates.count; i++) {
        const gs_hw_candidate *c = &p->candidates.items[i];
        const uint32_t file = p->profile->functions.items[c->function].file;
        if (c->verdict != GS_HW_CHOSEN)
            continue;
        const top made = {top_name(p, c),
                          file == GS_PROFILE_NONE ? NULL : gs_report_file_name(p->profile, file)};
        if (!made.name || !gs_vec_push(t, made)) {
            free(made.name);
            tops_close(t);
            return false;
        }
    }
    return true;
}

/* Loops of the choice, as comments. */
static void put_loops(FILE *to, const gs_partition *p)
{
    for (size_t i = 0; i < p->candidates.count; i++) {
        const gs_hw_candidate *c = &p->candidates.items[i];
        if (c->verdict != GS_HW_CHOSEN || !c->is_loop)
            continue;
        char *name = gs_partition_name(p, c), *made = top_name(p, c);
        fprintf(to, "# First make the %s a function of its own, %s.\n", name ? name : "",
                made ? made : "");
        free(name);
        free(made);
    }
}

static void put_legup(FILE *to, const gs_partition *p, const tops *t)
{
    fputs("# What LegUp moves into hardware, for its hybrid flow.\n", to);
    put_loops(to, p);
    fprintf(to, "set_parameter CLOCK_PERIOD %g\n", p->hls->clock_ns);
    for (size_t i = 0; i < t->count; i++)
        fprintf(to, "set_accelerator_function \"%s\"\n", t->items[i].name);
}

/* In quotes for a shell. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (const char *at = text; *at; at++) {
        if (*at == '\'')
            fputs("'\\''", to);
        else
            fputc(*at, to);
    }
    fputc('\'', to);
}

static void put_bambu(FILE *to, const gs_partition *p, const tops *t)
{
    fputs("#!/bin/sh -e\n# PandA Bambu, once for each function that is moved.\n", to);
    put_loops(to, p);
    for (size_t i = 0; i < t->count; i++) {
        const char *source = t->items[i].source;
        fputs("bambu --top-fname=", to);
        put_quoted(to, t->items[i].name);
        fprintf(to,
                " --clock-period=%g --generate-interface=INFER --compiler=I386_GCC8 -O3 bambu.xml ",
                p->hls->clock_ns);
        put_quoted(to, source ? source : "SOURCE.c");
        fputc('\n', to);
    }
}

static void put_bambu_xml(FILE *to, const gs_partition *p, const tops *t)
{
    fputs("<?xml version=\"1.0\"?>\n<constraints>\n  <HLS_constraints>\n", to);
    fprintf(to, "    <clock_period value=\"%g\"/>\n", p->hls->clock_ns);
    for (size_t i = 0; i < t->count; i++) {
        fputs("    <top_function name=\"", to);
        gs_report_put_xml(to, t->items[i].name);
        fputs("\"/>\n", to);
    }
    fputs("  </HLS_constraints>\n</constraints>\n", to);
}

/* Vitis HLS makes one function a component: the first has the file, the others stand as comments
 * to be swapped in. */
static void put_vitis(FILE *to, const gs_partition *p, const tops *t)
{
    fputs("# Vitis HLS: a component for each function that is moved; this file is for the first.\n",
          to);
    put_loops(to, p);
    fputs("[hls]\nflow_target=vivado\n", to);
    fprintf(to, "clock=%gns\n", p->hls->clock_ns);
    for (size_t i = 0; i < t->count; i++) {
        const char *source = t->items[i].source;
        const char *mark = i == 0 ? "" : "# ";
        fprintf(to, "%ssyn.file=%s\n", mark, source ? source : "SOURCE.c");
        fprintf(to, "%ssyn.top=%s\n", mark, t->items[i].name);
        if (i == 0 && p->hls->pipelines)
            fputs("syn.compile.pipeline_loops=64\n", to);
    }
}

gs_status gs_partition_write(FILE *to, const gs_partition *partition, gs_hls_file file,
                             gs_error *err)
{
    static void (*const writers[])(FILE *, const gs_partition *, const tops *) = {
        [GS_HLS_FILE_LEGUP] = put_legup,
        [GS_HLS_FILE_BAMBU] = put_bambu,
        [GS_HLS_FILE_BAMBU_XML] = put_bambu_xml,
        [GS_HLS_FILE_VITIS] = put_vitis,
    };
    tops t;
    if (!tops_open(&t, partition))
        return gs_fail_no_memory(err);
    writers[file](to, partition, &t);
    tops_close(&t);
    return gs_report_end(to, err);
}
