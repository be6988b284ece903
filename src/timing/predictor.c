/*
 * What is assumed:
 *  - Only the right path trains. A wrong path fetched for a few cycles pushes
 *    nothing, pops nothing and leaves the history alone; a core that does
 *    otherwise and repairs it afterwards looks the same from here.
 *  - The return stack moves with the update, not with the prediction, so a
 *    pipeline that updates late also sees calls and returns late.
 *  - A conditional call that falls through pushes nothing.
 */
#include "timing/predictor.h"

#include <stdlib.h>
#include <string.h>

/* What the parts of a predictor need to know of a branch. */

static bool is_conditional(gs_flow flow)
{
    return flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL;
}

static bool is_call(gs_flow flow)
{
    return flow == GS_FLOW_CALL || flow == GS_FLOW_BRANCH_CALL || flow == GS_FLOW_CALL_INDIRECT ||
           flow == GS_FLOW_RETURN_CALL;
}

static bool is_return(gs_flow flow)
{
    return flow == GS_FLOW_RETURN || flow == GS_FLOW_RETURN_CALL;
}

/* Whether the target stands in the instruction. */
static bool is_direct(gs_flow flow)
{
    return is_conditional(flow) || flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL;
}

/* Traps are neither: they go where the machine sends them. */
static bool is_branch_or_jump(gs_flow flow)
{
    return is_direct(flow) || is_call(flow) || is_return(flow) || flow == GS_FLOW_JUMP_INDIRECT;
}

/* Configuration */

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static unsigned log2_of(uint32_t power)
{
    return (unsigned)__builtin_ctz(power);
}

static gs_status check_counters(const gs_predictor_config *config, gs_error *err)
{
    const bool gshare = config->scheme == GS_PREDICTOR_GSHARE;
    const char *name = gshare ? "gshare" : "bimodal";
    const uint32_t min_entries = gshare ? 2 : 1;
    const uint32_t entries = config->entries;

    if (!is_power_of_two(entries) || entries < min_entries || entries > GS_PREDICTOR_MAX_ENTRIES)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a %s predictor of %u entries is not possible: allowed are powers of two "
                       "from %u to %d",
                       name, entries, min_entries, GS_PREDICTOR_MAX_ENTRIES);
    if (config->counter_bits < 1 || config->counter_bits > GS_PREDICTOR_MAX_COUNTER_BITS)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a %s predictor with counters of %u bits is not possible: allowed are 1 to "
                       "%d",
                       name, config->counter_bits, GS_PREDICTOR_MAX_COUNTER_BITS);
    if (config->counter_start >> config->counter_bits)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a %s predictor's counters of %u bits cannot start at %u: allowed are 0 to "
                       "%u",
                       name, config->counter_bits, config->counter_start,
                       (1u << config->counter_bits) - 1);
    if (gshare && (config->history_bits < 1 || config->history_bits > log2_of(entries)))
        return gs_fail(err, GS_E_ARGUMENT,
                       "a gshare predictor of %u entries cannot use %u bits of history: allowed "
                       "are 1 to %u",
                       entries, config->history_bits, log2_of(entries));
    return GS_OK;
}

gs_status gs_predictor_check(const gs_predictor_config *config, gs_error *err)
{
    if ((unsigned)config->scheme >= GS_PREDICTOR_SCHEME_COUNT)
        return gs_fail(err, GS_E_ARGUMENT,
                       "there is no branch prediction scheme number %u: allowed are not taken, "
                       "taken, backward taken, bimodal and gshare",
                       (unsigned)config->scheme);
    if (config->unit_bytes != 2 && config->unit_bytes != 4)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a branch predictor cannot count in units of %u bytes: allowed are 2 and 4, "
                       "the size of the smallest instruction",
                       config->unit_bytes);
    if (config->delay_slots > 1)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a branch predictor cannot have %u delay slots: allowed are 0 and 1",
                       config->delay_slots);
    if (config->scheme == GS_PREDICTOR_BIMODAL || config->scheme == GS_PREDICTOR_GSHARE) {
        gs_status status = check_counters(config, err);
        if (status != GS_OK)
            return status;
    }
    if (config->btb_entries != 0 && (!is_power_of_two(config->btb_entries) ||
                                     config->btb_entries > GS_PREDICTOR_MAX_BTB_ENTRIES))
        return gs_fail(err, GS_E_ARGUMENT,
                       "a branch target buffer of %u entries is not possible: allowed are 0 and "
                       "powers of two up to %d",
                       config->btb_entries, GS_PREDICTOR_MAX_BTB_ENTRIES);
    if (config->stack_depth > GS_PREDICTOR_MAX_STACK_DEPTH)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a return stack of %u entries is not possible: allowed are 0 to %d",
                       config->stack_depth, GS_PREDICTOR_MAX_STACK_DEPTH);
    return GS_OK;
}

