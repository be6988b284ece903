/*
 * gpio.h - 32 pins with interrupts, as SiFive's FE310 has them.
 *
 * Registers as in its manual: values, enables, and for rising and falling edges, high and low
 * levels a word that enables interrupts and one that says which are pending. What drives the pins
 * from outside is a script of events (script.h); an output reads as what it drives.
 */
#ifndef GS_MACHINE_BARE_GPIO_H
#define GS_MACHINE_BARE_GPIO_H

#include "machine/machine.h"

enum { GS_GPIO_PINS = 32 };

typedef struct gs_gpio {
    gs_machine *machine;
    uint32_t outside; /* what drives the pins from outside */
    uint32_t seen;    /* the inputs when it looked last */
    uint32_t registers[17];
} gs_gpio;

void gs_gpio_init(gs_gpio *gpio, gs_machine *machine);

/* Of a gs_device with self = the gpio. */
bool gs_gpio_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_gpio_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* Drives a pin from outside. */
void gs_gpio_drive(gs_gpio *gpio, unsigned pin, bool high);

/* The interrupt lines, a bit for each pin. */
uint32_t gs_gpio_lines(const gs_gpio *gpio);

#endif
