/*
 * Hazard3's fetch, cycle by cycle. Rules and evidence are in hazard3.c; the numbers here are its
 * rules'.
 */
#include "timing/hazard3_fetch.h"

static uint32_t word_of(uint32_t address)
{
    return address & ~UINT32_C(3);
}

void gs_hazard3_fetch_start(gs_hazard3_fetch *f, uint64_t cycle, uint32_t pc)
{
    *f = (gs_hazard3_fetch){
        .cycle = cycle, .wait = f->wait, .next = word_of(pc), .next_upper = pc & 2};
}

static void go_to(gs_hazard3_fetch *f, uint32_t target)
{
    f->next = word_of(target);
    f->next_upper = target & 2;
    f->leads = false;
}

/* Rule 12: the word at `next` has been accepted; what of it is the program's, and what comes next.
 */
static gs_hazard3_word look_up(gs_hazard3_fetch *f, bool looks)
{
    const uint32_t last = f->branch + f->branch_size - 2;
    const bool split = f->branch_size == 4 && f->branch & 2;
    gs_hazard3_word word = {.halves = f->next_upper ? 1 : 2};
    if (f->leads) { /* the second half of a branch whose first was in the word before */
        word = (gs_hazard3_word){.halves = 1, .predicted = true};
        go_to(f, f->target);
        return word;
    }
    bool found = looks && f->knows && word_of(split ? f->branch : last) == f->next;
    if (found && !split && !(last & 2)) {
        found = !f->next_upper; /* or the branch is before the part that is wanted */
        word.halves = 1;
    }
    if (found && !split) {
        word.predicted = true;
        go_to(f, f->target);
    } else {
        go_to(f, f->next + 4);
        f->leads = found;
    }
    return word;
}

/* Rule 9: presents a request, if there is one. Whether it has been accepted. */
static bool present(gs_hazard3_fetch *f, bool redirects)
{
    if (!f->held) {
        const bool full = f->queued == 2 || (f->queued == 1 && f->asked > 0) || f->asked == 2;
        if (full && !redirects)
            return false;
        f->request[f->asked++] = (gs_hazard3_word){0};
    }
    f->held = f->busy > 1;
    if (!f->held)
        f->request[f->asked - 1] = look_up(f, !redirects);
    return !f->held;
}

/* Rule 10: whether a word moves to the buffer, where `f->buffered` halfwords stay. */
static bool has_room(const gs_hazard3_fetch *f)
{
    return f->buffered < 2 || (f->buffered == 2 && f->queue[0].halves == 1);
}

static void fill(gs_hazard3_fetch *f)
{
    const gs_hazard3_word word = f->queue[0];
    if (f->queued == 0 || !has_room(f))
        return;
    f->buffered += word.halves;
    f->predicted |= (unsigned)word.predicted << (f->buffered - 1);
    f->queue[0] = f->queue[1];
    f->queued--;
}

static void pass(gs_hazard3_fetch *f, unsigned leaving, bool redirects)
{
    const bool answers = f->busy == 1; /* the oldest request, in the last cycle of its data phase */
    const gs_hazard3_word arriving = f->request[0];
    const bool accepted = present(f, redirects);
    if (answers) {
        f->request[0] = f->request[1];
        f->asked--;
        if (!arriving.dropped)
            f->queue[f->queued++] = arriving;
    }
    f->buffered -= leaving;
    f->predicted >>= leaving;
    fill(f);
    f->busy = accepted ? 1 + f->wait : f->busy - (f->busy > 0);
    f->cycle++;
}

void gs_hazard3_fetch_cycle(gs_hazard3_fetch *f, unsigned leaving)
{
    pass(f, leaving, false);
}

void gs_hazard3_fetch_until(gs_hazard3_fetch *f, uint64_t cycle)
{
    /* Nothing moves any more once the queue is full. */
    while (f->cycle < cycle && (f->queued < GS_HAZARD3_QUEUE || f->busy || has_room(f)))
        pass(f, 0, false);
    if (f->cycle < cycle)
        f->cycle = cycle;
}

/* Rule 11. */
void gs_hazard3_fetch_redirect(gs_hazard3_fetch *f, uint32_t target, unsigned staying)
{
    for (unsigned i = 0; i < f->asked; i++)
        f->request[i].dropped = true;
    go_to(f, target);
    pass(f, f->buffered - staying, true);
    f->queued = 0;
    f->buffered = staying;
    f->predicted = 0;
}

static void serialize_word(gs_serializer *to, const gs_hazard3_word *word)
{
    gs_serialize_byte(to,
                      word->halves | (unsigned)word->predicted << 2 | (unsigned)word->dropped << 3);
}

static gs_hazard3_word deserialize_word(gs_deserializer *from)
{
    const unsigned byte = gs_deserialize_byte(from);
    return (gs_hazard3_word){
        .halves = byte & 3, .predicted = byte >> 2 & 1, .dropped = byte >> 3 & 1};
}

static void serialize_address(gs_serializer *to, uint32_t address)
{
    gs_serialize_half(to, address & 0xffff);
    gs_serialize_half(to, address >> 16);
}

static uint32_t deserialize_address(gs_deserializer *from)
{
    const uint32_t low = gs_deserialize_half(from);
    return low | (uint32_t)gs_deserialize_half(from) << 16;
}

void gs_hazard3_fetch_serialize(const gs_hazard3_fetch *f, gs_serializer *to)
{
    gs_serialize_byte(to, f->buffered | f->predicted << 2 | f->queued << 5);
    gs_serialize_byte(to, f->asked | (unsigned)f->held << 2 | (unsigned)f->next_upper << 3 |
                              (unsigned)f->leads << 4 | (unsigned)f->knows << 5);
    gs_serialize_half(to, f->busy);
    for (unsigned i = 0; i < f->queued; i++)
        serialize_word(to, &f->queue[i]);
    for (unsigned i = 0; i < f->asked; i++)
        serialize_word(to, &f->request[i]);
    serialize_address(to, f->next);
    if (!f->knows)
        return;
    serialize_address(to, f->branch);
    serialize_address(to, f->target);
    gs_serialize_byte(to, f->branch_size);
}

void gs_hazard3_fetch_deserialize(gs_hazard3_fetch *f, gs_deserializer *from)
{
    *f = (gs_hazard3_fetch){.cycle = f->cycle, .wait = f->wait};
    const unsigned buffer = gs_deserialize_byte(from), flags = gs_deserialize_byte(from);
    f->buffered = buffer & 3;
    f->predicted = buffer >> 2 & 7;
    f->queued = buffer >> 5;
    f->asked = flags & 3;
    f->held = flags >> 2 & 1;
    f->next_upper = flags >> 3 & 1;
    f->leads = flags >> 4 & 1;
    f->knows = flags >> 5 & 1;
    f->busy = gs_deserialize_half(from);
    for (unsigned i = 0; i < f->queued; i++)
        f->queue[i] = deserialize_word(from);
    for (unsigned i = 0; i < f->asked; i++)
        f->request[i] = deserialize_word(from);
    f->next = deserialize_address(from);
    if (!f->knows)
        return;
    f->branch = deserialize_address(from);
    f->target = deserialize_address(from);
    f->branch_size = (uint8_t)gs_deserialize_byte(from);
}