gs_status gs_predictor_init(gs_predictor *predictor, const gs_predictor_config *config,
                            gs_error *err)
{
    *predictor = (gs_predictor){0};
    gs_status status = gs_predictor_check(config, err);
    if (status != GS_OK)
        return status;

    predictor->scheme = config->scheme;
    predictor->unit_shift = (uint8_t)log2_of(config->unit_bytes);
    predictor->offset_base = (uint8_t)(config->delay_slots * config->unit_bytes);
    if (config->scheme == GS_PREDICTOR_BIMODAL || config->scheme == GS_PREDICTOR_GSHARE) {
        predictor->counter_max = (uint8_t)((1u << config->counter_bits) - 1);
        predictor->taken_from = (uint8_t)(1u << (config->counter_bits - 1));
        predictor->counter_mask = config->entries - 1;
        predictor->counters = malloc(config->entries);
        if (!predictor->counters)
            goto fail;
        memset(predictor->counters, (int)config->counter_start, config->entries);
        if (config->scheme == GS_PREDICTOR_GSHARE)
            predictor->history_mask = ((gs_addr)1 << config->history_bits) - 1;
    }
    if (config->btb_entries != 0) {
        predictor->btb_mask = config->btb_entries - 1;
        predictor->btb_tags = malloc(config->btb_entries * sizeof *predictor->btb_tags);
        predictor->btb_targets = calloc(config->btb_entries, sizeof *predictor->btb_targets);
        if (!predictor->btb_tags || !predictor->btb_targets)
            goto fail;
        for (uint32_t i = 0; i < config->btb_entries; i++)
            predictor->btb_tags[i] = GS_PREDICTOR_NO_TAG;
    }
    if (config->stack_depth != 0) {
        predictor->stack_depth = config->stack_depth;
        predictor->stack = calloc(config->stack_depth, sizeof *predictor->stack);
        if (!predictor->stack)
            goto fail;
    }
    return GS_OK;

fail:
    gs_predictor_fini(predictor);
    return gs_fail_no_memory(err);
}

void gs_predictor_fini(gs_predictor *predictor)
{
    free(predictor->counters);
    free(predictor->btb_tags);
    free(predictor->btb_targets);
    free(predictor->stack);
    *predictor = (gs_predictor){0};
}

/* Direction */

/* Without GSHARE the history is always 0. */
static uint8_t *counter_of(const gs_predictor *predictor, gs_addr pc)
{
    const gs_addr number = pc >> predictor->unit_shift;
    return &predictor->counters[(number ^ predictor->history) & predictor->counter_mask];
}

/* The sign of the offset, as the hardware sees it in the instruction. */
static bool is_backward(const gs_predictor *predictor, const gs_branch *branch)
{
    const gs_addr offset = branch->target - (branch->pc + predictor->offset_base);
    return offset >> (8 * sizeof offset - 1);
}

static bool predict_direction(const gs_predictor *predictor, const gs_branch *branch)
{
    switch (predictor->scheme) {
    case GS_PREDICTOR_TAKEN: return true;
    case GS_PREDICTOR_BTFN: return is_backward(predictor, branch);
    case GS_PREDICTOR_BIMODAL:
    case GS_PREDICTOR_GSHARE: return *counter_of(predictor, branch->pc) >= predictor->taken_from;
    default: return false;
    }
}

static void train_direction(gs_predictor *predictor, gs_addr pc, bool taken)
{
    if (!predictor->counters)
        return;
    uint8_t *counter = counter_of(predictor, pc);
    if (taken && *counter < predictor->counter_max)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
    predictor->history = (predictor->history << 1 | taken) & predictor->history_mask;
}

