"""Every row of nvprof's summaries and traces, name by name: calls and nanoseconds, to the last."""
import collections
import csv
import glob
import io
import os
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal

PTK, SHARED = sys.argv[1:3]
UNITS = {"s": 9, "ms": 6, "us": 3, "ns": 0}
TIME = r"(\d+(?:\.\d+)?(?:e[+-]\d+)?)(ns|us|ms|s)"
PLAIN = r"(\d+(?:\.\d+)?(?:e[+-]\d+)?)"
SUMMARY = re.compile(rf"^\s*(?:([A-Z][A-Za-z ()]*):)?\s*[\d.]+%\s+{TIME}\s+(\d+)\s+{TIME}\s+{TIME}\s+{TIME}"
                     r"\s+(.+?)\s*$")
SUMMARY_UNITS = re.compile(rf"^\s*[\d.]+\s+{PLAIN}\s+(\d+)\s+{PLAIN}\s+{PLAIN}\s+{PLAIN}\s+(.+?)\s*$")
TRACE = re.compile(rf"^{TIME}\s+({TIME}|-)\s+(.+?)\s*$")
HEADER = re.compile(r"^(Type\s+)?Time\(%\)\s+Time\s+Calls\s+Avg\s+Min\s+Max\s+Name$")


def ns_of(text, unit):
    """Nanoseconds, and the worth in ns of the last place that is written."""
    figure = Decimal(text)
    return (int(figure.scaleb(UNITS[unit]).quantize(Decimal(1), ROUND_HALF_UP)),
            max(1, int(Decimal(10) ** (figure.as_tuple().exponent + UNITS[unit]))))


def best(time, calls, avg):
    """Where the mean is written in a finer unit than the sum, it says the sum better."""
    (ns, coarse), (mean, fine) = time, avg
    return mean * calls if coarse > 1 and fine * calls < coarse else ns


class Rows:
    def __init__(self):
        self.sums = collections.defaultdict(lambda: [0, 0])
        self.header = self.units = self.mode = None
        self.cut = 0
        self.is_retold = self.has_main = False

    def add(self, name, calls, ns):
        name = re.sub(r" \[\d+\]$", "", name)
        self.has_main |= not self.is_retold
        self.sums[name][0] += calls
        self.sums[name][1] += ns

    def open(self, line, below):
        at = line.find('"Start","Duration","Grid X"')
        if at >= 0 or line.startswith(('"Type","Time(%)"', '"Time(%)","Time","Calls"',
                                       '"Start","Duration","Name"')):
            self.cut = max(at, 0)
            self.header = next(csv.reader([line[self.cut:]]))
            self.units = dict(zip(self.header, next(csv.reader([below.strip()[self.cut:]]))))
            self.mode = "csv"
            return True
        if HEADER.match(line):
            unit = re.match(r"^\s*%\s+(s|ms|us|ns)\b", below)
            self.mode, self.units = "summary", unit and unit.group(1)
            return True
        if re.match(r"^Start\s+Duration\s+(Grid Size|Name)", line):
            self.mode = "trace"
            return True
        return False

    def take_csv(self, line):
        cells = next(csv.reader([line[self.cut:]]), [])
        if len(cells) < len(self.header):
            return
        if self.header[-1] == "Name":
            cells[len(self.header) - 1:] = [",".join(cells[len(self.header) - 1:])]
        row = dict(zip(self.header, cells))
        try:
            time = ns_of(row.get("Time", row.get("Duration")) or "0",
                         self.units.get("Time") or self.units["Duration"])
            if "Calls" in row:
                calls = int(row["Calls"])
                self.add(row["Name"], calls, best(time, calls, ns_of(row["Avg"], self.units["Avg"])))
            elif row["Duration"]:  # what has none is an instant, and costs nothing
                float(row["Start"])
                self.add(row["Name"], 1, time[0])
        except (ValueError, ArithmeticError, KeyError):
            return

    def take(self, line):
        if self.mode == "csv":
            return self.take_csv(line)
        if self.mode == "trace":
            row = TRACE.match(line)
            if row:
                name = re.split(r"\s{2,}", row.group(6))[-1]
                if row.group(3) != "-":
                    self.add(name, 1, ns_of(row.group(4), row.group(5))[0])
            return None
        row = SUMMARY.match(line)
        if row:
            calls = int(row.group(4))
            self.add(row.group(11), calls, best(ns_of(row.group(2), row.group(3)), calls,
                                                ns_of(row.group(5), row.group(6))))
        elif self.units and (row := SUMMARY_UNITS.match(line)):
            calls = int(row.group(2))
            self.add(row.group(6), calls, best(ns_of(row.group(1), self.units), calls,
                                               ns_of(row.group(3), self.units)))
        return None


def theirs(path):
    rows = Rows()
    lines = open(path, "rb").read().decode("utf-8", "replace").splitlines()
    for at, raw in enumerate(lines):
        line = raw.strip()
        if re.match(r"^=+(\d*)=+ ", line):
            rows.mode = rows.mode if not line.endswith(":") else None
            rows.is_retold |= "NVTX result:" in line
        elif not rows.open(line, lines[at + 1] if at + 1 < len(lines) else "") and rows.mode and line:
            # What a range launched is told again under the range.
            if not (rows.is_retold and rows.has_main) or line.startswith("Range:"):
                rows.take(raw if rows.mode == "summary" else line)
    return rows.sums


def ours(path):
    run = subprocess.run([PTK, "hotspots", "-q", "-n", "0", "-f", "csv", "--value", "time", path],
                         capture_output=True)
    sums = collections.defaultdict(lambda: [0, 0])
    for row in csv.DictReader(io.StringIO(run.stdout.decode("utf-8", "replace"))):
        sums[row["name"]][0] += int(row["calls"])
        sums[row["name"]][1] += int(row["cum"])
    return sums


def theirs_nsys(path):
    """The text tables of nsys stats; locales put commas between thousands or ten thousands."""
    sums, header = collections.defaultdict(lambda: [0, 0]), None
    for line in open(path, errors="replace"):
        cells = re.split(r"\s{2,}", line.strip(), maxsplit=len(header) - 1 if header else 0)
        if re.match(r"Time\s?\(%\)", cells[0]):
            header = cells
        elif not line.strip():
            header = None
        elif header and len(cells) == len(header) and cells[0][0] != "-":
            name = cells[-1].lstrip(":")
            sums[name][0] += int(cells[2].replace(",", ""))
            sums[name][1] += int(cells[1].replace(",", ""))
    return sums


files = names = failed = 0
for path in sorted(glob.glob(SHARED + "/corpus/nvprof/*/*")):
    if "sqlite" in path or "nsys-csv" in path or open(path, "rb").read(15) == b"SQLite format 3":
        continue
    want = theirs_nsys(path) if "nsys-text" in path else theirs(path)
    if not want:
        continue
    have = ours(path)
    files, names = files + 1, names + len(want)
    for name in sorted(set(want) | set(have)):
        if want.get(name, [0, 0]) != have.get(name, [0, 0]):
            failed += 1
            print(f"FAIL {os.path.basename(path)}: {name[:60]}: {want.get(name)}, ptk {have.get(name)}")
print(f"nvprof rows: {names} names of {files} files, {failed} differ")
sys.exit(failed > 0 or files < 30)
