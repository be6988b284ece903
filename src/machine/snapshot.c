/* Copies pages that have changed, and shares the others. */
#include "machine/snapshot.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/vec.h"
#include "machine/journal.h"

/* The bytes of a page, in as many snapshots as it is the same in. */
typedef struct page_copy {
    unsigned users;
    uint8_t bytes[GS_PAGE_SIZE];
} page_copy;

typedef struct page {
    uint32_t number;
    page_copy *copy;
} page;

struct gs_snapshot {
    struct {
        page *items; /* sorted; pages that are all zero are not among them */
        size_t count, capacity;
    } pages;
    gs_hart hart;
    uint64_t time, idle, translated, written;
    bool saw_time;
    size_t markers, journal;
    void *environment;
};

static const uint8_t zeros[GS_PAGE_SIZE];

/* Which pages the host has ever given memory to: the others are zero. All, if it cannot tell. */
static void find_touched(const gs_memory *memory, uint32_t first, uint32_t count, uint8_t *touched)
{
    memset(touched, 1, count);
    (void)mincore(memory->bytes + ((size_t)first << GS_PAGE_SHIFT), (size_t)count << GS_PAGE_SHIFT,
                  touched);
}

/* The copy of a page in a snapshot, from `*at` on; NULL: it is all zero. */
static page_copy *find_copy(const gs_snapshot *snapshot, uint32_t number, size_t *at)
{
    while (snapshot && *at < snapshot->pages.count && snapshot->pages.items[*at].number < number)
        ++*at;
    const bool found =
        snapshot && *at < snapshot->pages.count && snapshot->pages.items[*at].number == number;
    return found ? snapshot->pages.items[*at].copy : NULL;
}

/* Calls `visit` for every mapped page the host has given memory to. */
static bool visit_pages(gs_machine *machine,
                        bool (*visit)(void *self, gs_machine *machine, uint32_t number), void *self)
{
    enum { CHUNK = 4096 };
    uint8_t touched[CHUNK];
    const gs_memory *memory = &machine->memory;
    for (uint32_t number = 0; number < GS_PAGE_COUNT;) {
        if (!(memory->prot[number] & GS_PROT_MAPPED)) {
            number++;
            continue;
        }
        uint32_t count = 0;
        while (count < CHUNK && number + count < GS_PAGE_COUNT &&
               (memory->prot[number + count] & GS_PROT_MAPPED))
            count++;
        find_touched(memory, number, count, touched);
        for (uint32_t i = 0; i < count; i++) {
            if ((touched[i] & 1) && !visit(self, machine, number + i))
                return false;
        }
        number += count;
    }
    return true;
}

typedef struct taking {
    gs_snapshot *to;
    const gs_snapshot *before;
    size_t at;
} taking;

static bool take_page(void *self, gs_machine *machine, uint32_t number)
{
    taking *t = self;
    const uint8_t *bytes = machine->memory.bytes + ((size_t)number << GS_PAGE_SHIFT);
    page_copy *copy = find_copy(t->before, number, &t->at);
    if (!copy || memcmp(copy->bytes, bytes, GS_PAGE_SIZE) != 0) {
        if (memcmp(bytes, zeros, GS_PAGE_SIZE) == 0)
            return true;
        copy = malloc(sizeof *copy);
        if (!copy)
            return false;
        copy->users = 0;
        memcpy(copy->bytes, bytes, GS_PAGE_SIZE);
    }
    copy->users++;
    const page kept = {number, copy};
    if (gs_vec_push(&t->to->pages, kept))
        return true;
    if (--copy->users == 0)
        free(copy);
    return false;
}

gs_snapshot *gs_snapshot_take(gs_machine *machine, const gs_snapshot *before)
{
    gs_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (gs_snapshot){
        .hart = machine->hart,
        .time = machine->time,
        .idle = machine->idle,
        .translated = machine->translated,
        .written = machine->written,
        .saw_time = machine->saw_time,
        .markers = machine->markers.count,
        .journal = machine->journal ? gs_journal_position(machine->journal) : 0,
    };
    taking t = {s, before, 0};
    s->environment = machine->environment->save(machine);
    if (s->environment && visit_pages(machine, take_page, &t))
        return s;
    gs_snapshot_free(s);
    return NULL;
}

typedef struct restoring {
    const gs_snapshot *from;
    size_t at;
} restoring;

static bool restore_page(void *self, gs_machine *machine, uint32_t number)
{
    restoring *r = self;
    const gs_addr address = (gs_addr)number << GS_PAGE_SHIFT;
    const page_copy *copy = find_copy(r->from, number, &r->at);
    const uint8_t *bytes = copy ? copy->bytes : zeros;
    if (memcmp(machine->memory.bytes + address, bytes, GS_PAGE_SIZE) != 0)
        (void)gs_memory_poke(&machine->memory, address, bytes, GS_PAGE_SIZE);
    return true;
}

void gs_snapshot_restore(const gs_snapshot *s, gs_machine *machine)
{
    restoring r = {s, 0};
    (void)visit_pages(machine, restore_page, &r);
    machine->hart = s->hart;
    machine->time = s->time;
    machine->idle = s->idle;
    machine->translated = s->translated;
    machine->written = s->written;
    machine->saw_time = s->saw_time;
    machine->markers.count = s->markers;
    machine->exit = (gs_exit){.kind = GS_EXIT_NONE};
    machine->environment->restore(machine, s->environment);
    if (machine->journal)
        gs_journal_set_position(machine->journal, s->journal);
}

void gs_snapshot_free(gs_snapshot *snapshot)
{
    if (!snapshot)
        return;
    for (size_t i = 0; i < snapshot->pages.count; i++) {
        if (--snapshot->pages.items[i].copy->users == 0)
            free(snapshot->pages.items[i].copy);
    }
    free(snapshot->pages.items);
    free(snapshot->environment);
    free(snapshot);
}
