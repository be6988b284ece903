/*
 * nbody.c - the outer planets in double precision, their picture in single.
 *
 * Stresses floating point: dependent chains of multiply and add, one square
 * root and one division per pair; in soft float wherever there is no FPU.
 * Built without fused multiply-add, so that every target gets the same bits.
 * Check: the energies before and after 1000 steps that the Computer Language
 * Benchmarks Game publishes for these bodies; then a checksum over the bits.
 */
#include "workload.h"

#define NAME "nbody"

#define PI         3.141592653589793
#define SOLAR_MASS (4 * PI * PI)
#define YEAR       365.24 /* days */
#define STEP       0.01   /* years */

enum { BODIES = 5, DIMENSIONS = 3, SCREEN = 16, PUBLISHED_STEPS = 1000 };

typedef struct {
    double position[DIMENSIONS], velocity[DIMENSIONS], mass;
} body;

static body bodies[BODIES] = {
    {{0, 0, 0}, {0, 0, 0}, SOLAR_MASS},
    {{4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01},
     {1.66007664274403694e-03 * YEAR, 7.69901118419740425e-03 * YEAR,
      -6.90460016972063023e-05 * YEAR},
     9.54791938424326609e-04 * SOLAR_MASS}, /* Jupiter */
    {{8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01},
     {-2.76742510726411899e-03 * YEAR, 4.99852801234917238e-03 * YEAR,
      2.30417297573763929e-05 * YEAR},
     2.85885980666130812e-04 * SOLAR_MASS}, /* Saturn */
    {{1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01},
     {2.96460137564761618e-03 * YEAR, 2.37847173959480950e-03 * YEAR,
      -2.96589568540237556e-05 * YEAR},
     4.36624404335156298e-05 * SOLAR_MASS}, /* Uranus */
    {{1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01},
     {2.68067772490389322e-03 * YEAR, 1.62824170038242295e-03 * YEAR,
      -9.51592254519715870e-05 * YEAR},
     5.15138902046611451e-05 * SOLAR_MASS}, /* Neptune */
};

static uint32_t screen[SCREEN][SCREEN];

/* Gives the sun the momentum that keeps the whole at rest. */
static void settle_sun(void)
{
    for (int d = 0; d < DIMENSIONS; d++) {
        double momentum = 0;
        for (int i = 0; i < BODIES; i++)
            momentum += bodies[i].velocity[d] * bodies[i].mass;
        bodies[0].velocity[d] = -momentum / SOLAR_MASS;
    }
}

static double distance_squared(const body *a, const body *b, double apart[DIMENSIONS])
{
    double sum = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
        apart[d] = a->position[d] - b->position[d];
        sum += apart[d] * apart[d];
    }
    return sum;
}

static NOINLINE double energy(void)
{
    double sum = 0, apart[DIMENSIONS];
    for (int i = 0; i < BODIES; i++) {
        const double *v = bodies[i].velocity;
        sum += 0.5 * bodies[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int j = i + 1; j < BODIES; j++)
            sum -= bodies[i].mass * bodies[j].mass /
                   __builtin_sqrt(distance_squared(&bodies[i], &bodies[j], apart));
    }
    return sum;
}

static NOINLINE void advance(double step)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            body *a = &bodies[i], *b = &bodies[j];
            double apart[DIMENSIONS];
            double square = distance_squared(a, b, apart);
            double pull = step / (square * __builtin_sqrt(square));
            for (int d = 0; d < DIMENSIONS; d++) {
                a->velocity[d] -= apart[d] * b->mass * pull;
                b->velocity[d] += apart[d] * a->mass * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int d = 0; d < DIMENSIONS; d++)
            bodies[i].position[d] += step * bodies[i].velocity[d];
}

/* Counts each body where a camera that looks down along z would see it. */
static NOINLINE void plot(void)
{
    for (int i = 0; i < BODIES; i++) {
        float x = (float)bodies[i].position[0], y = (float)bodies[i].position[1],
              z = (float)bodies[i].position[2];
        float scale = 8.0f / (40.0f - z);
        float column = x * scale + (float)SCREEN / 2, row = y * scale + (float)SCREEN / 2;
        if (column >= 0.0f && column < (float)SCREEN && row >= 0.0f && row < (float)SCREEN)
            screen[(int)row][(int)column]++;
    }
}

/* In units of 10^-9, rounded; all energies here are negative. */
static int32_t nano(double e)
{
    return (int32_t)(e * 1e9 - 0.5);
}

static uint32_t checksum_double(uint32_t sum, double value)
{
    union {
        double value;
        uint64_t bits;
    } u = {.value = value};
    return checksum_add(checksum_add(sum, (uint32_t)(u.bits >> 32)), (uint32_t)u.bits);
}

int main(void)
{
    settle_sun();
    if (nano(energy()) != -169075164)
        return workload_fail(NAME, "published energy at the start");

    uint32_t sum = 0;
    for (uint32_t pass = 1; pass <= WORKLOAD_PASSES(20); pass++) {
        advance(STEP);
        if (pass % 4 == 0)
            plot();
        if (pass == PUBLISHED_STEPS && nano(energy()) != -169087605)
            return workload_fail(NAME, "published energy after 1000 steps");
    }
    for (int i = 0; i < BODIES; i++)
        for (int d = 0; d < DIMENSIONS; d++)
            sum =
                checksum_double(checksum_double(sum, bodies[i].position[d]), bodies[i].velocity[d]);
    for (int y = 0; y < SCREEN; y++)
        for (int x = 0; x < SCREEN; x++)
            sum = checksum_add(sum, screen[y][x]);
    return workload_report(NAME, sum, WORKLOAD_PICK(0x7b7f73d3, 0x12378c09, 0xe748535d));
}
