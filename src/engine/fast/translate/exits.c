/* Writes the lookups of I-cache lines, and the exits of superblocks: how they are counted and
 * where control goes. */
#include "engine/fast/translate/loops.h"
#include "engine/fast/translate/writer.h"

/* FETCH for a site, or nothing. */
void gs_writer_put_fetch(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_site *f = &w->s->sites[site];
    if (f->address == 0)
        fprintf(w->to, "    FETCH_GOAL(goal, %d);\n", site);
    else if (gs_icache_lines_is_new_later(&w->lines, w->s, f))
        fprintf(w->to, "    FETCH(0x%x, %d);\n", f->address, site);
}

/* Which of four lines from `first` on have to be checked, a byte each; `i` is the index of the
 * superblock's first line among them. */
static uint32_t lines_from(const gs_writer *w, unsigned *i, gs_addr first)
{
    const gs_superblock *s = w->s;
    uint32_t which = 0;
    for (; *i < s->line_count; ++*i) {
        const gs_site *site = &s->sites[s->lines[*i]];
        const gs_addr further = (site->address >> w->options->timing->icache.line_shift) - first;
        if (further >= sizeof which)
            break;
        if (gs_icache_lines_is_new(&w->lines, s, site))
            which |= (uint32_t)GS_FAST_LINE_ABSENT << (8 * further);
    }
    return which;
}

void gs_writer_put_begin(gs_writer *w)
{
    const gs_superblock *s = w->s;
    bool any = false;
    for (unsigned i = 0; i < s->line_count;) {
        const gs_addr first =
            s->sites[s->lines[i]].address >> w->options->timing->icache.line_shift;
        const uint32_t which = lines_from(w, &i, first);
        if (which == 0)
            continue;
        fprintf(w->to, "%sABSENT(0x%x, 0x%x)", any ? " OR " : "    BEGIN(", first, which);
        any = true;
    }
    if (any)
        fputs(w->options->lru_icache && s->comes_known ? ");\n    BEGUN();\n" : ");\n", w->to);
    fprintf(w->to, "p_%08x%s:\n", GS_LABEL(s));
}

/* If fetch goes down the wrong path here: checks each line it can reach. */
void gs_writer_put_wrong_path(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_cache *cache = &w->options->timing->icache;
    const gs_site *at = &w->s->sites[site];
    const gs_wrong_path *wrong_path = &w->s->wrong_path[at->wrong_path];
    gs_addr line = w->s->steps[at->step].pc >> cache->line_shift;
    const char *before = "    if (UNLIKELY(";
    for (unsigned i = 0; i < wrong_path->count; i++) {
        if (wrong_path->pc[i] >> cache->line_shift == line)
            continue;
        line = wrong_path->pc[i] >> cache->line_shift;
        fprintf(w->to, "%sLINE_MISSING(0x%xu)", before, line);
        before = " || ";
    }
    fprintf(w->to, "))\n        WRONG_PATH(%d);\n", site);
}

/* Whether the superblock checks the line of a site. */
static bool is_checked(const gs_writer *w, const gs_superblock *s, const gs_site *site)
{
    return gs_superblock_looks_up_first(s, site) ? gs_icache_lines_is_new(&w->lines, s, site)
                                                 : gs_icache_lines_is_new_later(&w->lines, s, site);
}

/* Whether a superblock uses a line in any case, and notes that on whichever exit it takes. */
static bool will_use(const gs_writer *w, const gs_superblock *s, gs_addr line)
{
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        if (gs_cache_line(w->lines.cache, site->address) == line)
            return is_checked(w, s, site) &&
                   !gs_superblock_lines_collide(s, w->options->lru_icache);
    }
    return false;
}

/* Whether an exit has to note that the line of a site has been used: not if that has been noted,
 * or the next superblock does it. */
