#!/usr/bin/env python3
"""Opens what `ptk convert` writes in the tools that it is for, and compares their figures with ptk's.
A tool that is not installed is skipped with a word.

    check_converters.py PTK
"""
import csv
import glob
import io
import json
import os
import pstats
import re
import shutil
import subprocess
import sys
import tempfile

PTK = os.path.abspath(sys.argv[1])
DATA = "testdata"
PPROFS = ["labels.pb", "inlined_recursion.pb", "go_heap.pb.gz", "fields_reordered.pb", "unsymbolised.pb",
          "unpacked.pb"]
CORPUS = os.path.abspath("../shared/corpus/pprof") + "/go/*.pb.gz"
STACKS = ["pprof/labels.pb", "pprof/go_heap.pb.gz", "folded/small.folded", "perf/small.perf"]
checks = failures = 0


def expect(is_so, text):
    global checks, failures
    checks += 1
    if not is_so:
        failures += 1
        print("converters: FAIL", text)


def run(*command, **settings):
    done = subprocess.run(command, capture_output=True, check=False, **settings)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def succeeds(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def convert(folder, source, to, suffix):
    out = os.path.join(folder, source.replace("/", "_") + suffix)
    subprocess.run([PTK, "convert", "-q", "--to", to, "-o", out, os.path.join(DATA, source)], check=True)
    return out


def hotspots(path, *options):
    """The functions, and the sum of their self time."""
    rows = list(csv.DictReader(io.StringIO(run(PTK, "hotspots", "-q", "-n", "0", "-f", "csv", *options, path))))
    return rows, sum(int(row["self"]) for row in rows)


def total_of(source):
    return hotspots(os.path.join(DATA, source))[1]


def skip(tool):
    print(f"skipped: converters: no {tool}")


# ---- go tool pprof ----

MODES = [("-top",), ("-top", "-lines"), ("-top", "-files", "-cum"), ("-tags",), ("-peek=.",), ("-traces",)]


def pprof(path, *mode):
    """What it says, without the lines about the file as a whole."""
    out = run("go", "tool", "pprof", "-symbolize=none", "-nodecount=1000000", "-nodefraction=0",
              "-edgefraction=0", *mode, path)
    return [line for line in out.splitlines()
            if not re.match(r"(File|Build ID|Type|Time|Duration|Doc): ?", line)]


def value_types(path):
    return json.loads(run(PTK, "info", "-q", "-f", "json", path))["values"]


def check_pprof(folder):
    if not shutil.which("go"):
        return skip("go tool pprof")
    for name in ["pprof/" + name for name in PPROFS] + glob.glob(CORPUS):
        if "threadcreate" in name:
            continue  # its one sample has no stack: ptk, which says so, cannot keep it
        before, after = os.path.join(DATA, name), convert(folder, name, "pprof", ".pb.gz")
        expect(succeeds("go", "tool", "pprof", "-top", before) and succeeds("go", "tool", "pprof", "-top", after),
               f"{name}: go tool pprof reads both")
        for value in value_types(before):
            for mode in MODES:
                mode = (*mode, "-sample_index=" + value["name"])
                told, again = pprof(before, *mode), pprof(after, *mode)
                if mode[0] == "-traces":
                    told, again = sorted(told), sorted(again)
                expect(told == again, f"{name}: go tool pprof {' '.join(mode)} is not what it was")


def check_pprof_names(folder):
    """pprof takes what stands in <...> for the arguments of a template."""
    if not shutil.which("go"):
        return skip("go tool pprof for names")
    source, packed = os.path.join(folder, "names.folded"), os.path.join(folder, "names.pb.gz")
    names = ["<module>", "<built-in method builtins.exec>", "{built-in method x}", "<lambda>",
             "core::slice::<impl [T]>::sort", "<T as core::fmt::Debug>::fmt", "Outer.<locals>.inner", "A.<init>"]
    with open(source, "w", encoding="utf-8") as file:
        file.write(";".join(names) + " 5\n")
    run(PTK, "convert", "--to", "pprof", "-o", packed, source)
    told = run("go", "tool", "pprof", "-top", packed)
    for name in names:
        expect(f"  {name}\n" in told, f"{name}: go tool pprof does not name it")
    return None


# ---- callgrind_annotate ----

def check_callgrind(folder):
    if not shutil.which("callgrind_annotate"):
        return skip("callgrind_annotate")
    for source in STACKS + ["pstats/fractal.pstats", "callgrind/yappi.callgrind"]:
        out = run("callgrind_annotate", "--auto=no", "--threshold=100",
                  convert(folder, source, "callgrind", ".callgrind"))
        told = re.search(r"^\s*([\d,]+) .*PROGRAM TOTALS", out, re.M)
        told = told and int(told.group(1).replace(",", ""))
        expect(told == total_of(source), f"{source}: callgrind_annotate's total is {told}, ptk's {total_of(source)}")
    return None


# ---- speedscope, in a browser ----

def check_speedscope(folder):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    modules = "tests/browser/node_modules"
    if not (browser and shutil.which("node") and os.path.isdir(modules + "/speedscope")):
        return skip("speedscope (npm ci --prefix tests/browser)")
    files = [convert(folder, source, to, suffix) for source in STACKS for to, suffix in
             (("pprof", ".speed.pb.gz"), ("folded", ".folded.txt"), ("speedscope", ".speedscope.json"))]
    files.append(convert(folder, "chrome/overlap.json", "chrome", ".trace.json"))
    files.append(convert(folder, "chrome/overlap.json", "speedscope", ".speedscope.json"))
    out = run("node", "tests/browser/speedscope.mjs", browser, *files)
    told = dict(line.split("\t") for line in out.splitlines())
    for file in files:
        expect(told.get(file, "").endswith(" - speedscope"),
               f"speedscope says of {os.path.basename(file)}: {told.get(file)}")
    return None


# ---- flame graphs from folded stacks ----

def check_flame_graph(folder):
    tool = shutil.which("flamegraph.pl") or shutil.which("inferno-flamegraph")
    if not tool:
        return skip("flamegraph.pl or inferno-flamegraph")
    for source in STACKS:
        with open(convert(folder, source, "folded", ".folded"), "rb") as stacks:
            svg = run(tool, stdin=stacks)
        expect("<svg" in svg and "</svg>" in svg, f"{source}: {tool} draws nothing")
    return None


# ---- Python ----

def check_python(folder):
    for source in ("pstats/fractal.pstats", "pstats/threads_main_py313.pstats"):
        stats = pstats.Stats(convert(folder, source, "pstats", ".pstats"))
        expect(abs(stats.total_tt * 1e9 - total_of(source)) < 1000 * len(stats.stats),
               f"{source}: pstats has {stats.total_tt} s, ptk {total_of(source)} ns")
    for source in STACKS + ["pstats/fractal.pstats"]:
        with open(convert(folder, source, "json", ".json"), encoding="utf-8") as file:
            expect(json.load(file), f"{source}: JSON without anything in it")
        with open(convert(folder, source, "csv", ".csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        expect(rows and all(None not in row for row in rows), f"{source}: CSV whose rows do not fit its head")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_pprof, check_pprof_names, check_callgrind, check_speedscope, check_flame_graph, check_python):
            check(folder)
    print(f"converters: {checks - failures} passed, {failures} failed")
    sys.exit(failures > 0)


main()
