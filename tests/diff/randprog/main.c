/*
 * randprog: writes an executable of random instruction streams. See randprog.h.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "randprog.h"

static const char help[] =
    "Usage: randprog --arch rv32[-full]|mips[el][-wide|-2008] --seed N [OPTIONS] -o FILE\n"
    "\n"
    "Writes a static Linux executable that runs random instruction streams and writes all\n"
    "registers and touched memory after each one to standard output.\n"
    "\n"
    "  --streams N       how many (100)\n"
    "  --length N        items in each (60): an instruction, or a few that belong together\n"
    "  --rounds N        go through all streams so often (1), with what the last round left\n"
    "  --only N          run stream N alone, everything at the same addresses\n"
    "  --keep LIST       keep only these items of it (such as 3,7-9); others become nops\n"
    "  --list            print the kept items of that stream: number, address, length, text\n"
    "  --count           print how many random instructions there are in all, and the names\n"
    "                    of those rows of the table that none of them is from\n"
    "  --expand          spell Zicond and Zcb instructions as others that do the same\n";

enum { TEXT_ADDRESS = 0x00400000 };

typedef struct options {
    const rp_target *target;
    uint64_t seed;
    unsigned streams, length, rounds;
    long only;
    const char *keep, *output;
    bool list, count, expand;
} options;

unsigned item_length(const rp_item *it)
{
    unsigned length = 0;
    for (unsigned i = 0; i < it->count; i++)
        length += it->code[i].length;
    return length;
}

uint32_t code_here(const code_buffer *code)
{
    return code->address + (uint32_t)code->size;
}

void code_put(code_buffer *code, uint32_t word, unsigned length)
{
    if (code->size + length > code->room) {
        code->room = code->room ? 2 * code->room : 1 << 20;
        code->bytes = realloc(code->bytes, code->room);
        if (!code->bytes) {
            fputs("randprog: out of memory\n", stderr);
            exit(3);
        }
    }
    if (length == 2)
        store16(code->bytes + code->size, word, code->big_endian);
    else
        store32(code->bytes + code->size, word, code->big_endian);
    code->size += length;
}

bool stream_reserves(const rp_stream *s, unsigned reg)
{
    return reg != 0 &&
           (reg == s->base[0] || reg == s->base[1] || reg == s->counter || reg == s->also_reserved);
}

bool stream_allows(const rp_stream *s, unsigned reg, int32_t offset, unsigned size)
{
    for (unsigned i = 0; i < 2; i++) {
        int32_t at = (int32_t)s->offset[i] + offset;
        if (reg == s->base[i])
            return at >= 0 && at + (int32_t)size <= SCRATCH_SIZE;
    }
    return false;
}

/* "3,7-9": whether it has `number`. No list has everything. */
static bool list_has(const char *list, unsigned number)
{
    if (!list)
        return true;
    for (const char *at = list; *at;) {
        char *end;
        unsigned long low = strtoul(at, &end, 10), high = low;
        if (*end == '-')
            high = strtoul(end + 1, &end, 10);
        if (number >= low && number <= high)
            return true;
        at = *end ? end + 1 : end;
    }
    return false;
}

static void fill_record(uint8_t *record, const rp_target *target, const rp_stream *s,
                        unsigned number, rng *r)
{
    bool big = target->big_endian;
    for (unsigned i = 1; i < 32; i++)
        store32(record + RECORD_X + 4 * i, value_word(r), big);
    store32(record + RECORD_HI, value_word(r), big);
    store32(record + RECORD_LO, value_word(r), big);
    store32(record + RECORD_NUMBER, number, big);
    for (unsigned at = RECORD_SCRATCH; at < RECORD_SIZE; at += 8) {
        switch (rng_below(r, 3)) {
        case 0: store64(record + at, value_double(r), big); break;
        case 1:
            store32(record + at, value_single(r), big);
            store32(record + at + 4, value_single(r), big);
            break;
        default:
            store32(record + at, value_word(r), big);
            store32(record + at + 4, value_word(r), big);
            break;
        }
    }
    target->fill_record(record, s, r);
}

/* One line for the item, or where we have text ourselves one per instruction. */
static void list_item(const rp_target *target, const rp_stream *s, const rp_item *it,
                      unsigned number, uint32_t at)
{
    if (!target->text) {
        printf("%u 0x%08" PRIx32 " %u\n", number, at, item_length(it));
        return;
    }
    for (unsigned i = 0; i < it->count; i++) {
        char text[80];
        gs_insn insn;
        gs_decode(&insn, s->decoder, it->code[i].word);
        target->text(&insn, at, text, sizeof text);
        printf("%u 0x%08" PRIx32 " %u %08" PRIx32 ": %0*" PRIx32 " %s\n", number, at,
               it->code[i].length, at, (int)(2 * it->code[i].length), it->code[i].word, text);
        at += it->code[i].length;
    }
}

