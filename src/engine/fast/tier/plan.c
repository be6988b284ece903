/*
 * Plans: the functions that were translated at the end of a run, for the next run of the same
 * program.
 *
 * The first line is "=SPEED INSTRUCTIONS COST TIME": what the reference engine took for a million
 * instructions and what it cost this process to take the translations into use, in microseconds,
 * how many instructions the run executed in all, and the processor time it took, in microseconds.
 * The next run is taken to be as long. The second line is "~" and, with commas between them,
 * ADDRESS:COUNT for functions that are not optimized yet: how many instructions of their quick code
 * all runs have executed, so that a program that is run often gets optimized, however short it is.
 * Then comes a line per batch: functions and, for each, where control comes in and where it is not
 * followed. Before them, if there are more than before, the functions called through pointers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"
#include "engine/fast/translate/loops.h"

static const double worth = 0.05; /* share of the reference engine's time in the last run */

#define EXECUTED_MOST (UINT64_C(1) << 40) /* no sum of these overflows */

/* What the first line says. */
typedef struct head {
    double seconds_per_instruction, cost, time; /* in seconds */
    uint64_t instructions;
} head;

static bool read_head(const char *text, head *of_plan)
{
    double speed, cost, time;
    *of_plan = (head){0};
    if (sscanf(text, "=%lf %" SCNu64 " %lf %lf", &speed, &of_plan->instructions, &cost, &time) !=
            4 ||
        !(speed >= 1 && speed < 1e6) || !(cost >= 0 && cost < 1e9) || !(time >= 0 && time < 1e12))
        return false;
    of_plan->seconds_per_instruction = speed * 1e-12;
    of_plan->cost = cost * 1e-6;
    of_plan->time = time * 1e-6;
    return true;
}

/* -- writing ------------------------------------------------------------------------------------
 */

static void write_text(gs_tier *t, const char *text)
{
    for (; *text; text++)
        (void)gs_vec_push(&t->plan, *text);
}

static void write_number(gs_tier *t, const char *before, gs_addr number)
{
    char text[32];
    snprintf(text, sizeof text, "%s%" PRIx32, before, number);
    write_text(t, text);
}

void gs_plan_add(gs_tier *t, const gs_batch *b)
{
    for (const size_t before = t->plan_pointed; t->plan_pointed < b->pointed; t->plan_pointed++) {
        write_number(t, t->plan_pointed == before ? "*" : ",",
                     gs_fast_pointed(t->fast)->items[t->plan_pointed]);
        if (t->plan_pointed + 1 == b->pointed)
            write_text(t, " ");
    }
    for (size_t i = 0; i < b->count; i++) {
        const gs_candidate *c = gs_tier_candidate(t, b->codes[i].low);
        for (size_t k = 0; k < c->seeds.count; k++)
            write_number(t, k ? "," : i ? " " : "", c->seeds.items[k]);
        for (size_t k = 0; k < c->stops.count; k++)
            write_number(t, k ? "," : "/", c->stops.items[k]);
    }
    write_text(t, "\n");
}

