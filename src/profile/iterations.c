/* Counts iterations and entries of loops, by frame of the call stack. */
#include "profile/iterations.h"

#include <stdlib.h>

#include "base/vec.h"

#define NONE UINT32_MAX

typedef struct extent {
    uint64_t fewest, most, runs;
} extent;

typedef struct header {
    uint32_t pc;
    uint32_t outer;                   /* runs further down the stack, the last first; or NONE */
    uint64_t behind;                  /* of its run: how much less it is if unsure edges lead in */
    gs_arrival onwards;               /* what coming from the code before it means */
    bool late;                        /* its run began with a way back */
    bool spoilt;                      /* an edge turned out to be other than it was taken for */
    bool unsure_onwards;              /* control came onwards, when it was unsure */
    bool doubted_back, doubted_entry; /* what unsure edges turned out to be */
    extent loose;                     /* if unsure edges are back edges, runs that had any, */
    extent strict;                    /* and if they are not */
} header;

/* A run in a frame that waits for another one to come to the same header and go. */
typedef struct run {
    uint64_t frame, iterations, behind;
    uint32_t depth;
    uint32_t outer; /* the next one further down, or NONE */
} run;

/* The last arrival that was unsure, and how things were before. */
typedef struct unsure_arrival {
    bool started; /* a run */
    bool onwards; /* had been unsure_onwards before */
    uint64_t iterations, behind;
    extent strict;
} unsure_arrival;

/* A run in a thread that is suspended. */
typedef struct put_away {
    uint32_t thread, number; /* header */
    gs_loop_run going;
    uint32_t outer;
    uint64_t behind;
    bool late;
} put_away;

typedef struct doubt {
    uint32_t from, to;
} doubt;

struct gs_iterations {
    const gs_image *image;
    gs_cfg *cfg;
    struct {
        header *items;
        size_t count, capacity;
    } headers;
    uint32_t *index; /* hash table of headers by pc: number + 1, or 0 */
    size_t index_size;
    gs_loop_run *going; /* by header; no frame: there is none */
    size_t going_capacity;
    struct {
        run *items;
        size_t count, capacity;
    } outer;
    uint32_t free_run; /* in `outer`, chained by it; or NONE */
    struct {
        put_away *items;
        size_t count, capacity;
    } put_away;
    unsure_arrival unsure;
    struct {
        doubt *items;
        size_t count, capacity;
    } doubts;
    bool no_memory;
};

static size_t hash(const gs_iterations *r, uint32_t pc)
{
    return (pc * 0x9e3779b1u >> 7) & (r->index_size - 1);
}

static uint32_t find_header(const gs_iterations *r, uint32_t pc)
{
    if (r->index_size == 0)
        return NONE;
    for (size_t at = hash(r, pc); r->index[at]; at = (at + 1) & (r->index_size - 1)) {
        if (r->headers.items[r->index[at] - 1].pc == pc)
            return r->index[at] - 1;
    }
    return NONE;
}

static void enter_index(gs_iterations *r, uint32_t number)
{
    size_t at = hash(r, r->headers.items[number].pc);
    while (r->index[at])
        at = (at + 1) & (r->index_size - 1);
    r->index[at] = number + 1;
}

static bool grow_index(gs_iterations *r)
{
    size_t size = r->index_size ? 2 * r->index_size : 256;
    uint32_t *wider = calloc(size, sizeof *wider);
    if (!wider)
        return false;
    free(r->index);
    r->index = wider;
    r->index_size = size;
    for (uint32_t i = 0; i < r->headers.count; i++)
        enter_index(r, i);
    return true;
}

/* Whether `block` lies in the loop that starts at `header`: control that goes from there to the
 * header starts another iteration. */
static bool is_inside(const gs_cfg *cfg, const gs_block *block, uint32_t start)
{
    uint32_t loop = block->loop;
    while (loop != GS_CFG_NONE) {
        const gs_loop *l = gs_cfg_loop(cfg, loop);
        if (gs_cfg_block(cfg, l->header)->start == start)
            return true;
        loop = l->parent;
    }
    return false;
}

static gs_arrival arrival_from(const gs_cfg *cfg, uint32_t pc, uint32_t start)
{
    const gs_block *block = gs_cfg_block_at(cfg, pc);
    if (!block)
        return GS_ARRIVAL_UNSURE;
    return is_inside(cfg, block, start) ? GS_ARRIVAL_BACK : GS_ARRIVAL_ENTRY;
}

