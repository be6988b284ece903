"""rtl_activity - how often the nets of a unit change in a clock, for tools/rtl-report.

A netlist of iCE40 cells, as Yosys maps it, goes through gatesim.c, driven by the program that compares the
units with their models: so the netlist also has to count what the model does.
"""
import collections
import functools
import json
import os
import re
import subprocess

import rtl_synth

FLOP = re.compile(r"SB_DFF(E?)(S?)([SR]?)$")
RAM_PORTS = (("RDATA", 16), ("RADDR", 11), ("RCLKE", 1), ("RE", 1), ("WADDR", 11), ("WCLKE", 1), ("WE", 1),
             ("MASK", 16), ("WDATA", 16))
DEFAULTS = {"RCLKE": 1, "WCLKE": 1}


class Netlist:
    """Cells of a flattened module in the order in which gates settle; nets are numbered from 2 by Yosys."""

    def __init__(self, module):
        self.lines, self.cells = [], module["cells"].values()
        self.top = 2
        self.gates = collections.defaultdict(list)  # by a net that a gate waits for
        self.waits, self.driven = {}, {0, 1}
        for name, port in module["ports"].items():
            nets = [self.net(bit) for bit in port["bits"]]
            self.lines.append(f"port {name} {' '.join(map(str, nets))}")
            if port["direction"] == "input":
                self.driven.update(nets)
        for cell in self.cells:
            self.add(cell["type"], cell["connections"], cell["parameters"])
        self.order_gates()

    def net(self, bit):
        if isinstance(bit, str):
            return 1 if bit == "1" else 0
        self.top = max(self.top, bit + 1)
        return bit

    def one(self, pins, name, default=-1):
        return self.net(pins[name][0]) if pins.get(name) else default

    def add(self, kind, pins, parameters):
        if kind == "SB_LUT4":
            inputs = [self.one(pins, f"I{i}", 0) for i in range(4)]
            table = int(parameters["LUT_INIT"], 2)
            self.add_gate(inputs, pins["O"][0], f"lut {pins['O'][0]} {' '.join(map(str, inputs))} {table:x}")
        elif kind == "SB_CARRY":
            inputs = [self.one(pins, name, 0) for name in ("I0", "I1", "CI")]
            self.add_gate(inputs, pins["CO"][0], f"carry {pins['CO'][0]} {' '.join(map(str, inputs))}")
        elif FLOP.match(kind):
            enable, _, reset = FLOP.match(kind).groups()
            q = pins["Q"][0]
            self.driven.add(q)
            self.lines.append(f"flop {q} {self.one(pins, 'D')} {self.one(pins, 'E') if enable else -1} "
                              f"{self.one(pins, reset) if reset else -1} {int(reset == 'S')}")
        elif kind == "SB_RAM40_4K":
            nets = []
            for name, width in RAM_PORTS:
                bits = [self.net(bit) for bit in pins.get(name, [])]
                nets += bits + [DEFAULTS.get(name, -1 if name == "RDATA" else 0)] * (width - len(bits))
                if name == "RDATA":
                    self.driven.update(bits)
            modes = " ".join(str(int(parameters[mode], 2)) for mode in ("READ_MODE", "WRITE_MODE"))
            self.lines.append(f"ram {modes} {' '.join(map(str, nets))}")
        else:
            raise ValueError(f"{kind} is no cell that gatesim knows")

    def add_gate(self, inputs, output, line):
        self.net(output)
        for net in set(inputs) - {0, 1}:
            self.gates[net].append(output)
        self.waits[output] = [set(inputs), line]

    def order_gates(self):
        """A gate comes when all it reads is settled."""
        left = {output: len(inputs - self.driven) for output, (inputs, _) in self.waits.items()}
        ready = collections.deque(output for output, number in left.items() if number == 0)
        while ready:
            output = ready.popleft()
            self.lines.append(self.waits.pop(output)[1])
            for waiting in self.gates[output]:
                left[waiting] -= 1
                if left[waiting] == 0:
                    ready.append(waiting)
        if self.waits:
            raise ValueError("gates in a circle")

    def write(self, path):
        path.write_text("\n".join([f"nets {self.top}", *self.lines, ""]))


@functools.cache
def library(out):
    path = out / "gatesim.so"
    harness = rtl_synth.ROOT / "tests/diff/rtl_units"
    subprocess.run(["cc", "-O2", "-Wall", "-fPIC", "-shared", f"-I{harness}", "-o", path,
                    rtl_synth.ROOT / "tools/gatesim.c"], check=True)
    return path


def toggles_per_clock(synthesis, design, model, build, core, programs, limit):
    """Over the first `limit` instructions of each program; raises if the netlist counts wrongly."""
    mapped = synthesis.run(f"synth_ice40 -top {design.top} -json FILE", design, "to simulate")
    table = mapped.with_suffix(".cells")
    result = synthesis.kept(mapped.name, model, core, str(limit),
                            *(program.read_bytes().hex() for program in programs)).with_suffix(".toggles")
    if not result.exists():
        print(f"gate level: {design.top} {design.parameters}", flush=True)
        Netlist(json.loads(mapped.read_text())["modules"][design.top]).write(table)
        done = subprocess.run([build / "tests/diff/rtl_units", library(synthesis.out), core, model, str(limit),
                               "1", *programs], text=True, stdout=subprocess.PIPE, check=True,
                              timeout=rtl_synth.LIMIT, env=dict(os.environ, GATESIM=str(table)))
        result.write_text(done.stdout)
    found = re.findall(r"^(\d+) toggles in (\d+) clocks$", result.read_text(), re.M)[:len(programs)]
    return sum(int(toggles) for toggles, _ in found) / sum(int(clocks) for _, clocks in found)
