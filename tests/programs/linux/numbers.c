/* Arithmetic and its printing: what libc and libm compute must not depend on the machine. */
#include <ctype.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static uint32_t state = 1;

static uint32_t next(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 4;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(void)
{
    static const double values[] = {0.0,         -0.0,     1.0,           -1.5,    0.1,
                                    1e-300,      1e300,    123456789.125, DBL_MIN, DBL_MAX,
                                    DBL_EPSILON, 4.9e-324, 1.0 / 3,       M_PI};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        printf("%g %.17g %e %a %.3f %10.2f\n", values[i], values[i], values[i], values[i],
               values[i] < 1e20 ? values[i] : 0, values[i] < 1e20 ? values[i] : 0);
    volatile double zero = 0;
    printf("%f %f %d\n", 1 / zero, -1 / zero, isnan(zero / zero));
    printf("%f %g %g\n", strtod("1.5e3xyz", NULL), strtod("0x1.8p4", NULL), strtod("inf", NULL));
    printf("%f\n", atof("3.14159265358979323846"));
    for (double x = -3; x <= 3; x += 0.75)
        printf("%.15g %.15g %.15g %.15g %.15g %.15g\n", sin(x), cos(x), exp(x), atan(x),
               log(fabs(x) + 0.5), pow(2.5, x));
    printf("%.15g %.15g %.15g %.15g\n", sqrt(2), cbrt(10), hypot(3, 4), tgamma(5.5));
    printf("%g %g %g %g\n", floor(-2.5), ceil(-2.5), round(-2.5), trunc(-2.5));
    printf("%g %g %g\n", fmod(10.5, 3), remainder(10.5, 3), ldexp(0.75, 10));
    printf("%.9g %.9g %.9g\n", sinf(1), expf(2), powf(2, 0.5f));
    int exponent;
    double fraction = frexp(100, &exponent);
    printf("%g %d %g\n", fraction, exponent, modf(-3.75, &fraction));
    feclearexcept(FE_ALL_EXCEPT);
    volatile double third = 1 / (zero + 3);
    printf("inexact %d divzero %d\n", fetestexcept(FE_INEXACT) != 0,
           fetestexcept(FE_DIVBYZERO) != 0);
    third = third / zero;
    printf("divzero %d\n", fetestexcept(FE_DIVBYZERO) != 0);
    for (int mode = 0; mode < 4; mode++) {
        static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
        fesetround(modes[mode]);
        volatile double x = 2.0, y = 3.0, z = x / y;
        printf("%.20g %ld %ld\n", z, lrint(2.5), lrint(-2.5));
    }
    fesetround(FE_TONEAREST);

    printf("%d %u %x %o %ld %lld %llu %hhd\n", -5, 5u, 0xbeef, 8, -7L, INT64_MIN, UINT64_MAX, 300);
    printf("%5d|%-5d|%05d|%+d|%#x|%.3d|%c|%s|%.2s|%%\n", 42, 42, 42, 42, 42, 7, 'z', "str", "str");
    printf("%lld %lld %llu %llu\n", 123456789012345LL * 77, -123456789012345LL / 1234567,
           0xffffffffffffffffULL % 1000007, 0x123456789abcdefULL >> 7);
    printf("%ld %ld %ld\n", strtol("-0x7f", NULL, 16), strtol("777", NULL, 8),
           strtol("9999999999", NULL, 10));

    static double numbers[5000];
    for (int i = 0; i < 5000; i++)
        numbers[i] = (double)next() / 1000 - 100000;
    qsort(numbers, 5000, sizeof *numbers, ascending);
    int sorted = 1;
    double sum = 0;
    for (int i = 0; i < 5000; i++) {
        sorted &= i == 0 || numbers[i - 1] <= numbers[i];
        sum += numbers[i];
    }
    printf("sorted %d sum %.6f median %.3f\n", sorted, sum, numbers[2500]);
    double *found = bsearch(&numbers[1234], numbers, 5000, sizeof *numbers, ascending);
    printf("found %d\n", found && *found == numbers[1234]);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date"};
    qsort(words, 6, sizeof *words, by_text);
    for (int i = 0; i < 6; i++)
        printf("%s ", words[i]);
    printf("\n");
    srand(42);
    printf("%d %d %d\n", rand(), rand(), rand());
    srandom(7);
    printf("%ld %.12f\n", random(), drand48());
    wchar_t wide[16];
    printf("%zu %d\n", mbstowcs(wide, "wide", 16), (int)wide[3]);
    char text[64] = "a,b;c d";
    for (char *t = strtok(text, ",; "); t; t = strtok(NULL, ",; "))
        printf("[%s]", t);
    printf("\n%d %d %s\n", toupper('q'), isspace('\t') != 0, strerror(2));
    int a, n;
    float f;
    char word[20];
    n = sscanf("12 abc 3.5", "%d %19s %f", &a, word, &f);
    printf("%d %d %s %g\n", n, a, word, f);
    return 0;
}
