/*
 * pipeline - producer, stages, consumer: values go from core to core through mailboxes.
 *
 * Core 0 produces and consumes; the others are stages, each of which transforms what it receives
 * and sends it on to the next. How many stages there are makes no difference to the result: core 0
 * does what is left of STAGES itself.
 */
#include "many.h"

#ifndef VALUES
#define VALUES 64
#endif
enum { STAGES = 8, ROUNDS = 12 };

static uint32_t transform(uint32_t value, uint32_t stage)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        value = (value ^ (value >> 7)) * (2654435761u + 2 * stage) + i;
    return value;
}

int main(void)
{
    const uint32_t me = hart(), count = harts();
    const uint32_t last = count - 1 < STAGES ? count - 1 : STAGES;
    uint32_t checksum = 0, sent = 0;

    if (me > last)
        return 0;
    if (me > 0) {
        for (uint32_t i = 0; i < VALUES; i++)
            send(me == last ? 0 : me + 1, transform(receive(), me));
        return 0;
    }
    for (uint32_t got = 0; got < VALUES; got++) {
        uint32_t value = got;
        /* As many on their way as boxes hold for sure: one for each stage. */
        while (last > 0 && sent < VALUES && sent - got < last)
            send(1, sent++);
        if (last > 0)
            value = receive();
        for (uint32_t stage = last + 1; stage <= STAGES; stage++)
            value = transform(value, stage);
        checksum = checksum * 31 + value;
    }
    put_result("pipeline", checksum);
    return 0;
}
