#include "engine/fast/loops.h"
#include "engine/fast/writer.h"

/* Whether it matters when lines of code have been used. */
static bool is_aged(const gs_writer *w)
{
    return w->options->ages && w->options->ages->cache;
}

/* FETCH for a site, or nothing. */
void gs_writer_put_fetch(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_site *f = &w->s->sites[site];
    if (f->address == 0)
        fprintf(w->to, "    FETCH_GOAL(goal, %d);\n", site);
    else if (gs_code_lines_is_new_later(&w->lines, w->s, f))
        fprintf(w->to, "    FETCH(0x%x, %d);\n", f->address, site);
}

/* Up to four lines from `first` on that somebody has to look at, of those from the `i`th on; each
 * has a byte. */
static uint32_t lines_from(const gs_writer *w, unsigned *i, gs_addr first)
{
    const gs_stretch *s = w->s;
    uint32_t which = 0;
    for (; *i < s->line_count; ++*i) {
        const gs_site *site = &s->sites[s->lines[*i]];
        const gs_addr further = (site->address >> w->options->timing->icache.line_shift) - first;
        if (further >= sizeof which)
            break;
        if (gs_code_lines_is_new(&w->lines, s, site))
            which |= (uint32_t)GS_FAST_LINE_ABSENT << (8 * further);
    }
    return which;
}

void gs_writer_put_begin(gs_writer *w)
{
    const gs_stretch *s = w->s;
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
        fputs(is_aged(w) && s->comes_known ? ");\n    BEGUN();\n" : ");\n", w->to);
    fprintf(w->to, "p_%08x%s:\n", GS_LABEL(s));
}

/* Fetch strays, if it does: one look at each line it can see. */
void gs_writer_put_strays(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_cache *cache = &w->options->timing->icache;
    const gs_site *stray = &w->s->sites[site];
    const gs_strays *strays = &w->s->strays[stray->strays];
    gs_addr line = w->s->steps[stray->step].pc >> cache->line_shift;
    const char *before = "    if (UNLIKELY(";
    for (unsigned i = 0; i < strays->count; i++) {
        if (strays->pc[i] >> cache->line_shift == line)
            continue;
        line = strays->pc[i] >> cache->line_shift;
        fprintf(w->to, "%sMISPLACED(0x%xu)", before, line);
        before = " || ";
    }
    fprintf(w->to, "))\n        STRAY(%d);\n", site);
}

/* Whether somebody looks at the line of a site of a stretch, or of any. */
static bool is_looked_at(const gs_writer *w, const gs_stretch *s, const gs_site *site)
{
    return gs_stretch_looks_up_first(s, site) ? gs_code_lines_is_new(&w->lines, s, site)
                                              : gs_code_lines_is_new_later(&w->lines, s, site);
}

/* Whether a stretch uses a line in any case, and says so whichever way it takes. */
static bool will_use(const gs_writer *w, const gs_stretch *s, gs_addr line)
{
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        if (gs_cache_line(w->lines.cache, site->address) == line)
            return is_looked_at(w, s, site) && !gs_code_ages_collide(w->options->ages, s);
    }
    return false;
}

/* Whether somebody has to say that the line of a site is used: it has not been said, and the next
 * stretch will not. */
static bool has_to_say(const gs_writer *w, int site, const gs_stretch *next)
{
    const gs_site *f = site < 0 ? NULL : &w->s->sites[site];
    return f && is_looked_at(w, w->s, f) &&
           !(next && will_use(w, next, gs_cache_line(w->lines.cache, f->address)));
}

/* USE for a way, or nothing. The next stretch is one that control comes to without a look at its
 * lines; or NULL. */
static void put_use(gs_writer *w, const gs_way *way, const gs_stretch *next)
{
    bool says = false;
    for (unsigned i = 0; is_aged(w) && !says && i < way->steps; i++)
        says =
            has_to_say(w, w->s->steps[i].fetch, next) || has_to_say(w, w->s->steps[i].second, next);
    if (says)
        fprintf(w->to, "    USE(%u);\n", w->s->cells + (unsigned)(way - w->s->ways));
}

