"""rtl_synth - Yosys and nextpnr for tools/rtl-report, one run at a time.

A result is kept by the hash of what it was made from: the sources without comments, the commands, the tool's
version. So whatever did not change is not made again, and a page can be written anew at any time.
"""
import collections
import hashlib
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 3600  # seconds of one run

# What a family calls its parts: names of cells, or how they begin.
Family = collections.namedtuple("Family", "title command luts flops carries rams lut_rams")
Placed = collections.namedtuple("Placed", "used mhz pins_ns path ends_ns")
FAMILIES = {
    "ice40": Family("iCE40", "synth_ice40", ("SB_LUT4",), ("SB_DFF",), ("SB_CARRY",), ("SB_RAM40",), ()),
    "ecp5": Family("ECP5", "synth_ecp5", ("LUT4",), ("TRELLIS_FF",), ("CCU2C",), ("DP16KD",),
                   ("TRELLIS_DPR16X4",)),
    "xc7": Family("7-series", "synth_xilinx -flatten", ("LUT",), ("FD",), ("CARRY4",), ("RAMB",),
                  ("RAM32", "RAM64", "RAM128", "RAM256")),
}


def version(*command):
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout
    return re.search(r"(Yosys|nextpnr)\S* ?(?:-- )?[^\n]*?(\d+\.\d[\w.+-]*)", text).expand(r"\1 \2")


def bare(text):
    """Verilog without comments, assertions and layout, which change nothing."""
    text = re.sub(r"`ifdef FORMAL.*?`endif", "", re.sub(r"//.*", "", text), flags=re.S)
    return re.sub(r"\s+", " ", text)


def count(cells, names):
    return sum(number for cell, number in cells.items() if cell.startswith(names)) if names else 0


def paths(report):
    """The longest path of nextpnr's report, from register to register with the nets between them, and by
    register how long the longest path to it is.

    Yosys makes up names of cells and nets from those of others that they are connected to. What has a name of
    its own is a net, so registers are called after the one that they drive.
    """
    def own(name):
        return name.partition("_SB_")[0]

    nets = report["detailed_net_timings"]
    driven = {net["driver"]: net["net"] for net in nets
              if net["event"].startswith("posedge") and net["port"] != "COUT"}
    ends_ns = collections.Counter()
    for net in nets:
        for end in net["endpoints"]:
            if net["event"].startswith("posedge") and end["event"].startswith("posedge"):
                name = own(driven.get(end["cell"], end["cell"]))
                ends_ns[name] = max(ends_ns[name], end["delay"])
    path = next(path for path in report["critical_paths"]
                if path["from"].startswith("posedge") and path["to"].startswith("posedge"))["path"]
    begin, end = path[0]["to"]["cell"], path[-1]["to"]["cell"]
    return [own(name) for name in (begin, *(step["net"] for step in path if "net" in step),
                                   driven.get(end, end))], ends_ns


class Design:
    """A module, the files it is made of (what they include among them), and its parameters.

    Of inputs that it has no use for, `without` names those that are not to become pins.
    """

    def __init__(self, top, sources, without=(), **parameters):
        self.top, self.parameters, self.without = top, parameters, without
        self.sources = sorted(pathlib.Path(source).relative_to(ROOT) for source in sources)

    def read(self):
        """Yosys's commands."""
        directories = " ".join(f"-I{path}" for path in sorted({file.parent for file in self.sources}))
        files = " ".join(str(file) for file in self.sources if file.suffix == ".v")
        chosen = " ".join(f"-set {key} {value}" for key, value in self.parameters.items())
        hidden = "".join(f"delete -port {self.top}/{port}; " for port in self.without)
        return (f"read_verilog {directories} {files}; "
                f"{f'chparam {chosen} {self.top}; ' if chosen else ''}hierarchy -top {self.top}; {hidden}")

    def state(self):
        return "".join(f"{file}:{bare((ROOT / file).read_text())}\n" for file in self.sources)


