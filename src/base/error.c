/* Formats the message of a gs_error. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/plain.h"

gs_status gs_fail(gs_error *err, gs_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        gs_plain_text(err->message, "\n"); /* names in it may hold anything */
    }
    return status;
}

gs_status gs_fail_no_memory(gs_error *err)
{
    return gs_fail(err, GS_E_NO_MEMORY, "out of memory");
}
