/*
 * gatesim - a netlist of iCE40 cells as a hardware unit, which counts how often its nets change.
 *
 * Built by tools/rtl_activity.py as the library that tests/diff/rtl_units/rtl.h describes, so that
 * the program that compares units with their models drives it: a netlist that does not count what
 * the model does fails there. The netlist is read from the file that GATESIM names, one cell per
 * line, gates in the order in which they settle:
 *
 *     nets N
 *     port NAME NET...              lowest bit first; -1 where there is none
 *     lut OUT I0 I1 I2 I3 TABLE     SB_LUT4
 *     carry OUT I0 I1 CI            SB_CARRY
 *     flop Q D ENABLE RESET VALUE   SB_DFF and its relatives with synchronous reset
 *     ram READ_MODE WRITE_MODE, and nets: RDATA*16 RADDR*11 RCLKE RE WADDR*11 WCLKE WE MASK*16
 * WDATA*16
 *
 * Nets 0 and 1 are constants. In a clock everything settles once: glitches are not seen, and what
 * goes on inside a RAM is not counted. Every output of a cell is a net; clock and pins are not.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtl.h"

enum { PATIENCE = 1000, PORT_WIDTH = 32, PORTS = 64, RAM_NETS = 16 + 11 + 2 + 11 + 2 + 16 + 16 };

typedef struct gate {
    int out, in[4]; /* of a carry, three */
    uint32_t table;
} gate;

typedef struct flop {
    int q, d, enable, reset; /* or -1 */
    uint8_t value, next;
} flop;

typedef struct ram {
    int read_mode, write_mode;
    int rdata[16], raddr[11], rclke, re, waddr[11], wclke, we, mask[16], wdata[16];
    uint16_t words[256], read;
} ram;

typedef struct port {
    char name[32];
    int nets[PORT_WIDTH], width;
} port;

struct rtl_unit {
    uint8_t *values;
    gate *gates;
    flop *flops;
    ram *rams;
    port ports[PORTS];
    size_t gate_count, flop_count, ram_count, port_count;
    uint64_t toggles, clocks; /* of the trace that is going on */
};

static void fail(const char *what)
{
    fprintf(stderr, "gatesim: %s\n", what);
    exit(3);
}

static void *grow(void *items, size_t count, size_t size)
{
    if ((count & (count + 1)) != 0 && count != 0)
        return items;
    items = realloc(items, (2 * count + 2) * size);
    if (!items)
        fail("no memory left");
    return items;
}

/* A carry is a gate, too: the majority of its inputs. */
enum { MAJORITY = 0xe8e8 };

static void read_cell(rtl_unit *u, const char *line)
{
    int read = 0, used;
    gate g = {.in = {0}};
    flop f = {0};
    if (sscanf(line, "lut %d %d %d %d %d %x", &g.out, &g.in[0], &g.in[1], &g.in[2], &g.in[3],
               &g.table) == 6) {
        u->gates = grow(u->gates, u->gate_count, sizeof g);
        u->gates[u->gate_count++] = g;
    } else if (sscanf(line, "carry %d %d %d %d", &g.out, &g.in[0], &g.in[1], &g.in[2]) == 4) {
        g.table = MAJORITY;
        u->gates = grow(u->gates, u->gate_count, sizeof g);
        u->gates[u->gate_count++] = g;
    } else if (sscanf(line, "flop %d %d %d %d %hhu", &f.q, &f.d, &f.enable, &f.reset, &f.value) ==
               5) {
        u->flops = grow(u->flops, u->flop_count, sizeof f);
        u->flops[u->flop_count++] = f;
    } else if (sscanf(line, "port %31s%n", u->ports[u->port_count].name, &read) == 1) {
        port *p = &u->ports[u->port_count++];
        for (line += read;
             p->width < PORT_WIDTH && sscanf(line, "%d%n", &p->nets[p->width], &used) == 1;
             line += used)
            p->width++;
        if (u->port_count == PORTS)
            fail("too many ports");
    } else if (strncmp(line, "ram ", 4) == 0) {
        ram r = {0};
        int nets[RAM_NETS], *net = nets;
        if (sscanf(line, "ram %d %d%n", &r.read_mode, &r.write_mode, &read) != 2)
            fail("a RAM without modes");
        line += read;
        for (int i = 0; i < RAM_NETS; i++, line += used) {
            if (sscanf(line, "%d%n", &nets[i], &used) != 1)
                fail("a RAM that is cut short");
        }
        memcpy(r.rdata, net, sizeof r.rdata), net += 16;
        memcpy(r.raddr, net, sizeof r.raddr), net += 11;
        r.rclke = *net++, r.re = *net++;
        memcpy(r.waddr, net, sizeof r.waddr), net += 11;
        r.wclke = *net++, r.we = *net++;
        memcpy(r.mask, net, sizeof r.mask), net += 16;
        memcpy(r.wdata, net, sizeof r.wdata);
        u->rams = grow(u->rams, u->ram_count, sizeof r);
        u->rams[u->ram_count++] = r;
    } else {
        fail("a cell that is not known");
    }
}

