/* The functions of math.h, printed with the digits on which good libraries agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    for (int i = -20; i <= 20; i++) {
        double x = i * 0.37;
        printf("%.11g %.11g %.11g %.11g %.11g\n", sin(x), cos(x), atan(x), exp(x), tanh(x));
        printf("%.11g %.11g %.11g %.11g\n", sqrt(x * x), cbrt(x), floor(x), fmod(x, 0.7));
        printf("%.11g %.11g %.11g\n", log(1 + x * x), pow(1 + x * x, 0.3), hypot(x, 2.0));
        printf("%.5g %.5g %.5g\n", (double)sinf((float)x), (double)expf((float)x / 4),
               (double)sqrtf(fabsf((float)x)));
        int exponent;
        double fraction = frexp(x, &exponent);
        printf("%.11g %d %.11g %ld %.11g\n", fraction, exponent, ldexp(x, 5), lround(x), rint(x));
    }
    printf("%d %d %d\n", isnan(sqrt(-1.0)) != 0, isinf(1 / 0.0) != 0, signbit(-0.0) != 0);
    printf("%.11g %.11g\n", strtod("3.25e-7xyz", NULL), atof("-17.5"));
    return 0;
}
