"""A program run by both engines: everything they print and count must be the same."""
import copy
import json
import os
import pathlib
import sqlite3
import tempfile

import common


TIERS = ("optimizing", "quick", "mixed")


class Pair:
    """How to run one program; `options` are those of `gumshoe run`."""

    def __init__(self, gumshoe, elf, options, cache, **variables):
        self.gumshoe, self.elf = gumshoe, elf
        self.options = options if "--core" in options else [*options, *common.NO_CORE]
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(cache), **variables)

    def by(self, tier):
        """The same, translated by one compiler alone; or by both, "mixed"."""
        pair = copy.copy(self)
        pair.environment = {name: value for name, value in self.environment.items() if name != "GUMSHOE_TIER"}
        if tier != "mixed":
            pair.environment["GUMSHOE_TIER"] = tier
        return pair

    def run(self, engine, *more, profile=False):
        """The result, which has `translated` besides, and the numbers of the JSON report. With
        `profile` it is recorded, and its rows are among them."""
        with tempfile.TemporaryDirectory() as directory:
            report, recorded = pathlib.Path(directory) / "run.json", pathlib.Path(directory) / "run.gum"
            output = ["-o", recorded] if profile else []
            done = common.run([self.gumshoe, "run", "--top", "0", *output, "--engine", engine, "--json",
                               report, *self.options, *more, self.elf], env=self.environment)
            done.translated, done.optimizer_reason = 0, None
            if not report.exists():
                return done, {"error": done.stderr.decode(errors="replace")}
            numbers = json.loads(report.read_text())
            done.translated = numbers.pop("translated_instructions")
            numbers.pop("engine")
            numbers.pop("reference_reason", None)
            done.optimizer_reason = numbers.pop("optimizer_reason", None)
            if profile:
                numbers["profile"] = rows_of(recorded)
            return done, numbers


def rows_of(path):
    """All rows of a profile file, but for when it was made."""
    tables = {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        db.row_factory = sqlite3.Row
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = [dict(row) for row in db.execute(f'SELECT * FROM "{table}"')]
            for row in rows:
                for moment in ("started", "git_commit"):
                    row.pop(moment, None)
            tables[table] = dict(enumerate(sorted(rows, key=repr)))
    return tables


def cheap_compiler(directory, portable=False):
    """What it makes need not be fast. Portable: the guards are plain C, as on hosts other than x86-64."""
    path = pathlib.Path(directory) / ("portable-cc" if portable else "cheap-cc")
    path.write_text(f'#!/bin/sh\nexec cc "$@" -O0{" -DGS_PORTABLE" if portable else ""}\n')
    path.chmod(0o755)
    return str(path)


def differences(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}" if path else key)
    elif one != other:
        yield f"{path} {one} and {other}"


def compare(expected, found):
    """What differs between two answers of Pair.run(), or None."""
    if expected[0].status != found[0].status:
        return (f"status {expected[0].status} and {found[0].status}: "
                f"{found[0].stderr.decode(errors='replace')[-200:]}")
    if expected[0].stdout != found[0].stdout:
        return "prints " + common.first_difference(expected[0].stdout, found[0].stdout)
    different = list(differences(expected[1], found[1]))
    return "reference and fast: " + ", ".join(different[:6]) if different else None
