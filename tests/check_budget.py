#!/usr/bin/env -S python3 -B
"""What must hold of --budget in every command that has it, and in every form.    check_budget.py PTK

No answer is larger than its budget; rows that stay are the first ones; JSON stays whole; what is too little is refused in words."""
import concurrent.futures
import json
import subprocess
import sys

PTK = sys.argv[1]
FILES = {"advise": "chrome/overlap.json", "amdahl": "pstats/mix_py311.pstats", "bound": "chrome/overlap.json",
         "brief": "chrome/overlap.json", "callees": ". pstats/mix_py311.pstats", "callers": ". pstats/mix_py311.pstats",
         "critical-path": "chrome/overlap.json", "diff": "pstats/fractal.pstats pstats/mix_py311.pstats",
         "disasm": "chain --binary-path disasm disasm/collatz.prof", "events": ". chrome/overlap.json", "formats": "",
         "hotspots": "pstats/mix_py311.pstats", "info": "chrome/overlap.json", "job": "chrome/job", "labels": "pprof/labels.pb",
         "lines": "lprof/w_lines.lprof", "list": ". lprof/w_lines.lprof", "overlap": "chrome/overlap.json", "peek": ". pstats/mix_py311.pstats",
         "roofline": "chrome/roofline.json", "serve": "serving/vllm-detail.json.gz", "summary": "chrome/overlap.json",
         "traces": "folded/small.folded", "tree": "pstats/mix_py311.pstats", "what-if": "--scale gemm=2 chrome/overlap.json"}

WITHOUT_SENTENCE = ("summary",)  # its tables are Paddle's to the letter
# Code begins with what it is of, and a brief with the file; serve's sentence goes on to what it rests on.
OTHER_FIRST_LINES = (*WITHOUT_SENTENCE, "lines", "list", "brief", "serve")
FORMS = ("text", "csv", "json", "md")
BUDGETS = (60, 200, 700, 10**6)


def ask(command, *options):
    words = [word if word.startswith("-") or word in (".", "chain", "gemm=2") else f"testdata/{word}" for word in FILES[command].split()]
    done = subprocess.run([PTK, command, *words, *options], capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def plain(row):
    """A row without the rows within it, which are cut, too."""
    return {key: part for key, part in row.items() if not isinstance(part, list)} if isinstance(row, dict) else row


def faults_of(command, form):
    """What does not hold, and how many answers were held, cut and refused."""
    faults, held, cut, refused = [], 0, 0, 0
    status, whole, error = ask(command, "-q", "-f", form)
    if status:
        return [f"{command} -f {form} fails without a budget: {error}"], 0, 0, 0
    if form == "text" and command not in OTHER_FIRST_LINES and not whole.split(b"\n")[0].endswith(b"."):
        faults.append(f"{command} does not begin with a sentence")
    for budget in BUDGETS:
        status, out, error = ask(command, "-q", "-f", form, "--budget", str(budget))
        what = f"{command} -f {form} --budget {budget}"
        if status == 2 and "bytes each, are too few for" in error and len(whole) > 3 * budget:
            refused += 1
            if form in ("text", "md") and command not in WITHOUT_SENTENCE:
                faults.append(f"{what} is refused, and has lines to leave out")
            continue
        held += 1
        cut += len(out) < len(whole)
        if status or len(out) > 3 * budget and (command, form) != ("brief", "json"):
            faults.append(f"{what} has {len(out)} bytes, status {status} {error}")
        elif len(whole) <= 3 * budget and out != whole and command != "brief":
            faults.append(f"{what} would fit, and is not the whole")
        elif form in ("text", "md") and not out.strip():
            faults.append(f"{what} is empty")
        elif form == "json":
            one, everything = json.loads(out), json.loads(whole)
            for key, rows in everything.items():
                if isinstance(rows, list) and key not in ("warnings", "inputs", "lines"):
                    first = [plain(row) for row in one[key]]
                    if first != [plain(row) for row in rows[:len(first)]]:
                        faults.append(f"{what}: {key} has other rows than the first ones")
    return faults, held, cut, refused


def main():
    known = subprocess.run([PTK, "--generate", "commands"], capture_output=True, text=True).stdout.split()
    with_budget = [name for name in known if "--budget" in subprocess.run([PTK, name, "--help"], capture_output=True, text=True).stdout]
    faults = [f"this test knows no files for {name}" for name in with_budget if name not in FILES]
    faults += [f"{name} has no --budget" for name in FILES if name not in with_budget]
    held = cut = refused = 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        tries = [(command, form) for command in FILES for form in FORMS if (command, form) != ("summary", "csv")]
        for part in pool.map(lambda one: faults_of(*one), tries):
            faults += part[0]
            held, cut, refused = held + part[1], cut + part[2], refused + part[3]
    if cut < 150 or refused > held / 4:
        faults.append(f"only {cut} of {held} answers were cut, and {refused} refused")
    for fault in faults:
        print("FAIL", fault)
    print(f"budgets: {held} passed, {len(faults)} failed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
