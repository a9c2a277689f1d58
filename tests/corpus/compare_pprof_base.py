"""Compares `ptk hotspots --base` and --diff-base with `go tool pprof -base` and -diff_base: flat and cum
of every function, and the total, of heap and CPU profiles.

usage: compare_pprof_base.py PTK
"""
import csv
import io
import json
import re
import subprocess
import sys

from compare_pprof import figure, near, oracle_rows

PAIRS = [("go_heap_before", "go_heap_after", {"inuse_space": "B", "inuse_objects": "count",
                                              "alloc_space": "B", "alloc_objects": "count"}),
         ("go_init", "go_init_again", {"cpu": "ns", "samples": "count"}),
         ("go_service", "go_init", {"cpu": "ns"})]


def pprof(option, before, after, kind, unit):
    """Rows, names that are marked as inlined, and the total."""
    text = subprocess.run(["go", "tool", "pprof", "-symbolize=none", "-top", "-nodecount=0", "-nodefraction=0",
                           f"-sample_index={kind}", f"-unit={unit}", f"{option}={before}", after],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    marked = set(re.findall(r"(\S+ \((?:partial-)?inline\))$", text, re.M))
    return oracle_rows(text, "top")[1], marked, figure(re.search(r" of (\S+) total", text)[1])


def ptk(form, by, *words):
    return subprocess.run([sys.argv[1], "hotspots", "-q", "-n", "0", "-f", form, "--by", by, "--no-symbols",
                           "--drop-frames", "--names", "full", *words], stdout=subprocess.PIPE, text=True, check=True).stdout


def compare(option, before, after, kind, unit):
    """What differs, as lines."""
    words = ["--value", kind, f"-{option.replace('_', '-')}={before}", after]
    rows, marked, total = pprof(option, before, after, kind, unit)
    got = {row["name"]: (int(row["self"]), int(row["cum"]))
           for row in csv.DictReader(io.StringIO(ptk("csv", "name", *words)))}
    for name in sorted(set(rows) | set(got)):
        told = rows.get(name, [((0, 0.5), (0, 0.5))])[0]  # pprof has no row for what comes to nothing
        if not near(told, got.get(name, (0, 0))):
            yield f"{name}: pprof {rows.get(name)}, ptk {got.get(name)}"
    table = ptk("text", "name", *words)
    if missing := [name for name in marked if not re.search(re.escape(name) + "$", table, re.M)]:
        yield f"not marked: {missing}"
    # the changes that pprof adds up are those of stacks of addresses
    whole = json.loads(ptk("json", "address" if option == "-base" else "name", *words))["total"]
    if abs(whole - total[0]) > total[1]:
        yield f"total: pprof {total[0]}, ptk {whole}"


def main():
    count = failed = 0
    for before, after, kinds in PAIRS:
        for kind, unit in kinds.items():
            for option in ("-base", "-diff_base"):
                files = [f"testdata/pprof/{name}.pb.gz" for name in (before, after)]
                count += 1
                if bad := list(compare(option, *files, kind, unit)):
                    failed += 1
                    print(f"FAIL pprof {option} {before} {after} {kind}", *bad[:6], sep="\n    ")
    print(f"corpus: pprof's -base and -diff_base: {count} tables, {failed} differ")
    sys.exit(failed > 0)


main()