/* A place for the run of one more header. */
static bool grow_going(gs_iterations *r)
{
    if (r->headers.count < r->going_capacity)
        return true;
    size_t capacity = r->going_capacity ? 2 * r->going_capacity : 64;
    gs_loop_run *wider = realloc(r->going, capacity * sizeof *wider);
    if (!wider)
        return false;
    r->going = wider;
    r->going_capacity = capacity;
    return true;
}

static uint32_t make_header(gs_iterations *r, uint32_t pc)
{
    uint32_t found = find_header(r, pc);
    if (found != NONE)
        return found;
    header made = {
        .pc = pc,
        .outer = NONE,
        .onwards = arrival_from(r->cfg, pc - 1, pc),
        .loose.fewest = UINT64_MAX,
        .strict.fewest = UINT64_MAX,
    };
    if ((2 * r->headers.count >= r->index_size && !grow_index(r)) || !grow_going(r) ||
        !gs_vec_push(&r->headers, made)) {
        r->no_memory = true;
        return NONE;
    }
    r->going[r->headers.count - 1] = gs_loop_run_none();
    enter_index(r, (uint32_t)r->headers.count - 1);
    return (uint32_t)r->headers.count - 1;
}

static void make_headers(gs_iterations *r)
{
    for (size_t i = 0; i < gs_cfg_loop_count(r->cfg); i++) {
        const gs_loop *loop = gs_cfg_loop(r->cfg, i);
        make_header(r, (uint32_t)gs_cfg_block(r->cfg, loop->header)->start);
    }
}

gs_status gs_iterations_open(gs_iterations **out, const gs_image *image, gs_error *err)
{
    *out = NULL;
    gs_iterations *r = calloc(1, sizeof *r);
    if (!r)
        return gs_fail_no_memory(err);
    r->image = image;
    r->free_run = NONE;
    gs_status status = gs_cfg_open(&r->cfg, image, err);
    if (status != GS_OK) {
        gs_iterations_free(r);
        return status;
    }
    make_headers(r);
    *out = r;
    return GS_OK;
}

void gs_iterations_free(gs_iterations *r)
{
    if (!r)
        return;
    gs_cfg_free(r->cfg);
    free(r->headers.items);
    free(r->index);
    free(r->going);
    free(r->outer.items);
    free(r->put_away.items);
    free(r->doubts.items);
    free(r);
}

size_t gs_iterations_count(const gs_iterations *r)
{
    return r->headers.count;
}

uint32_t gs_iterations_header(const gs_iterations *r, size_t index)
{
    return r->headers.items[index].pc;
}

gs_arrival gs_iterations_jump(const gs_iterations *r, uint32_t from, uint32_t to)
{
    return arrival_from(r->cfg, from, to);
}

void gs_iterations_suspect(gs_iterations *r, uint32_t from, uint32_t to)
{
    doubt made = {from, to};
    if (make_header(r, to) == NONE || !gs_vec_push(&r->doubts, made))
        r->no_memory = true;
}

uint32_t gs_iterations_loop_around(const gs_iterations *r, uint32_t pc)
{
    const gs_block *block = gs_cfg_block_at(r->cfg, pc);
    if (!block || block->loop == GS_CFG_NONE)
        return NONE;
    return (uint32_t)gs_cfg_block(r->cfg, gs_cfg_loop(r->cfg, block->loop)->header)->start;
}

bool gs_iterations_knows_code(const gs_iterations *r, uint32_t pc)
{
    return gs_cfg_block_at(r->cfg, pc) != NULL;
}

gs_status gs_iterations_learn(gs_iterations *r, const gs_observed_jump *jumps, size_t count,
                              gs_error *err)
{
    gs_cfg *cfg;
    gs_status status = gs_cfg_open_observed(&cfg, r->image, jumps, count, err);
    if (status != GS_OK)
        return status;
    gs_cfg_free(r->cfg);
    r->cfg = cfg;
    for (size_t i = 0; i < r->headers.count; i++) {
        header *h = &r->headers.items[i];
        gs_arrival now = arrival_from(cfg, h->pc - 1, h->pc);
        h->spoilt |=
            r->going[i].onwards > 0 && h->onwards != now && h->onwards != GS_ARRIVAL_UNSURE;
        h->onwards = now;
    }
    make_headers(r);
    return GS_OK;
}

