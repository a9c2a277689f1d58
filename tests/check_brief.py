#!/usr/bin/env -S python3 -B
"""What must hold of `ptk brief` on every file, a profile or not.      check_brief.py PTK [DIRECTORY] [EVERY]

  budget    the text is never longer than three bytes a token
  the same  the same bytes twice
  an end    it answers, or says in a line why not; it never crashes, and never takes longer than SECONDS
Of EVERY-th file that has an answer, and of two files of each folder:
  forms     a small budget is not empty, and JSON has the same lines
  next      each command that it names ends well"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

SECONDS = 300  # only what hangs takes so long
BUDGET, SMALL = 500, 40
SIZE_MAX = 50_000_000  # bombs of archives are refused in time
ENDS = (2, 3, 4)  # 2: two profiles count different things


def ask(ptk, *words):
    return subprocess.run([ptk, *words], capture_output=True, check=False, timeout=SECONDS)


def brief(ptk, files, budget, *words):
    return ask(ptk, "brief", "-q", f"--max-size={SIZE_MAX}", f"--budget={budget}", *words, *files)


def faults_of_answer(ptk, files, text):
    if len(text) > 3 * BUDGET:
        yield f"{len(text)} bytes of a budget of {3 * BUDGET}"
    if brief(ptk, files, BUDGET).stdout != text:
        yield "not the same twice"


def faults_of_forms(ptk, files, text):
    small = brief(ptk, files, SMALL).stdout
    if not 0 < len(small) <= 3 * SMALL:
        yield f"{len(small)} bytes of a budget of {3 * SMALL}"
    lines = json.loads(brief(ptk, files, BUDGET, "-f", "json").stdout)["lines"]
    if len(lines) != text.count(b"\n"):
        yield f"{len(lines)} lines in JSON, {text.count(bytes([10]))} in text"


def faults_of_commands(ptk, text, folder):
    for line in text.decode(errors="surrogateescape").splitlines():
        if not line.startswith("next: "):
            continue
        words = shlex.split(line[len("next: "):])
        if "-o" in words:
            words[words.index("-o") + 1] = os.path.join(folder, "out")
        done = ask(ptk, *words[1:], f"--max-size={SIZE_MAX}")
        if done.returncode:
            yield f"{line}: {done.returncode}, {done.stderr.decode(errors='replace').strip()}"


def faults(ptk, files, is_close):
    """None: there is no answer, and it says why."""
    try:
        first = brief(ptk, files, BUDGET)
        if first.returncode:
            said = first.stderr.startswith(b"ptk: ") and not first.stdout
            return None if first.returncode in ENDS and said else [f"ends with {first.returncode}: {first.stderr[-300:]}"]
        found = list(faults_of_answer(ptk, files, first.stdout))
        if is_close:
            found += faults_of_forms(ptk, files, first.stdout)
            with tempfile.TemporaryDirectory() as folder:
                found += faults_of_commands(ptk, first.stdout, folder)
        return found
    except subprocess.TimeoutExpired as late:
        return [f"takes longer than {SECONDS} s: {late.cmd}"]


def walk(directory):
    return [[os.path.join(folder, name) for name in sorted(names)] for folder, _, names in sorted(os.walk(directory)) if names]


def main():
    ptk, directory = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "testdata"
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folders = walk(directory)
    cases = [([path], i % every == 0) for i, path in enumerate(path for names in folders for path in names)]
    held = broken = silent = 0

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def judge(asked):
            nonlocal held, broken, silent
            answered = set()
            for (files, _), found in zip(asked, pool.map(lambda case: faults(ptk, *case), asked)):
                for fault in found or ():
                    print(f"FAIL {' '.join(files)}: {fault}")
                held += found == []
                broken += bool(found)
                silent += found is None
                answered |= {files[0]} if found == [] else set()
            return answered

        answered = judge(cases)
        pairs = [[path for path in names if path in answered][:2] for names in folders]
        judge([(pair, True) for pair in pairs if len(pair) == 2])
    print(f"brief: {held} passed, {broken} failed")
    print(f"{silent} files have no answer: they say why")
    return broken > 0 or not held


if __name__ == "__main__":
    sys.exit(main())
