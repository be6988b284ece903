"""measure - what a command costs: CPU time with everything it started, real time, memory.

Two things a plain wait for a child gets wrong are taken care of. Memory: a child's peak starts at that of
the process it was forked from, and this one is large; so the command is started by a small shell. Orphans:
the process that starts the fast engine's compilers is not the command's child; so this process adopts what a
command leaves behind, and adds it up apart.
"""
import ctypes
import dataclasses
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import threading
import time

PR_SET_CHILD_SUBREAPER = 36
# Waits for a word, so that the time of starting the shell itself is not counted.
START = 'exec 3<&0; ( read go <&3; exec "$@" </dev/null >/dev/null 2>&1 3<&- ) & echo $!'


class Failed(Exception):
    """A command ended in another way than it should."""


@dataclasses.dataclass
class Cost:
    seconds: float  # CPU time of the command and of what it waited for
    orphans: float  # CPU time of what it left to others: compilers
    wall: float
    rss_kib: int

    @property
    def total(self):
        return self.seconds + self.orphans


# What the process that starts compilers takes by itself is less than this.
LEAST_COMPILER = 0.01  # seconds


def adopt_orphans():
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def cpu_seconds(usage):
    return usage.ru_utime + usage.ru_stime


def reap_orphans():
    """CPU time of everything left behind, once it has ended."""
    seconds = 0.0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return seconds
        seconds += cpu_seconds(usage)


def run(command, statuses=(0,), environment=None, limit=600):
    """Runs a command to its end. Needs adopt_orphans(), and that nothing else is running."""
    reap_orphans()  # of other commands
    shell = subprocess.Popen(["sh", "-c", START, "sh", *map(str, command)], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env={**os.environ, **(environment or {})})
    process = int(shell.stdout.readline())
    shell.wait()
    watchdog = threading.Timer(limit, os.kill, (process, 9))
    watchdog.daemon = True
    watchdog.start()
    started = time.monotonic()
    os.write(shell.stdin.fileno(), b"\n")
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - started
    watchdog.cancel()
    shell.stdin.close()
    shell.stdout.close()
    orphans = reap_orphans()
    code = os.waitstatus_to_exitcode(status)
    if code not in statuses:
        raise Failed(f"{' '.join(map(str, command))}: "
                     + (f"ended by signal {-code}" if code < 0 else f"status {code}"))
    return Cost(cpu_seconds(usage), orphans, wall, usage.ru_maxrss)


def least(costs):
    """The best of each, since noise only adds."""
    return Cost(*(min(getattr(cost, field.name) for cost in costs)
                  for field in dataclasses.fields(Cost)))


def summary(gumshoe, *arguments):
    """What gumshoe run --json says about a run."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "run.json"
        subprocess.run([gumshoe, "run", "-q", "--json", report, *arguments], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return json.loads(report.read_text())


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def host(root):
    """Where and of what a measurement was made."""
    commit = output_of("git", "-C", root, "rev-parse", "--short", "HEAD") or "unknown"
    if output_of("git", "-C", root, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    return {"processor": processor(), "processors": os.cpu_count(), "system": platform.platform(),
            "compiler": (output_of("cc", "--version").splitlines() or ["unknown"])[0],
            "commit": commit}


def host_line(facts):
    return (f"{facts['processor']} ({facts['processors']} processors), {facts['system']}, "
            f"{facts['compiler']}, commit {facts['commit']}")


class Progress:
    """A line of progress on a terminal; elsewhere, one for each step. If it is told how much there is to
    do, it says how long it will take, from how long what is done has taken."""

    def __init__(self):
        self.whole = self.done = 0
        self.started = time.monotonic()

    def expect(self, whole):
        self.whole, self.done, self.started = whole, 0, time.monotonic()

    def left(self):
        """In words; nothing as long as nothing is known."""
        if not 0 < self.done < self.whole:
            return ""
        seconds = (time.monotonic() - self.started) * (self.whole - self.done) / self.done
        return f"{100 * self.done / self.whole:.0f}%, " + (
            f"about {seconds / 60:.0f} minutes left" if seconds >= 90 else "a minute left")

    def note(self, text):
        if sys.stderr.isatty():
            left = self.left()
            print(f"\r\033[K{f'[{left}] ' if left and text else ''}{text}", end="", file=sys.stderr, flush=True)

    def advance(self, amount, what):
        """`amount` of what was expected is done."""
        self.done += amount
        if not sys.stderr.isatty():
            print(f"{what}: done" + (f" ({self.left()})" if self.left() else ""), file=sys.stderr, flush=True)


progress = Progress()
note, expect, advance = progress.note, progress.expect, progress.advance
