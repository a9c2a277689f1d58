#!/usr/bin/env python3
"""The names of every file of a corpus, as ptk prints them.           measure_names.py PTK FOLDER [ONE-OF] [--show]

Of the rows of `ptk hotspots`, on a terminal of 80 and of 120 columns:
  readable    the row does not begin with `void` or with a namespace, no other function of the file prints the same, and
              nothing is left out but at the end of an identifier
  equal       rows of different functions that print the same
  typed back  `ptk callers NAME` of what 120 columns show is about that function alone; of the first rows of a file, without
              names of more than 2 kB, which differ where nobody reads
The shares must not fall below those that names are for: 99 % at 120 columns, 92 % at 80, no equal rows, all typed back.
ONE-OF 10 looks at each tenth file."""
import argparse
import collections
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

LEAST = {120: 0.99, 80: 0.92}
ROWS, TYPED, BYTES_MOST, NAME_MOST = 300, 3, 20 << 20, 2048
UNREADABLE = re.compile(r"(void |at::|std::\w+::|cutlass::|ck::|ck_tile::|c10::|\(anonymous namespace|<unnamed>|core::|alloc::|"
                        r"github\.com/|com\.\w|org[./]|javax?[./])")
HEADING = re.compile(r"\b(name|function|filename:lineno\(function\))$")


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return 1, ""
    return done.returncode, done.stdout.decode("utf8", "replace")


def on_terminal(command, columns):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TERM="dumb", COLUMNS=str(columns))):
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:
                break
            if not part:
                break
            text += part
    os.close(ours)
    return text.decode("utf8", "replace").replace("\r", "")


def names_in(text):
    """The last column of the first table; None: it is none of functions."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if HEADING.search(line) and len(line.split()) > 2:
            column = line.rfind(" ") + 1
            names = []
            for row in lines[at + 1:]:
                if not row.strip():
                    break
                names.append(row[column:].rstrip())
            return names
    return None


def is_cut_within(name):
    at = name.find("…")
    return at >= 0 and name[at + 1:at + 2] not in ("", " ")


def identity(row):
    return tuple(row.get(key) for key in ("name", "file", "line", "module", "kind"))


class Measured:
    def __init__(self):
        self.rows, self.files = collections.Counter(), 0
        self.unreadable, self.equal = collections.defaultdict(list), collections.defaultdict(list)
        self.typed, self.astray = 0, []

    def table(self, ptk, path, arguments, rows, columns):
        names = names_in(on_terminal([ptk, *arguments, path], columns))
        if names is None or len(names) != len(rows):
            return None
        owners = collections.defaultdict(set)
        for row, name in zip(rows, names):
            owners[name].add(identity(row))
        self.rows[columns] += len(names)
        for name in names:
            if len(owners[name]) > 1:
                self.equal[columns].append((path, name))
            if UNREADABLE.match(name) or is_cut_within(name) or len(owners[name]) > 1:
                self.unreadable[columns].append((path, name))
        return names

    def file(self, ptk, path):
        arguments = ["hotspots", "-q", "--color", "never", "-n", str(ROWS)]
        if run(ptk, *arguments, "--value", "time", path)[0] == 0:
            arguments += ["--value", "time"]
        status, text = run(ptk, *arguments, "-f", "json", path)
        if status:
            return
        try:
            rows = json.loads(text)["rows"]
        except (ValueError, KeyError):
            return
        if not rows or "name" not in rows[0]:
            return
        self.files += 1
        self.table(ptk, path, arguments, rows, 80)
        for row, name in list(zip(rows, self.table(ptk, path, arguments, rows, 120) or []))[:TYPED]:
            if len(row["name"]) > NAME_MOST:
                continue
            status, text = run(ptk, "callers", "-q", "-n", "0", "-f", "json", name, path)
            if status not in (0, 4) or not text.startswith("{"):
                if status != 4:
                    self.typed += 1
                    self.astray.append((path, name))
                continue
            found = {identity(each)[:3] for each in json.loads(text)["rows"]}
            self.typed += 1
            if found != {identity(row)[:3]}:
                self.astray.append((path, name))


def files_of(folder, one_of):
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in ("hostile", "src", "bin"))
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.endswith((".tsv", ".md", ".py", ".truth.json")) or os.path.getsize(path) > BYTES_MOST:
                continue
            count += 1
            if count % one_of == 0:
                yield path


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("ptk")
    options.add_argument("folder")
    options.add_argument("one_of", nargs="?", type=int, default=1)
    options.add_argument("--show", action="store_true", help="each name that falls short")
    asked = options.parse_args()
    measured, failed = Measured(), 0

    for path in files_of(asked.folder, asked.one_of):
        measured.file(asked.ptk, path)
    for columns, least in LEAST.items():
        rows, bad = measured.rows[columns], len(measured.unreadable[columns])
        share = 1 - bad / rows if rows else 1
        is_met = share >= least and not measured.equal[columns]
        failed += not is_met
        print("%d columns: %d rows of %d files, %.2f %% readable (at least %.0f %%), %d equal" %
              (columns, rows, measured.files, 100 * share, 100 * least, len(measured.equal[columns])))
    failed += bool(measured.astray)
    print("typed back: %d of %d" % (measured.typed - len(measured.astray), measured.typed))
    if asked.show:
        for kind, list_ in (("unreadable at 120", measured.unreadable[120]), ("unreadable at 80", measured.unreadable[80]),
                            ("equal", measured.equal[80] + measured.equal[120]), ("typed", measured.astray)):
            for path, name in list_:
                print("%s\t%s\t%s" % (kind, path, name))
    print("names: %d passed, %d failed" % (3 - failed, failed))
    return failed > 0


sys.exit(main())
