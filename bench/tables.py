"""tables - what bench/run found, as text."""
import math
import textwrap

import first

HEAD_WIDTH = 12
PEERS = ("native", "qemu-user", "callgrind")


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def unique(items):
    return list(dict.fromkeys(items))


def guests(rows):
    return [(guest, [row for row in rows if row["guest"] == guest])
            for guest in unique(row["guest"] for row in rows)]


def competitors(rows):
    return unique(who for row in rows for who in row["best"])


def mean_speed(rows, who):
    return geometric_mean(row["best"][who]["mips"] for row in rows if who in row["best"])


def mean_ratio(rows, who, peer):
    """How many times as fast as the peer, over the workloads that both ran."""
    return geometric_mean(row["best"][who]["mips"] / row["best"][peer]["mips"] for row in rows
                          if who in row["best"] and peer in row["best"])


def least_ratio(rows, who, peer):
    """The workload where it is the slowest next to the peer."""
    ratios = [(row["best"][who]["mips"] / row["best"][peer]["mips"], row["workload"]) for row in rows
              if who in row["best"] and peer in row["best"]]
    return "{:.2f} {}".format(*min(ratios)) if ratios else ""


def cell(value, form):
    return "" if value is None else format(value, form)


def grid(head, rows):
    """Columns as wide as they have to be; the first to the left, the others to the right."""
    stacks = [textwrap.wrap(name, HEAD_WIDTH) for name in head]
    height = max(map(len, stacks))
    heads = [[stack[i - height + len(stack)] if i >= height - len(stack) else "" for stack in stacks]
             for i in range(height)]
    lines = [*heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return ["  ".join([line[0].ljust(widths[0]), *(text.rjust(width) for text, width in
                                                   zip(line[1:], widths[1:]))]).rstrip()
            for line in lines]


def speed_means(guest, rows, size):
    lines = [f"{guest}: speed, geometric mean of {len(rows)} workloads of size {size}"]
    body = []
    for who in competitors(rows):
        memory = max(row["best"][who]["rss_kib"] for row in rows if who in row["best"]) / 1024
        away = mean_ratio(rows, "native", who) if any("native" in row["best"] for row in rows) else None
        body.append([who, cell(mean_speed(rows, who), ",.0f"),
                     cell(mean_ratio(rows, who, "qemu-user"), ".3f"), least_ratio(rows, who, "qemu-user"),
                     cell(away, ".1f"), f"{memory:.1f}"])
    return lines + grid(["", "MIPS", "x qemu-user", "least", "native is faster by", "MB"], body)


ENGINES = ("reference", "fast")


def recording(row, engine):
    """How much longer an engine takes with the profile than with timing alone: a ratio."""
    for who, best in row["best"].items():
        timing = row["best"].get(who.removesuffix(" -o"))
        if timing and who.endswith(f", {engine} -o"):
            return best["seconds"] / timing["seconds"]
    return None


def recording_costs(rows):
    for engine in ENGINES:
        ratios = [ratio for ratio in (recording(row, engine) for row in rows) if ratio]
        if ratios:
            yield (f"recording the profile costs the {engine} engine {100 * (geometric_mean(ratios) - 1):.0f}% "
                   f"over timing alone, at most {100 * (max(ratios) - 1):.0f}%")


def speed_by_workload(guest, rows):
    """The last columns are the seconds of "-o" over those without, by engine."""
    whos = competitors(rows)
    engines = [engine for engine in ENGINES if any(recording(row, engine) for row in rows)]
    body = [[row["workload"], f"{row['instructions'] / 1e6:,.1f} M",
             *(cell(row["best"].get(who, {}).get("mips"), ",.0f") for who in whos),
             *(cell(recording(row, engine), ".2f") for engine in engines)] for row in rows]
    return [f"{guest}: million guest instructions a second; what recording costs over timing",
            *grid(["workload", "instructions", *whos, *(f"{engine}, -o / timing" for engine in engines)], body)]


def start_up(rows):
    lines = ["start-up: a program that prints a line"]
    body = [[f"{row['guest']}: {who}", f"{best['milliseconds']:.1f}", f"{best['cpu_milliseconds']:.1f}",
             f"{best['rss_kib'] / 1024:.1f}"]
            for row in rows for who, best in row["best"].items()]
    return lines + grid(["", "ms", "CPU ms", "MB"], body)


def cold_start(rows):
    """CPU time is with the compilers', also against qemu-user."""
    lines = ["cold start to finish, nothing translated before"]
    body = []
    for row in rows:
        peer = row["found"].get("qemu-user")
        for who, found in row["found"].items():
            all_of_it = found["seconds"] + found["compiler_seconds"]
            speed = row["instructions"] / found["wall"] / 1e6
            body.append([f"{row['guest']}, {row['workload']}: {who}", f"{row['instructions'] / 1e9:.2f} G",
                         f"{found['wall']:.2f}", f"{found['seconds']:.2f}",
                         cell(found["compiler_seconds"] or None, ".2f"),
                         cell(peer and peer["seconds"] / all_of_it, ".2f"), f"{speed:,.0f}",
                         f"{found['rss_kib'] / 1024:.1f}"])
    return lines + grid(["", "instructions", "seconds", "CPU s", "compiler's CPU s", "x qemu-user, CPU", "MIPS",
                         "MB"], body)


def short_programs(guest, rows):
    """Ratios of CPU time, the default engine's compilers included."""
    lines = [f"{guest}: short programs, CPU time by default as a multiple of the reference engine's"]

    def ratios(row):
        return [row[how + suffix] / row["reference" + suffix] for suffix in ("", " -o") for how in ("cold", "warm")]

    body = [[row["program"], f"{row['instructions'] / 1e6:,.1f} M",
             *(f"{row[who]:.3f}" for who in ("reference", "reference -o")),
             *(f"{ratio:.2f}" for ratio in ratios(row))] for row in rows]
    for name, choose in (("least", min), ("worst", max)):
        body.append([name, "", "", "", *(f"{choose(column):.2f}" for column in zip(*map(ratios, rows)))])
    return lines + grid(["", "instructions", "reference, CPU s", "reference -o, CPU s", "cold", "warm", "cold, -o",
                         "warm, -o"], body)


def host_counts(guest, rows):
    """Means over the workloads; a kind that does not come up counts as none."""
    lines = [f"{guest}: host instructions per guest instruction, mean of "
             f"{', '.join(row['workload'] for row in rows)} ("
             + ", ".join(f"{engine} engine: size {size}" for engine, size in rows[0]["sizes"].items()) + ")"]
    ways = unique(way for row in rows for way in row["ways"])
    kinds = unique(kind for row in rows for found in row["ways"].values() for kind in found["by_kind"])

    def mean(values):
        return sum(values) / len(values)

    body = []
    natives = [row["native"] for row in rows if row["native"]]
    if natives:
        body.append(["native", f"{mean(natives):.2f}", *[""] * (len(kinds) + 1)])
    for way in ways:
        found = [row["ways"][way] for row in rows]
        by_kind = [mean([one["by_kind"].get(kind, 0) for one in found]) for kind in kinds]
        body.append([way, f"{mean([one['whole'] for one in found]):.2f}",
                     f"{mean([one['warm'] for one in found]):.2f}",
                     *(f"{value:.2f}" if abs(value) >= 0.005 else "" for value in by_kind)])
    return lines + grid(["", "whole run", "second half", *kinds], body)


def first_runs(guest, rows):
    """Ratios of instructions a second, of CPU time with compilers and by the clock."""
    lengths = list(rows[0]["runs"])
    ways = [(length, clock) for clock in ("cpu", "wall") for length in lengths]
    body = []
    for what, some in (("tuned on", [row for row in rows if row["tuned"]]),
                       ("others", [row for row in rows if not row["tuned"]])):
        ratios = {way: [first.ratio(row, *way) for row in some if row["qemu"]] for way in ways}
        body += [[row["workload"], *(cell(first.ratio(row, *way), ".3f") for way in ways)] for row in some]
        for name, choose in (("geometric mean", geometric_mean), ("least", lambda values: min(values, default=None))):
            body.append([f"{what}, {name}", *(cell(choose(ratios[way]), ".3f") for way in ways)])
    return [f"{guest}: first runs with the whole profile, compilers included, as times as fast as qemu-user",
            *grid(["", *(f"{length}, {'CPU' if clock == 'cpu' else 'clock'}" for length, clock in ways)], body)]


def text(result):
    lines = []
    for guest, rows in guests(result["speed"]):
        lines += [*speed_means(guest, rows, result["size"]),
                  *recording_costs(rows), "",
                  *speed_by_workload(guest, rows), ""]
    for guest, rows in guests(result["counts"]):
        lines += [*host_counts(guest, rows), ""]
    lines += [*start_up(result["start_up"]), ""]
    if result["cold_start"]:
        lines += [*cold_start(result["cold_start"]), ""]
    for guest, rows in guests(result["first_runs"]):
        lines += [*first_runs(guest, rows), ""]
    for guest, rows in guests(result["short_programs"]):
        lines += [*short_programs(guest, rows), ""]
    lines += result["notes"]
    lines.append(f"CPU time, least of {result['rounds']} rounds in turns, callgrind once; memory is the "
                 f"largest peak")
    return "\n".join(lines)


def speed_bars(result):
    """Groups for a bar chart."""
    return [(guest, [(who, mean_speed(rows, who), "peers" if who.startswith(PEERS) else "Gumshoe")
                     for who in competitors(rows)])
            for guest, rows in guests(result["speed"])]
