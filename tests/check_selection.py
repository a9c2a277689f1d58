#!/usr/bin/env python3
"""The laws of a selection on call graphs: check_selection.py PTK [FILE...]

Each cProfile dump of testdata and, where it is, of ../shared/corpus is written without its imports, with
its program's code alone, and without each of some functions. Of what is left it must hold that

1. no cumulative time fell by more than what was left out; where functions are hidden none falls,
2. a caller's cumulative time is at least that of each call to a function that imports nothing,
3. what was taken from one row is in another: own times add up to what they were, but for what was left out,
   and but for hidden functions that nothing shown called."""
import glob
import marshal
import os
import subprocess
import sys
import tempfile

TOLERANCE = 1e-6


def read(path):
    with open(path, "rb") as file:
        return marshal.load(file)


class Calls:
    """Who calls whom, of a dump whose callers have times."""

    def __init__(self, stats):
        self.stats = stats
        self.callees = {}
        for callee, figures in stats.items():
            for caller in figures[4]:
                self.callees.setdefault(caller, []).append(callee)

    def edges(self):
        for callee, figures in self.stats.items():
            for caller, edge in figures[4].items():
                if caller in self.stats and caller != callee:
                    yield caller, callee, edge[3]

    def reached(self, found, through=lambda function: True):
        """All that these functions call, over those that may be gone through, and they themselves."""
        found, waiting = set(found), list(found)
        while waiting:
            for callee in self.callees.get(waiting.pop(), ()):
                if callee not in found and through(callee):
                    found.add(callee)
                    waiting.append(callee)
        return found

    def above(self, found):
        found, waiting = set(found), list(found)
        while waiting:
            for caller in self.stats.get(waiting.pop(), (0, 0, 0, 0, {}))[4]:
                if caller not in found:
                    found.add(caller)
                    waiting.append(caller)
        return found

    def roots(self):
        """Functions that are entered from outside the profile; and such as nobody there leads to."""
        found = {function for function, figures in self.stats.items()
                 if figures[1] > sum(edge[0] for edge in figures[4].values()) or
                 any(caller not in self.stats for caller in figures[4])}
        return found | (set(self.stats) - self.reached(found))


def own_time(stats):
    return sum(figures[2] for figures in stats.values())


def contradiction(stats):
    """How much more functions have as their own than passed while any of them ran."""
    return max(0, own_time(stats) - max(figures[3] for figures in stats.values()))


def is_sane(stats):
    """A clock that went forward, and calls with times, of the standard profiler's."""
    return stats and all(
        isinstance(figures, tuple) and len(figures) == 5 and
        0 <= figures[2] <= figures[3] + TOLERANCE and 0 <= figures[0] <= figures[1] and
        all(isinstance(edge, tuple) and len(edge) == 4 and 0 <= edge[2] <= edge[3] + TOLERANCE and
            edge[3] <= figures[3] + TOLERANCE for edge in figures[4].values())
        for figures in stats.values())


def name(function):
    return f"{function[0]}:{function[1]}({function[2]})"


def contradicting(stats):
    """Callers that have less time than one of their calls, in the file itself: labels that collided."""
    return {caller for caller, callee, time in Calls(stats).edges()
            if time > stats[caller][3] + TOLERANCE}


def imports_of(stats):
    """Of Python 2 the bodies of modules that others than built-in functions call."""
    found = {function for function in stats if function[2] == "_find_and_load"}
    return found or {
        function for function, figures in stats.items()
        if function[2] == "<module>" and not function[0].startswith("<") and
        any(caller[0] not in ("~", "") or caller[2] == "<__import__>" for caller in figures[4])} | {
            function for function in stats if function[2] == "<__import__>"}


def check_rows(before, after, allowed):
    """What holds of each selection. `allowed`: callees, whose calls are held against their callers'."""
    wrong = contradicting(before)
    for function, figures in after.items():
        if figures[2] < -TOLERANCE or figures[2] > figures[3] + TOLERANCE:
            yield f"{name(function)}: self {figures[2]:.9f}, cum {figures[3]:.9f}"
    for caller, callee, time in Calls(after).edges():
        if caller not in wrong and callee in allowed and time > after[caller][3] + TOLERANCE:
            yield (f"{name(caller)}: cum {after[caller][3]:.9f}, but its call of {name(callee)} has "
                   f"{time:.9f}")