/* The line of what quick code has executed; the caller's. NULL when memory is out. */
static char *executed_line(const gs_tier *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    const char *before = "~";
    for (size_t i = 0; i < t->candidates.count; i++) {
        const gs_candidate *c = t->candidates.items[i];
        if (c->executed > 0) {
            fprintf(to, "%s%" PRIx32 ":%" PRIu64, before, c->low, c->executed);
            before = ",";
        }
    }
    if (*before == ',')
        fputc('\n', to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

/* What follows a line of a text. */
static const char *next_line(const char *text)
{
    text = strchrnul(text, '\n');
    return *text ? text + 1 : text;
}

/* The batches of a plan. */
static const char *batches_of(const char *plan)
{
    plan = next_line(plan);
    return *plan == '~' ? next_line(plan) : plan;
}

/* The time it takes this process to load all translations of a plan. */
static double cost_of(const gs_tier *t)
{
    unsigned steps = 0;
    for (size_t i = 0; i < t->loaded.count; i++) {
        for (size_t k = 0; !t->loaded.items[i].quick && k < t->loaded.items[i].count; k++)
            steps += gs_code_steps(&t->loaded.items[i].codes[k]);
    }
    return t->payback.costs[false].own_per_step * steps;
}

void gs_plan_close(gs_tier *t)
{
    const char *lines = NULL;
    head of_plan;
    char *text, *executed = t->store ? executed_line(t) : NULL;
    if (executed && t->old_plan && read_head(t->old_plan, &of_plan)) { /* it has not been followed:
                                                                          it stays */
        lines = batches_of(t->old_plan);
    } else if (executed && gs_vec_push(&t->plan, '\0')) {
        lines = t->plan.items;
        of_plan.cost = cost_of(t);
    }
    if (lines && (*lines || *executed) &&
        asprintf(&text, "=%.0f %" PRIu64 " %.0f %.0f\n%s%s",
                 t->payback.seconds_per_instruction * 1e12, t->machine->hart.instret - t->begun_at,
                 of_plan.cost * 1e6, gs_tier_elapsed(t) * 1e6, executed, lines) >= 0) {
        gs_store_write_plan(t->store, t->plan_name, text);
        free(text);
    }
    free(executed);
    free(t->old_plan);
    free(t->plan.items);
}

/* -- following ----------------------------------------------------------------------------------
 */

/* Numbers with commas between them; returns what follows. */
static const char *read_list(gs_candidate *c, const char *text,
                             bool (*add)(gs_candidate *c, gs_addr pc))
{
    char *end;
    do {
        add(c, (gs_addr)strtoul(text, &end, 16));
        text = end + 1;
    } while (*end == ',');
    return end;
}

/* Reads a word of a plan: a function, or the list of those called through pointers. False when
 * memory is out. */
static bool follow_word(gs_tier *t, gs_batch *b, const char *word)
{
    if (*word == '*') {
        char *end = NULL;
        for (const char *at = word; *at == '*' || *at == ','; at = end)
            gs_fast_point_to(t->fast, (gs_addr)strtoul(at + 1, &end, 16));
        return true;
    }
    gs_candidate *c = gs_tier_candidate(t, (gs_addr)strtoul(word, NULL, 16));
    for (size_t i = 0; c && i < b->count; i++)
        c = b->codes[i].low == c->low ? NULL : c;
    if (!c)
        return true;
    c->seeds.count = c->stops.count = 0;
    c->by[false].tries += c->code && !c->code->quick;
    c->done = true;
    const char *rest = read_list(c, word, gs_candidate_add_seed);
    if (*rest == '/')
        read_list(c, rest + 1, gs_candidate_add_stop);
    gs_code *code = &b->codes[b->count];
    if (!gs_candidate_find_code(c, code, &t->arena, t->machine, t->timing, t->loops.items,
                                t->loops.count) ||
        (t->observers.paths && !gs_loops_find(code, &t->arena, &t->observers)))
        return false;
    b->count += code->count > 0;
    return true;
}

static gs_status follow_line(gs_tier *t, char *line, bool *ok, gs_error *err)
{
    gs_batch b;
    char *rest = NULL;
    *ok = gs_batch_open(&b, strlen(line) / 2 + 1);
    for (char *word = strtok_r(line, " ", &rest); *ok && word; word = strtok_r(NULL, " ", &rest))
        *ok = follow_word(t, &b, word);
    if (!*ok) {
        gs_batch_close(&b);
        return GS_OK;
    }
    gs_status status = gs_tier_translate(t, &b, !t->limited, err);
    return status == GS_OK && t->waits ? gs_tier_wait(t, false, err) : status;
}

gs_status gs_plan_follow(gs_tier *t, gs_error *err)
{
    char *text = t->old_plan, *line_rest = NULL;
    bool ok = true;
    gs_status status = GS_OK;
    t->old_plan = NULL;
    for (char *line = strtok_r(text, "\n", &line_rest);
         line && ok && status == GS_OK && !t->broken && !gs_tier_is_busy(t, false);
         line = strtok_r(NULL, "\n", &line_rest)) {
        if (*line != '=' && *line != '~')
            status = follow_line(t, line, &ok, err);
    }
    free(text);
    return status;
}

bool gs_plan_may_follow(const gs_tier *t, double slack)
{
    head of_plan;
    return t->old_plan && read_head(t->old_plan, &of_plan) && of_plan.cost <= slack;
}

/* Adds what earlier runs have executed of quick code to the candidates. */
static void read_executed(gs_tier *t)
{
    const char *text = next_line(t->old_plan);
    if (*text != '~')
        return;
    do {
        gs_addr pc;
        uint64_t count;
        gs_candidate *c = sscanf(text + 1, "%" SCNx32 ":%" SCNu64, &pc, &count) == 2
                              ? gs_tier_candidate(t, pc)
                              : NULL;
        if (!c)
            return;
        c->executed = count < EXECUTED_MOST ? count : EXECUTED_MOST;
        t->executed += c->executed;
        text += 1 + strcspn(text + 1, ",\n");
    } while (*text == ',');
}

bool gs_plan_read(gs_tier *t)
{
    head of_plan;
    if (!read_head(t->old_plan, &of_plan))
        return false;
    t->payback.seconds_per_instruction = of_plan.seconds_per_instruction;
    t->last_run = of_plan.time;
    read_executed(t);
    const double before = (double)of_plan.instructions * of_plan.seconds_per_instruction;
    return of_plan.cost <= worth * (t->payback.base + before);
}

gs_status gs_plan_open(gs_tier *t, gs_error *err)
{
    if (t->broken || !gs_store_read_plan(t->store, t->plan_name, &t->old_plan))
        return GS_OK;
    const bool pays = gs_plan_read(t);
    return !t->limited || pays ? gs_plan_follow(t, err) : GS_OK;
}
