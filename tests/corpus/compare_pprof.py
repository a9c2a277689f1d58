#!/usr/bin/env python3
"""Compares ptk with what pprof says of the profiles of the corpus: flat and cum of every row, at
every granularity, every edge between functions, and the labels.

    compare_pprof.py PTK SHARED [NAME...]
"""
import collections
import csv
import io
import os
import re
import subprocess
import sys
import tarfile

FOLDERS = {
    "drv.": "upstream/driver_testdata/{}",
    "up.": "upstream/profile_testdata/{}",
    "golden.": "golden/{}.pb.gz",
    "gp.": "gperftools/{}",
    "go.": "go/go.{}.pb.gz",
    "medium": "large/medium.20k.pb.gz",
    "upstreamlarge": "upstream/proftest/large.cpu",
}

# mode of the oracle → how ptk groups for it
TABLES = {"top": "name", "topdef": "name", "topcum": "name", "toplines": "line", "topfiles": "file",
          "peek": "name", "tree": "name", "tags": None}

SCALES = {
    "": 1, "B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40,
    "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "mins": 60 * 10**9, "hrs": 3600 * 10**9,
}

# profiles (patterns) → why ptk says something else
DIFFERS = {
    r"go\..*\.debug1": "pprof does not read the names in comments",
    r"up\.cppbench\.thread(\.all)?": "pprof does not read the names behind addresses",
}

# at the granularity of lines pprof makes one row of all that has no name in a library; ptk does not
NAMELESS = "(nameless)"

ROW = re.compile(r" *(\S+) +(\S+%) +(\S+%) +(\S+) +(\S+%)  (.*)")


def source(corpus, name):
    for prefix, pattern in FOLDERS.items():
        if name.startswith(prefix):
            rest = name[len(prefix):]
            if prefix == "go." and rest.endswith(".debug1"):
                return os.path.join(corpus, "go", name + ".txt")
            return os.path.join(corpus, pattern.format(re.sub(r"\.(no)?sym$", "", rest)))
    return None


def figure(text):
    """A figure as pprof prints it: what it stands for, and by how much that may be off."""
    number, unit = re.fullmatch(r"(-?[\d.]+)(.*)", text).groups()
    scale = SCALES.get(unit, 1)
    return float(number) * scale, 0.00501 * scale + 0.5


def oracle_rows(text, mode):
    """Printable name → figures of pprof's rows of that name."""
    rows = collections.defaultdict(list)
    kind = ""
    for line in text.splitlines():
        if line.startswith("Type: "):
            kind = line[6:]
        match = ROW.fullmatch(line)
        if match and match[1] != "flat":
            name = re.sub(r" \((partial-)?inline\)$", "", match[6])
            if mode == "toplines" and re.fullmatch(r"\[.*\]|<unknown>", name):
                name = NAMELESS
            rows[name].append((figure(match[1]), figure(match[4])))
    return kind, rows


def printable(row, mode):
    """A row's name as pprof would print it."""
    if mode.startswith("top") and mode != "toplines":
        return "<unknown>" if row["name"] == "(none)" else row["name"]
    if re.match(r"\[.*\]\+0x|0x", row["name"]):
        return NAMELESS
    if not row["file"]:
        return row["name"]
    place = row["file"] + (":" + row["line"] if row["line"] != "0" else "")
    return row["name"] + " " + place


def ptk_csv(ptk, path, mode, kind, *question):
    command = [ptk, *question, "-q", "-n", "0", "-f", "csv", "--drop-frames", "--no-fold-python",
               "--no-symbols", "--by", TABLES[mode], path]
    if kind:
        command[-1:-1] = ["--value", kind]
    done = subprocess.run(command, capture_output=True)
    if done.returncode and b"no function matches" not in done.stderr:
        raise RuntimeError(done.stderr.decode())
    return csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace")))


def ptk_rows(ptk, path, mode, kind):
    rows = collections.defaultdict(list)
    for row in ptk_csv(ptk, path, mode, kind, "hotspots"):
        rows[printable(row, mode)].append((int(row["self"]), int(row["cum"])))
    return rows


def oracle_edges(text):
    """(caller, callee) → weight, of pprof's peek and tree, where each edge stands twice."""
    edges, block, function = {}, [], None
    for line in text.splitlines() + ["-" * 58 + "+"]:
        if line.startswith("-----"):
            for name, weight, is_caller in block if function else []:
                edge = (name, function) if is_caller else (function, name)
                if edges.setdefault(edge, weight) != weight:
                    raise RuntimeError(f"pprof contradicts itself: {edge}")
            block, function = [], None
        elif match := re.fullmatch(r" +(\S+) +\S+% \|   (.*)", line):
            name = re.sub(r" \((partial-)?inline\)$", "", match[2])
            block.append((name, figure(match[1]), function is None))
        elif match := re.fullmatch(r" *\S+ +\S+% +\S+% +\S+ +\S+% +\| (.*)", line):
            function = re.sub(r" \((partial-)?inline\)$", "", match[1])
    return edges


def compare_edges(ptk, path, mode, kind, text):
    """What differs in who calls whom. pprof has no edge from a function to itself."""
    told, got = oracle_edges(text), {}
    for row in ptk_csv(ptk, path, mode, kind, "callers", "."):
        edge = row["edge_name"], row["name"]
        if edge[0] != edge[1]:
            got[tuple("<unknown>" if name == "(none)" else name for name in edge)] = int(row["edge_cum"])
    for edge in sorted(set(told) | set(got)):
        weight, slack = told.get(edge, (0, 0.5))
        if abs(weight - got.get(edge, 0)) > slack:
            yield f"    {' -> '.join(edge)}: pprof {told.get(edge)}, ptk {got.get(edge)}"


