/* Registers and edges of the pins. */
#include "machine/bare/gpio.h"

enum {
    INPUT_VAL,
    INPUT_EN,
    OUTPUT_EN,
    OUTPUT_VAL,
    PULL_UP,
    DRIVE,
    RISE_IE,
    RISE_IP,
    FALL_IE,
    FALL_IP,
    HIGH_IE,
    HIGH_IP,
    LOW_IE,
    LOW_IP,
    IO_FUNCTION_EN,
    IO_FUNCTION_SEL,
    OUT_XOR,
    REGISTERS
};

void gs_gpio_init(gs_gpio *gpio, gs_machine *machine)
{
    *gpio = (gs_gpio){.machine = machine};
}

static uint32_t inputs(const gs_gpio *gpio)
{
    const uint32_t *r = gpio->registers;
    const uint32_t driven = r[OUTPUT_VAL] ^ r[OUT_XOR];
    return ((r[OUTPUT_EN] & driven) | (~r[OUTPUT_EN] & gpio->outside)) & r[INPUT_EN];
}

/* Notes edges and levels since the last look. */
static void look(gs_gpio *gpio)
{
    uint32_t *r = gpio->registers;
    const uint32_t now = inputs(gpio);
    r[RISE_IP] |= now & ~gpio->seen;
    r[FALL_IP] |= ~now & gpio->seen;
    r[HIGH_IP] |= now;
    r[LOW_IP] |= ~now & r[INPUT_EN];
    gpio->seen = now;
}

void gs_gpio_drive(gs_gpio *gpio, unsigned pin, bool high)
{
    const uint32_t bit = UINT32_C(1) << pin;
    gpio->outside = high ? gpio->outside | bit : gpio->outside & ~bit;
    look(gpio);
}

uint32_t gs_gpio_lines(const gs_gpio *gpio)
{
    const uint32_t *r = gpio->registers;
    return (r[RISE_IE] & r[RISE_IP]) | (r[FALL_IE] & r[FALL_IP]) | (r[HIGH_IE] & r[HIGH_IP]) |
           (r[LOW_IE] & r[LOW_IP]);
}

bool gs_gpio_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_gpio *gpio = self;
    if (size != 4)
        return false;
    gpio->machine->saw_time = true;
    *value = offset / 4 >= REGISTERS   ? 0
             : offset / 4 == INPUT_VAL ? inputs(gpio)
                                       : gpio->registers[offset / 4];
    return true;
}

bool gs_gpio_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_gpio *gpio = self;
    if (size != 4)
        return false;
    switch (offset / 4) {
    case INPUT_VAL: break;
    case RISE_IP:
    case FALL_IP:
    case HIGH_IP:
    case LOW_IP: gpio->registers[offset / 4] &= ~(uint32_t)value; break;
    default:
        if (offset / 4 < REGISTERS)
            gpio->registers[offset / 4] = (uint32_t)value;
        break;
    }
    look(gpio);
    gpio->machine->hart.resync = true;
    return true;
}
