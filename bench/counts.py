"""counts - host instructions per guest instruction, counted by callgrind and told apart by kind.

Times are noisy, these are the same in every run. A program runs to its end and to its half; the difference
is what an instruction costs once everything is loaded and warm, and the whole includes start and end. What
the instructions were for is told by where their source lies, inlined code included.
"""
import collections
import pathlib
import re
import subprocess
import tempfile

LIMIT_REACHED = 124  # exit status of a run that --max-instructions ended
KINDS = {  # directories below src/, the longest name that fits
    "engine/fast": "fast engine",
    "engine": "interpreter",
    "isa": "interpreter",
    "timing": "model",
    "machine": "memory, environment",
    "profile": "recorder",
    "image": "program's file",
}
OTHER, LIBRARIES, TRANSLATED = "other Gumshoe", "libraries", "translated code"
NAME = re.compile(r"^(ob|fl|fi|fe|fn|cob|cfl|cfi|cfn)=\((\d+)\)(?: (.*))?$")
SOURCE = re.compile(r"(?:^|/)src/([a-z/]+)/[^/]+$")


def kind_of(binary, source, translations):
    if binary.startswith(str(translations)):
        return TRANSLATED
    match = SOURCE.search(source)
    if not match:
        return LIBRARIES
    fitting = [directory for directory in KINDS if f"{match[1]}/".startswith(f"{directory}/")]
    return KINDS[max(fitting, key=len)] if fitting else OTHER


def read_callgrind(lines, translations):
    """{kind: instructions} of a callgrind file."""
    names = {"ob": {}, "fl": {}, "fn": {}}
    binary = source = ""
    found = collections.Counter()
    skip = False
    for line in lines:
        match = NAME.match(line.rstrip("\n"))
        if match:
            which, number, name = match.groups()
            table = names["ob" if which.endswith("ob") else "fn" if which.endswith("fn") else "fl"]
            if name is not None:
                table[number] = name
            if which == "ob":
                binary = table[number]
            elif which in ("fl", "fi", "fe"):
                source = table[number]
        elif line.startswith("calls="):
            skip = True  # the next line is what the callee cost
        elif line[:1] in "+-*0123456789" and line.strip():
            if not skip:
                found[kind_of(binary, source, translations)] += int(line.split()[1])
            skip = False
    return found


def count(command, translations, statuses=(0,)):
    """{kind: host instructions} of one run."""
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen(["valgrind", "-q", "--tool=callgrind",
                                    f"--callgrind-out-file={directory}/%p", *map(str, command)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        complaint = process.communicate()[1]
        if process.returncode not in statuses:
            raise RuntimeError(f"{' '.join(map(str, command))} under callgrind: status "
                               f"{process.returncode}: {complaint.decode()[-300:]}")
        with open(pathlib.Path(directory) / str(process.pid), encoding="utf-8") as file:
            return read_callgrind(file, translations)


def per_instruction(gumshoe, options, program, instructions, translations):
    """Host instructions per guest instruction: all of them, and those of the second half by kind."""
    run = [gumshoe, "run", "-q", *options]
    half = instructions // 2
    whole = count([*run, program], translations)
    first = count([*run, "--max-instructions", half, program], translations, (LIMIT_REACHED,))
    later = {kind: (whole[kind] - first[kind]) / (instructions - half) for kind in whole}
    return {"whole": sum(whole.values()) / instructions, "warm": sum(later.values()),
            "by_kind": {kind: share for kind, share in sorted(later.items(), key=lambda item: -item[1])
                        if abs(share) >= 0.005}}
