#!/usr/bin/env python3
"""Compares ptk's DOT with gprof2dot's on every dump of the corpus: which functions and calls are
kept, percentages, call counts, colours and sizes. Where they differ on purpose it says why.

    compare_dot.py PTK SHARED
"""
import os
import re
import subprocess
import sys
import tarfile
import tempfile

# gprof2dot labels nodes with all calls and edges with primitive calls; ptk labels both `all/primitive`
DIFFERS = {
    "real_recursion_py311.leaf-deep": "gprof2dot's walk up to the roots misses some of them",
    "special_weird_names_nosurr_py311": "ptk escapes control characters",
    "special_yappi_real": "yappi's reversed counts are put right",
    "synth_yappi_style_recursive": "yappi's reversed counts are put right",
    "synth_pyinstrument_style": "a count of -1 is shown as unknown",
    "synth_sampled_315": "the lines of one function are one node",
    "synth_zero_calls": "calls below primitive calls are taken for yappi's",
}
VARIANTS = {
    "n0e0": ["-N", "0", "-E", "0"],
    "pink": ["--colormap", "pink"],
    "gray": ["--colormap", "gray"],
    "bw": ["--colormap", "bw"],
    "print": ["--colormap", "print"],
    "skew0.1": ["--skew", "0.1"],
    "skew100": ["--skew", "100"],
    "selftime": ["--color-by-self"],
    "root-main": ["-N", "0", "-E", "0", "--root", "^main$"],
    "root-main-depth1": ["-N", "0", "-E", "0", "--root", "^main$", "-d", "1"],
    "leaf-fib": ["-N", "0", "-E", "0", "--leaf", "^fib$"],
}
VALUE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,\]\s]+)')


def attributes(text):
    return {key: value.strip('"') for key, value in VALUE.findall(text)}


def place(name, node):
    """A node's identity; a built-in has no file, which the two tools show differently."""
    return (name, "" if name.startswith(("~", ":0:")) else node.get("tooltip"))


def parse(text):
    nodes, edges = {}, {}
    for line in text.split("\n"):
        edge = re.match(r"\t(\d+) -> (\d+) \[(.*)\];$", line)
        node = re.match(r"\t(\d+) \[(.*)\];$", line)
        if edge:
            edges[edge[1], edge[2]] = attributes(edge[3])
        elif node:
            nodes[node[1]] = attributes(node[2])
    names, found = {}, {}
    for key, node in nodes.items():
        lines = node["label"].split("\\n")
        names[key] = place(lines[0], node)
        calls = lines[3] if len(lines) > 3 else ""
        found[names[key]] = (lines[1:3], calls.rstrip("×").split("/")[0], node["color"], node["fontsize"])
    for (a, b), edge in edges.items():
        lines = edge["label"].split("\\n")
        calls = lines[1] if len(lines) > 1 else ""
        found[names[a], names[b]] = (lines[0].lstrip("~"), calls.rstrip("×").split("/")[-1], edge["color"],
                                     edge["penwidth"], edge["arrowsize"], edge["fontsize"])
    return found


def dumps(corpus):
    found = {}
    for folder, _, files in os.walk(corpus):
        for file in files:
            path = os.path.join(folder, file)
            stem, kind = os.path.splitext(os.path.relpath(path, corpus))
            if kind.startswith((".pstats", ".prof")):
                stem = stem.replace("gprof2dot/compare/pstats/print", "gprof2dot_compare")
                found[stem.replace("/", "_")] = path
    return found


def compare(ptk, oracle, paths):
    same = differ = 0
    for file in sorted(os.listdir(oracle)):
        name = file[:-4]
        variant = next((v for v in VARIANTS if name.endswith("." + v)), None)
        base = name[: -len(variant) - 1] if variant else name
        if not file.endswith(".dot") or base not in paths or name in DIFFERS or base in DIFFERS:
            continue
        want = parse(open(os.path.join(oracle, file), errors="surrogateescape").read())
        run = subprocess.run([ptk, "dot", "-q", *VARIANTS.get(variant, []), paths[base]], capture_output=True)
        got = parse(run.stdout.decode(errors="surrogateescape"))
        wrong = [key for key in want.keys() | got.keys() if want.get(key) != got.get(key)]
        if wrong or run.returncode:
            differ += 1
            print(f"FAIL {file}: {len(wrong)} differ, such as {wrong[:1]}: {want.get(wrong[0]) if wrong else ''} "
                  f"{got.get(wrong[0]) if wrong else run.stderr}")
        else:
            same += 1
    return same, differ


def main():
    ptk, shared = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(os.path.join(shared, "oracle", "pstats.tar.xz")) as tar:
            tar.extractall(folder)
        same, differ = compare(ptk, os.path.join(folder, "pstats"), dumps(os.path.join(shared, "corpus", "pstats")))
    print(f"corpus: {same} DOT files equal gprof2dot's, {differ} do not; {len(DIFFERS)} differ on purpose")
    sys.exit(differ > 0 or same < 100)


main()
