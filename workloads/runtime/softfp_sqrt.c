/*
 * softfp_sqrt.c - sqrt(), correctly rounded like an FPU's, for targets without one.
 */
#include "softfp.h"

double sqrt(double x);

double sqrt(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {.value = x};
    u.bits = sf64_sqrt(u.bits);
    return u.value;
}
