/*
 * sys_testdev.c - output and exit through Gumshoe's test device.
 *
 * A page of word-wide registers: +0 ends the simulation with the stored
 * status, +4 writes a character, +8 sets a marker.
 */
#include "workload.h"

#ifndef TESTDEV_BASE
#define TESTDEV_BASE 0xf0000000u
#endif

static volatile uint32_t *const testdev = (volatile uint32_t *)(uintptr_t)TESTDEV_BASE;

enum { TESTDEV_EXIT, TESTDEV_PUTC };

void sys_write(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        testdev[TESTDEV_PUTC] = (uint8_t)text[i];
}

_Noreturn void sys_exit(int status)
{
    for (;;)
        testdev[TESTDEV_EXIT] = (uint32_t)status;
}