static bool has_to_note_use(const gs_writer *w, int site, const gs_superblock *next)
{
    const gs_site *f = site < 0 ? NULL : &w->s->sites[site];
    return f && is_checked(w, w->s, f) &&
           !(next && will_use(w, next, gs_cache_line(w->lines.cache, f->address)));
}

/* USE for an exit, or nothing. `next` is the superblock that control enters without probing its
 * lines; or NULL. */
static void put_use(gs_writer *w, const gs_sb_exit *exit, const gs_superblock *next)
{
    bool uses = false;
    for (unsigned i = 0; w->options->lru_icache && !uses && i < exit->steps; i++)
        uses = has_to_note_use(w, w->s->steps[i].fetch, next) ||
               has_to_note_use(w, w->s->steps[i].second, next);
    if (uses)
        fprintf(w->to, "    USE(%u);\n", w->s->cells + (unsigned)(exit - w->s->exits));
}

/* The function of this translation that begins at `pc`, if calls may go there directly: those
 * of quick code could not be changed. */
static const gs_code *function_with(const gs_writer *w, gs_addr pc)
{
    for (size_t i = 0; !w->options->quick && i < w->code_count; i++) {
        if (pc >= w->codes[i].low && pc < w->codes[i].high && gs_code_at(&w->codes[i], pc))
            return &w->codes[i];
    }
    return NULL;
}

/* The exit by the jump at step `taken`. */
unsigned gs_writer_exit_of(const gs_writer *w, unsigned taken)
{
    unsigned number = 0;
    while (w->s->exits[number].taken != (int)taken)
        number++;
    return number;
}

/* Writes the update of the predictor by a jump. */
void gs_writer_put_guess(gs_writer *w, const gs_step *step, bool taken)
{
    if (step->guess < 0)
        return;
    uint64_t says = 0;
    gs_flow flow = w->isa->flow(&step->insn, step->pc, &says);
    const gs_predictor *predictor = &w->options->timing->predictor;
    if (flow == GS_FLOW_BRANCH && predictor->counters && !predictor->btb_tags) {
        fprintf(w->to, "    GUESS_DIRECTION(%u, 0x%xu, %d);\n", gs_writer_shift_of(w, step->guess),
                step->pc >> predictor->unit_shift, taken);
        return;
    }
    const gs_sb_exit *exit = &w->s->exits[gs_writer_exit_of(w, (unsigned)(step - w->s->steps))];
    fprintf(w->to, "    GUESS(%u, 0x%xu, %u, %u, 0x%xu, %d, ", gs_writer_shift_of(w, step->guess),
            step->pc, step->insn.length, (unsigned)flow, (unsigned)says, taken);
    if (gs_sb_exit_is_indirect(exit))
        fputs("goal);\n", w->to);
    else
        fprintf(w->to, "0x%xu);\n", exit->goal);
}

static gs_counting counting_of(const gs_writer *w, const gs_sb_exit *exit)
{
    return w->options->timing
               ? gs_predict_counting(w->s, (unsigned)(exit - w->s->exits), w->options->paths)
               : GS_COUNTED_IN_CELL;
}

static void put_cost(gs_writer *w, FILE *to, const gs_sb_exit *exit)
{
    uint64_t cost = exit->steps * (GS_FAST_CYCLE + 1);
    if (w->options->timing) {
        const gs_predicted_exit *predicted = &w->s->predicted->exits[exit - w->s->exits];
        if (!predicted->transition) {
            fputs("edge->cost", to);
            return;
        }
        cost = gs_predict_cost(predicted);
    }
    fprintf(to, "UINT64_C(0x%llx)", (unsigned long long)cost);
}

