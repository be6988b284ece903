/*
 * Scripts of events: whatever the bytes, parsing ends in a script or in a message, and a script
 * hands out its events in the order of their times.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/bare/gpio.h"
#include "machine/bare/lines.h"
#include "machine/bare/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { MOST = 1000 };
    gs_script *script;
    gs_error err;
    if (gs_script_parse(&script, "fuzz", (const char *)bytes, size, &err)) {
        require(!script && !strncmp(err.message, "fuzz", 4) && strlen(err.message) > 5);
        require(!strchr(err.message, '\n'));
        return 0;
    }
    uint64_t last = 0, at = 0;
    for (unsigned i = 0; i < MOST && gs_script_due(script) != UINT64_MAX; i++) {
        const uint64_t due = gs_script_due(script);
        require(due == 0 || !gs_script_take(script, due - 1, &at));
        const gs_script_event *event = gs_script_take(script, due, &at);
        require(event && at == due && at >= last);
        require(event->number < (event->action == GS_SCRIPT_PIN ? GS_GPIO_PINS : GS_LINE_COUNT));
        require(event->action != GS_SCRIPT_INPUT || event->size > 0);
        last = at;
    }
    gs_script_free(script);
    return 0;
}
