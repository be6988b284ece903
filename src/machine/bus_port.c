/* Interrupt lines that come with their cycles, and accesses that wait for their grant. */
#include "machine/bus_port.h"

static unsigned lines_of(const gs_bus_port_change *change, uint64_t now)
{
    return change->lines | (now >= change->timer_due ? GS_LINE_TIMER : 0u);
}

unsigned gs_bus_port_lines(gs_bus_port *port, uint64_t now)
{
    size_t over = 0;
    while (over + 1 < port->changes.count && port->changes.items[over + 1].cycle <= now)
        over++;
    if (over > 0) {
        port->changes.count -= over;
        memmove(port->changes.items, port->changes.items + over,
                port->changes.count * sizeof *port->changes.items);
    }
    return port->changes.count > 0 ? lines_of(&port->changes.items[0], now) : 0;
}

uint64_t gs_bus_port_next_change(const gs_bus_port *port, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    if (port->changes.count > 0 && port->changes.items[0].timer_due > now)
        next = port->changes.items[0].timer_due;
    if (port->changes.count > 1 && port->changes.items[1].cycle < next)
        next = port->changes.items[1].cycle;
    return next;
}

bool gs_bus_port_access(gs_bus_port *port, gs_addr address, unsigned size, bool store)
{
    if (port->granted) {
        const gs_addr word = port->request.address & ~(gs_addr)3;
        const unsigned bytes = port->request.size > 4 ? port->request.size : 4;
        return address - word < bytes; /* the parts of swl and swr come one by one */
    }
    if (port->wait == GS_BUS_PORT_NONE) {
        port->wait = GS_BUS_PORT_REQUEST;
        port->request.address = address;
        port->request.size = size;
        port->request.store = store;
    }
    return false;
}
