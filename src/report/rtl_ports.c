/* Reads the ports of modules from the library's own Verilog. */
#include "report/rtl_ports.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_verilog(const gs_embedded *file)
{
    return ends_with(file->name, ".v") || ends_with(file->name, ".vh");
}

const gs_embedded *gs_rtl_nth(size_t index)
{
    for (size_t i = 0; i < gs_embedded_count; i++) {
        if (is_verilog(&gs_embedded_files[i]) && index-- == 0)
            return &gs_embedded_files[i];
    }
    return NULL;
}

const gs_embedded *gs_rtl_source(const char *name)
{
    const gs_embedded *file;
    for (size_t i = 0; (file = gs_rtl_nth(i)); i++) {
        if (strcmp(file->name, name) == 0)
            return file;
    }
    return NULL;
}

/* A port, as in "    input  wire [31:0] trace_pc_i, // of bytes". */
static bool parse_port(gs_rtl_port *port, const char *line, size_t length)
{
    char text[160], direction[8], kind[8];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    *port = (gs_rtl_port){0};
    if (sscanf(text, " %7[a-z] %7[a-z] %39[a-z0-9_]", direction, kind, port->name) != 3 &&
        sscanf(text, " %7[a-z] %7[a-z] %31[^ ] %39[a-z0-9_]", direction, kind, port->range,
               port->name) != 4)
        return false;
    port->output = strcmp(direction, "output") == 0;
    return port->output || strcmp(direction, "input") == 0;
}

size_t gs_rtl_ports(const gs_embedded *source, gs_rtl_port ports[GS_RTL_PORTS_MAX])
{
    size_t count = 0;
    for (const char *line = source->text; count < GS_RTL_PORTS_MAX;) {
        size_t length = strcspn(line, "\n");
        count += parse_port(&ports[count], line, length);
        if (!line[length] || strncmp(line, ");", 2) == 0)
            break;
        line += length + 1;
    }
    return count;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* In code, not in a comment. */
static bool names(const char *text, const char *word, size_t length)
{
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        const char *comment = strstr(line, "//");
        bool whole = (at == text || !is_word(at[-1])) && !is_word(at[length]);
        if (whole && (!comment || comment > at))
            return true;
    }
    return false;
}

bool gs_rtl_needs(const gs_embedded *source, const gs_embedded *other)
{
    char word[64];
    bool header = ends_with(other->name, ".vh");
    int length =
        header ? snprintf(word, sizeof word, "%s", other->name)
               : snprintf(word, sizeof word, "%.*s", (int)strlen(other->name) - 2, other->name);
    return names(source->text, word, (size_t)length);
}
