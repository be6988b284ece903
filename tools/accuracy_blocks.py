"""Schedules of single blocks against llvm-mca, LLVM's machine code analyser.

llvm-mca executes the instructions of each block in the order in which Gumshoe issues them, with registers renamed
as in the schedule, on the model of an in-order core of two slots. Gumshoe has a description of the same core.
What is compared is the cycle in which the last instruction is issued.
"""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "tools" / "sifive-7.yaml"
NAMES = ["ra", "sp", "gp", "tp", *(f"t{i}" for i in range(7)), *(f"s{i}" for i in range(12)), *(f"a{i}" for i in range(8))]
REGISTER = re.compile(r"\b(" + "|".join(NAMES) + r")\b")
NO_TARGET = re.compile(r"^(sb|sh|sw|b\w+|j|jr|ret|ecall|ebreak|fence\S*)$")
LEFT_OUT = re.compile(r"^(csr\w*|e(call|break)|mret|wfi|fence\S*|amo\w+|lr\.\w+|sc\.\w+|unimp)$")


TEXT = """
## Blocks against llvm-mca

Each basic block of the workloads, compiled by gcc for RV32IM, in the order in which Gumshoe issues it on a core described after
LLVM's model of the SiFive 7 (`tools/sifive-7.yaml`: two slots, in order), was given to llvm-mca 19 with that model (`-mcpu=sifive-e76`).
Compared are the cycles until the last instruction is issued; a block counts as often as it is executed. Left out are blocks with control
registers, fences or atomics, and those whose values do not fit into 31 registers. llvm-mca lets nothing finish before what was
issued earlier, so that a store waits behind a load or a division; Gumshoe's description can only make all stores late, and that is most of the difference.
"""


def operands(text):
    """(mnemonic, names read, name written or None)"""
    word, _, rest = text.partition(" ")
    names = REGISTER.findall(rest)
    if NO_TARGET.match(word):
        return word, names, None
    first = rest.split(",")[0].strip()
    if first in NAMES:
        return word, names[1:], first
    return word, names, None


def renamed(instructions):
    """The instructions in the order of issue, each value in a register of its own; None: there are too few."""
    order = sorted(range(len(instructions)), key=lambda i: (instructions[i]["cycle"], i))
    value, reads, writes, last = {}, [], [], {}
    for i, insn in enumerate(instructions):
        _, sources, target = operands(insn["text"])
        reads.append([value.setdefault(name, ("entry", name)) for name in sources])
        writes.append((i, target) if target else None)
        if target:
            value[target] = (i, target)
    for place, i in enumerate(order):
        for used in [*reads[i], *([writes[i]] if writes[i] else [])]:
            last[used] = place
    free, held, lines = list(NAMES), {}, []
    for used in {used for some in reads for used in some if used[0] == "entry"}:
        if not free:
            return None
        held[used] = free.pop()
    for place, i in enumerate(order):
        word, _, rest = instructions[i]["text"].partition(" ")
        sources = [held[used] for used in reads[i]]
        for used in [used for used in held if last[used] == place and used != writes[i]]:
            free.insert(0, held.pop(used))
        if writes[i]:
            if not free:
                return None
            sources.insert(0, held.setdefault(writes[i], free.pop()))
            if last[writes[i]] == place:
                free.insert(0, held.pop(writes[i]))
        names = iter(sources)
        rest = REGISTER.sub(lambda match: next(names, match.group()), rest)
        lines.append(f"{word} {re.sub('0x[0-9a-f]+$', 'elsewhere', rest) if word[0] in 'bj' else rest}")
    return lines


def executions(gumshoe, scratch, elf):
    """How often each instruction is executed, by its address."""
    profile = scratch / "blocks.db"
    profile.unlink(missing_ok=True)
    subprocess.run([gumshoe, "run", "-q", "--core", CORE, "-o", profile, elf], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([gumshoe, "report", profile, "--by", "instruction", "--format", "json"], check=True,
                          capture_output=True, text=True)
    return {int(row["address"], 16): row["executions"] for row in json.loads(done.stdout)["rows"]}


def regions(gumshoe, elf):
    done = subprocess.run([gumshoe, "schedule", elf, "--core", CORE, "--json"], check=True, capture_output=True, text=True)
    return [region for function in json.loads(done.stdout)["functions"] for region in function["regions"]]


def analysed(codes):
    """The cycles until the last instruction is issued, for each block of code."""
    text = "".join(f"# LLVM-MCA-BEGIN {name}\n" + "\n".join(lines) + f"\n# LLVM-MCA-END {name}\n" for name, lines in codes.items())
    done = subprocess.run(["llvm-mca-19", "-mtriple=riscv32", "-mcpu=sifive-e76", "-mattr=+m", "-iterations=1", "-json",
                           "-timeline", "-timeline-max-iterations=1", "-timeline-max-cycles=0"], input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"llvm-mca-19: {done.stderr[:2000]}")
    cycles = {}
    for region in json.loads(done.stdout)["CodeRegions"]:
        issued = [one["CycleIssued"] for one in region["TimelineView"]["TimelineInfo"]]
        cycles[region["Name"]] = max(issued) - min(issued) + 1
    return cycles


def compare(gumshoe, scratch, elf):
    """Executions of blocks: all, compared, within a cycle, and equal."""
    counts, codes, ours, times = executions(gumshoe, scratch, elf), {}, {}, {}
    every = 0
    for region in regions(gumshoe, elf):
        count = counts.get(region["address"], 0)
        every += count
        instructions = region["instructions"]
        words = [insn["text"].partition(" ")[0] for insn in instructions]
        if count == 0 or region["spilled"] or any(LEFT_OUT.match(word) for word in words):
            continue
        lines = renamed(instructions)
        if lines is None:
            continue
        name = f"b{region['address']:x}"
        cycles = [insn["cycle"] for insn in instructions]
        codes[name], ours[name], times[name] = lines, max(cycles) - min(cycles) + 1, count
    theirs = analysed(codes)
    within = sum(times[name] for name in codes if abs(ours[name] - theirs[name]) <= 1)
    equal = sum(times[name] for name in codes if ours[name] == theirs[name])
    return every, sum(times.values()), within, equal


def section(gumshoe, scratch, table):
    """Markdown."""
    subprocess.run([ROOT / "workloads/build.sh", scratch / "blocks", "rv32im", "--size", "test"], check=True)
    rows, sums = [], [0] * 4
    for elf in sorted((scratch / "blocks" / "rv32im").glob("*.elf")):
        found = compare(gumshoe, scratch, elf)
        sums = [one + other for one, other in zip(sums, found)]
        rows.append([elf.stem, *cells(found)])
    rows.append(["**all**", *cells(sums)])
    head = ["workload", "blocks executed", "compared", "within a cycle", "equal"]
    return TEXT + "\n" + table(head, rows, head[1:]), 100 * sums[2] / sums[1]


def cells(counts):
    every, compared, within, equal = counts
    return f"{every:,}", f"{100 * compared / every:.1f}%", f"{100 * within / compared:.1f}%", f"{100 * equal / compared:.1f}%"
