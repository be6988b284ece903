"""first - first runs of programs, with the whole profile and nothing translated yet, beside qemu-user."""
import collections
import os
import pathlib
import shutil
import subprocess
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
LENGTHS = {"50 M": 50_000_000, "500 M": 500_000_000, "3 G": 3_000_000_000}  # instructions
PEER = "3 G"  # the length that qemu-user runs: its speed is that
TRIAL = 50  # WORKLOAD_LENGTH of a build that says how long a program is for that
# Decisions of the tiers were made by looking at these workloads; the others tell how good they are.
TUNED = ("aes", "core", "dhry", "fir", "jpeg", "lzw", "mips_interp", "regex", "sha256", "softfloat", "sort")

Guest = collections.namedtuple("Guest", "qemu core settings")
GUESTS = {
    "rv32im-linux": Guest("qemu-riscv32", "flatfoot", ()),
    "mips32el-linux": Guest("qemu-mipsel", "tiger-mips",
                            ("--set", "isa=mips32r2_fpu", "--set", "classes.FP_DEFAULT.cycles=1")),
}


def build(directory, guest, name, length):
    subprocess.run([ROOT / "workloads/build.sh", directory, guest, "--size", "ref", "--only", name], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "EXTRA_CFLAGS": f"-DWORKLOAD_LENGTH={length}u"})
    return pathlib.Path(directory) / guest / f"{name}.elf"


class Programs:
    """A workload in all lengths."""

    def __init__(self, gumshoe, directory, guest, name):
        self.gumshoe, self.directory, self.guest, self.name = gumshoe, directory, guest, name
        trials = [self.instructions(build(directory, guest, name, length)) for length in (TRIAL, 2 * TRIAL)]
        self.each = (trials[1] - trials[0]) / TRIAL
        self.fixed = trials[0] - self.each * TRIAL

    def instructions(self, program):
        return measure.summary(self.gumshoe, "--core", "none", program)["instructions"]

    def of(self, instructions):
        """The program of that length, as close as its rounds of work let it be, and its real length."""
        length = max(1, round((instructions - self.fixed) / self.each)) if self.each > 0 else TRIAL
        program = build(self.directory, self.guest, self.name, length)
        return program, self.instructions(program)


def runs(gumshoe, output, guest, name, rounds):
    """A row: CPU time with compilers, and wall-clock, by length; and qemu-user's. None: it is not for this guest."""
    if not build(output / f"first-{guest}-{name}", guest, name, TRIAL).exists():
        return None
    how, found = GUESTS[guest], {}
    programs = Programs(gumshoe, output / f"first-{guest}-{name}", guest, name)
    qemu = None
    for length, instructions in LENGTHS.items():
        program, instructions = programs.of(instructions)
        costs = []
        for turn in range(rounds):
            measure.note(f"{guest} {name}, first run of {length}, round {turn + 1} of {rounds}")
            with tempfile.TemporaryDirectory(dir=output) as empty:
                costs.append(measure.run(
                    [gumshoe, "run", "-q", "--core", how.core, *how.settings, "--engine", "fast", "-o",
                     f"{empty}/first.db", program], environment={"XDG_CACHE_HOME": empty}))
        cost = measure.least(costs)
        found[length] = {"instructions": instructions, "seconds": cost.seconds, "compiler_seconds": cost.orphans,
                         "wall": cost.wall, "rss_kib": cost.rss_kib}
        if length == PEER and shutil.which(how.qemu):
            cost = measure.least([measure.run([how.qemu, program]) for _ in range(rounds)])
            qemu = {"instructions": instructions, "seconds": cost.total, "wall": cost.wall}
    return {"guest": guest, "workload": name, "tuned": name in TUNED, "runs": found, "qemu": qemu}


def ratio(row, length, clock):
    """How many times as fast as qemu-user, in CPU time ("cpu") or by the clock on the wall; or None."""
    found, qemu = row["runs"][length], row["qemu"]
    if not qemu:
        return None
    seconds = found["wall"] if clock == "wall" else found["seconds"] + found["compiler_seconds"]
    peer = qemu["wall"] if clock == "wall" else qemu["seconds"]
    return found["instructions"] / seconds / (qemu["instructions"] / peer)