static void set(rtl_unit *u, int net, uint8_t value)
{
    if (net < 0)
        return;
    u->toggles += u->values[net] != value;
    u->values[net] = value;
}

static void settle(rtl_unit *u)
{
    uint8_t *v = u->values;
    for (size_t i = 0; i < u->gate_count; i++) {
        const gate *g = &u->gates[i];
        unsigned index = v[g->in[0]] | (unsigned)v[g->in[1]] << 1 | (unsigned)v[g->in[2]] << 2 |
                         (unsigned)v[g->in[3]] << 3;
        uint8_t value = g->table >> index & 1;
        u->toggles += v[g->out] != value;
        v[g->out] = value;
    }
}

static uint16_t number(const rtl_unit *u, const int *nets, int width)
{
    unsigned value = 0;
    for (int i = 0; i < width; i++)
        value |= (unsigned)u->values[nets[i]] << i;
    return (uint16_t)value;
}

/* Narrower than 16 bits, a word is spread over the memory's: bit b of the word is every (1 <<
 * mode)th, and the upper bits of the address say which of them. At the pins it is at a place of its
 * own. */
static int pin_of(int mode, int bit)
{
    static const int first[] = {0, 0, 1, 3};
    return (bit << mode) + first[mode];
}

static void clock_ram_read(const rtl_unit *u, ram *r)
{
    unsigned address = number(u, r->raddr, 11);
    if (!u->values[r->rclke] || !u->values[r->re])
        return;
    r->read = 0;
    for (int bit = 0; bit < 16 >> r->read_mode; bit++) {
        unsigned place =
            ((unsigned)bit << r->read_mode) + ((address >> 8) & ((1u << r->read_mode) - 1));
        r->read |= (uint16_t)((r->words[address & 255] >> place & 1) << pin_of(r->read_mode, bit));
    }
}

static void clock_ram_write(const rtl_unit *u, ram *r)
{
    unsigned address = number(u, r->waddr, 11), data = number(u, r->wdata, 16);
    if (!u->values[r->wclke] || !u->values[r->we])
        return;
    for (int bit = 0; bit < 16 >> r->write_mode; bit++) {
        unsigned place =
            ((unsigned)bit << r->write_mode) + ((address >> 8) & ((1u << r->write_mode) - 1));
        uint16_t *word = &r->words[address & 255];
        if (r->write_mode == 0 && u->values[r->mask[bit]])
            continue;
        *word = (uint16_t)((*word & ~(1u << place)) | (data >> pin_of(r->write_mode, bit) & 1)
                                                          << place);
    }
}

/* All of it sees what was there before the edge. */
static void edge(rtl_unit *u)
{
    const uint8_t *v = u->values;
    for (size_t i = 0; i < u->flop_count; i++) {
        flop *f = &u->flops[i];
        uint8_t enabled = f->enable < 0 || v[f->enable];
        f->next = !enabled ? v[f->q] : f->reset >= 0 && v[f->reset] ? f->value : v[f->d];
    }
    for (size_t i = 0; i < u->ram_count; i++) {
        clock_ram_read(u, &u->rams[i]);
        clock_ram_write(u, &u->rams[i]);
    }
    for (size_t i = 0; i < u->flop_count; i++)
        set(u, u->flops[i].q, u->flops[i].next);
    for (size_t i = 0; i < u->ram_count; i++) {
        for (int bit = 0; bit < 16; bit++)
            set(u, u->rams[i].rdata[bit], u->rams[i].read >> bit & 1);
    }
}