/* The conditions for taking an exit with an edge without a slow exit. */
static void put_condition_of_exit(gs_writer *w, const gs_sb_exit *exit)
{
    const char *move = exit->kind == GS_SB_EXIT_CALL || exit->kind == GS_SB_EXIT_CALL_INDIRECT
                           ? "!CAN_PUSH(GS_MOVE_CALL)"
                       : gs_sb_exit_returns(exit)         ? "!CAN_RETURN()"
                       : gs_sb_exit_is_indirect(exit)     ? "!CAN_PUSH_TAIL()"
                       : !gs_code_at(w->code, exit->goal) ? "!CAN_PUSH(GS_MOVE_TAIL)"
                                                          : "UNLIKELY(edge->move != GS_MOVE_LOCAL)";
    fputs("    if (", w->to);
    if (!w->s->predicted->exits[exit - w->s->exits].transition)
        fprintf(w->to, "!IS_FOUND(%u) || ", w->s->predicted->cell + (unsigned)(exit - w->s->exits));
    fprintf(w->to, "%s)\n        goto u_%08x%s_%u;\n", move, GS_LABEL(w->s),
            (unsigned)(exit - w->s->exits));
}

static void put_macro(gs_writer *w, FILE *to, const char *macro, unsigned cell,
                      const gs_sb_exit *exit)
{
    fprintf(to, "    %s(%u, ", macro, cell);
    put_cost(w, to, exit);
    fputs(");\n", to);
}

/* In the cold part: makes a call that does not change the call path, without a stub. */
static void put_local_call(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    fprintf(
        w->cold,
        "    if (IS_LOCAL_CALL() && !TIME_IS_UP()) {\n    GOING(0x%xu, %d);\n    after = 0x%xu;\n",
        w->s->steps[exit->steps - 1].pc, GS_ARRIVAL_ENTRY,
        w->s->predicted->exits[number].transition->after->number);
    fprintf(w->cold, "    LOCAL_TARGET();\n    goto v_%08x%s_%u;\n    }\n", GS_LABEL(w->s), number);
}

