"""What tests of sweeps share: programs, a directory with them, and the rows of a profile file."""
import pathlib
import sqlite3
import subprocess

import common

WORK = """
static unsigned table[256];
int main(void)
{
    unsigned x = 1;
    for (unsigned i = 0; i < %d; i++) {
        x = x * 1103515245u + 12345u;
        table[x >> 24] += x / (i | 1);
        if (table[i & 255] & 1)
            x ^= table[x >> 26];
    }
    return (int)(x & 15);
}
"""

# Leaves the straight line or not by the time it has taken: its instructions depend on the core.
CLOCK = """
static unsigned now(void)
{
    unsigned count;
#ifdef __mips__
    __asm__ volatile("mfc0 %0, $9" : "=r"(count));
#else
    __asm__ volatile("rdcycle %0" : "=r"(count));
#endif
    return count;
}
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 300; i++)
        sum += now() & 4 ? i * 3 : i;
    return (int)(sum & 15);
}
"""


class Bench:
    """A directory with the programs and descriptions."""

    def __init__(self, gumshoe, out, descriptions):
        self.gumshoe, self.out = gumshoe, pathlib.Path(out)
        self.env = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(self.out / "cache")}
        (self.out / "work.c").write_text(WORK % 3000)
        (self.out / "clock.c").write_text(CLOCK)
        for name, text in descriptions.items():
            (self.out / f"{name}.yaml").write_text(text)

    def start(self, *words, **more):
        return subprocess.Popen([self.gumshoe, *words], cwd=self.out, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **more)

    def command(self, *words):
        return common.run([self.gumshoe, *words], cwd=self.out, env=self.env)


def rows(path):
    """{point: (its row, its run's row or None)}, as dictionaries."""
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        runs = {row["id"]: dict(row) for row in db.execute("SELECT * FROM run")}
        points = [dict(row) for row in db.execute("SELECT * FROM sweep_point ORDER BY sweep, id")]
    return {point["id"]: (point, runs.get(point["run"])) for point in points}


def comparable(path):
    """All rows without the times at which they were made, the numbers of runs included."""
    made = []
    for point, run in rows(path).values():
        point.pop("finished")
        if run:
            run.pop("started")
        made.append((point, run))
    return made
