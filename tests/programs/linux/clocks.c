/* Clocks, sleeps and timers, without saying what time it is. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;

static void on_alarm(int signal)
{
    alarms += signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF;
}

static long long now(clockid_t clock)
{
    struct timespec ts;
    if (clock_gettime(clock, &ts) != 0)
        return -1;
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static volatile int work;

static void spin(void)
{
    for (int i = 0; i < 100000; i++)
        work += i;
}

int main(void)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME,           CLOCK_MONOTONIC,
                                       CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
                                       CLOCK_MONOTONIC_RAW,      CLOCK_BOOTTIME};
    struct timespec ts;
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        long long before = now(clocks[i]);
        spin();
        printf("clock %d advances %d, resolution %d\n", clocks[i], now(clocks[i]) > before,
               clock_getres(clocks[i], &ts) == 0 && ts.tv_sec == 0);
    }
    printf("bad clock %s\n", clock_gettime(77, &ts) < 0 ? strerror(errno) : "?");
    printf("bad address %s\n", clock_gettime(0, (struct timespec *)8) < 0 ? strerror(errno) : "?");
    struct timeval tv;
    gettimeofday(&tv, NULL);
    printf("of day %d, time %d\n", tv.tv_sec > 1600000000 && tv.tv_usec < 1000000,
           time(NULL) >= tv.tv_sec && time(NULL) <= tv.tv_sec + 60);

    long long start = now(CLOCK_MONOTONIC), wall = now(CLOCK_REALTIME);
    ts = (struct timespec){0, 50000000};
    printf("nanosleep %d\n", nanosleep(&ts, NULL));
    printf("slept %d %d\n", now(CLOCK_MONOTONIC) - start >= 50000000,
           now(CLOCK_REALTIME) - wall >= 50000000);
    ts.tv_nsec = 2000000000;
    printf("bad sleep %s\n", nanosleep(&ts, NULL) < 0 ? strerror(errno) : "?");
    clock_gettime(CLOCK_MONOTONIC, &ts);
    ts.tv_nsec += 10000000;
    if (ts.tv_nsec >= 1000000000)
        ts.tv_nsec -= 1000000000, ts.tv_sec++;
    printf("until %d", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL));
    printf(" %d\n", now(CLOCK_MONOTONIC) >= ts.tv_sec * 1000000000LL + ts.tv_nsec);
    printf("usleep %d\n", usleep(1000));

    struct tms tms;
    printf("times %d %d\n", times(&tms) != (clock_t)-1, tms.tms_utime >= 0);
    struct rusage usage;
    printf("rusage %d %d\n", getrusage(RUSAGE_SELF, &usage),
           usage.ru_utime.tv_sec > 0 || usage.ru_utime.tv_usec > 0);
    printf("clock %d\n", clock() > 0);

    signal(SIGALRM, on_alarm);
    printf("alarm %u", alarm(1));
    printf(" replaced %u", alarm(100));
    printf(" cancelled %u\n", alarm(0));
    struct itimerval soon = {.it_value = {0, 20000}}, left;
    setitimer(ITIMER_REAL, &soon, NULL);
    getitimer(ITIMER_REAL, &left);
    printf("left %d\n", left.it_value.tv_usec > 0 && left.it_value.tv_usec <= 20000);
    printf("pause %d %s", pause(), strerror(errno));
    printf(" alarms %d\n", alarms);
    setitimer(ITIMER_REAL, &soon, NULL);
    struct timespec rest;
    ts = (struct timespec){1, 0};
    printf("interrupted sleep %d %s\n", nanosleep(&ts, &rest), strerror(errno));
    printf("rest %d alarms %d\n", rest.tv_nsec > 0 && rest.tv_sec == 0, alarms);
    soon.it_interval.tv_usec = 5000;
    soon.it_value.tv_usec = 5000;
    alarms = 0;
    signal(SIGVTALRM, on_alarm);
    setitimer(ITIMER_VIRTUAL, &soon, NULL);
    while (alarms < 3)
        spin();
    printf("virtual alarms %d\n", alarms >= 3);
    memset(&soon, 0, sizeof soon);
    setitimer(ITIMER_VIRTUAL, &soon, &left);
    printf("interval %ld\n", (long)left.it_interval.tv_usec);

    time_t then = 1234567890;
    struct tm *tm = gmtime(&then);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", tm);
    printf("%s\n", text);
    printf("mktime %ld\n", (long)timegm(tm));
    return 0;
}
