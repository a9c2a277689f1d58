#!/usr/bin/env python3
"""Compares `ptk overlap` of several ranks with plain arithmetic on their collectives.

    compare_ranks.py PTK SHARED

Ranks are made of one trace's kernels: each rank's collectives begin later than there, by times of its own, and
end with the others'; its file counts from a base of its own; and each collective is one of NCCL's, of some size.
"""
import collections
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

SOURCE = "hta/tests/data/nccl_parser_config/nccl_data.json.gz"
SIZES = {"Float": 4, "BFloat16": 2, "Half": 2, "Long": 8, "Double": 8, "Byte": 1}
# name → part of the bus that each byte crosses, of n ranks; whether the bytes are those given out
OPERATIONS = {
    "allreduce": (lambda n: 2 * (n - 1) / n, False),
    "_allgather_base": (lambda n: (n - 1) / n, True),
    "reduce_scatter": (lambda n: (n - 1) / n, False),
    "all_to_allv": (lambda n: (n - 1) / n, False),
    "broadcast": (lambda n: 1, False),
    "reduce": (lambda n: 1, False),
}


def nanoseconds(text):
    whole, _, fraction = str(text).partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3])


def microseconds(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def kernels_of(path):
    with gzip.open(path, "rt") as file:
        events = json.load(file, parse_float=str)["traceEvents"]
    return sorted((event for event in events if event.get("cat") == "kernel"),
                  key=lambda event: nanoseconds(event["ts"]))


def is_collective(event):
    return event["name"].startswith("nccl")


def overlap(ptk, paths):
    run = subprocess.run([ptk, "overlap", "-q", "-n", "0", "-f", "json", *paths],
                         capture_output=True, check=True)
    return json.loads(run.stdout)


# ---- plain arithmetic ----

class Collective:
    """`spans`: (start, end) by rank; `size`: bytes, or None."""

    def __init__(self, operation, spans, size=None, factor=None):
        starts = sorted((start, rank) for rank, (start, _) in enumerate(spans))
        self.operation, self.size, self.factor = operation, size, factor
        self.skew = starts[-1][0] - starts[0][0]
        self.transfer = min(end for _, end in spans) - starts[-1][0]
        self.first, self.last = starts[0][1], starts[-1][1]
        self.made_wait = starts[-1][0] - starts[-2][0]
        self.waited = [starts[-1][0] - start for start, _ in spans]
        self.is_apart = self.transfer < 0

    def figures(self):
        speed = self.size / self.transfer * 1e9 if self.size and not self.is_apart else None
        return [self.operation, self.skew, None if self.is_apart else self.transfer, self.size,
                None if speed is None else round(speed),
                None if speed is None else round(speed * self.factor)]


def ordered(rows):
    return sorted(rows, key=str)


def rounded(value):
    return None if value is None else round(value)


def compare(name, got, want, ranks):
    """What differs, in words."""
    shown = [[row["operation"], row["skew"], None if row["transfer"] is None else row["transfer"],
              row["bytes"], rounded(row["algorithm_bandwidth"]), rounded(row["bus_bandwidth"])]
             for row in got["skews"]]
    whole = [one for one in want if not one.is_apart]
    if got["apart"] != len(want) - len(whole):
        yield f"{name}: {got['apart']} are apart, not {len(want) - len(whole)}"
    theirs = [row for row in shown if row[2] is not None]
    for row, one in zip(ordered(theirs), ordered([one.figures() for one in whole])):
        if row != one:
            yield f"{name}: {row}, not {one}"
    if len(theirs) != len(whole):
        yield f"{name}: {len(theirs)} collectives, not {len(whole)}"
    for row in got["collectives"]:
        mine = [one for one in whole if one.operation == row["operation"]]
        sums = [sum(one.skew for one in mine), sum(one.transfer for one in mine)]
        if [row["skew"], row["transfer"]] != sums:
            yield f"{name}: {row['operation']}: {row['skew']}, {row['transfer']}, not {sums}"
    made, waited, last = collections.Counter(), collections.Counter(), collections.Counter()
    for one in whole:
        made[one.last] += one.made_wait
        last[one.last] += 1
        for rank in range(ranks):
            waited[rank] += one.waited[rank]
    for row in got["ranks"]:
        rank = row["rank"]
        figures = [row["made_wait"], row["waited"], row["last"]]
        if figures != [made[rank], waited[rank], last[rank]]:
            yield f"{name}: rank {rank}: {figures}, not {[made[rank], waited[rank], last[rank]]}"


# ---- the ranks ----

def spans_of(kernels):
    return [(nanoseconds(event["ts"]), nanoseconds(event["ts"]) + nanoseconds(event["dur"]))
            for event in kernels if is_collective(event)]


def made_ranks(ptk, chrome, ranks, seed):
    chance = random.Random(seed)
    kernels, paths, spans, plan = kernels_of(f"{chrome}/{SOURCE}"), [], [], []
    for event in filter(is_collective, kernels):
        operation, dtype = chance.choice([*OPERATIONS]), chance.choice([*SIZES])
        given, taken = chance.randint(1, 10**7), chance.randint(1, 10**7)
        plan.append((operation, dtype, given, taken))
    with tempfile.TemporaryDirectory() as folder:
        for rank in range(ranks):
            base, row, written = chance.randint(0, 10**9) * 1000, [], []
            for event in map(dict, kernels):
                start, length = nanoseconds(event["ts"]), nanoseconds(event["dur"])
                if is_collective(event):
                    late = chance.randint(0, length // 3)
                    start, length = start + late, length - late
                    operation, dtype, given, taken = plan[len(row)]
                    event["args"] = event["args"] | {
                        "Collective name": operation, "dtype": dtype, "In msg nelems": given,
                        "Out msg nelems": taken, "Group size": ranks, "Process Group Name": "0"}
                    row.append((start, start + length))
                event["ts"], event["dur"] = (f"@{microseconds(ns)}@" for ns in (start - base, length))
                written.append(event)
            spans.append(row)
            paths.append(os.path.join(folder, f"rank-{rank}.json"))
            text = json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": base,
                               "distributedInfo": {"rank": rank}, "traceEvents": written})
            with open(paths[-1], "w") as file:
                file.write(text.replace('"@', "").replace('@"', ""))
        want = [Collective(operation, one, SIZES[dtype] * (taken if is_out else given), factor(ranks))
                for (operation, dtype, given, taken), *one in zip(plan, *spans)
                for factor, is_out in [OPERATIONS[operation]]]
        yield from compare(f"{ranks} ranks of seed {seed}", overlap(ptk, paths), want, ranks)


def main():
    ptk, chrome = sys.argv[1], os.path.join(sys.argv[2], "corpus", "chrome")
    faults = []
    for ranks, seed in ((2, 1), (3, 2), (8, 3)):
        faults += made_ranks(ptk, chrome, ranks, seed)
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"corpus: ranks: 3 jobs' collectives reckoned again, {len(faults)} differ")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
