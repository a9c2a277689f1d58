#!/usr/bin/env python3
"""The laws of call trees that are made of call graphs: check_call_trees.py PTK FILE...

The rows of a function never add up to more than its cumulative time, their self times add up to its
own, and in a pstats dump a function with one caller that it cannot call back keeps its cumulative
time, to the nanosecond. What --focus and --ignore keep of a function is together what it had, nothing
that is left seems to be entered from outside with more than the profile has, and no selection leaves
a function more time of its own than in all."""
import collections
import json
import marshal
import subprocess
import sys


def run(ptk, *arguments):
    done = subprocess.run([ptk, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.returncode == 0 else None


def key_of(row):
    return row["name"], row["file"], row["line"]


def reaches(callees, start, goal):
    seen, waiting = {start}, [start]
    while waiting:
        for callee in callees[waiting.pop()]:
            if callee == goal:
                return True
            if callee not in seen:
                seen.add(callee)
                waiting.append(callee)
    return False


def single_callers(path):
    """Of a pstats dump: (name, file, line) of functions with one caller that they cannot reach."""
    try:
        with open(path, "rb") as file:
            stats = marshal.load(file)
        callees = collections.defaultdict(list)
        for function, (_, _, _, _, callers) in stats.items():
            for caller in callers:
                callees[caller].append(function)
        return {(name, None if file == "~" else file, line or None)
                for (file, line, name), (calls, *_, callers) in stats.items()
                if len(callers) == 1 and all(nc == calls for nc, *_ in callers.values())
                and not reaches(callees, (file, line, name), next(iter(callers)))}
    except Exception:  # another Python's code objects, other keys
        return set()


def wrong(ptk, path):
    tree = run(ptk, "tree", "-q", "--min-percent", "0", "-f", "json", path)
    flat = run(ptk, "hotspots", "-q", "-n", "0", "-f", "json", path)
    if not tree or not flat or any("left out" in warning["message"] for warning in tree["warnings"]):
        return
    total, own = collections.Counter(), collections.Counter()
    for row in tree["rows"]:
        total[key_of(row)] += row["total"]
        own[key_of(row)] += row["self"]
    names = collections.Counter(key_of(row) for row in flat["rows"])
    single = single_callers(path)
    for row in flat["rows"]:
        key = key_of(row)
        if names[key] > 1 or row["cum"] < 0:  # a clock that runs backwards
            continue
        if total[key] > row["cum"]:
            yield f"{key}: rows of {total[key]}, cum {row['cum']}"
        if own[key] != row["self"]:
            yield f"{key}: rows with self {own[key]}, self {row['self']}"
        if key in single and total[key] != row["cum"]:
            yield f"{key}: one caller, rows of {total[key]}, cum {row['cum']}"


def figures(ptk, path, *selection):
    flat = run(ptk, "hotspots", "-q", "-n", "0", "-f", "json", *selection, path)
    result = collections.defaultdict(lambda: [0, 0])
    for row in flat["rows"] if flat else []:
        result[key_of(row)][0] += row["self"]
        result[key_of(row)][1] += row["cum"]
    return result


def entered(ptk, path, *selection):
    tree = run(ptk, "tree", "-q", "--min-percent", "0", "--depth", "1", "-f", "json", *selection, path)
    return sum(row["total"] for row in tree["rows"] if row["depth"] == 0) if tree else 0


def wrong_selection(ptk, path):
    whole = figures(ptk, path)
    keys = sorted((key for key in whole if key[0] and len(key[0]) < 1000), key=lambda key: whole[key][1])
    if not keys or min(min(pair) for pair in whole.values()) < 0 or len(keys) > 20000:
        return
    most = entered(ptk, path)
    is_consistent = all(own <= cum for own, cum in whole.values())
    for name in {keys[len(keys) * part // 4][0] for part in range(1, 4)}:
        focus, ignore = (figures(ptk, path, "-F", way, name) for way in ("--focus", "--ignore"))
        for key, pair in whole.items():
            if [a + b for a, b in zip(focus[key], ignore[key])] != pair:
                yield f"{key}: {pair}, --focus {name} {focus[key]}, --ignore {ignore[key]}"
        for way in ("--focus", "--ignore", "--show", "--hide", "--mine"):
            selection = ("-F", way, name) if way != "--mine" else (way,)
            if way in ("--focus", "--ignore") and entered(ptk, path, *selection) > most:
                yield f"{way} {name}: roots of {entered(ptk, path, *selection)}, {most} in all"
            for key, (own, cum) in figures(ptk, path, *selection).items():
                if own > cum and is_consistent:
                    yield f"{way} {name}: {key} has self {own}, cum {cum}"


def main(ptk, *paths):
    said = [f"{path}: {text}" for path in paths for law in (wrong, wrong_selection)
            for text in law(ptk, path)]
    print(*said[:20], sep="\n", end="\n" if said else "")
    print(f"call trees: {len(paths)} files, {len(said)} wrong figures")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
