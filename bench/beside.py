#!/usr/bin/env python3
"""Measures ptk beside the tools that people know, on the same files, and checks that both give the same answer.

    bench/beside.py PTK [--bytes N] [--runs N] [--write FOLDER] [QUESTION...]

Each command runs RUNS times (3) after one run that is not counted, in turn with the others. The figures are those of the
fastest run, so that other work on the machine weighs little. --write makes benchmarks.json, benchmarks.svg and the table of
benchmarks.md in FOLDER. Tools that are not installed are named, and left out.
"""
import argparse
import json
import os
import platform
import re
import resource
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RIVALS = os.path.join(HERE, "rivals")
SHARED = os.path.join(HERE, "../../shared/tools")
DIR = os.path.join(os.environ.get("TMPDIR", "/tmp"), "ptk-bench")


def output(command, **options):
    return subprocess.run(shlex.split(command), capture_output=True, text=True, errors="replace", check=True, **options).stdout


def once(command):
    """One run: its wall time, processor time and peak memory, and what it printed."""
    printed = os.path.join(DIR, "printed")
    done = subprocess.run([made("once", "cc -O1 -o {} %s/once.c" % HERE), printed] + shlex.split(command), capture_output=True, text=True, check=True)
    wall, cpu, peak, status = done.stdout.split()
    if status != "0":
        raise RuntimeError("%s: exit status %s" % (command, status))
    with open(printed, encoding="utf-8", errors="replace") as file:
        return float(wall), float(cpu), int(peak) / 1024, file.read()


# ---- the answers: the names of the longest rows, with figures that must agree ----

def ptk_rows(text, *fields):
    return {row["name"]: tuple(row[f] for f in fields) for row in json.loads(text)["rows"]}


def own_of(*fields):
    return lambda text: ptk_rows(text, *fields)


def of_pstats(text):
    """ncalls tottime percall cumtime percall filename:lineno(function)"""
    found = re.findall(r"^ *(\d+)(?:/\d+)? +\S+ +\S+ +\S+ +\S+ .*:\d+\((.*)\)$", text, re.M)
    return {name: (int(calls),) for calls, name in found}


def of_pprof(text):
    found = re.findall(r"^ *([\d.]+)ms +\S+ +\S+ +([\d.]+)ms +\S+  (.*)$", text, re.M)
    return {re.sub(r" \((?:partial-)?inline\)$", "", name): (round(float(flat) * 1e6), round(float(cum) * 1e6)) for flat, cum, name in found}


def of_kernels(text):
    return {name: (round(time * 1000), count) for name, time, count in json.loads(text)}


def of_perf_report(text):
    return {name: (int(count),) for count, name in re.findall(r"^ *(\d+)  \[\.\] (\S+) *$", text, re.M)[:3]}


def of_perf_script(text):
    counts = {}
    for sample in text.split("\n\n"):
        words = sample.split()
        if len(words) > 1:
            counts[words[1]] = counts.get(words[1], 0) + 1
    return {name: (counts[name],) for name in ("mix", "walk", "leaf") if name in counts}


def of_jfr(text):
    counts = {}
    for event in json.loads(text)["recording"]["events"]:
        method = event["values"]["stackTrace"]["frames"][0]["method"]
        name = method["type"]["name"].replace("/", ".") + "." + method["name"]
        counts[name] = counts.get(name, 0) + 1
    return {name: (counts[name],) for name in sorted(counts, key=counts.get)[-10:]}


def of_sqlite(text):
    return {name: (int(time), int(count)) for name, time, count in (line.split("|") for line in text.splitlines())}


def agree(ours, theirs):
    """All rows of the rival are ours, with the same figures."""
    return bool(theirs) and all(ours.get(name) == figures for name, figures in theirs.items())


# ---- the questions ----

def made(name, *commands):
    """The path of a file that is made once."""
    path = os.path.join(DIR, name)
    if not os.path.exists(path):
        for command in commands:
            subprocess.run(command.format(path + ".part"), shell=True, check=True, cwd=DIR, stdout=subprocess.DEVNULL)
        os.rename(path + ".part", path)
    return path


def version(command, pattern=r"\d+[\d.]*\w*"):
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
        return None if done.returncode else re.search(pattern, done.stdout + done.stderr).group()
    except (OSError, AttributeError):
        return None


def functions_of_python(ptk, _):
    file = made("big.pstats", "python3 %s/gen_pstats.py {}" % SHARED)
    return ("cProfile: the 20 costliest of 100,000 functions", file, ptk + " hotspots -f json " + file, [
        ("Python's pstats", version("python3 --version"), "python3 %s/pstats_top.py %s" % (RIVALS, file), own_of("calls"), of_pstats)])