static const gs_code *function_with(const gs_writer *w, gs_addr pc)
{
    for (size_t i = 0; i < w->code_count; i++) {
        if (pc >= w->codes[i].low && pc < w->codes[i].high && gs_code_at(&w->codes[i], pc))
            return &w->codes[i];
    }
    return NULL;
}

/* The way that step `taken` jumps. */
unsigned gs_writer_way_of(const gs_writer *w, unsigned taken)
{
    unsigned number = 0;
    while (w->s->ways[number].taken != (int)taken)
        number++;
    return number;
}

/* The predictor learns how a jump went. */
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
    const gs_way *way = &w->s->ways[gs_writer_way_of(w, (unsigned)(step - w->s->steps))];
    fprintf(w->to, "    GUESS(%u, 0x%xu, %u, %u, 0x%xu, %d, ", gs_writer_shift_of(w, step->guess),
            step->pc, step->insn.length, (unsigned)flow, (unsigned)says, taken);
    if (gs_way_is_indirect(way))
        fputs("goal);\n", w->to);
    else
        fprintf(w->to, "0x%xu);\n", way->goal);
}

static gs_counting counting_of(const gs_writer *w, const gs_way *way)
{
    return w->options->timing
               ? gs_usual_counting(w->s, (unsigned)(way - w->s->ways), w->options->paths)
               : GS_COUNTED_IN_CELL;
}

static void put_cost(gs_writer *w, FILE *to, const gs_way *way)
{
    uint64_t cost = way->steps * (GS_FAST_CYCLE + 1);
    if (w->options->timing) {
        const gs_usual_way *usual = &w->s->usual->ways[way - w->s->ways];
        if (!usual->lesson) {
            fputs("edge->cost", to);
            return;
        }
        cost = gs_usual_cost(usual);
    }
    fprintf(to, "UINT64_C(0x%llx)", (unsigned long long)cost);
}

/* What the code has to make sure of before it may take a way that has an edge. */
static void put_condition_of_way(gs_writer *w, const gs_way *way)
{
    const char *move = way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT
                           ? "!CAN_PUSH(GS_MOVE_CALL)"
                       : gs_way_returns(way) ? "!CAN_RETURN()"
                       : gs_way_is_indirect(way) || !gs_code_at(w->code, way->goal)
                           ? "!CAN_PUSH(GS_MOVE_TAIL)"
                           : "UNLIKELY(edge->move != GS_MOVE_LOCAL)";
    fputs("    if (", w->to);
    if (!w->s->usual->ways[way - w->s->ways].lesson)
        fprintf(w->to, "!IS_FOUND(%u) || ", w->s->usual->cell + (unsigned)(way - w->s->ways));
    fprintf(w->to, "%s)\n        goto u_%08x%s_%u;\n", move, GS_LABEL(w->s),
            (unsigned)(way - w->s->ways));
}

static void put_macro(gs_writer *w, FILE *to, const char *macro, unsigned cell, const gs_way *way)
{
    fprintf(to, "    %s(%u, ", macro, cell);
    put_cost(w, to, way);
    fputs(");\n", to);
}

/* A call in the cold that is nothing to the call path: it is made as it stands. */
static void put_local_call(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    fprintf(w->cold,
            "    if (IS_LOCAL_CALL() && !IS_UP()) {\n    GOING(0x%xu, %d);\n    after = 0x%xu;\n",
            w->s->steps[way->steps - 1].pc, GS_ARRIVAL_ENTRY,
            w->s->usual->ways[number].lesson->after->number);
    fprintf(w->cold, "    LOCAL_TARGET();\n    goto v_%08x%s_%u;\n    }\n", GS_LABEL(w->s), number);
}

/* A way that is counted in a cell. Whoever does not take it in the code has counted it, too, when
 * he turns to somebody. */
