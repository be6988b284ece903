/*
 * engine.c - an engine controller: table interpolation, injection, ignition, idle.
 *
 * Stresses fixed-point multiply and divide, binary search along table axes, and
 * control flow by mode (a switch), driven by a simple model of the engine.
 * Check: interpolation must be exact at the table points and half way between
 * them; then a checksum over the actuator values.
 */
#include "workload.h"

#define NAME "engine"

enum { AXIS = 12, DEGREES_PER_CYCLE = 720, CYLINDERS = 4 };

typedef enum { MODE_CRANK, MODE_IDLE, MODE_RUN, MODE_FULL_LOAD, MODE_OVERRUN } engine_mode;

typedef struct {
    int32_t rpm;      /* 1/min */
    int32_t pressure; /* manifold, 0.1 kPa */
    int32_t throttle; /* 0 to 1000 */
    int32_t coolant;  /* 0.1 degree Celsius */
    int32_t battery;  /* 0.01 V */
    int32_t lambda;   /* 1000 is stoichiometric */
    bool knock;
} sensors;

typedef struct {
    engine_mode mode;
    int32_t trim;         /* closed-loop fuel correction, 1/4096 */
    int32_t knock_retard; /* 0.1 degree */
    int32_t idle_integral;
} controller;

typedef struct {
    int32_t injection_us, advance, idle_valve, dwell_degrees;
} actuators;

static const int16_t rpm_axis[AXIS] = {500,  800,  1100, 1500, 2000, 2500,
                                       3000, 3600, 4300, 5000, 5800, 6800};
static const int16_t pressure_axis[AXIS] = {200, 270, 340, 410, 480, 550,
                                            620, 700, 780, 860, 940, 1020};

/* Filled once from smooth formulas; on a real engine a test bench fills them. */
static int16_t efficiency_map[AXIS][AXIS]; /* 0.1 percent */
static int16_t advance_map[AXIS][AXIS];    /* 0.1 degree before top dead centre */

static const int16_t warmup_axis[6] = {-300, 0, 200, 400, 600, 800};
static const int16_t warmup_curve[6] = {1900, 1600, 1350, 1180, 1060, 1000}; /* 1/1000 */
static const int16_t battery_axis[6] = {800, 1000, 1100, 1200, 1300, 1500};
static const int16_t dead_time_curve[6] = {2400, 1500, 1200, 1000, 850, 600}; /* us */

static void fill_maps(void)
{
    for (int r = 0; r < AXIS; r++)
        for (int p = 0; p < AXIS; p++) {
            int32_t from_peak = (rpm_axis[r] - 3600) / 50;
            efficiency_map[r][p] =
                (int16_t)(880 - from_peak * from_peak / 16 + pressure_axis[p] / 20);
            advance_map[r][p] =
                (int16_t)(80 + rpm_axis[r] / 20 - pressure_axis[p] / 8 + (r * p % 5) * 3);
        }
}