def is_trimmed(text):
    """Whether pprof left functions out; edges then lead over those."""
    return re.search(r"^(Dropped|Showing top) ", text, re.M) is not None


def size_name(number, like):
    """A number as pprof prints it, in the unit that another one is printed in."""
    unit = re.fullmatch(r"[\d.]*(.*)", like)[1]
    return f"{int(number) / SCALES.get(unit, 1):.2f}".removesuffix(".00") + unit


def compare_tags(ptk, path, text):
    """What differs between pprof's -tags and ptk's labels. pprof adds up sizes that look alike."""
    done = subprocess.run([ptk, "labels", "-q", "-f", "csv", path], capture_output=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace"))))
    key, seen = None, 0
    for line in text.splitlines():
        if head := re.fullmatch(r" (.*): Total .*", line):
            key = head[1]
        elif row := re.fullmatch(r" *(\S+) \(\s*\S+%\): (.*)", line):
            told, name = figure(row[1]), row[2]
            mine = 0
            for label in (r for r in rows if r["key"] == key):
                if label["label"] == name or label["unit"] and size_name(label["label"], name) == name:
                    mine += int(label["sum"])
                    seen += 1
            if abs(told[0] - mine) > told[1]:
                yield f"    {key}={name}: pprof {told[0]}, ptk {mine}"
    if seen != len(rows):
        yield f"    {len(rows)} labels, {seen} of them in pprof's"


def compare_symbols(ptk, path, bin_folder, told):
    """What differs in the functions of the binaries that are in the corpus; others are the machine's."""
    done = subprocess.run([ptk, "hotspots", "-q", "-n", "0", "-f", "csv", "--by", "name",
                           "--binary-path", bin_folder, path], capture_output=True)
    own, seen = set(os.listdir(bin_folder)), 0
    for row in csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace"))):
        rows = told.get(row["name"])
        if row["module"] not in own or not rows or row["name"] == "operator()":
            continue  # pprof cuts the brackets off most of those
        seen += 1
        if not near(rows[0], (int(row["self"]), int(row["cum"]))):
            yield f"    {row['name']}: pprof {rows[0]}, ptk {row['self']} {row['cum']}"
    if seen < 10:
        yield f"    only {seen} names are pprof's, too"


def near(told, got):
    return all(abs(value - mine) <= slack for (value, slack), mine in zip(told, got))


def compare(told, got, is_part):
    """What differs, as lines. `is_part`: pprof's table is only some of the rows."""
    for name in sorted((set(told) if is_part else set(told) | set(got)) - {NAMELESS}):
        a, b = sorted(told[name]), sorted(got[name])
        if len(a) != len(b) or not all(map(near, a, b)):
            if not a and all(row == (0, 0) for row in b):
                continue  # pprof has no row for what comes to nothing
            yield f"    {name}: pprof {[(f[0], c[0]) for f, c in a]}, ptk {b}"


def main():
    ptk, shared, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    corpus = os.path.join(shared, "corpus/pprof")
    some = os.path.join(corpus, "gperftools/cppwork.cpu.prof")
    has_libdw = b"built without libdw" not in subprocess.run(
        [ptk, "info", "--binary-path", os.path.join(corpus, "bin"), some], capture_output=True).stdout
    checked = failed = 0
    with tarfile.open(os.path.join(shared, "oracle/pprof.tar.xz")) as oracle:
        for member in oracle:
            parts = re.fullmatch(r"(?:.*/)?out/(.+)\.([a-z0-9]+)\.txt", member.name)
            if not parts or parts[2] not in TABLES:
                continue
            name, mode = parts[1], parts[2]
            path = source(corpus, name)
            if name.endswith(".sym") and (mode != "top" or "cppwork.cpu" not in name or not has_libdw):
                continue
            if wanted and name not in wanted or not os.path.exists(path):
                continue
            text = oracle.extractfile(member).read().decode("utf-8", "replace")
            kind, told = oracle_rows(text, mode)
            if not told and not (mode == "tags" and text.strip()) and mode not in ("peek", "tree"):
                continue
            if mode in ("peek", "tree") and (is_trimmed(text) or not oracle_edges(text)):
                continue
            checked += 1
            try:
                bad = list(compare_tags(ptk, path, text) if mode == "tags" else
                           compare_symbols(ptk, path, os.path.join(corpus, "bin"), told)
                           if name.endswith(".sym") else
                           compare_edges(ptk, path, mode, kind, text) if mode in ("peek", "tree") else
                           compare(told, ptk_rows(ptk, path, mode, kind), is_trimmed(text)))
            except RuntimeError as error:
                bad = [f"    {error}"]
            reason = next((why for some, why in DIFFERS.items() if re.fullmatch(some, name)), None)
            if mode == "tags":
                reason = None
            if bool(bad) != bool(reason):
                failed += 1
                print(f"FAIL {name} {mode}: {len(bad)} rows differ", reason or "")
                print("\n".join(bad[:6]))
    print(f"pprof's tables: {checked} compared, {failed} failed")
    return failed != 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
