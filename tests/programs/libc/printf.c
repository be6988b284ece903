/* Formatted output of integers, strings and doubles: the printing half of a C library. */
#include <float.h>
#include <limits.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0.0,     -0.0,    1.0,      0.1,    1e-5,     1e20,  123456.789,
                                    DBL_MAX, DBL_MIN, -1.5e300, 1 / 3., 2.5,      3.5,   1e15,
                                    1e16,    1e17,    0.5,      999999, 9999995., 1e-300};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("%g %.15g %e %.3f %10.2e|%-12.4g|\n", values[i], values[i], values[i],
               values[i] > 1e50 || values[i] < -1e50 ? 0.0 : values[i], values[i], values[i]);
    printf("%d %u %x %o %#x %+d %05d %-5d| %c %s %.3s %%\n", INT_MIN, UINT_MAX, 0xbeefu, 0777u,
           255u, 42, 42, 42, 'x', "string", "truncated");
    printf("%lld %llu %llx %hhd %hd\n", LLONG_MIN, ULLONG_MAX, 0x123456789abcdefULL, (char)-1,
           (short)-1);
    char buffer[32];
    int length = snprintf(buffer, sizeof buffer, "%s", "a string that is too long for its buffer");
    printf("%d %s\n", length, buffer);
    int a, b;
    double d;
    char word[16];
    int fields = sscanf("17 0x1f 2.75e2 word", "%d %i %lf %15s", &a, &b, &d, word);
    printf("%d: %d %d %g %s\n", fields, a, b, d, word);
    return 0;
}