def functions_of_go(ptk, _):
    file = made("100k.pb.gz", "python3 %s/gen_pprof.py --samples 100000 -o {}" % SHARED)
    return ("pprof: the 20 costliest functions of 100,000 samples", file, ptk + " hotspots -n 0 -f json " + file, [
        ("go tool pprof", version("go version", r"[\d.]+\d"), "go tool pprof -top -nodecount=20 -nodefraction=0 -unit=ms " + file,
         own_of("self", "cum"), of_pprof)])


def kernels_of_a_trace(ptk, size):
    file = made("trace-%d.json" % size, "python3 %s/gen_trace.py --bytes %d --flavor kineto -o {}" % (SHARED, size))
    node = os.path.join(DIR, "node_modules")
    if shutil.which("npm") and not os.path.exists(node):
        subprocess.run(["npm", "install", "--silent", "--prefix", DIR, "@duckdb/node-api"], check=False, stdout=subprocess.DEVNULL)
    python = next((p for p in ("python3", "/usr/bin/python3") if version(p + " -c 'import pandas; print(pandas.__version__)'")), None)
    return ("PyTorch trace: the time of each kernel", file, ptk + " hotspots -n 0 --value device -f json " + file, [
        ("pandas", python and version(python + " -c 'import pandas; print(pandas.__version__)'"),
         "%s %s/kernels.py %s" % (python, RIVALS, file), own_of("cum", "calls"), of_kernels),
        ("DuckDB", os.path.exists(node + "/@duckdb/node-api") and json.load(open(node + "/@duckdb/node-api/package.json"))["version"],
         "node %s/kernels.mjs %s %s" % (RIVALS, DIR, file), own_of("cum", "calls"), of_kernels),
        ("jq", version("jq --version", r"[\d.]+"), "jq -c -f %s/kernels.jq %s" % (RIVALS, file), own_of("cum", "calls"), of_kernels)])


def samples_of_perf(ptk, _, name="perf-fp.data", how="-F 20000 -g", title="frame pointers"):
    work = made("work", "cc -O1 -g -fno-omit-frame-pointer -o {} %s/work.c" % RIVALS)
    file = made(name, "perf record -q %s -o {} -- %s 1500" % (how, work))
    ours = "%s hotspots -n 0 --value samples -f json %s" % (ptk, file)
    perf = version("perf --version", r"[\d.]+")
    return ("perf.data, %s: the samples of each function" % title, file, ours, [
        ("perf report", perf, "perf report -i %s --stdio --no-children -g none -F sample,sym" % file, own_of("self"), of_perf_report),
        ("perf script", perf, "perf script -i %s -F ip,sym" % file, own_of("self"), of_perf_script)])


def samples_of_perf_dwarf(ptk, size):
    return samples_of_perf(ptk, size, "perf-dwarf.data", "-F 1000 --call-graph dwarf", "copies of the stack (DWARF)")


def samples_of_java(ptk, _):
    if not os.path.exists(DIR + "/Work.class"):
        subprocess.run(["javac", "-d", DIR, RIVALS + "/Work.java"], check=True)
    file = made("java.jfr", "java -XX:StartFlightRecording=filename=%s/one.jfr,settings=profile -cp . Work 20" % DIR,
                "for copy in $(seq 60); do cat %s/one.jfr; done >{}" % DIR)
    return ("JFR: the samples of each method", file, ptk + " hotspots -n 0 -f json " + file, [
        ("jfr print", version("java -version", r"\d+\.[\d.]+"), "jfr print --json --events jdk.ExecutionSample --stack-depth 64 " + file,
         own_of("self"), of_jfr)])


def kernels_of_sqlite(ptk, _):
    file = made("nsys.sqlite", "python3 %s/make_nsys.py 500000 {}" % RIVALS)
    query = ("SELECT s.value, sum(k.end - k.start) AS t, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s "
             "ON s.id = k.demangledName GROUP BY k.demangledName ORDER BY t DESC LIMIT 20")
    return ("Nsight Systems, SQLite: the time of each kernel", file, ptk + " hotspots -n 0 --value device -f json " + file, [
        ("sqlite3, a query by hand", version("sqlite3 --version", r"[\d.]+"), 'sqlite3 -readonly %s "%s"' % (file, query),
         own_of("cum", "calls"), of_sqlite)])


QUESTIONS = {f.__name__: f for f in (functions_of_python, functions_of_go, kernels_of_a_trace, samples_of_perf,
                                     samples_of_perf_dwarf, samples_of_java, kernels_of_sqlite)}


