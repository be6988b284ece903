/* Keeps answers to traps as the words of the hart and the bytes of memory that they changed. */
#include "machine/journal.h"

#include <stdlib.h>

#include "base/vec.h"

enum { HART_WORDS = sizeof(gs_hart) / sizeof(uint32_t) };

typedef struct word {
    uint32_t index, value;
} word;

/* An answer. What it consists of lies in the journal's lists, from these places on. */
typedef struct answer {
    uint64_t instret;
    gs_addr pc;
    uint32_t word_count, write_count;
    size_t words, writes;
    bool saw_time;
    uint64_t written;
    size_t console; /* size of the environment's part */
    void *environment;
} answer;

typedef struct write {
    gs_addr address;
    uint32_t size;
    size_t at; /* in `bytes` */
} write;

struct gs_journal {
    gs_machine *machine;
    struct {
        answer *items;
        size_t count, capacity;
    } answers;
    struct {
        word *items;
        size_t count, capacity;
    } words;
    struct {
        write *items;
        size_t count, capacity;
    } writes;
    struct {
        uint8_t *items;
        size_t count, capacity;
    } bytes;
    size_t next; /* answer */
    bool failed;
};

gs_journal *gs_journal_open(gs_machine *machine)
{
    gs_journal *journal = calloc(1, sizeof *journal);
    if (!journal)
        return NULL;
    journal->machine = machine;
    machine->journal = journal;
    if (machine->environment->keep_input)
        machine->environment->keep_input(machine);
    return journal;
}

void gs_journal_free(gs_journal *journal)
{
    if (!journal)
        return;
    journal->machine->journal = NULL;
    for (size_t i = 0; i < journal->answers.count; i++)
        free(journal->answers.items[i].environment);
    free(journal->answers.items);
    free(journal->words.items);
    free(journal->writes.items);
    free(journal->bytes.items);
    free(journal);
}

bool gs_journal_failed(const gs_journal *journal)
{
    return journal->failed;
}

size_t gs_journal_position(const gs_journal *journal)
{
    return journal->next;
}

void gs_journal_set_position(gs_journal *journal, size_t position)
{
    journal->next = position;
}

static void note_write(void *self, gs_addr address, const void *from, uint64_t size)
{
    gs_journal *journal = self;
    const write w = {address, (uint32_t)size, journal->bytes.count};
    const uint8_t *bytes = from;
    for (uint64_t i = 0; i < size && !journal->failed; i++)
        journal->failed = !gs_vec_push(&journal->bytes, bytes[i]);
    journal->failed = journal->failed || !gs_vec_push(&journal->writes, w);
}

static void keep(gs_journal *journal, const gs_hart *before, answer a)
{
    gs_machine *machine = journal->machine;
    uint32_t old[HART_WORDS], now[HART_WORDS];
    memcpy(old, before, sizeof old);
    memcpy(now, &machine->hart, sizeof now);
    a.words = journal->words.count;
    a.write_count = (uint32_t)(journal->writes.count - a.writes);
    for (uint32_t i = 0; i < HART_WORDS && !journal->failed; i++) {
        const word changed = {i, now[i]};
        if (old[i] != now[i])
            journal->failed = !gs_vec_push(&journal->words, changed);
    }
    a.word_count = (uint32_t)(journal->words.count - a.words);
    a.saw_time = machine->saw_time;
    a.written = machine->written;
    if (machine->environment->save_input)
        a.environment = machine->environment->save_input(machine);
    if (journal->failed || !gs_vec_push(&journal->answers, a)) {
        journal->failed = true;
        free(a.environment);
    }
    journal->next = journal->answers.count;
}

static void replay(gs_journal *journal, const answer *a)
{
    gs_machine *machine = journal->machine;
    uint32_t words[HART_WORDS];
    memcpy(words, &machine->hart, sizeof words);
    for (uint32_t i = 0; i < a->word_count; i++)
        words[journal->words.items[a->words + i].index] = journal->words.items[a->words + i].value;
    memcpy(&machine->hart, words, sizeof words);
    for (uint32_t i = 0; i < a->write_count; i++) {
        const write *w = &journal->writes.items[a->writes + i];
        (void)gs_memory_poke(&machine->memory, w->address, journal->bytes.items + w->at, w->size);
    }
    machine->saw_time = a->saw_time;
    machine->written = a->written;
    if (a->environment)
        machine->environment->restore_input(machine, a->environment);
}

void gs_journal_trap(gs_journal *journal, gs_machine *machine)
{
    const gs_hart before = machine->hart;
    if (journal->next < journal->answers.count) {
        const answer *a = &journal->answers.items[journal->next];
        if (a->instret == before.instret && a->pc == before.trap.pc) {
            journal->next++;
            replay(journal, a);
            return;
        }
        machine->environment->trap(machine);
        return;
    }
    const answer a = {
        .instret = before.instret, .pc = before.trap.pc, .writes = journal->writes.count};
    machine->memory.written = note_write;
    machine->memory.written_self = journal;
    machine->environment->trap(machine);
    machine->memory.written = NULL;
    if (machine->hart.instret != before.instret)
        keep(journal, &before, a);
    else
        journal->writes.count = a.writes;
}