size_t gs_iterations_effort(const gs_iterations *r)
{
    return gs_cfg_block_count(r->cfg);
}

void gs_iterations_spoil(gs_iterations *r, uint32_t to)
{
    uint32_t number = find_header(r, to);
    if (number != NONE)
        r->headers.items[number].spoilt = true;
}

static void note(extent *e, uint64_t iterations)
{
    e->fewest = iterations < e->fewest ? iterations : e->fewest;
    e->most = iterations > e->most ? iterations : e->most;
    e->runs++;
}

static void end_run(gs_iterations *r, uint32_t number)
{
    header *h = &r->headers.items[number];
    gs_loop_run *over = &r->going[number];
    gs_loop_run_detach(over);
    if (h->behind == 0) {
        gs_loop_run_end(over);
    } else {
        note(&h->loose, over->iterations);
        note(&h->strict, over->iterations - h->behind);
    }
}

static void look_whether_special(gs_iterations *r, uint32_t number)
{
    const header *h = &r->headers.items[number];
    r->going[number].special = (uint8_t)((h->outer != NONE ? GS_LOOP_AWAITED : 0) |
                                         (h->behind != 0 || h->late ? GS_LOOP_DOUBTED : 0));
}

/* The run of a frame below waits until this one has gone. */
static bool put_stub(gs_iterations *r, uint32_t number)
{
    header *h = &r->headers.items[number];
    gs_loop_run *going = &r->going[number];
    uint32_t at = r->free_run;
    gs_loop_run_detach(going);
    if (at == NONE) {
        run empty = {.outer = NONE};
        if (!gs_vec_push(&r->outer, empty))
            return false;
        at = (uint32_t)r->outer.count - 1;
    } else {
        r->free_run = r->outer.items[at].outer;
    }
    r->outer.items[at] = (run){going->frame, going->iterations, h->behind, going->depth, h->outer};
    h->outer = at;
    return true;
}

static void take_back(gs_iterations *r, uint32_t number)
{
    header *h = &r->headers.items[number];
    gs_loop_run *going = &r->going[number];
    uint32_t at = h->outer;
    h->late = false;
    if (at == NONE) {
        going->frame = 0;
        going->depth = UINT32_MAX;
        h->behind = 0;
    } else {
        run *back = &r->outer.items[at];
        going->frame = back->frame;
        going->iterations = back->iterations;
        going->depth = back->depth;
        h->behind = back->behind;
        h->outer = back->outer;
        back->outer = r->free_run;
        r->free_run = at;
    }
    look_whether_special(r, number);
}

/* Ends the runs of frames that are not there any more, given the last on the stack; or NULL. */
static void end_runs(gs_iterations *r, uint32_t number, const gs_frame *last)
{
    const gs_loop_run *going = &r->going[number];
    while (going->frame != 0 &&
           !(last && (going->frame == last->number || GS_LOOP_RUN_IS_BUSY(going, last)))) {
        end_run(r, number);
        take_back(r, number);
    }
}

/* A frame that comes to a header along a back edge and has no run there was in the loop before the
 * header was known. It had come to it once in this run: nothing that led back had been taken. */
static void start_run(gs_iterations *r, uint32_t number, gs_arrival arrival, const gs_frame *frame)
{
    header *h = &r->headers.items[number];
    gs_loop_run *going = &r->going[number];
    if (going->frame != 0 && !put_stub(r, number)) {
        r->no_memory = true;
        return;
    }
    going->frame = frame->number;
    going->depth = frame->depth;
    going->iterations = arrival == GS_ARRIVAL_ENTRY ? 1 : 2;
    h->late = arrival != GS_ARRIVAL_ENTRY;
    h->behind = arrival == GS_ARRIVAL_UNSURE ? 1 : 0;
    look_whether_special(r, number);
}