def measured(question, runs):
    title, file, ours, rivals = question
    installed = [r for r in rivals if r[1]]
    for name, known, *_ in rivals:
        if not known:
            print("skipped: %s: not installed" % name)
    best = {}
    for turn in range(runs + 1):
        for number, command in enumerate([ours] + [r[2] for r in installed]):
            wall, cpu, peak, text = once(command)
            if turn:
                old = best.get(number, (wall, cpu, peak))
                best[number] = (min(wall, old[0]), min(cpu, old[1]), max(peak, old[2]))
            else:
                best[(number, "text")] = text
    row = {"question": title, "file_bytes": os.path.getsize(file), "tools": []}
    for number, (name, known, command, own, rival) in enumerate([("ptk", None, ours, None, None)] + installed):
        wall, cpu, peak = best[number]
        tool = {"name": name, "version": known, "wall_s": round(wall, 4), "cpu_s": round(cpu, 4), "peak_mb": round(peak, 1)}
        if number:
            theirs = rival(best[(number, "text")])
            tool["same_answer"] = agree(own(best[(0, "text")]), theirs)
            tool["rows_compared"] = len(theirs)
        row["tools"].append(tool)
        print("%-48s %-26s %8.3f s %8.3f s CPU %8.1f MB %s" % (title[:48], name, wall, cpu, peak, tool.get("same_answer", "")))
        sys.stdout.flush()
    return row


# ---- what is written ----

def table(result):
    lines = ["| Question | File | Tool | CPU time | Time | Memory | CPU beside ptk |", "| --- | ---: | --- | ---: | ---: | ---: | --- |"]
    for row in result["rows"]:
        first = row["tools"][0]
        for number, tool in enumerate(row["tools"]):
            ratio = tool["cpu_s"] / first["cpu_s"]
            beside = "" if not number else "%.1f times as much" % ratio if ratio >= 1 else "**%.1f times less**" % (1 / ratio)
            lines.append("| %s | %s | %s | %.3f s | %.3f s | %.0f MB | %s |" % (
                row["question"] if not number else "", "%.1f MB" % (row["file_bytes"] / 1e6) if not number else "",
                "ptk" if not number else "%s %s" % (tool["name"], tool["version"]), tool["cpu_s"], tool["wall_s"], tool["peak_mb"], beside))
    return "\n".join(lines)


def picture(result):
    """Bars of processor time, each question on a scale of its own: what ptk takes is blue."""
    bars, y = [], 34
    for row in result["rows"]:
        bars.append('<text x="10" y="%d" class="q">%s</text>' % (y, row["question"].replace("&", "&amp;").replace("<", "&lt;")))
        longest = max(t["cpu_s"] for t in row["tools"])
        for number, tool in enumerate(row["tools"]):
            y += 20
            width = max(1, 440 * tool["cpu_s"] / longest)
            bars.append('<text x="190" y="%d" text-anchor="end">%s</text><rect x="198" y="%d" width="%.1f" height="14" class="%s"/>'
                        '<text x="%.1f" y="%d">%.3g s</text>' % (y, tool["name"], y - 11, width, "r" if number else "p", 204 + width, y, tool["cpu_s"]))
        y += 32
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="720" height="%d" font-family="sans-serif" font-size="12">\n'
            '<style>rect.p{fill:#2a6fb0}rect.r{fill:#b9b9b9}text.q{font-weight:bold}</style>\n'
            '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n' % (y - 10, "\n".join(bars)))


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"model name\s*: (.*)", file.read())
    return found.group(1) if found else platform.machine()


def write(folder, result):
    with open(os.path.join(folder, "benchmarks.json"), "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    with open(os.path.join(folder, "benchmarks.svg"), "w") as file:
        file.write(picture(result))
    path = os.path.join(folder, "benchmarks.md")
    with open(path) as file:
        text = file.read()
    machine = result["machine"]
    about = "%s, %d processors, %d GB, %s; %s. Load of the machine at the start: %.1f." % (
        machine["processor"], machine["processors"], machine["memory_gb"], machine["system"], result["ptk"], machine["load"])
    text = re.sub(r"(<!-- figures -->\n).*(\n<!-- end -->)", lambda m: m[1] + about + "\n\n" + table(result) + "\n" + m[2], text, flags=re.S)
    with open(path, "w") as file:
        file.write(text)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("ptk")
    options.add_argument("questions", nargs="*", default=list(QUESTIONS))
    options.add_argument("--bytes", type=int, default=100000000)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--write")
    chosen = options.parse_intermixed_args()
    os.makedirs(DIR, exist_ok=True)
    ptk = os.path.abspath(chosen.ptk)
    with open("/etc/os-release") as file:
        system = re.search(r'PRETTY_NAME="(.*)"', file.read()).group(1)
    result = {"ptk": output(ptk + " --version").splitlines()[0],
              "machine": {"processor": processor(), "processors": os.cpu_count(), "system": system, "load": round(os.getloadavg()[0], 1),
                          "memory_gb": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9)},
              "runs": chosen.runs, "rows": []}
    for name in chosen.questions:
        try:
            result["rows"].append(measured(QUESTIONS[name](ptk, chosen.bytes), chosen.runs))
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print("skipped: %s: %s" % (name, error))
    if chosen.write:
        write(chosen.write, result)
    wrong = [t["name"] for row in result["rows"] for t in row["tools"] if t.get("same_answer") is False]
    print("beside: %d questions, %d answers differ %s" % (len(result["rows"]), len(wrong), wrong or ""))
    return bool(wrong)


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.exit(main())