/* The index of the interval that holds v, which is clamped to the axis. */
static NOINLINE int find_interval(const int16_t *axis, int n, int32_t *v)
{
    int low = 0, high = n - 1;
    if (*v < axis[0])
        *v = axis[0];
    if (*v > axis[n - 1])
        *v = axis[n - 1];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (axis[middle] <= *v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int32_t lerp(int32_t a, int32_t b, int32_t part, int32_t whole)
{
    return a + (b - a) * part / whole;
}

static NOINLINE int32_t look_up(const int16_t *axis, const int16_t *curve, int n, int32_t v)
{
    int i = find_interval(axis, n, &v);
    return lerp(curve[i], curve[i + 1], v - axis[i], axis[i + 1] - axis[i]);
}

static NOINLINE int32_t look_up_map(int16_t map[AXIS][AXIS], int32_t rpm, int32_t pressure)
{
    int r = find_interval(rpm_axis, AXIS, &rpm), p = find_interval(pressure_axis, AXIS, &pressure);
    int32_t part = pressure - pressure_axis[p], whole = pressure_axis[p + 1] - pressure_axis[p];
    int32_t below = lerp(map[r][p] * 16, map[r][p + 1] * 16, part, whole);
    int32_t above = lerp(map[r + 1][p] * 16, map[r + 1][p + 1] * 16, part, whole);
    return lerp(below, above, rpm - rpm_axis[r], rpm_axis[r + 1] - rpm_axis[r]) / 16;
}

static int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

static NOINLINE engine_mode choose_mode(engine_mode mode, const sensors *s)
{
    switch (mode) {
    case MODE_CRANK: return s->rpm > 650 ? MODE_IDLE : MODE_CRANK;
    case MODE_IDLE: return s->throttle > 30 ? MODE_RUN : s->rpm < 300 ? MODE_CRANK : MODE_IDLE;
    case MODE_RUN:
        if (s->throttle > 800)
            return MODE_FULL_LOAD;
        if (s->throttle < 20)
            return s->rpm > 1800 ? MODE_OVERRUN : MODE_IDLE;
        return MODE_RUN;
    case MODE_FULL_LOAD: return s->throttle < 750 ? MODE_RUN : MODE_FULL_LOAD;
    case MODE_OVERRUN:
        return s->throttle > 30 ? MODE_RUN : s->rpm < 1400 ? MODE_IDLE : MODE_OVERRUN;
    }
    return MODE_CRANK;
}

/* Speed-density: air mass from pressure and efficiency, fuel from air mass. */
static NOINLINE int32_t injection_time(controller *c, const sensors *s)
{
    if (c->mode == MODE_OVERRUN)
        return 0;
    int32_t efficiency = look_up_map(efficiency_map, s->rpm, s->pressure);
    int32_t fuel_us = s->pressure * efficiency / 100;
    fuel_us = fuel_us * look_up(warmup_axis, warmup_curve, 6, s->coolant) / 1000;
    if (c->mode == MODE_FULL_LOAD)
        fuel_us = fuel_us * 112 / 100;
    else if (c->mode == MODE_CRANK)
        fuel_us *= 2;
    else
        c->trim = clamp(c->trim + (s->lambda > 1000 ? 4 : -4), -800, 800);
    fuel_us += fuel_us * c->trim / 4096;
    return fuel_us + look_up(battery_axis, dead_time_curve, 6, s->battery);
}

static NOINLINE int32_t ignition_advance(controller *c, const sensors *s)
{
    if (c->mode == MODE_CRANK)
        return 50;
    c->knock_retard = s->knock ? c->knock_retard + 30 : c->knock_retard - c->knock_retard / 16;
    c->knock_retard = clamp(c->knock_retard, 0, 120);
    return clamp(look_up_map(advance_map, s->rpm, s->pressure) - c->knock_retard, -50, 450);
}

static NOINLINE int32_t idle_valve(controller *c, const sensors *s)
{
    if (c->mode != MODE_IDLE)
        return 300;
    int32_t error = 850 + (800 - clamp(s->coolant, 0, 800)) / 4 - s->rpm;
    c->idle_integral = clamp(c->idle_integral + error, -40000, 40000);
    return clamp(300 + error / 4 + c->idle_integral / 200, 0, 1000);
}

static NOINLINE actuators control(controller *c, const sensors *s)
{
    actuators a;
    c->mode = choose_mode(c->mode, s);
    a.injection_us = injection_time(c, s);
    a.advance = ignition_advance(c, s);
    a.idle_valve = idle_valve(c, s);
    /* 3 ms of dwell in degrees of crank angle, at most half of what a coil has */
    a.dwell_degrees = clamp(3 * s->rpm * 360 / 60000, 0, DEGREES_PER_CYCLE / CYLINDERS / 2);
    return a;
}

/* The engine and its driver, just real enough to visit every mode. */
static NOINLINE void drive(sensors *s, const actuators *a, uint32_t tick, uint32_t *random)
{
    uint32_t r = random_next(random);
    uint32_t phase = tick % 400;
    s->throttle = phase < 80    ? 0
                  : phase < 200 ? (int32_t)(phase - 80) * 7
                  : phase < 260 ? 400
                  : phase < 330 ? 950
                                : 0;
    int32_t air = s->throttle + a->idle_valve / 4;
    s->pressure = clamp(s->pressure + (250 + air * 3 / 4 - s->pressure) / 4, 150, 1013);
    int32_t torque = a->injection_us ? a->injection_us / 12 + a->advance / 4 - 150 : -60;
    if (s->rpm < 400)
        torque = 120; /* the starter */
    s->rpm = clamp(s->rpm + (torque - s->rpm / 12) / 8 + (int32_t)(r & 7), 0, 7000);
    s->coolant = clamp(s->coolant + (tick % 8 == 0), -300, 900);
    s->battery = 1150 + clamp(s->rpm / 8, 0, 250);
    s->lambda = 1000 + (int32_t)(r >> 8 & 63) - 32 - a->injection_us / 2000;
    s->knock = (r >> 24) < 3 && s->pressure > 800;
}

static bool interpolation_ok(void)
{
    for (int i = 0; i + 1 < AXIS; i++) {
        int32_t half =
            look_up_map(efficiency_map, rpm_axis[i], (pressure_axis[i] + pressure_axis[i + 1]) / 2);
        int32_t twice = efficiency_map[i][i] + efficiency_map[i][i + 1] - 2 * half;
        if (look_up_map(efficiency_map, rpm_axis[i], pressure_axis[i]) != efficiency_map[i][i] ||
            twice < -1 || twice > 1)
            return false;
    }
    return look_up(battery_axis, dead_time_curve, 6, 1050) == 1350 &&
           look_up(battery_axis, dead_time_curve, 6, 9999) == 600;
}

int main(void)
{
    fill_maps();
    if (!interpolation_ok())
        return workload_fail(NAME, "interpolation");

    controller c = {.mode = MODE_CRANK};
    sensors s = {.rpm = 0, .pressure = 1000, .coolant = -100, .battery = 1150, .lambda = 1000};
    actuators a = {0, 0, 0, 0};
    uint32_t random = 0xe461e, sum = 0;
    for (uint32_t tick = 0; tick < WORKLOAD_PASSES(1400); tick++) {
        drive(&s, &a, tick, &random);
        a = control(&c, &s);
        sum = checksum_add(sum, (uint32_t)a.injection_us << 16 ^ (uint32_t)a.advance);
        sum = checksum_add(sum, (uint32_t)a.idle_valve << 16 ^ (uint32_t)(a.dwell_degrees << 4) ^
                                    (uint32_t)c.mode);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x728f7dfa, 0xfdf83f09, 0x84872469));
}
