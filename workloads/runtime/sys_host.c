/*
 * sys_host.c - output and exit where there is a C library.
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

void sys_write(const char *text, size_t length)
{
    (void)length;
    printf("%s", text);
}

_Noreturn void sys_exit(int status)
{
    exit(status);
}