/* An exit that is counted in a cell. It has been counted as well when it becomes a slow exit. */
static void put_count_in_cell(gs_writer *w, const gs_sb_exit *exit, gs_counting how)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    const unsigned cell = w->options->timing ? w->s->predicted->cell + number : 0;
    const bool returns = how == GS_COUNTED_LATER && gs_sb_exit_returns(exit);
    if (returns)
        fputs("    if (!CAN_POP())", w->to);
    else if (how == GS_COUNTED_CALL)
        fprintf(w->to, "    if (!CAN_CALL(%u))", w->s->predicted->exits[number].target);
    if (returns || how == GS_COUNTED_CALL) {
        fprintf(w->to, "\n        goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
        put_macro(w, w->cold, "COUNT", cell, exit);
        if (how == GS_COUNTED_CALL)
            put_local_call(w, exit);
    }
    if (how == GS_COUNTED_LATER) {
        fprintf(w->to, "    COUNT_LATER(%u, ", cell);
        put_cost(w, w->to, exit);
        fprintf(w->to, ", f_%08x%s_%u);\n", GS_LABEL(w->s), number);
        if (returns)
            fprintf(w->cold, "    goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "f_%08x%s_%u:\n    cost += ", GS_LABEL(w->s), number);
        put_cost(w, w->cold, exit);
        fputs(";\n", w->cold);
    } else {
        put_macro(w, w->to, "COUNT", cell, exit);
    }
    fprintf(w->to, "    if (TIME_IS_UP())\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "t_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* The arguments of a slow exit, with the set of registers to put back if control stops there. */
static void put_slow_exit(gs_writer *w, FILE *to, const gs_sb_exit *exit, bool counted)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    fprintf(to, "%u, %s%u, %s, W_%08x%s_%u, ", gs_writer_number_of(w, w->s),
            counted ? "GS_FAST_COUNTED | " : "", number, gs_writer_state_of(w, w->s),
            GS_LABEL(w->s), number);
    if (gs_sb_exit_is_indirect(exit))
        fputs("goal", to);
    else
        fprintf(to, "0x%xu", exit->goal);
}

/* The same as put_count_in_cell() where call paths are not followed, with the slow exit. */
static void put_take(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    const bool inferred = w->options->timing && w->s->predicted->exits[number].inferred;
    fprintf(w->to, inferred ? "    TAKE_UNCOUNTED(%u, " : "    TAKE(%u, ",
            w->options->timing ? w->s->predicted->cell + number : 0);
    put_cost(w, w->to, exit);
    fputs(", ", w->to);
    put_slow_exit(w, w->to, exit, true);
    fprintf(w->to, ", t_%08x%s_%u);\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "t_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* An exit that has an edge. */
static void put_count_in_edge(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    fprintf(w->to, "    %s(%u);\n",
            w->s->predicted->exits[number].transition ? "EDGE" : "FIND_EDGE",
            w->s->predicted->cell + number);
    put_condition_of_exit(w, exit);
    fputs("    COUNT_EDGE(", w->to);
    put_cost(w, w->to, exit);
    fprintf(w->to, ");\n    if (TIME_IS_UP())\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s),
            number);
    fprintf(w->cold, "t_%08x%s_%u:\n    UNCOUNT_EDGE(", GS_LABEL(w->s), number);
    put_cost(w, w->cold, exit);
    fprintf(w->cold, ");\nu_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* Writes an exit: goes on behind it, or at label t_ or u_ in the cold part to a slow exit. */
static void put_count(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    const gs_counting how = counting_of(w, exit);
    if (gs_is_counted_in_cell(how) && !w->options->paths) {
        put_take(w, exit);
        return;
    }
    if (gs_is_counted_in_cell(how)) {
        put_count_in_cell(w, exit, how);
    } else if (how == GS_COUNTED_IN_EDGE) {
        put_count_in_edge(w, exit);
    } else {
        fprintf(w->to, "    goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
    }
    fputs("    SLOW_EXIT(", w->cold);
    put_slow_exit(w, w->cold, exit, gs_is_counted_in_cell(how));
    fputs(");\n", w->cold);
}

/* Where the iterations of a loop are counted. */
void gs_writer_put_counter(const gs_superblock *header, FILE *to)
{
    if (header->checked)
        fputs("&c->nothing", to);
    else
        fprintf(to, "&block->cells[%u].count", header->counter);
}

/* Control comes to a loop; `counts`: the exit's own count is that of the loop's iterations. */
static void put_arrival(const gs_sb_exit *exit, const gs_superblock *goal, bool counts, bool cold,
                        FILE *to)
{
    const unsigned loop = goal->loop - 1;
    const gs_arrival arrival = gs_arrival_of(exit, goal);
    const bool sure = arrival == GS_ARRIVAL_BACK || arrival == GS_ARRIVAL_ENTRY;
    if (exit->arrival == GS_ARRIVAL_ONWARDS && sure)
        fprintf(to, "    ONWARDS(%u);\n", loop);
    if (arrival == GS_ARRIVAL_BACK && goal->checked)
        fprintf(to, "    COME_BACK(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && cold)
        fprintf(to, "    ITERATE(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && !counts)
        fprintf(to, "    COUNT_ITERATION(%u);\n", goal->counter);
    if (arrival == GS_ARRIVAL_BACK)
        return;
    if (arrival == GS_ARRIVAL_ENTRY)
        fprintf(to, "    ENTER_LOOP(%u, ", loop);
    else
        fprintf(to, "    ARRIVE_BY(%u, %u, ", loop, exit->arrival);
    gs_writer_put_counter(goal, to);
    fputs(");\n", to);
}

/* An exit to another superblock of the same function, whose lines it may know. */
static void put_local_exit(gs_writer *w, const gs_sb_exit *exit, const gs_superblock *goal,
                           bool known)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    put_count(w, exit);
    if (w->options->paths) {
        const gs_addr last = w->s->steps[exit->steps - 1].pc;
        fprintf(w->to, "    CAME(0x%xu, %u);\n", last, exit->arrival);
        fprintf(w->cold,
                "    if (HAS_MOVED())\n        goto MOVED(W_%08x%s_%u);\n    CAME(0x%xu, %u);\n",
                GS_LABEL(w->s), number, last, exit->arrival);
    }
    if (w->options->paths && goal->loop) {
        put_arrival(exit, goal, w->s->predicted->cell + number == goal->counter, false, w->to);
        put_arrival(exit, goal, false, true, w->cold);
    }
    if (*gs_writer_state_of(w, goal) != '0')
        fprintf(w->to, "    c->state = %u;\n", w->s->predicted->exits[number].state);
    fprintf(w->to, "    goto %c_%08x%s;\n", known ? 'p' : 's', GS_LABEL(goal));
    fprintf(w->cold, "    goto s_%08x%s;\n", GS_LABEL(goal));
}

/* Where call paths are followed: how control leaves the function. */
static void put_leaving(gs_writer *w, const gs_sb_exit *exit)
{
    const bool calls = exit->kind == GS_SB_EXIT_CALL || exit->kind == GS_SB_EXIT_CALL_INDIRECT;
    if (!w->options->paths)
        return;
    fprintf(w->to, "    GOING(0x%xu, ", w->s->steps[exit->steps - 1].pc);
    if (calls)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ENTRY);
    else if (gs_sb_exit_returns(exit) || exit->kind == GS_SB_EXIT_STOP)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ONWARDS);
    else
        fputs("edge->arrival);\n", w->to);
}

/* An exit out of the function, but for the jump: counts it, sets `after` to the state it leads to,
 * and follows the call path. */
static void put_exit(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    const gs_transition *transition =
        w->options->timing ? w->s->predicted->exits[number].transition : NULL;
    put_count(w, exit);
    put_leaving(w, exit);
    if (transition)
        fprintf(w->to, "    after = 0x%xu;\n", transition->after->number);
    else if (counting_of(w, exit) == GS_COUNTED_IN_EDGE)
        fputs("    after = edge->after;\n", w->to);
    if (counting_of(w, exit) == GS_COUNTED_CALL)
        fprintf(w->to, "    PUSH_CALL(0x%xu);\n", exit->back);
    else if (exit->kind == GS_SB_EXIT_CALL || exit->kind == GS_SB_EXIT_CALL_INDIRECT)
        fprintf(w->to, "    PUSH(0x%xu);\n", exit->back);
    else if (gs_sb_exit_returns(exit))
        fputs("    POP();\n", w->to);
    else if (exit->kind != GS_SB_EXIT_STOP)
        fputs("    PUSH_TAIL();\n", w->to);
    fprintf(w->to, "v_%08x%s_%u:\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "    after = c->after;\n    target = c->block;\n    goto v_%08x%s_%u;\n",
            GS_LABEL(w->s), number);
}

/* The cell that counts calls that do not come back as expected, or -1. */
static int back_cell(const gs_writer *w, unsigned number)
{
    const gs_superblock *back = w->options->timing ? w->s->predicted->exits[number].back : NULL;
    return back ? gs_writer_otherwise(w, back) : -1;
}

/* Where control comes back from a call. */
static void put_back(gs_writer *w, const gs_sb_exit *exit)
{
    const unsigned number = (unsigned)(exit - w->s->exits);
    const gs_superblock *back = gs_code_at(w->code, exit->back);
    if (!back) {
        fputs("    return END(result);\n", w->to);
        return;
    }
    w->spills.superblocks[back - w->code->superblocks].entered = true;
    const uint32_t predicted = w->options->timing ? back->predicted->known[0].state->number : 0;
    fprintf(
        w->to,
        "    RELOAD();\n    if (UNLIKELY(result != PLACE(0x%xu, 0x%xu)) || IS_ON_OTHER_PATH())\n"
        "        goto r_%08x%s_%u;\n",
        exit->back, predicted, GS_LABEL(w->s), number);
    if (w->options->paths)
        fprintf(w->to, "    CAME(c->last, %d);\n", GS_ARRIVAL_ONWARDS);
    if (w->options->paths && back->loop)
        put_arrival(exit, back, false, false, w->to);
    if (*gs_writer_state_of(w, back) != '0')
        fputs("    c->state = 0;\n", w->to);
    fprintf(w->to, "    goto s_%08x%s;\n", GS_LABEL(back));
    fprintf(
        w->cold,
        "r_%08x%s_%u:\n    NOT_BACK(%d);\n"
        "    if ((uint32_t)result != 0x%xu || IS_ON_OTHER_PATH())\n        return END(result);\n"
        "    after = (uint32_t)(result >> 32);\n    goto e_%08x%s;\n",
        GS_LABEL(w->s), number, back_cell(w, number), exit->back, GS_LABEL(back));
}

/* What has been written when an exit is taken, and where it leads. */
static void note_spills(gs_writer *w, unsigned number, const gs_superblock *goal)
{
    const gs_sb_exit *exit = &w->s->exits[number];
    struct gs_superblock_spills *spills = &w->spills.superblocks[w->s - w->code->superblocks];
    spills->exits[number] = w->written;
    spills->goals[number] =
        goal ? (int)(goal - w->code->superblocks)
        : exit->kind == GS_SB_EXIT_INDIRECT && exit->flow == GS_FLOW_JUMP_INDIRECT
            ? GS_SPILLS_ANYWHERE
            : GS_SPILLS_NOWHERE;
}

void gs_writer_put_exit(gs_writer *w, unsigned number)
{
    const gs_sb_exit *exit = &w->s->exits[number];
    gs_writer_put_fetch(w, exit->fetch);
    gs_writer_put_wrong_path(w, exit->wrong_path);
    if (exit->taken >= 0)
        gs_writer_put_guess(w, &w->s->steps[exit->taken], true);
    const gs_superblock *goal = exit->kind != GS_SB_EXIT_ONWARD ? NULL
                                : w->options->timing ? w->s->predicted->exits[number].goal
                                                     : gs_code_at(w->code, exit->goal);
    note_spills(w, number, goal);
    if (goal) {
        const bool known =
            goal->line_count > 0 && gs_icache_lines_are_known(&w->lines, goal, w->s, number);
        put_use(w, exit, known ? goal : NULL);
        put_local_exit(w, exit, goal, known);
        return;
    }
    put_use(w, exit, NULL);
    put_exit(w, exit);
    char set[32];
    snprintf(set, sizeof set, "W_%08x%s_%u", GS_LABEL(w->s), number);
    const gs_code *other = gs_sb_exit_is_indirect(exit) ? NULL : function_with(w, exit->goal);
    const int cell = back_cell(w, number);
    switch (exit->kind) {
    case GS_SB_EXIT_CALL:
        if (other)
            fprintf(w->to, "    CALL(to_%08x, 0x%xu, %s, %d);\n", other->low, exit->goal, set,
                    cell);
        else
            fprintf(w->to, "    CALL(call_entry, 0x%xu, %s, %d);\n", exit->goal, set, cell);
        put_back(w, exit);
        break;
    case GS_SB_EXIT_CALL_INDIRECT:
        fprintf(w->to, "    CALL(call_entry, goal, %s, -1);\n", set);
        put_back(w, exit);
        break;
    case GS_SB_EXIT_INDIRECT:
        if (exit->flow == GS_FLOW_JUMP_INDIRECT)
            fputs("    pc = goal;\n    goto enter;\n", w->to);
        else
            fprintf(w->to, "    SPILL(%s);\n    pc = goal;\n    goto out;\n", set);
        break;
    case GS_SB_EXIT_STOP:
        fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, exit->goal);
        break;
    default:
        if (other)
            fprintf(w->to, "    GO(to_%08x, 0x%xu, %s);\n", other->low, exit->goal, set);
        else if (exit->goal >= w->code->low &&
                 exit->goal < w->code->high) /* rarely executed: not translated */
            fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, exit->goal);
        else
            fprintf(w->to, "    GO(call_entry, 0x%xu, %s);\n", exit->goal, set);
    }
}