/* Which rows of the table have been used. */
typedef struct coverage {
    const rp_target *target;
    bool *used;
    unsigned long instructions;
} coverage;

static void cover(coverage *c, const rp_item *it)
{
    const gs_isa *isa = c->target->isa;
    for (unsigned i = 0; i < it->count; i++) {
        unsigned row = 0;
        while (row < isa->encoding_count &&
               (it->code[i].word & isa->encodings[row].mask) != isa->encodings[row].match)
            row++;
        if (row < isa->encoding_count)
            c->used[row] = true;
    }
    c->instructions += it->count;
}

static void print_coverage(const coverage *c)
{
    const gs_isa *isa = c->target->isa;
    printf("%lu", c->instructions);
    for (unsigned row = 0; row < isa->encoding_count; row++) {
        const gs_encoding *encoding = &isa->encodings[row];
        if (c->target->is_wanted(c->target, encoding) && !c->used[row])
            printf(" %s/%" PRIx32, isa->ops[encoding->op].name, encoding->match);
    }
    putchar('\n');
}

/* Addresses to jump to, from low to high. */
typedef struct island_list {
    uint32_t *at;
    unsigned count;
} island_list;

/* One that the item at `from` can reach; 0 if there is none. */
static uint32_t choose_island(const island_list *islands, const rp_target *target,
                              const rp_item *it, uint32_t from, rng *r)
{
    uint32_t reach = target->reach(it) - 64; /* the jump is not the item's first word */
    unsigned first = islands->count;
    while (first > 0 && from - islands->at[first - 1] <= reach)
        first--;
    if (first == islands->count)
        return 0;
    return islands->at[rng_range(r, first, islands->count - 1)];
}

/* Where the item jumps to. */
static uint32_t jump_target(const rp_item *it, const options *o, const island_list *islands,
                            const uint32_t *at, unsigned i, rng *r)
{
    if (it->far) {
        uint32_t island = choose_island(islands, o->target, it, at[i], r);
        return island ? island : at[i + 1];
    }
    unsigned to = i + 1 + (unsigned)it->skip;
    return at[to < o->length ? to : o->length];
}

/* The body of a stream: its items at their places, jumps pointing over their neighbours. */
static void put_body(code_buffer *code, const options *o, const rp_stream *s, unsigned number,
                     const island_list *islands, coverage *c)
{
    rp_item *items = calloc(o->length, sizeof *items);
    uint32_t *at = calloc(o->length + 1u, sizeof *at);
    bool only = o->only == (long)number;
    at[0] = code_here(code);
    for (unsigned i = 0; i < o->length; i++) {
        rng r = rng_for(o->seed, number, i);
        o->target->make_item(&items[i], s, &r);
        at[i + 1] = at[i] + item_length(&items[i]);
        if (o->count)
            cover(c, &items[i]);
    }
    for (unsigned i = 0; i < o->length; i++) {
        rp_item *it = &items[i];
        if (only && !list_has(o->keep, i)) {
            o->target->put_nop(code, item_length(it));
            continue;
        }
        rng r = rng_for(~o->seed, number, i);
        if (it->skip >= 0 || it->far)
            o->target->patch(it, at[i], jump_target(it, o, islands, at, i, &r));
        for (unsigned k = 0; k < it->count; k++)
            code_put(code, it->code[k].word, it->code[k].length);
        if (only && o->list)
            list_item(o->target, s, it, i, at[i]);
    }
    if (s->counter)
        o->target->put_loop(code, s, at[0]);
    free(items);
    free(at);
}

