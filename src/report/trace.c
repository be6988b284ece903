/* A line of text for every retired instruction and every trap. */
#include <inttypes.h>
#include <stdlib.h>

#include "gumshoe/insn.h"
#include "gumshoe/report.h"
#include "isa/disassembler.h"
#include "machine/machine.h"
#include "probe/metrics.h"
#include "report/names.h"

struct gs_trace {
    FILE *out;
    gs_disassembler *dis;
    gs_observer observer;
    const gs_timing *timing; /* or NULL: without costs */
    gs_metrics before;       /* the instruction */
};

/* Columns separated by tabs, so that both people and scripts can read them:
 * number, pc, symbol+offset, disassembly, effects. An effect is register=value or
 * [address]=value for a store, in hexadecimal. With costs, one more column has metric=number for
 * all that has moved since the line before, in decimal. A trap has a line of its own without a
 * number: the instruction it came before, and where it leads. */
static void put_place(const gs_trace *trace, const gs_machine *machine, uint64_t pc)
{
    const gs_function *function = gs_image_function_at(machine->image, pc);
    if (!function) {
        fputc('-', trace->out);
        return;
    }
    gs_report_put(trace->out, function->name, "");
    fprintf(trace->out, "+0x%" PRIx64, pc - function->start);
}

static void put_costs(gs_trace *trace, uint64_t instructions)
{
    gs_metrics now;
    gs_metrics_read(&now, trace->timing, instructions, 0);
    const char *separator = "\t";
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (i == GS_METRIC_INSTRUCTIONS || now.value[i] == trace->before.value[i])
            continue;
        fprintf(trace->out, "%s%s=%" PRIu64, separator, gs_metric_key((gs_metric)i),
                now.value[i] - trace->before.value[i]);
        separator = " ";
    }
    trace->before = now;
}

static void retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_trace *trace = self;
    const gs_isa *isa = machine->isa;
    char text[160];

    gs_disassemble(trace->dis, event->insn, event->pc, text, sizeof text);
    for (char *c = text; *c; c++) {
        if (*c == '\t')
            *c = ' ';
    }
    fprintf(trace->out, "%" PRIu64 "\t%08" PRIx64 "\t", event->number, event->pc);
    put_place(trace, machine, event->pc);
    fprintf(trace->out, "\t%s\t", text);

    const char *separator = "";
    gs_operands operands = isa->operands(event->insn);
    for (unsigned i = 0; i < 2; i++) {
        unsigned target = operands.target[i];
        if (target == GS_OPERAND_NONE)
            continue;
        bool wide = target >= GS_OPERAND_F && target < GS_OPERAND_HI;
        fprintf(trace->out, "%s%s=%0*" PRIx64, separator, gs_operand_name(isa->arch, target),
                wide ? 16 : 8, gs_hart_operand(&machine->hart, isa->arch, target));
        separator = " ";
    }
    unsigned class = isa->ops[event->insn->op].timing;
    bool stores = class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE || class == GS_CLASS_ATOMIC;
    uint8_t bytes[8];
    if (stores && event->size > 0 &&
        gs_memory_read(&machine->memory, (gs_addr)event->address, bytes, event->size)) {
        fprintf(trace->out, "%s[%08" PRIx64 "]=", separator, event->address);
        for (unsigned i = 0; i < event->size; i++) {
            unsigned at = machine->memory.big_endian ? i : event->size - 1 - i;
            fprintf(trace->out, "%02x", bytes[at]);
        }
    }
    if (trace->timing)
        put_costs(trace, event->number + 1);
    fputc('\n', trace->out);
}

static void trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    const gs_trace *trace = self;
    fprintf(trace->out, "-\t%08" PRIx64 "\t", event->pc);
    put_place(trace, machine, event->pc);
    fprintf(trace->out, "\ttrap to 0x%08" PRIx64 "\t\n", event->handler);
}

gs_status gs_trace_open(gs_trace **out, const gs_machine *machine, FILE *to, gs_error *err)
{
    *out = NULL;
    gs_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return gs_fail_no_memory(err);
    trace->out = to;
    trace->observer =
        (gs_observer){.retired = retired, .trapped = trapped, .self = trace, .name = "a trace"};
    gs_status status = gs_disassembler_open(&trace->dis, machine->isa->arch, err);
    if (status != GS_OK) {
        gs_trace_free(trace);
        return status;
    }
    *out = trace;
    return GS_OK;
}

const gs_observer *gs_trace_observer(const gs_trace *trace)
{
    return &trace->observer;
}

void gs_trace_costs(gs_trace *trace, const gs_timing *timing)
{
    trace->timing = timing;
}

void gs_trace_free(gs_trace *trace)
{
    if (!trace)
        return;
    gs_disassembler_free(trace->dis);
    free(trace);
}
