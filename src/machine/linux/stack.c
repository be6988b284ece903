/* The first stack of a program: arguments, environment and auxiliary vector. */
#include "machine/linux/process.h"

#include <elf.h>
#include <string.h>

#include "base/file.h"

/* Strings grow down from the top of the stack; the vectors of pointers to them lie below. */
typedef struct builder {
    gs_linux_process *process;
    gs_addr sp;
    gs_addr next; /* where the next word of the vectors goes */
} builder;

/* A quarter of the stack, as in the kernel. */
static const uint64_t arguments_max = GS_LINUX_STACK_SIZE / 4;

enum { AUXV_MAX = 24 };

typedef struct auxv {
    uint32_t pairs[AUXV_MAX][2];
    unsigned count;
} auxv;

static gs_addr push_bytes(builder *b, const void *bytes, size_t size)
{
    b->sp -= (gs_addr)size;
    gs_memory_write(&b->process->machine->memory, b->sp, bytes, size);
    return b->sp;
}

static gs_addr push_string(builder *b, const char *text)
{
    return push_bytes(b, text, strlen(text) + 1);
}

static void put_word(builder *b, uint32_t value)
{
    gs_memory_write32(&b->process->machine->memory, b->next, value);
    b->next += 4;
}

static void add(auxv *aux, uint32_t type, uint32_t value)
{
    aux->pairs[aux->count][0] = type;
    aux->pairs[aux->count][1] = value;
    aux->count++;
}

static auxv auxiliary_vector(builder *b, const char *name)
{
    const gs_linux_process *process = b->process;
    const gs_image *image = process->machine->image;
    uint8_t random[16];
    gs_linux_random(b->process, random, sizeof random);

    auxv aux = {.count = 0};
    if (gs_image_phdr_address(image)) {
        add(&aux, AT_PHDR, (uint32_t)gs_image_phdr_address(image));
        add(&aux, AT_PHENT, sizeof(Elf32_Phdr));
        add(&aux, AT_PHNUM, gs_image_phdr_count(image));
    }
    add(&aux, AT_PAGESZ, GS_PAGE_SIZE);
    add(&aux, AT_BASE, 0);
    add(&aux, AT_FLAGS, 0);
    add(&aux, AT_ENTRY, (uint32_t)gs_image_entry(image));
    add(&aux, AT_UID, gs_linux_uid(process));
    add(&aux, AT_EUID, gs_linux_euid(process));
    add(&aux, AT_GID, gs_linux_gid(process));
    add(&aux, AT_EGID, gs_linux_egid(process));
    add(&aux, AT_HWCAP, process->abi->hwcap(process->machine));
    add(&aux, AT_CLKTCK, GS_LINUX_CLOCK_TICKS);
    add(&aux, AT_SECURE, 0);
    add(&aux, AT_PLATFORM, push_string(b, process->abi->platform));
    add(&aux, AT_EXECFN, push_string(b, name));
    add(&aux, AT_RANDOM, push_bytes(b, random, sizeof random));
    add(&aux, AT_NULL, 0);
    return aux;
}

static size_t count_strings(const char *const *strings)
{
    size_t count = 0;
    while (strings && strings[count])
        count++;
    return count;
}

gs_status gs_linux_load_stack(gs_linux_process *process, const gs_machine_options *options,
                              gs_error *err)
{
    const gs_image *image = process->machine->image;
    bool inherits = process->machine->inherit & GS_INHERIT_ENVIRONMENT;
    const char *name = inherits ? gs_image_name(image) : gs_base_name(gs_image_name(image));
    const char *const *argv = options->argc > 0 ? options->argv : &name;
    size_t argc = options->argc > 0 ? (size_t)options->argc : 1;
    size_t envc = count_strings(options->envp);

    uint64_t bytes = 0;
    for (size_t i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1 + 4;
    for (size_t i = 0; i < envc; i++)
        bytes += strlen(options->envp[i]) + 1 + 4;
    if (bytes + strlen(name) > arguments_max)
        return gs_fail(err, GS_E_ARGUMENT,
                       "the guest's arguments and environment need %llu bytes; at most %llu fit "
                       "on its stack",
                       (unsigned long long)bytes, (unsigned long long)arguments_max);

    /* The last word stays zero, as the kernel leaves it. */
    builder b = {.process = process, .sp = GS_LINUX_STACK_TOP - 4};
    auxv aux = auxiliary_vector(&b, name);
    gs_addr strings = b.sp;
    for (size_t i = envc; i-- > 0;)
        strings = push_string(&b, options->envp[i]);
    for (size_t i = argc; i-- > 0;)
        strings = push_string(&b, argv[i]);

    size_t words = 1 + argc + 1 + envc + 1 + 2 * (size_t)aux.count;
    b.sp = (b.sp - (gs_addr)(4 * words)) & ~(gs_addr)15;
    b.next = b.sp;
    put_word(&b, (uint32_t)argc);
    for (size_t i = 0; i < argc; i++) {
        put_word(&b, strings);
        strings += (gs_addr)strlen(argv[i]) + 1;
    }
    put_word(&b, 0);
    for (size_t i = 0; i < envc; i++) {
        put_word(&b, strings);
        strings += (gs_addr)strlen(options->envp[i]) + 1;
    }
    put_word(&b, 0);
    for (unsigned i = 0; i < aux.count; i++) {
        put_word(&b, aux.pairs[i][0]);
        put_word(&b, aux.pairs[i][1]);
    }
    process->abi->set_sp(&process->machine->hart, b.sp);
    return GS_OK;
}
