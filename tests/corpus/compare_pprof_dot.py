#!/usr/bin/env python3
"""Compares `ptk dot --style pprof` with pprof's own graphs of the profiles of the corpus: which
functions are drawn, how large (by flat) and in what colour (by cum), which calls are, how heavy they
are, and which of them are residual.

    compare_pprof_dot.py PTK SHARED
"""
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
}

# profiles (patterns) → why ptk draws something else
DIFFERS = {
    r"go\..*\.debug1": "pprof does not read the names in comments",
    r"up\.cppbench\.thread(\.all)?": "pprof does not read the names behind addresses",
    r"up\.gobench\.heap": "samples without a stack are in pprof's total",
    r"(drv|up)\.cppbench\.cpu": "pprof draws a box for each address of code without names",
}
NODE = re.compile(r"\s*N?(\d+) \[(label=.*)\];?$")
CALL = re.compile(r"\s*N?(\d+) -> N?(\d+) \[(label=.*)\];?$")
ATTRIBUTE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,\]\s]+)')


def attributes(text, names, default):
    found = {key: value.strip('"') for key, value in ATTRIBUTE.findall(text)}
    return found, tuple(found.get(name, default.get(name)) for name in names)


def read(text):
    """Boxes by name, and calls by names: what is told of each."""
    names, boxes, calls = {}, {}, {}
    for line in text.split("\n"):
        if node := NODE.match(line):
            found, told = attributes(node[2], ("fontsize", "color", "fillcolor"), {})
            names[node[1]] = re.sub(r" \([^()]*\)$", "", found.get("tooltip", "")).replace("<unknown>", "(none)")
            boxes[names[node[1]]] = told
    for line in text.split("\n"):
        call = CALL.match(line)
        if call and call[1] in names and call[2] in names:
            _, told = attributes(call[3], ("weight", "penwidth", "color", "style"),
                                 {"weight": "1", "penwidth": "1"})
            calls[names[call[1]], names[call[2]]] = told
    return boxes, calls


def differences(ours, theirs):
    for key in sorted(ours.keys() | theirs.keys()):
        if ours.get(key) != theirs.get(key):
            yield f"{key}: {ours.get(key)}, pprof has {theirs.get(key)}"


def source(corpus, name):
    for prefix, pattern in FOLDERS.items():
        if name.startswith(prefix):
            rest = re.sub(r"\.nosym$", "", name[len(prefix):])
            return os.path.join(corpus, pattern.format(rest))
    return None


def compare(ptk, path, told, options):
    done = subprocess.run([ptk, "dot", "-q", "--style", "pprof", "--by", "name", "--no-symbols",
                           "--no-fold-python", "--drop-frames", *options, path], capture_output=True, check=False)
    if done.returncode:
        return [done.stderr.decode(errors="replace")]
    ours, theirs = read(done.stdout.decode(errors="replace")), read(told)
    return [*differences(ours[0], theirs[0]), *differences(ours[1], theirs[1])]


def options_for(case, told):
    """pprof counts the labels of a box as boxes; so ptk is asked for as many as pprof drew."""
    shown = str(len(read(told)[0])) if re.search(r"^N+\d+_\d+ ", told, re.M) else "80"
    least = re.match(r"edgefraction\.([\d.]+)$", case)
    return ["--nodes", shown, *(["--edge-percent", str(100 * float(least[1]))] if least else [])]


def graphs(shared):
    """What pprof was given, with which options, and what it drew."""
    corpus = os.path.join(shared, "corpus/pprof")
    with tarfile.open(os.path.join(shared, "oracle/pprof.tar.xz")) as oracle:
        for member in oracle:
            out = re.fullmatch(r"(?:.*/)?out/(.+)\.dot\.txt", member.name)
            case = re.fullmatch(r"(?:.*/)?semantics/((?:edgefraction|nodecount)\.[\d.]+)\.dot\.txt",
                                member.name)
            name = out[1] if out else "go.cpu" if case else ""
            if name and not name.endswith(".sym") and source(corpus, name):
                told = oracle.extractfile(member).read().decode(errors="replace")
                yield case[1] if case else name, source(corpus, name), told


def main():
    ptk, shared = sys.argv[1:]
    right = failed = 0
    for name, path, told in graphs(shared):
        if not os.path.exists(path) or any(re.fullmatch(p, name) for p in DIFFERS):
            continue
        wrong = compare(ptk, path, told, options_for(name, told))
        right += not wrong
        failed += bool(wrong)
        for fault in wrong[:4]:
            print(f"{name}: {fault}")
    print(f"pprof's graphs: {right} of {right + failed} the same")
    return failed != 0 or right == 0


sys.exit(main())
