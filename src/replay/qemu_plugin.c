/*
 * gumshoe-qemu.so - a QEMU plugin that writes a trace (docs/trace.md) of what a guest executes.
 *
 *     qemu-riscv32 -plugin gumshoe-qemu.so,out=app.trace app.elf
 *
 * Told of every block that is executed and of its accesses to memory, of one processor: vcpu=N, the
 * first unless told. A block that is left in the middle, by a fault, counts as a whole. With out=-
 * the trace goes to standard output.
 *
 * Debian has QEMU without qemu-plugin.h, so the few declarations needed from version 1 of the
 * plugin interface are repeated here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/writer.h"

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_RW = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t,
                                                            struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          void (*callback)(unsigned, void *),
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*callback)(unsigned, qemu_plugin_meminfo_t, uint64_t,
                                                       void *),
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, void *),
                                    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info *info, int argc, char **argv);

struct piece;

/* An instruction that may access memory. */
typedef struct place {
    struct piece *piece;
    uint32_t index;
} place;

/* At most GS_TRACE_BLOCK_INSNS instructions of a block of QEMU's. They live until the end: QEMU may
 * execute a block as long as it likes. */
typedef struct piece {
    uint64_t pc;
    uint32_t count, size;
    uint32_t block; /* in the trace, or GS_TRACE_NO_BLOCK: not defined yet */
    uint8_t lengths[GS_TRACE_BLOCK_INSNS];
    uint8_t code[GS_TRACE_BLOCK_INSNS * GS_TRACE_INSN_BYTES];
    place places[GS_TRACE_BLOCK_INSNS];
    struct piece *next;    /* of the same block of QEMU's */
    struct piece *sibling; /* with the same hash */
} piece;

enum { SLOTS = 1 << 12 };

/* All that there is of the plugin; QEMU gives its callbacks nothing to keep it in. */
static struct {
    gs_trace_writer *writer;
    FILE *to;
    const char *path;
    unsigned vcpu;
    uint64_t instructions;
    const piece *running; /* or NULL; the first piece of its block */
    piece *known[SLOTS];
    bool no_memory;
} plugin;

static piece *new_piece(uint64_t pc)
{
    piece *p = calloc(1, sizeof *p);
    if (p) {
        p->pc = pc;
        p->block = GS_TRACE_NO_BLOCK;
    }
    return p;
}

/* The block in the trace: QEMU may have translated the same code before. */
static void define(piece *p)
{
    uint64_t hash = p->pc;
    for (uint32_t i = 0; i < p->size; i++)
        hash = (hash ^ p->code[i]) * UINT64_C(0x100000001b3);
    piece **first = &plugin.known[hash >> 52];
    for (const piece *other = *first; other; other = other->sibling) {
        if (other->pc == p->pc && other->count == p->count && other->size == p->size &&
            memcmp(other->code, p->code, p->size) == 0) {
            p->block = other->block;
            return;
        }
    }
    p->block = gs_trace_define(plugin.writer, p->pc, p->lengths, p->count, p->code);
    p->sibling = *first;
    *first = p;
}

/* The block that runs has been executed: all of its accesses have been told. */
static void finish_running(void)
{
    for (const piece *p = plugin.running; p; p = p->next) {
        gs_trace_execute(plugin.writer, p->block);
        plugin.instructions += p->count;
    }
    plugin.running = NULL;
}

static void on_execute(unsigned vcpu, void *data)
{
    piece *first = data;
    if (vcpu != plugin.vcpu || plugin.no_memory)
        return;
    finish_running();
    for (piece *p = first; p; p = p->next) {
        if (p->block == GS_TRACE_NO_BLOCK)
            define(p);
        if (p->block == GS_TRACE_NO_BLOCK) {
            plugin.no_memory = true;
            return;
        }
    }
    plugin.running = first;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const place *at = data;
    if (vcpu == plugin.vcpu && plugin.running && at->piece->block != GS_TRACE_NO_BLOCK)
        gs_trace_access(plugin.writer, at->piece->block, at->index, address,
                        1U << qemu_plugin_mem_size_shift(info));
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    piece *first = NULL, *last = NULL;
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const size_t size = qemu_plugin_insn_size(insn);
        const uint64_t pc = qemu_plugin_insn_vaddr(insn);
        if (size == 0 || size > GS_TRACE_INSN_BYTES)
            break;
        if (!last || last->count == GS_TRACE_BLOCK_INSNS || last->pc + last->size != pc) {
            piece *made = new_piece(pc);
            if (!made) {
                plugin.no_memory = true;
                return;
            }
            if (last)
                last->next = made;
            else
                first = made;
            last = made;
        }
        place *at = &last->places[last->count];
        *at = (place){last, last->count};
        last->lengths[last->count++] = (uint8_t)size;
        memcpy(last->code + last->size, qemu_plugin_insn_data(insn), size);
        last->size += (uint32_t)size;
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, at);
    }
    if (first)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_execute, QEMU_PLUGIN_CB_NO_REGS, first);
}

static void complain(const char *path, const char *why)
{
    fprintf(stderr, "gumshoe-qemu: %s: %s\n", path, why);
}

static void on_exit_of_guest(qemu_plugin_id_t id, void *data)
{
    static const gs_trace_cost nothing;
    (void)id;
    (void)data;
    finish_running();
    gs_trace_end(plugin.writer, plugin.instructions, &nothing);
    bool good = gs_trace_writer_close(plugin.writer);
    if (plugin.no_memory)
        complain(plugin.path, "memory ran out, and the trace is not complete");
    else if (!good || fclose(plugin.to) != 0)
        complain(plugin.path, strerror(errno));
}

static bool parse(int argc, char **argv)
{
    plugin.path = "qemu.trace";
    for (int i = 0; i < argc; i++) {
        char *end;
        if (strncmp(argv[i], "out=", 4) == 0) {
            plugin.path = argv[i] + 4;
        } else if (strncmp(argv[i], "vcpu=", 5) == 0) {
            plugin.vcpu = (unsigned)strtoul(argv[i] + 5, &end, 10);
            if (*end == '\0' && end > argv[i] + 5)
                continue;
            complain(argv[i], "vcpu wants a number");
            return false;
        } else {
            complain(argv[i], "the options are out=PATH and vcpu=NUMBER");
            return false;
        }
    }
    return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info *info, int argc, char **argv)
{
    if (!parse(argc, argv))
        return -1;
    plugin.to = strcmp(plugin.path, "-") == 0 ? stdout : fopen(plugin.path, "wb");
    if (!plugin.to) {
        complain(plugin.path, strerror(errno));
        return -1;
    }
    plugin.writer = gs_trace_writer_open(plugin.to);
    if (!plugin.writer) {
        complain(plugin.path, "no memory");
        return -1;
    }
    gs_trace_write_field(plugin.writer, "by", "gumshoe-qemu");
    gs_trace_write_field(plugin.writer, "plugin", info->target_name);
    gs_trace_write_field(plugin.writer, "environment", info->system_emulation ? "bare" : "linux");
    gs_trace_end_header(plugin.writer);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, on_exit_of_guest, NULL);
    return 0;
}