static void arrive(gs_iterations *r, uint32_t number, gs_arrival arrival, const gs_frame *frame)
{
    header *h = &r->headers.items[number];
    gs_loop_run *going = &r->going[number];
    end_runs(r, number, frame);
    gs_loop_run_detach(going);
    if (arrival == GS_ARRIVAL_UNSURE)
        r->unsure = (unsure_arrival){going->frame != frame->number, r->unsure.onwards,
                                     going->iterations, h->behind, h->strict};
    if (going->frame != frame->number) {
        start_run(r, number, arrival, frame);
    } else if (arrival == GS_ARRIVAL_BACK) {
        going->iterations++;
    } else if (arrival == GS_ARRIVAL_UNSURE) {
        note(&h->strict, going->iterations - h->behind);
        h->behind = going->iterations++;
        look_whether_special(r, number);
    } else {
        end_run(r, number);
        going->iterations = 1;
        h->behind = 0;
        h->late = false;
        look_whether_special(r, number);
    }
}

/* Returns what an arrival of control from the code before the header means. */
static gs_arrival come_onwards(gs_iterations *r, size_t index)
{
    header *h = &r->headers.items[index];
    r->going[index].onwards++;
    h->unsure_onwards |= h->onwards == GS_ARRIVAL_UNSURE;
    return h->onwards;
}

/* What arrive() does where nothing is in doubt: for a function that calls itself in the loop, say.
 * False: something is, and what has been done so far, arrive() would have done first. */
static bool arrive_undoubted(gs_iterations *r, uint32_t number, gs_arrival arrival,
                             const gs_frame *frame)
{
    gs_loop_run *going = &r->going[number];
    while (!(going->special & GS_LOOP_DOUBTED)) {
        if (going->frame == frame->number) {
            if (arrival == GS_ARRIVAL_ENTRY)
                gs_loop_run_end(going);
            going->iterations = arrival == GS_ARRIVAL_ENTRY ? 1 : going->iterations + 1;
            return true;
        }
        if (going->frame == 0 || GS_LOOP_RUN_IS_BUSY(going, frame)) {
            if (arrival != GS_ARRIVAL_ENTRY || (going->frame != 0 && !put_stub(r, number)))
                return false;
            going->frame = frame->number;
            going->depth = frame->depth;
            going->iterations = 1;
            going->special = r->headers.items[number].outer != NONE ? GS_LOOP_AWAITED : 0;
            return true;
        }
        gs_loop_run_end(going);
        take_back(r, number);
    }
    return false;
}

void gs_iterations_arrive(gs_iterations *r, size_t index, gs_arrival arrival, const gs_frame *frame,
                          const uint64_t *counter)
{
    gs_loop_run *going = &r->going[index];
    const uint32_t number = (uint32_t)index;
    if (arrival == GS_ARRIVAL_BACK && going->frame == frame->number) {
        going->iterations++;
    } else {
        r->unsure.onwards = r->headers.items[index].unsure_onwards;
        if (arrival == GS_ARRIVAL_ONWARDS)
            arrival = come_onwards(r, index);
        gs_loop_run_detach(going);
        if (arrival == GS_ARRIVAL_UNSURE || !arrive_undoubted(r, number, arrival, frame))
            arrive(r, number, arrival, frame);
    }
    if (counter)
        gs_loop_run_count_in(going, gs_loop_run_iterations(going), counter);
}

bool gs_iterations_resume(gs_iterations *r, size_t index, const gs_frame *frame)
{
    end_runs(r, (uint32_t)index, frame);
    gs_loop_run_detach(&r->going[index]);
    return r->going[index].frame == frame->number;
}

void gs_iterations_undo(gs_iterations *r, size_t index, gs_arrival arrival)
{
    header *h = &r->headers.items[index];
    gs_loop_run *going = &r->going[index];
    gs_loop_run_detach(going);
    if (arrival == GS_ARRIVAL_ONWARDS) {
        arrival = h->onwards;
        going->onwards--;
    }
    bool started = arrival == GS_ARRIVAL_ENTRY;
    if (arrival == GS_ARRIVAL_BACK) {
        going->iterations--;
        started = h->late && going->iterations == 1;
    } else if (arrival == GS_ARRIVAL_UNSURE) {
        started = r->unsure.started;
        h->unsure_onwards = r->unsure.onwards;
        h->strict = r->unsure.strict;
    }
    if (started) {
        take_back(r, (uint32_t)index);
    } else if (arrival == GS_ARRIVAL_UNSURE) {
        going->iterations = r->unsure.iterations;
        h->behind = r->unsure.behind;
        look_whether_special(r, (uint32_t)index);
    }
}

