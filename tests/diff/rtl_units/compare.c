/* Compares registers of a unit's Verilog with what its C model says. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHOWN = 8 };

void compare_register(comparison *c, const char *what, unsigned number, uint32_t address,
                      uint32_t expected)
{
    uint32_t value;
    bool answers = c->library->read(c->rtl, address, &value);
    if (answers && value == expected)
        return;
    if (++c->differences > SHOWN)
        return;
    if (answers)
        printf("%s: %s %u: the model has %" PRIu32 ", the hardware %" PRIu32 "\n", c->program, what,
               number, expected, value);
    else
        printf("%s: %s %u: the hardware does not answer\n", c->program, what, number);
}

void compare_write(comparison *c, uint32_t address, uint32_t value)
{
    if (!c->library->write(c->rtl, address, value)) {
        printf("%s: the hardware does not take a write to %05" PRIx32 "\n", c->program, address);
        c->differences++;
    }
}