static void put_count_in_cell(gs_writer *w, const gs_way *way, gs_counting how)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const unsigned cell = w->options->timing ? w->s->usual->cell + number : 0;
    const bool returns = how == GS_COUNTED_LATER && gs_way_returns(way);
    if (returns)
        fputs("    if (!CAN_POP())", w->to);
    else if (how == GS_COUNTED_CALL)
        fprintf(w->to, "    if (!CAN_CALL(%u))", w->s->usual->ways[number].target);
    if (returns || how == GS_COUNTED_CALL) {
        fprintf(w->to, "\n        goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
        put_macro(w, w->cold, "COUNT", cell, way);
        if (how == GS_COUNTED_CALL)
            put_local_call(w, way);
    }
    if (how == GS_COUNTED_LATER) {
        fprintf(w->to, "    COUNT_LATER(%u, ", cell);
        put_cost(w, w->to, way);
        fprintf(w->to, ", f_%08x%s_%u);\n", GS_LABEL(w->s), number);
        if (returns)
            fprintf(w->cold, "    goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "f_%08x%s_%u:\n    cost += ", GS_LABEL(w->s), number);
        put_cost(w, w->cold, way);
        fputs(";\n", w->cold);
    } else {
        put_macro(w, w->to, "COUNT", cell, way);
    }
    fprintf(w->to, "    if (IS_UP())\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "t_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* What whoever turns to somebody tells him, and in which registers something is to be put back if
 * that is the end. */
static void put_turn(gs_writer *w, FILE *to, const gs_way *way, bool counted)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    fprintf(to, "%u, %s%u, %s, W_%08x%s_%u, ", gs_writer_number_of(w, w->s),
            counted ? "GS_FAST_COUNTED | " : "", number, gs_writer_state_of(w, w->s),
            GS_LABEL(w->s), number);
    if (gs_way_is_indirect(way))
        fputs("goal", to);
    else
        fprintf(to, "0x%xu", way->goal);
}

/* The same as put_count_in_cell() where call paths are not followed, with the turn. */
static void put_take(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const bool inferred = w->options->timing && w->s->usual->ways[number].inferred;
    fprintf(w->to, inferred ? "    TAKE_UNCOUNTED(%u, " : "    TAKE(%u, ",
            w->options->timing ? w->s->usual->cell + number : 0);
    put_cost(w, w->to, way);
    fputs(", ", w->to);
    put_turn(w, w->to, way, true);
    fprintf(w->to, ", t_%08x%s_%u);\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "t_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* A way that has an edge. */
static void put_count_in_edge(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    fprintf(w->to, "    %s(%u);\n", w->s->usual->ways[number].lesson ? "EDGE" : "FIND_EDGE",
            w->s->usual->cell + number);
    put_condition_of_way(w, way);
    fputs("    COUNT_EDGE(", w->to);
    put_cost(w, w->to, way);
    fprintf(w->to, ");\n    if (IS_UP())\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "t_%08x%s_%u:\n    UNCOUNT_EDGE(", GS_LABEL(w->s), number);
    put_cost(w, w->cold, way);
    fprintf(w->cold, ");\nu_%08x%s_%u:\n", GS_LABEL(w->s), number);
}

/* Takes a way; goes on behind it, or in the cold to label t_ or u_ and asks. */
static void put_count(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const gs_counting how = counting_of(w, way);
    if (gs_is_counted_in_cell(how) && !w->options->paths) {
        put_take(w, way);
        return;
    }
    if (gs_is_counted_in_cell(how)) {
        put_count_in_cell(w, way, how);
    } else if (how == GS_COUNTED_IN_EDGE) {
        put_count_in_edge(w, way);
    } else {
        fprintf(w->to, "    goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
    }
    fputs("    TURN(", w->cold);
    put_turn(w, w->cold, way, gs_is_counted_in_cell(how));
    fputs(");\n", w->cold);
}

/* Where the rounds of a loop are counted. */
void gs_writer_put_counter(const gs_stretch *header, FILE *to)
{
    if (header->checked)
        fputs("&c->nothing", to);
    else
        fprintf(to, "&block->cells[%u].count", header->counter);
}

/* Control comes to a loop; `counts` if the way's own count is that of the loop's rounds. */
static void put_arrival(const gs_way *way, const gs_stretch *goal, bool counts, bool cold, FILE *to)
{
    const unsigned loop = goal->loop - 1;
    const gs_arrival arrival = gs_arrival_of(way, goal);
    const bool sure = arrival == GS_ARRIVAL_BACK || arrival == GS_ARRIVAL_ENTRY;
    if (way->arrival == GS_ARRIVAL_ONWARDS && sure)
        fprintf(to, "    ONWARDS(%u);\n", loop);
    if (arrival == GS_ARRIVAL_BACK && goal->checked)
        fprintf(to, "    COME_BACK(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && cold)
        fprintf(to, "    ROUND(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && !counts)
        fprintf(to, "    COUNT_ROUND(%u);\n", goal->counter);
    if (arrival == GS_ARRIVAL_BACK)
        return;
    if (arrival == GS_ARRIVAL_ENTRY)
        fprintf(to, "    ENTER_LOOP(%u, ", loop);
    else
        fprintf(to, "    ARRIVE_BY(%u, %u, ", loop, way->arrival);
    gs_writer_put_counter(goal, to);
    fputs(");\n", to);
}

/* A way to another stretch of the same function, whose lines it may know. */
static void put_local_way(gs_writer *w, const gs_way *way, const gs_stretch *goal, bool known)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    put_count(w, way);
    if (w->options->paths) {
        const gs_addr last = w->s->steps[way->steps - 1].pc;
        fprintf(w->to, "    CAME(0x%xu, %u);\n", last, way->arrival);
        fprintf(w->cold,
                "    if (HAS_MOVED())\n        goto MOVED(W_%08x%s_%u);\n    CAME(0x%xu, %u);\n",
                GS_LABEL(w->s), number, last, way->arrival);
    }
    if (w->options->paths && goal->loop) {
        put_arrival(way, goal, w->s->usual->cell + number == goal->counter, false, w->to);
        put_arrival(way, goal, false, true, w->cold);
    }
    if (*gs_writer_state_of(w, goal) != '0')
        fprintf(w->to, "    c->state = %u;\n", w->s->usual->ways[number].state);
    fprintf(w->to, "    goto %c_%08x%s;\n", known ? 'p' : 's', GS_LABEL(goal));
    fprintf(w->cold, "    goto s_%08x%s;\n", GS_LABEL(goal));
}

/* Where call paths are followed: how control leaves the function. */
static void put_leaving(gs_writer *w, const gs_way *way)
{
    const bool calls = way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT;
    if (!w->options->paths)
        return;
    fprintf(w->to, "    GOING(0x%xu, ", w->s->steps[way->steps - 1].pc);
    if (calls)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ENTRY);
    else if (gs_way_returns(way) || way->kind == GS_WAY_STOP)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ONWARDS);
    else
        fputs("edge->arrival);\n", w->to);
}

/* The rest: the way is taken, `after` is the state it leads to, and the call path is followed. */
static void put_way_out(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const gs_fast_lesson *lesson = w->options->timing ? w->s->usual->ways[number].lesson : NULL;
    put_count(w, way);
    put_leaving(w, way);
    if (lesson)
        fprintf(w->to, "    after = 0x%xu;\n", lesson->after->number);
    else if (counting_of(w, way) == GS_COUNTED_IN_EDGE)
        fputs("    after = edge->after;\n", w->to);
    if (counting_of(w, way) == GS_COUNTED_CALL)
        fprintf(w->to, "    PUSH_CALL(0x%xu);\n", way->back);
    else if (way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT)
        fprintf(w->to, "    PUSH(0x%xu);\n", way->back);
    else if (gs_way_returns(way))
        fputs("    POP();\n", w->to);
    else if (way->kind != GS_WAY_STOP)
        fputs("    PUSH_TAIL();\n", w->to);
    fprintf(w->to, "v_%08x%s_%u:\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "    after = c->after;\n    target = c->block;\n    goto v_%08x%s_%u;\n",
            GS_LABEL(w->s), number);
}

/* The cell for calls that do not come back as they should, or -1. */
static int back_cell(const gs_writer *w, unsigned number)
{
    const gs_stretch *back = w->options->timing ? w->s->usual->ways[number].back : NULL;
    return back ? gs_writer_otherwise(w, back) : -1;
}

/* What comes back from a call. */
static void put_back(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const gs_stretch *back = gs_code_at(w->code, way->back);
    if (!back) {
        fputs("    return END(result);\n", w->to);
        return;
    }
    w->spills.stretches[back - w->code->stretches].entered = true;
    const uint32_t usual = w->options->timing ? back->usual->known[0].state->number : 0;
    fprintf(w->to,
            "    RELOAD();\n    if (UNLIKELY(result != PLACE(0x%xu, 0x%xu)) || IS_ASTRAY())\n"
            "        goto r_%08x%s_%u;\n",
            way->back, usual, GS_LABEL(w->s), number);
    if (w->options->paths)
        fprintf(w->to, "    CAME(c->last, %d);\n", GS_ARRIVAL_ONWARDS);
    if (w->options->paths && back->loop)
        put_arrival(way, back, false, false, w->to);
    if (*gs_writer_state_of(w, back) != '0')
        fputs("    c->state = 0;\n", w->to);
    fprintf(w->to, "    goto s_%08x%s;\n", GS_LABEL(back));
    fprintf(w->cold,
            "r_%08x%s_%u:\n    NOT_BACK(%d);\n"
            "    if ((uint32_t)result != 0x%xu || IS_ASTRAY())\n        return END(result);\n"
            "    after = (uint32_t)(result >> 32);\n    goto e_%08x%s;\n",
            GS_LABEL(w->s), number, back_cell(w, number), way->back, GS_LABEL(back));
}

/* What has been written when a way is taken, and where it leads. */
static void note_spills(gs_writer *w, unsigned number, const gs_stretch *goal)
{
    const gs_way *way = &w->s->ways[number];
    struct gs_stretch_spills *spills = &w->spills.stretches[w->s - w->code->stretches];
    spills->ways[number] = w->written;
    spills->goals[number] = goal ? (int)(goal - w->code->stretches)
                            : way->kind == GS_WAY_INDIRECT && way->flow == GS_FLOW_JUMP_INDIRECT
                                ? GS_SPILLS_ANYWHERE
                                : GS_SPILLS_NOWHERE;
}

void gs_writer_put_way(gs_writer *w, unsigned number)
{
    const gs_way *way = &w->s->ways[number];
    gs_writer_put_fetch(w, way->fetch);
    gs_writer_put_strays(w, way->stray);
    if (way->taken >= 0)
        gs_writer_put_guess(w, &w->s->steps[way->taken], true);
    const gs_stretch *goal = way->kind != GS_WAY_ONWARD ? NULL
                             : w->options->timing       ? w->s->usual->ways[number].goal
                                                        : gs_code_at(w->code, way->goal);
    note_spills(w, number, goal);
    if (goal) {
        const bool known =
            goal->line_count > 0 && gs_code_lines_are_known(&w->lines, goal, w->s, number);
        put_use(w, way, known ? goal : NULL);
        put_local_way(w, way, goal, known);
        return;
    }
    put_use(w, way, NULL);
    put_way_out(w, way);
    char set[32];
    snprintf(set, sizeof set, "W_%08x%s_%u", GS_LABEL(w->s), number);
    const gs_code *other = gs_way_is_indirect(way) ? NULL : function_with(w, way->goal);
    const int cell = back_cell(w, number);
    switch (way->kind) {
    case GS_WAY_CALL:
        if (other)
            fprintf(w->to, "    CALL(to_%08x, 0x%xu, %s, %d);\n", other->low, way->goal, set, cell);
        else
            fprintf(w->to, "    CALL(call_entry, 0x%xu, %s, %d);\n", way->goal, set, cell);
        put_back(w, way);
        break;
    case GS_WAY_CALL_INDIRECT:
        fprintf(w->to, "    CALL(call_entry, goal, %s, -1);\n", set);
        put_back(w, way);
        break;
    case GS_WAY_INDIRECT:
        if (way->flow == GS_FLOW_JUMP_INDIRECT)
            fputs("    pc = goal;\n    goto enter;\n", w->to);
        else
            fprintf(w->to, "    SPILL(%s);\n    pc = goal;\n    goto out;\n", set);
        break;
    case GS_WAY_STOP:
        fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, way->goal);
        break;
    default:
        if (other)
            fprintf(w->to, "    GO(to_%08x, 0x%xu, %s);\n", other->low, way->goal, set);
        else if (way->goal >= w->code->low && way->goal < w->code->high) /* it is cold */
            fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, way->goal);
        else
            fprintf(w->to, "    GO(call_entry, 0x%xu, %s);\n", way->goal, set);
    }
}
