/* The thread that rewrites the line of progress. */
#include "tool/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/text.h"
#include "gumshoe/timing.h"

enum { TEXT = 160, SECONDS_BEFORE = 2, NANOSECONDS = 250000000 };

/* The main thread's and the line's; `lock` guards all but `thread`. */
static struct {
    pthread_t thread;
    bool is_started;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_ended, is_visible;
    bool whole_lines; /* instead of one that is rewritten */
    double started, next;
    char text[TEXT];
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show(double seconds)
{
    if (line.whole_lines) {
        if (seconds < line.next)
            return;
        line.next *= 2;
        fprintf(stderr, "gumshoe: %s, %.0f s\n", line.text, seconds);
        return;
    }
    fprintf(stderr, "\r%s, %.0f s \033[K", line.text, seconds);
    line.is_visible = true;
}

static void *tick(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&line.lock);
    while (!line.is_ended) {
        double seconds = seconds_now() - line.started;
        if (seconds >= SECONDS_BEFORE && line.text[0])
            show(seconds);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&line.ended, &line.lock, &until);
    }
    pthread_mutex_unlock(&line.lock);
    return NULL;
}

/* The thread takes no signals: the main one waits for input that they have to interrupt. */
static void start_thread(void)
{
    sigset_t all, before;
    line.is_ended = line.is_visible = false;
    line.started = seconds_now();
    line.next = SECONDS_BEFORE;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    line.is_started = pthread_create(&line.thread, NULL, tick, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void gs_progress_start(const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    if (!isatty(STDERR_FILENO))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    pthread_mutex_lock(&line.lock);
    memcpy(line.text, text, sizeof text);
    pthread_mutex_unlock(&line.lock);
    if (!line.is_started) {
        line.whole_lines = false;
        start_thread();
    }
}

void gs_progress_stop(void)
{
    if (!line.is_started)
        return;
    pthread_mutex_lock(&line.lock);
    line.is_ended = true;
    pthread_cond_signal(&line.ended);
    pthread_mutex_unlock(&line.lock);
    pthread_join(line.thread, NULL);
    line.is_started = false;
    if (line.is_visible)
        fputs("\r\033[K", stderr);
    line.is_visible = false;
}

/* "1,234,567 instructions, 45 million a second, 24.691 ms simulated, 12% of --max-instructions" */
static void tell_run(void *self, const gs_machine *machine)
{
    const gs_run_progress *p = self;
    uint64_t instructions = gs_machine_instructions(machine);
    double seconds = seconds_now() - p->started;
    char text[TEXT], simulated[GS_TEXT_NUMBER];
    size_t length = (size_t)snprintf(text, sizeof text, "%s instructions, %.0f million a second%s",
                                     GS_TEXT_DIGITS(instructions),
                                     seconds > 0 ? (double)instructions / seconds * 1e-6 : 0,
                                     gs_machine_is_compiling(machine) ? ", translating" : "");
    if (p->timing && p->clock_hz)
        length += (size_t)snprintf(
            text + length, sizeof text - length, ", %s simulated",
            gs_text_seconds(simulated, (double)gs_timing_cycles(p->timing) / (double)p->clock_hz));
    if (p->max_instructions)
        snprintf(text + length, sizeof text - length, ", %.0f%% of --max-instructions",
                 100 * (double)instructions / (double)p->max_instructions);
    pthread_mutex_lock(&line.lock);
    memcpy(line.text, text, sizeof text);
    pthread_mutex_unlock(&line.lock);
}

void gs_progress_start_run(gs_run_progress *progress, gs_run_options *options)
{
    gs_progress_stop();
    if (!isatty(STDERR_FILENO))
        return;
    line.text[0] = '\0'; /* until the run tells something */
    line.whole_lines = progress->shares_terminal;
    progress->started = seconds_now();
    options->progress = tell_run;
    options->progress_self = progress;
    start_thread();
}
