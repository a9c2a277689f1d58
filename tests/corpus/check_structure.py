#!/usr/bin/env python3
"""ptk diff --by structure: planted changes, pairs of real chips, and the laws of a structural diff.

 made      each group of corpus/structural: how it was matched, its place, both sums to the ns
 real      the largest groups of corpus/structural/structural_expected.tsv: place, operator, shapes, times, kernels
 renamed   shared/tools/check_diff.py on corpus/renamed
 laws      differences add up; other names of kernels change nothing; A against A is empty; swapping changes signs
"""
import csv, glob, gzip, json, os, random, subprocess, sys, tempfile

PTK, SHARED = sys.argv[1:3]
TRACES = SHARED + "/corpus/chrome/tracelens/tests/traces"
REAL = ("Qwen_Qwen1.5-0.5B-Chat__1016005", "Falconsai_nsfw_image_detection__1016002", "gaunernst_bert-small-uncased__1016001")
SWAPPED = {"only A": "only B", "only B": "only A"}
checked = failed = 0


def expect(what, got, want):
    global checked, failed
    checked += 1
    if got != want:
        failed += 1
        print("FAIL %s: %s, not %s" % (what, got, want))


def diff(a, b):
    run = subprocess.run([PTK, "diff", "-q", "--by", "structure", "-n", "0", "-f", "json", a, b], capture_output=True, text=True)
    if run.returncode:
        print(run.stderr)
        return None
    return json.loads(run.stdout)


def rename(path, seed, out):
    rng = random.Random(seed)
    doc = json.load(gzip.open(path))
    for e in doc["traceEvents"]:
        if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            e["name"] = "%016x" % rng.getrandbits(64)
    json.dump(doc, open(out, "w"))
    return out


def figures(answer):
    names = ("how", "step", "path", "shapes", "new_shapes", "places", "old", "new", "old_kernels", "new_kernels", "operator", "new_operator")
    return [[r[n] for n in names] for r in answer["differences"]]


def laws(name, a, b, folder):
    here = diff(a, b)
    for table in ("differences", "groups"):
        expect(name + ": sum of " + table, [sum(r[k] for r in here[table]) for k in ("old", "new")],
               [here["old_device_time"], here["new_device_time"]])
    other = diff(rename(a, 1, folder + "/a.json"), rename(b, 2, folder + "/b.json"))
    expect(name + ": renamed", figures(other), figures(here))
    same = diff(a, a)
    expect(name + ": with itself", [r for r in same["differences"] if r["delta"] or r["how"] in ("replaced", "only A", "only B")], [])
    back = diff(b, a)
    turned = [[SWAPPED.get(r["how"], r["how"]), r["step"], r["path"], r["new"], r["old"]] for r in back["differences"]]
    expect(name + ": swapped", sorted(map(str, turned)), sorted(str([r["how"], r["step"], r["path"], r["old"], r["new"]]) for r in here["differences"]))


def made(folder):
    for path in sorted(glob.glob(SHARED + "/corpus/structural/*.expected.tsv")):
        stem = path[:-len(".expected.tsv")]
        answer, got = diff(stem + ".a.json.gz", stem + ".b.json.gz"), {}
        for r in answer["differences"]:
            key = (r["how"], r["path"], r["operator"] if r["how"] in ("operator+shape", "operator") else "*")
            old, new = got.get(key, (0, 0))
            got[key] = (old + r["old"], new + r["new"])
        want = {(r["how"], r["place"], r["operator"]): (int(r["A_ns"]), int(r["B_ns"])) for r in csv.DictReader(open(path), delimiter="\t")}
        expect(os.path.basename(stem), got, want)
        laws(os.path.basename(stem), stem + ".a.json.gz", stem + ".b.json.gz", folder)


def served(name):
    """Most of a server's device work is launched by graphs, and has no operator: it is no other program for that."""
    trace = "%s/inference/%s/graph_execution.json.gz" % (TRACES, name)
    text = subprocess.run([PTK, "diff", "--by", "structure", trace, trace], capture_output=True, text=True).stdout
    expect(name + ": with itself", ["Device work" in text, "different programs" in text], [True, False])


def real():
    answers = {}
    for r in csv.DictReader(open(SHARED + "/corpus/structural/structural_expected.tsv"), delimiter="\t"):
        name = r["pair"]
        if name not in answers:
            answers[name] = diff(*(os.path.join(TRACES, chip, name + ".json.gz") for chip in ("h100", "mi300")))
        answer = answers[name]
        figures = [int(r[k]) for k in ("A_ns", "B_ns")]
        if r["rank"] == "total":
            expect(name + ": total", [answer["old_device_time"], answer["new_device_time"]], figures)
        elif r["rank"].isdigit():
            row = answer["differences"][int(r["rank"]) - 1]
            part = " ".join((row["operator"], row["shapes"])) if row["how"] == "operator+shape" else r["part"]
            path = "/".join(x for x in (row["step"], row["path"]) if x) if row["how"] == "operator+shape" else r["path"]
            expect(name + " " + r["rank"], [row["how"], path, part, row["places"], row["old"], row["new"], row["old_kernels"], row["new_kernels"]],
                   [r["how"], r["path"], r["part"], int(r["places"])] + figures + [int(r["A_kernels"]), int(r["B_kernels"])])


with tempfile.TemporaryDirectory() as folder:
    made(folder)
    real()
    for name in ("vllm_decode_full", "vllm_prefilldecode_piecewise"):
        served(name)
    for name in REAL:
        laws(name, *(os.path.join(TRACES, chip, name + ".json.gz") for chip in ("h100", "mi300")), folder)
print("structure: %d checked, %d failed" % (checked, failed))
renamed = subprocess.run([sys.executable, SHARED + "/tools/check_diff.py", PTK, SHARED + "/corpus/renamed", SHARED + "/corpus/chrome"])
sys.exit(failed > 0 or renamed.returncode > 0)