static bool write_program(const options *o)
{
    const rp_target *target = o->target;
    gs_decoder decoder;
    gs_decoder_init(&decoder, target->isa, target->isa->all_extensions);
    code_buffer code = {.address = TEXT_ADDRESS, .big_endian = target->big_endian};
    unsigned count = o->only >= 0 ? (unsigned)o->only + 1 : o->streams;
    coverage c = {.target = target, .used = calloc(target->isa->encoding_count, sizeof *c.used)};
    const size_t data_size = GLOBALS_SIZE + (size_t)count * RECORD_SIZE;
    uint8_t *data = calloc(data_size, 1);
    uint32_t *starts = calloc(count + 1u, sizeof *starts);
    island_list islands = {.at = calloc(2u * count, sizeof *islands.at)};
    if (!data || !starts || !c.used || !islands.at)
        return false;

    for (unsigned i = 0; i < count; i++) {
        rng r = rng_for(o->seed, i, UINT64_MAX);
        rp_stream s = {
            .target = target,
            .decoder = &decoder,
            .record = RECORDS_ADDRESS + i * RECORD_SIZE,
            .offset = {rng_below(&r, 17) * 16, rng_below(&r, 17) * 16},
            .rounds = rng_range(&r, 2, 4),
            .singles = (uint32_t)rng_next(&r),
            .traps = rng_once_in(&r, 4),
            .expand = o->expand,
        };
        uint8_t *record = data + GLOBALS_SIZE + (size_t)i * RECORD_SIZE;
        target->choose_registers(&s, &r);
        fill_record(record, target, &s, i, &r);
        starts[i] = code_here(&code);
        islands.at[islands.count++] = target->put_island(&code);
        target->put_enter(&code, &s);
        islands.at[islands.count++] = target->put_island(&code);
        put_body(&code, o, &s, i, &islands, &c);
        store32(record + RECORD_RESUME, code_here(&code), target->big_endian);
        target->put_leave(&code, &s);
    }
    starts[count] = code_here(&code);
    if (o->count)
        print_coverage(&c);
    store32(data + GLOBAL_ROUNDS, o->rounds, target->big_endian);
    target->put_exit(&code, starts[o->only >= 0 ? count - 1 : 0]);
    target->fill_globals(data, code_here(&code));
    target->put_handler(&code);
    const uint32_t entry = code_here(&code);
    target->put_start(&code, starts[o->only >= 0 ? count - 1 : 0]);

    const rp_program p = {
        .target = target,
        .text = code.bytes,
        .text_size = code.size,
        .text_address = TEXT_ADDRESS,
        .data = data,
        .data_size = data_size,
        .data_address = GLOBALS_ADDRESS,
        .entry = entry,
        .starts = starts,
        .count = count,
    };
    bool written = program_write(&p, o->output);
    free(code.bytes);
    free(data);
    free(starts);
    free(c.used);
    free(islands.at);
    return written;
}

static const rp_target *find_target(const char *name)
{
    static const rp_target *const targets[] = {
        &target_rv32,        &target_rv32_full, &target_mipsel,      &target_mips,
        &target_mipsel_wide, &target_mips_wide, &target_mipsel_2008, &target_mips_2008};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i]->name, name) == 0)
            return targets[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    enum { ARCH = 256, SEED, STREAMS, LENGTH, ROUNDS, ONLY, KEEP, LIST, COUNT, EXPAND };
    static const struct option long_options[] = {
        {"arch", required_argument, NULL, ARCH},
        {"seed", required_argument, NULL, SEED},
        {"streams", required_argument, NULL, STREAMS},
        {"length", required_argument, NULL, LENGTH},
        {"rounds", required_argument, NULL, ROUNDS},
        {"only", required_argument, NULL, ONLY},
        {"keep", required_argument, NULL, KEEP},
        {"list", no_argument, NULL, LIST},
        {"count", no_argument, NULL, COUNT},
        {"expand", no_argument, NULL, EXPAND},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    options o = {.streams = 100, .length = 60, .rounds = 1, .only = -1};
    int option;
    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        switch (option) {
        case ARCH: o.target = find_target(optarg); break;
        case SEED: o.seed = strtoull(optarg, NULL, 0); break;
        case STREAMS: o.streams = (unsigned)strtoul(optarg, NULL, 0); break;
        case LENGTH: o.length = (unsigned)strtoul(optarg, NULL, 0); break;
        case ROUNDS: o.rounds = (unsigned)strtoul(optarg, NULL, 0); break;
        case ONLY: o.only = strtol(optarg, NULL, 0); break;
        case KEEP: o.keep = optarg; break;
        case LIST: o.list = true; break;
        case COUNT: o.count = true; break;
        case EXPAND: o.expand = true; break;
        case 'o': o.output = optarg; break;
        case 'h': fputs(help, stdout); return 0;
        default: fputs(help, stderr); return 2;
        }
    }
    if (!o.target || !o.output || optind != argc || o.length == 0 || o.length > 400) {
        fputs(help, stderr);
        return 2;
    }
    if (!write_program(&o)) {
        fprintf(stderr, "randprog: cannot write %s: %s\n", o.output, strerror(errno));
        return 3;
    }
    return 0;
}
