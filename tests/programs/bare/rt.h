/*
 * rt.h - what the test programs have instead of a library.
 */
#ifndef RT_H
#define RT_H

#include <stdint.h>

void put(const char *text);
void put_hex(uint32_t value);
void put_dec(uint32_t value);
_Noreturn void finish(int code);

/* Where rt.c sends things: by semihosting, unless a program brings its own. */
void host_put(const char *text);
_Noreturn void host_exit(int code);

int main(void);

#endif