/* What goes on in the loop belongs to a thread that is left. */
static void put_run_away(gs_iterations *r, uint32_t number, uint32_t thread)
{
    header *h = &r->headers.items[number];
    gs_loop_run *going = &r->going[number];
    gs_loop_run_detach(going);
    const put_away made = {thread, number, *going, h->outer, h->behind, h->late};
    r->no_memory |= !gs_vec_push(&r->put_away, made);
    going->frame = 0;
    going->depth = UINT32_MAX;
    h->outer = NONE;
    h->behind = 0;
    h->late = false;
    look_whether_special(r, number);
}

static void bring_back(gs_iterations *r, const put_away *from)
{
    header *h = &r->headers.items[from->number];
    gs_loop_run *going = &r->going[from->number];
    going->frame = from->going.frame;
    going->depth = from->going.depth;
    going->iterations = from->going.iterations;
    h->outer = from->outer;
    h->behind = from->behind;
    h->late = from->late;
    look_whether_special(r, from->number);
}

static void bring_all_back(gs_iterations *r, uint32_t thread)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->put_away.count; i++) {
        if (r->put_away.items[i].thread == thread)
            bring_back(r, &r->put_away.items[i]);
        else
            r->put_away.items[kept++] = r->put_away.items[i];
    }
    r->put_away.count = kept;
}

void gs_iterations_switch(gs_iterations *r, uint32_t from, const gs_frame *last, uint32_t to)
{
    for (uint32_t i = 0; i < r->headers.count; i++) {
        end_runs(r, i, last);
        gs_loop_run_detach(&r->going[i]);
        if (r->going[i].frame != 0)
            put_run_away(r, i, from);
    }
    bring_all_back(r, to);
}

gs_loop_run *gs_iterations_going(gs_iterations *r)
{
    return r->going;
}

static void judge(gs_iterations *r, uint32_t from, uint32_t to)
{
    uint32_t number = find_header(r, to);
    if (number == NONE)
        return;
    header *h = &r->headers.items[number];
    switch (arrival_from(r->cfg, from, to)) {
    case GS_ARRIVAL_BACK: h->doubted_back = true; break;
    case GS_ARRIVAL_ENTRY: h->doubted_entry = true; break;
    default: h->spoilt = true; break;
    }
}

void gs_iterations_finish(gs_iterations *r)
{
    for (uint32_t i = 0; i < r->headers.count; i++)
        end_runs(r, i, NULL);
    while (r->put_away.count > 0) {
        const put_away *last = &r->put_away.items[--r->put_away.count];
        bring_back(r, last);
        end_runs(r, last->number, NULL);
    }
    for (size_t i = 0; i < r->doubts.count; i++)
        judge(r, r->doubts.items[i].from, r->doubts.items[i].to);
    for (size_t i = 0; i < r->headers.count; i++) {
        if (r->headers.items[i].unsure_onwards)
            judge(r, r->headers.items[i].pc - 1, r->headers.items[i].pc);
    }
}

bool gs_iterations_result(const gs_iterations *r, uint32_t pc, uint64_t entries, uint64_t *fewest,
                          uint64_t *most)
{
    uint32_t number = find_header(r, pc);
    const header *h = number == NONE ? NULL : &r->headers.items[number];
    *fewest = *most = 1; /* nothing ever led back */
    if (!h)
        return true;
    const gs_loop_run *simple = &r->going[number];
    extent found = h->doubted_entry ? h->strict : h->loose;
    found.runs += simple->runs;
    found.fewest = simple->fewest < found.fewest ? simple->fewest : found.fewest;
    found.most = simple->most > found.most ? simple->most : found.most;
    if (h->spoilt || (h->doubted_back && h->doubted_entry) || found.runs > entries)
        return false;
    if (found.runs > 0) {
        bool earlier = found.runs < entries; /* before the header was known: an iteration each */
        *fewest = earlier ? 1 : found.fewest;
        *most = found.most;
    }
    return true;
}

const gs_cfg *gs_iterations_cfg(const gs_iterations *r)
{
    return r->cfg;
}

bool gs_iterations_out_of_memory(const gs_iterations *r)
{
    return r->no_memory;
}