def check_imports(before, after):
    calls = Calls(before)
    imports = imports_of(before)
    importing = calls.above(imports)
    left_out = own_time(before) - own_time(after)
    lost = max(figures[3] for figures in before.values()) - own_time(before)
    slack = TOLERANCE + max(lost, 0)
    if not imports:
        return
    recorded = max(before[function][3] for function in imports)
    if len(imports) == 1 and left_out > recorded + TOLERANCE:
        yield f"{left_out:.9f} are left out, but all imports took {recorded:.9f}"
    for function, figures in after.items():
        fell = before[function][3] - figures[3]
        if fell > left_out + slack or fell < -TOLERANCE:
            yield f"{name(function)}: cum fell by {fell:.9f}, {left_out:.9f} were left out"
    for function in set(before) - set(after):
        if before[function][3] > left_out + slack and before[function][2] > 0:
            yield f"{name(function)}: cum {before[function][3]:.9f} is gone of {left_out:.9f}"
    yield from check_rows(before, after, set(before) - importing)
    wrong = contradicting(before)
    within = calls.reached(imports)
    for caller, callee, time in calls.edges():
        if (caller in after and caller not in wrong and callee not in importing and caller not in
                within and time > after[caller][3] + TOLERANCE):
            yield (f"{name(caller)}: cum {after[caller][3]:.9f}, but its call of {name(callee)} had "
                   f"{time:.9f}")


def check_hidden(before, after):
    calls = Calls(before)
    hidden = set(before) - set(after)
    nobodys = calls.reached(calls.roots() & hidden, lambda function: function in hidden)
    gone = own_time(before) - own_time(after)
    most = sum(before[function][2] for function in nobodys & hidden) + contradiction(before)
    if gone > most + TOLERANCE or gone < -TOLERANCE:
        yield f"{gone:.9f} of own time is gone, of which {most:.9f} may be"
    for function, figures in after.items():
        if before[function][3] - figures[3] > TOLERANCE or before[function][2] - figures[2] > TOLERANCE:
            yield f"{name(function)}: fell to self {figures[2]:.9f}, cum {figures[3]:.9f}"
    yield from check_rows(before, after, set(after))


def convert(ptk, path, options, out):
    done = subprocess.run([ptk, "convert", "-t", "pstats", *options, "-o", out, path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return read(out) if done.returncode == 0 else None


def selections(stats):
    """Options, and what to check: with the functions that have most callers, by name and line."""
    yield ["--no-imports"], check_imports
    yield ["--mine"], check_hidden
    by_calls = sorted(stats, key=lambda function: (-len(stats[function][4]), function))
    for function in [function for function in by_calls if function[1] > 0 and name(function).isascii() and len(name(function)) < 200][:4]:
        yield ["-F", f"--hide={name(function)}"], check_hidden


def check(ptk, path, out):
    """How many selections were checked, and what is wrong."""
    plain = convert(ptk, path, [], out)
    checked, wrong = 0, []
    if not plain or not is_sane(plain):
        return checked, wrong
    for options, law in selections(plain):
        after = convert(ptk, path, options, out)
        if after is None or not set(after) <= set(plain):
            continue
        checked += 1
        wrong += [f"{path} {' '.join(options)}: {fault}" for fault in law(plain, after)]
    return checked, wrong


def main(ptk, files):
    folders = ["testdata/pstats/*.pstats", "testdata/recorded/*.pstats", "../shared/corpus/cpu/python/*.p*",
               "../shared/corpus/cpu/python/moved/*/*", "../shared/corpus/pstats/*/*.p*",
               "../shared/corpus/pstats/gprof2dot/*/*"]
    paths = files or [path for folder in folders for path in sorted(glob.glob(folder))]
    checked, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            count, faults = check(ptk, path, os.path.join(folder, "out.pstats"))
            checked += count
            wrong += faults
    for fault in wrong:
        print(fault)
    failed = len({fault.split(": ")[0] for fault in wrong})
    print(f"{checked} selections: {checked - failed} keep the laws, {failed} do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
