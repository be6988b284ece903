"""Estimates for vliw-hexagon against what Hexagon's compiler makes of the same source.

clang compiles every workload for Hexagon, and QEMU counts the packets that are executed. The same clang
compiles it for the instruction set of the core vliw-hexagon, and Gumshoe estimates the cycles there, which
are packets, too.
"""
import json
import pathlib
import subprocess

import accuracy_blocks

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "accuracy-vliw.md"
CORE, ESTIMATED, EXECUTED = "vliw-hexagon", "rv32imf_zba_zbb_zbs_zicond-clang-linux", "hexagon-clang-linux"
# The description was written with a view to these; the others are what it is judged by.
TUNED_ON = {"adpcm", "des", "fir", "gsm_lpc", "jpeg", "motion", "regex", "sha256", "softfloat", "tick"}
SOFTWARE_DIVISION = (b"__hexagon_udivsi3", b"__hexagon_umodsi3", b"__hexagon_divsi3", b"__hexagon_modsi3")

INTRODUCTION = """\
# Accuracy of VLIW estimates

Written by `make accuracy`; every number on this page was measured by it.

Hexagon is a VLIW processor that has a compiler in Debian, and an emulator that counts the packets it executes. Each
workload of size test was compiled by clang 19 with `-O2` for Hexagon V62 and run by `qemu-hexagon`, and by the same clang for
the instruction set of the core `{core}` and run by `gumshoe run --core {core}`, which schedules it ([vliw.md](vliw.md)). A
cycle there is a packet. Run-time functions, such as double precision in software, were compiled from the same source both ways.

The patterns of the core's description were found in half of the programs. Two settings for all code, `alias` and that no result is
used in its own packet, were chosen by the results of all of them, so the other half is no blind test: a program of your
own may be further off, such as one whose loops step by a register.
"""


def packets(plugin, elf):
    done = subprocess.run(["qemu-hexagon", "-plugin", plugin, elf], capture_output=True, text=True, check=True)
    return int(done.stderr)


def estimate(gumshoe, scratch, elf):
    """(instructions, cycles)"""
    report = scratch / "estimate.json"
    subprocess.run([gumshoe, "run", "-q", "--json", report, "--core", CORE, elf], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    counts = json.loads(report.read_text())
    return counts["instructions"], counts["cycles"]


def measure(gumshoe, scratch):
    """A row for each workload: name, instructions, packets, estimate, whether it divides in software."""
    plugin = scratch / "count.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", ROOT / "workloads/tools/qemu_insn_count.c", "-o", plugin],
                   check=True)
    subprocess.run([ROOT / "workloads/build.sh", scratch / "vliw", ESTIMATED, EXECUTED, "--size", "test"], check=True)
    rows = []
    for executed in sorted((scratch / "vliw" / EXECUTED).glob("*.elf")):
        instructions, cycles = estimate(gumshoe, scratch, scratch / "vliw" / ESTIMATED / executed.name)
        divides = any(name in executed.read_bytes() for name in SOFTWARE_DIVISION)
        rows.append((executed.stem, instructions, packets(plugin, executed), cycles, divides))
    return rows


def error(row):
    return 100 * (row[3] - row[2]) / row[2]


def ranks(values):
    order = sorted(values)
    return [order.index(value) for value in values]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    together = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return together / (sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)) ** 0.5


def summary(rows):
    """(mean absolute error, largest, rank correlation)"""
    errors = [abs(error(row)) for row in rows]
    return (sum(errors) / len(errors), max(errors),
            correlation(ranks([row[2] for row in rows]), ranks([row[3] for row in rows])))


def page(rows, table):
    head = ["workload", "RV32 instructions", "per packet", "executed packets", "estimated", "error"]

    def section(title, chosen):
        mean, most, rank = summary(chosen)
        cells = [[name, f"{count:,}", f"{count / truth:.2f}", f"{truth:,}", f"{cycles:,}",
                  f"{error((name, count, truth, cycles)):+.1f}%"] for name, count, truth, cycles, _ in chosen]
        return (f"\n## {title}\n\n{table(head, cells, head[1:])}\n"
                f"Mean absolute error {mean:.1f}%, largest {most:.1f}%, rank correlation {rank:.2f}.\n")

    compared = [row for row in rows if not row[4]]
    mean, most, rank = summary(compared)
    return (INTRODUCTION.format(core=CORE)
            + f"\nOver all {len(compared)} programs that do not divide in software: mean absolute error **{mean:.1f}%**, largest "
              f"**{most:.1f}%**, rank correlation **{rank:.2f}**.\n"
            + section("Programs the description was not tuned on", [row for row in compared if row[0] not in TUNED_ON])
            + section("Programs it was tuned on", [row for row in compared if row[0] in TUNED_ON])
            + section("Programs that divide in software",
                      [row for row in rows if row[4]])
            + "\nHexagon has no instruction to divide whole numbers: its compiler calls a routine, which takes as long as it "
              "takes. Here that is one of ours (`workloads/runtime/libcalls_hexagon_divide.c`), and the description says "
              "24 packets.\n")


def write(gumshoe, scratch, table):
    """Writes the page; returns what to say of it."""
    rows = measure(gumshoe, scratch)
    blocks, within = accuracy_blocks.section(gumshoe, scratch, table)
    PAGE.write_text(page(rows, table) + blocks)
    mean, most, rank = summary([row for row in rows if not row[4]])
    return (f"vliw-hexagon: mean absolute error {mean:.1f}%, largest {most:.1f}%, rank correlation {rank:.2f}; blocks within "
            f"a cycle of llvm-mca: {within:.1f}%")
