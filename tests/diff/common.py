"""What the comparisons in this directory share: finding Gumshoe, workloads, running things, counting."""
import concurrent.futures
import fcntl
import hashlib
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NO_CORE = ["--core", "none"]
# What makes a Linux guest see of the host what one of QEMU's sees.
INHERIT_ALL = ["--inherit-env", "--inherit-clock", "--inherit-terminal"]
TIMEOUT = 300  # seconds; what takes longer hangs


def find_gumshoe(path):
    """`path` is the program itself or a build directory. Exits if there is none."""
    found = pathlib.Path(path).resolve()
    if found.is_dir():
        found = found / "src" / "gumshoe"
    if not os.access(found, os.X_OK):
        raise SystemExit(f"no Gumshoe at {found}")
    return str(found)


def find_build(path):
    """The build directory `path` is or lies in."""
    found = pathlib.Path(path).resolve()
    return found if found.is_dir() else found.parent.parent


def workloads(build, targets, names=()):
    """The directory of TARGET/NAME.elf, workloads of size test; all of them, unless some are named.

    All tests share it: the first one makes what is missing, or older than what is in workloads/.
    """
    folder, out = ROOT / "workloads", pathlib.Path(build).resolve() / "programs" / "workloads"
    digest = hashlib.sha256()
    for source in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(source.read_bytes())
    names = names or sorted(path.stem for path in folder.glob("*.c"))
    for target in targets:
        (out / target).mkdir(parents=True, exist_ok=True)
        with open(out / target / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamps = {name: out / target / f"{name}.stamp" for name in names}
            missing = [name for name, stamp in stamps.items()
                       if not stamp.exists() or stamp.read_text() != digest.hexdigest()]
            if missing:
                only = [word for name in missing for word in ("--only", name)]
                done = subprocess.run([folder / "build.sh", out, target, "--size", "test", *only],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode != 0:
                    raise SystemExit(f"workloads/build.sh for {target} failed:\n{done.stdout}")
            for name in missing:
                stamps[name].write_text(digest.hexdigest())
    return out


class Result:
    """How a command ended: status as a shell gives it, what it wrote."""

    def __init__(self, status, stdout, stderr):
        self.status, self.stdout, self.stderr = status, stdout, stderr


def run(command, cwd=None, stdin=b"", env=None, timeout=TIMEOUT):
    try:
        done = subprocess.run(command, cwd=cwd, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=env, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return Result("timeout", late.stdout or b"", late.stderr or b"")
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Result(status, done.stdout, done.stderr)


def first_difference(one, other):
    """A few words on where two byte strings part."""
    if len(one) == len(other) and one == other:
        return "equal"
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(0, at - 16)
    return (f"at byte {at} of {len(one)} and {len(other)}: "
            f"{one[start:at + 24]!r} and {other[start:at + 24]!r}")


class Wrong(Exception):
    """What a check found."""


def same(what, got, wanted):
    if got != wanted:
        raise Wrong(f"{what}: {got!r} instead of {wanted!r}")


class Tally:
    """Counts cases and prints those that did not pass."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def skip(self, name, why, count=1):
        self.skipped += count
        print(f"SKIPPED {name}: {why}", flush=True)

    def check(self, name, problem):
        """`problem` is None, or a line that says what is wrong and how to see it again."""
        if problem is None:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {name}: {problem}", flush=True)

    def check_all(self, cases, judge, jobs=2):
        """`judge(case)` gives the problem or None; a case has a name."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for case, problem in zip(cases, pool.map(judge, cases)):
                self.check(case.name, problem)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        return 1 if self.failed else 0