/* Target */

static bool uses_stack(const gs_predictor *predictor, gs_flow flow)
{
    return predictor->stack && is_return(flow);
}

static uint32_t below_top(const gs_predictor *predictor)
{
    return (predictor->stack_top ? predictor->stack_top : predictor->stack_depth) - 1;
}

gs_prediction gs_predictor_predict(const gs_predictor *predictor, const gs_branch *branch)
{
    const gs_flow flow = branch->flow;
    gs_prediction prediction = {.source = GS_TARGET_UNKNOWN};
    if (!is_branch_or_jump(flow))
        return prediction;

    prediction.taken = !is_conditional(flow) || predict_direction(predictor, branch);
    if (uses_stack(predictor, flow)) {
        if (predictor->stack_count > 0) {
            prediction.source = GS_TARGET_STACK;
            prediction.target = predictor->stack[below_top(predictor)];
        }
        return prediction;
    }
    if (predictor->btb_tags) {
        const gs_addr number = branch->pc >> predictor->unit_shift;
        const gs_addr entry = number & predictor->btb_mask;
        if (predictor->btb_tags[entry] == number) {
            prediction.source = GS_TARGET_BTB;
            prediction.target = predictor->btb_targets[entry];
            return prediction;
        }
    }
    if (is_direct(flow)) {
        prediction.source = GS_TARGET_DECODE;
        prediction.target = branch->target;
    }
    return prediction;
}

static void pop(gs_predictor *predictor)
{
    if (predictor->stack_count == 0)
        return;
    predictor->stack_top = below_top(predictor);
    predictor->stack_count--;
}

static void push(gs_predictor *predictor, gs_addr address)
{
    predictor->stack[predictor->stack_top] = address;
    if (++predictor->stack_top == predictor->stack_depth)
        predictor->stack_top = 0;
    if (predictor->stack_count < predictor->stack_depth)
        predictor->stack_count++;
}

void gs_predictor_update(gs_predictor *predictor, const gs_branch *branch, bool taken,
                         gs_addr target)
{
    const gs_flow flow = branch->flow;
    if (is_conditional(flow))
        train_direction(predictor, branch->pc, taken);
    if (!taken || !is_branch_or_jump(flow))
        return;
    if (predictor->btb_tags && !uses_stack(predictor, flow)) {
        const gs_addr number = branch->pc >> predictor->unit_shift;
        const gs_addr entry = number & predictor->btb_mask;
        predictor->btb_tags[entry] = number;
        predictor->btb_targets[entry] = target;
    }
    if (predictor->stack) {
        if (is_return(flow))
            pop(predictor);
        if (is_call(flow))
            push(predictor, branch->next);
    }
}

gs_guess gs_predictor_guess(gs_predictor *predictor, const gs_branch *branch, bool taken,
                            gs_addr target)
{
    if (predictor->script)
        return predictor->script->answer(predictor->script);
    const gs_prediction made = gs_predictor_predict(predictor, branch);
    gs_predictor_update(predictor, branch, taken, target);
    const bool known = made.source != GS_TARGET_UNKNOWN;
    if (made.taken == taken && (!taken || (known && made.target == target)))
        return made.source == GS_TARGET_BTB ? GS_GUESS_EARLY : GS_GUESS_RIGHT;
    return known ? GS_GUESS_WRONG : GS_GUESS_NONE;
}

bool gs_predictor_learns(const gs_predictor *predictor)
{
    return predictor->counters || predictor->btb_tags || predictor->stack;
}

bool gs_predictor_minds(const gs_predictor *predictor, gs_flow flow)
{
    return is_conditional(flow) || predictor->btb_tags ||
           (predictor->stack && (is_return(flow) || is_call(flow)));
}

gs_guess gs_predictor_at_best(const gs_predictor *predictor, gs_flow flow)
{
    if (uses_stack(predictor, flow))
        return GS_GUESS_RIGHT;
    if (predictor->btb_tags)
        return GS_GUESS_EARLY;
    return is_direct(flow) ? GS_GUESS_RIGHT : GS_GUESS_NONE;
}
