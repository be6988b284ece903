/* Collects parameters, wires and files of a unit's Verilog. */
#include "units/hardware.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void gs_hardware_fini(gs_hardware *h)
{
    free(h->parameters.items);
    free(h->wires.items);
    free(h->files.items);
    free(h->boot.items);
    gs_arena_free(&h->arena);
}

static const char *keep(gs_hardware *h, const char *text)
{
    const char *kept = text ? gs_arena_copy(&h->arena, text, strlen(text)) : NULL;
    if (!kept)
        h->no_memory = true;
    return kept;
}

void gs_hardware_parameter(gs_hardware *h, const char *name, const char *text, const char *format,
                           ...)
{
    char value[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    gs_hardware_value item = {name, keep(h, value), text};
    if (!gs_vec_push(&h->parameters, item))
        h->no_memory = true;
}

/* In the arena; NULL when memory is out. */
static const char *written(gs_hardware *h, gs_hardware_writer *write, const void *self)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to) {
        write(to, self);
        fclose(to);
    }
    const char *kept = keep(h, text);
    free(text);
    return kept;
}

void gs_hardware_wire(gs_hardware *h, const char *name, gs_hardware_writer *write, const void *self)
{
    gs_hardware_value item = {name, written(h, write, self), NULL};
    if (!gs_vec_push(&h->wires, item))
        h->no_memory = true;
}

void gs_hardware_add_file(gs_hardware *h, const char *name, const char *about,
                          gs_hardware_writer *write, const void *self)
{
    gs_hardware_file item = {name, written(h, write, self), about};
    if (!gs_vec_push(&h->files, item))
        h->no_memory = true;
}

void gs_hardware_boot(gs_hardware *h, uint32_t address, uint32_t value)
{
    const gs_hardware_write item = {address, value};
    if (!gs_vec_push(&h->boot, item))
        h->no_memory = true;
}

/* The causes are those with which the model's amount is not 0. */
void gs_hardware_count(gs_hardware *h, gs_amount amount)
{
    unsigned causes = 0;
    if (amount == GS_AMOUNT_CYCLES || amount == GS_AMOUNT_INSTRUCTIONS) {
        gs_hardware_parameter(h, "COUNT", gs_amount_text(amount), "COUNT_%s",
                              amount == GS_AMOUNT_CYCLES ? "CYCLES" : "INSTRUCTIONS");
        return;
    }
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++) {
        gs_port port = {.valid = true, .cycles = 2};
        port.stall[cause] = 1;
        causes |= (gs_amount_of(amount, &port) != 0 ? 1u : 0u) << cause;
    }
    gs_hardware_parameter(h, "COUNT", gs_amount_text(amount), "COUNT_STALLS");
    gs_hardware_parameter(h, "STALLS", "the causes that count, a bit each", "16'h%04x", causes);
}

void gs_hardware_isa(gs_hardware *h, const gs_unit_context *context)
{
    gs_hardware_parameter(h, "MIPS", "1: MIPS; 0: RISC-V", "%d",
                          gs_image_arch(context->image) == GS_ARCH_MIPS32);
}

const char *gs_hardware_program(const gs_unit_context *context)
{
    const char *name = gs_image_name(context->image), *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}
