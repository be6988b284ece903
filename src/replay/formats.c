/* The formats that are read, and what their readers share. */
#include "replay/formats.h"

#include <stdarg.h>
#include <stdio.h>

const gs_replay_format_reader *const gs_replay_readers[] = {
    &gs_replay_vcd,  &gs_replay_rvfi,   &gs_replay_spike, &gs_replay_ibex,
    &gs_replay_cva6, &gs_replay_tarmac, &gs_replay_qemu,  NULL,
};

gs_status gs_replay_bad_line(const gs_input *source, gs_error *err, const char *format, ...)
{
    char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gs_fail(err, GS_E_FORMAT, "%.200s: line %llu: %s", source->name,
                   (unsigned long long)source->lines, text);
}