static port *find_port(rtl_unit *u, const char *name)
{
    for (size_t i = 0; i < u->port_count; i++) {
        if (strcmp(u->ports[i].name, name) == 0)
            return &u->ports[i];
    }
    return NULL;
}

/* Pins are not counted, and a unit need not have all of them. */
static void put(rtl_unit *u, const char *name, uint32_t value)
{
    const port *p = find_port(u, name);
    for (int i = 0; p && i < p->width; i++) {
        if (p->nets[i] > 1)
            u->values[p->nets[i]] = value >> i & 1;
    }
}

static uint32_t get(rtl_unit *u, const char *name)
{
    const port *p = find_port(u, name);
    uint32_t value = 0;
    for (int i = 0; p && i < p->width; i++)
        value |= (uint32_t)u->values[p->nets[i]] << i;
    return value;
}

rtl_unit *rtl_open(void)
{
    const char *path = getenv("GATESIM");
    FILE *from = path ? fopen(path, "r") : NULL;
    char line[4096];
    size_t nets = 0;
    rtl_unit *u = calloc(1, sizeof *u);
    if (!u || !from || !fgets(line, sizeof line, from) || sscanf(line, "nets %zu", &nets) != 1)
        fail("GATESIM names no netlist");
    u->values = calloc(nets, 1);
    if (!u->values)
        fail("no memory left");
    u->values[1] = 1;
    while (fgets(line, sizeof line, from))
        read_cell(u, line);
    fclose(from);
    put(u, "rst_ni", 0);
    settle(u);
    edge(u);
    put(u, "rst_ni", 1);
    return u;
}

void rtl_free(rtl_unit *u)
{
    free(u->values);
    free(u->gates);
    free(u->flops);
    free(u->rams);
    free(u);
}

void rtl_clock(rtl_unit *u, const rtl_wires *wires)
{
    if (u->clocks++ == 0)
        u->toggles = 0;
    put(u, "trace_valid_i", wires->valid);
    put(u, "trace_trap_i", wires->trap);
    put(u, "trace_stall_valid_i", wires->stalled);
    put(u, "trace_stall_i", wires->stall);
    put(u, "trace_pc_i", wires->pc);
    put(u, "trace_next_pc_i", wires->next_pc);
    put(u, "trace_insn_i", wires->insn);
    put(u, "trace_mem_valid_i", wires->access);
    put(u, "trace_mem_addr_i", wires->address);
    settle(u);
    edge(u);
}

/* The first access after a trace tells what the trace took. */
static bool transfer(rtl_unit *u, uint32_t *value)
{
    bool ready = false;
    if (u->clocks > 0)
        printf("%llu toggles in %llu clocks\n", (unsigned long long)u->toggles,
               (unsigned long long)u->clocks);
    u->clocks = 0;
    put(u, "trace_valid_i", 0);
    put(u, "trace_trap_i", 0);
    put(u, "trace_stall_valid_i", 0);
    put(u, "reg_valid_i", 1);
    for (int i = 0; i < PATIENCE && !ready; i++) {
        settle(u);
        ready = get(u, "reg_ready_o");
        *value = get(u, "reg_rdata_o");
        edge(u);
    }
    put(u, "reg_valid_i", 0);
    return ready;
}

bool rtl_read(rtl_unit *u, uint32_t address, uint32_t *value)
{
    put(u, "reg_write_i", 0);
    put(u, "reg_addr_i", address);
    return transfer(u, value);
}

bool rtl_write(rtl_unit *u, uint32_t address, uint32_t value)
{
    uint32_t nothing;
    put(u, "reg_write_i", 1);
    put(u, "reg_addr_i", address);
    put(u, "reg_wdata_i", value);
    return transfer(u, &nothing);
}

/* Of the Statistics Module, which is not looked at here. */
const rtl_record *rtl_records(const rtl_unit *u, size_t *count)
{
    (void)u;
    *count = 0;
    return NULL;
}
