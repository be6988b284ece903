/* Answers accesses where the board has nothing, and keeps a list of them. */
#include "machine/bare/unmapped.h"

#include <inttypes.h>

#include "gumshoe/text.h"

/* The entry for a word, made if need be; NULL if there is no more room. */
static gs_unmapped_word *find(gs_unmapped_log *log, gs_addr address)
{
    for (unsigned i = 0; i < log->count; i++) {
        if (log->words[i].address == address)
            return &log->words[i];
    }
    if (log->count == GS_UNMAPPED_LISTED)
        return NULL;
    gs_unmapped_word *word = &log->words[log->count++];
    *word = (gs_unmapped_word){.address = address, .pc = log->machine->hart.pc};
    return word;
}

static void touch(gs_unmapped_log *log, uint32_t offset, bool stores)
{
    gs_unmapped_word *word = find(log, offset & ~(gs_addr)3);
    if (!word)
        log->elsewhere++;
    else if (stores)
        word->stores++;
    else
        word->loads++;
}

static bool load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    (void)size;
    touch(self, offset, false);
    *value = 0;
    return true;
}

static bool store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    (void)size;
    (void)value;
    touch(self, offset, true);
    return true;
}

void gs_unmapped_ignore(gs_unmapped_log *log, gs_machine *machine)
{
    log->machine = machine;
    machine->memory.unmapped = (gs_device){.load = load, .store = store, .self = log};
}

void gs_unmapped_advise(gs_machine *machine, const gs_trap *trap, const char *board)
{
    const unsigned there = GS_PROT_MAPPED | GS_PROT_DEVICE;
    if ((trap->kind != GS_TRAP_LOAD_FAULT && trap->kind != GS_TRAP_STORE_FAULT) ||
        trap->value < GS_PAGE_SIZE || machine->memory.prot[trap->value >> GS_PAGE_SHIFT] & there)
        return;
    gs_machine_add_note(machine,
                        "the board %s has nothing at 0x%08" PRIx32
                        ": --unmapped ignore goes on behind such accesses, and a board file can "
                        "name a region there",
                        board, trap->value);
}

static void tell_word(const gs_unmapped_log *log, const gs_unmapped_word *word)
{
    const gs_function *function = gs_image_function_at(log->machine->image, word->pc);
    gs_machine_add_note(log->machine,
                        "nothing is at 0x%08" PRIx32
                        ": ignored %s load%s and %s store%s, the first "
                        "at pc 0x%08" PRIx32 "%s%s",
                        word->address, GS_TEXT_DIGITS(word->loads), word->loads == 1 ? "" : "s",
                        GS_TEXT_DIGITS(word->stores), word->stores == 1 ? "" : "s", word->pc,
                        function ? " in " : "", function ? function->name : "");
}

void gs_unmapped_tell(gs_unmapped_log *log)
{
    if (log->told || !log->machine || log->machine->exit.kind == GS_EXIT_NONE)
        return;
    log->told = true;
    for (unsigned i = 0; i < log->count; i++)
        tell_word(log, &log->words[i]);
    if (log->elsewhere)
        gs_machine_add_note(log->machine,
                            "nothing is at other addresses either: ignored %s loads and stores",
                            GS_TEXT_DIGITS(log->elsewhere));
}
