/* Clocks bench.v for so many cycles, up to a retirement or the program's end, and says what it
 * found. */
#include <cstdio>
#include <cstdlib>

#include "Vbench.h"
#include "verilated.h"

static void tick(Vbench &bench)
{
    bench.clk_i = 0;
    bench.eval();
    bench.clk_i = 1;
    bench.eval();
}

int main(int argc, char **argv)
{
    VerilatedContext context;
    Vbench bench{&context};
    const unsigned long cycles = argc > 1 ? strtoul(argv[1], nullptr, 0) : 0;
    bench.rst_ni = bench.ends_i = 0;
    tick(bench);
    bench.rst_ni = 1;
    for (unsigned long i = 0;
         !bench.exits_o && (i < cycles || (!bench.retires_o && i < cycles + 1000)); i++)
        tick(bench);
    tick(bench);
    bench.ends_i = 1;
    for (unsigned i = 0; i < 20; i++)
        tick(bench);
    printf("%u results checked, %u wrong; %u traps, %u seen; counters %s\n", bench.checked_o,
           bench.failures_o, bench.traps_o, bench.traps_seen_o, bench.same_o ? "equal" : "differ");
    return bench.failures_o || bench.traps_o != bench.traps_seen_o || !bench.same_o ||
           !bench.checked_o;
}
