/*
 * live_device.h - a Statistics Module in a thread of the test, which sends to a collector and
 * obeys.
 *
 * Its key is all zeros, its device number 9, and it counts clocks and instructions.
 */
#ifndef GS_TESTS_LIVE_DEVICE_H
#define GS_TESTS_LIVE_DEVICE_H

#include "live/module.h"

typedef struct live_device live_device;

/* Sends to "HOST:PORT", as soon as it is told to make intervals. Aborts if that does not work. */
live_device *live_device_open(const char *to);
void live_device_close(live_device *device);

/* Counts so many intervals of 100 clocks, half of which are instructions, and sends them. */
void live_device_count(live_device *device, unsigned intervals);

#endif