class Synthesis:
    def __init__(self, out):
        self.out = out / "cache"
        self.out.mkdir(parents=True, exist_ok=True)
        self.yosys = version("yosys", "-V")
        self.nextpnr = version("nextpnr-ice40", "--version")

    def kept(self, *inputs):
        """Where the result of these inputs is, or is to be."""
        return self.out / hashlib.sha256("\0".join(inputs).encode()).hexdigest()[:24]

    def run(self, script, design, what, suffix=".json"):
        """Yosys's commands behind reading a design; FILE in them is the result, whose path is returned."""
        result = self.kept(self.yosys, script, design.read(), design.state()).with_suffix(suffix)
        if not result.exists():
            print(f"{what}: {design.top} {design.parameters or ''}", flush=True)
            partial = result.with_name(f"{result.stem}.partial{suffix}")
            subprocess.run(["yosys", "-q", "-p", design.read() + script.replace("FILE", str(partial))],
                           cwd=ROOT, check=True, timeout=LIMIT, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            partial.rename(result)
        return result

    def modules(self, design, family="ice40", options=""):
        """How many cells of each type each module has, without those of modules inside it."""
        script = f"{FAMILIES[family].command} {options} -top {design.top}; tee -q -o FILE stat -json"
        text = self.run(script, design, family).read_text()
        # Behind this object, Yosys 0.23 goes on in no JSON where there are modules in modules.
        modules = json.JSONDecoder().raw_decode(text.partition('"modules":')[2].lstrip())[0]
        return {name.lstrip("\\"): collections.Counter(module["num_cells_by_type"])
                for name, module in modules.items()}

    def cells(self, design, family="ice40"):
        """The same of the whole, flattened."""
        return self.modules(design, family)[design.top]

    def mapped(self, design):
        """The netlist of iCE40 cells."""
        return self.run(f"synth_ice40 -top {design.top} -json FILE", design, "to place")

    def mapped_cells(self, design):
        """The same as cells(), of that netlist."""
        netlist = json.loads(self.mapped(design).read_text())["modules"][design.top]
        return collections.Counter(cell["type"] for cell in netlist["cells"].values())

    def memory_bits(self, design):
        """Of a design's memories, before they are made of block RAMs."""
        path = self.run("proc; flatten; opt; tee -q -o FILE stat", design, "memories", ".txt")
        return int(re.findall(r"Number of memory bits:\s+(\d+)", path.read_text())[-1])

    def longest_path(self, design):
        """(ns, cell it begins in, cell it ends in) of the longest path between registers, wires apart."""
        path = self.run(f"synth_ice40 -top {design.top}; read_verilog -overwrite -lib -specify -D ICE40_HX "
                        "+/ice40/cells_sim.v; tee -q -o FILE sta", design, "sta", ".txt")
        text = path.read_text()
        cells = re.findall(r"^ +\d+ (\S+) \(SB_", text, re.M)
        return int(re.search(r"Latest arrival time in .* is (\d+)", text)[1]) / 1000, cells[-1], cells[0]

    def place(self, design, seed, target_mhz):
        """On an HX8K: utilisation by resource, MHz between registers, ns from a pin to a register, and paths()."""
        mapped = self.mapped(design)
        arguments = ["--hx8k", "--package", "ct256", "--freq", str(target_mhz), "--seed", str(seed),
                     "--timing-allow-fail", "--detailed-timing-report"]
        stem = self.kept(self.nextpnr, mapped.name, *arguments)
        report, log = stem.with_suffix(".report"), stem.with_suffix(".log")
        if not report.exists():
            print(f"nextpnr, seed {seed}: {design.top} {design.parameters or ''}", flush=True)
            partial = stem.with_suffix(".partial")
            subprocess.run(["nextpnr-ice40", *arguments, "--json", mapped, "--log", log, "--report",
                            partial, "-q"], check=True, timeout=LIMIT, stderr=subprocess.DEVNULL)
            partial.rename(report)
        result = json.loads(report.read_text())
        pins = re.findall(r"Max delay <async>\s+-> posedge \S+\s*: ([\d.]+) ns", log.read_text())
        return Placed(result["utilization"], min(clock["achieved"] for clock in result["fmax"].values()),
                      float(pins[-1]) if pins else None, *paths(result))
