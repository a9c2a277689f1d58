#!/usr/bin/env python3
"""Walks the path of the corpus' PyTorch traces by the words of man/critical-path.txt.

    compare_critical_path.py PTK SHARED

Its length, its parts, what ran on it and how much was guessed are to be ptk's. The walk itself is to be
without holes, inside of what it names, and in the order of cause and effect. Traces that take
seconds to read in Python are left out.
"""
import bisect
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys

FOLDERS = ("hta", "kineto-tb", "tracelens")
LARGEST = 800000  # bytes, as they lie there
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset", "mtia_ccp_events"}
OPERATORS, PYTHON, RANGES = {"cpu_op", "operator"}, {"python_function", "python"}, {"user_annotation"}
CALLS = {"cuda_runtime", "cuda_driver", "runtime", "mtia_runtime"}
NO_HOST = DEVICE | {"gpu_user_annotation", "cuda_sync", "trace"}
COMMUNICATION = re.compile(r"nccl|rccl|multimem_|cross_device_reduce|internode::|intranode::", re.I)
BLOCKS = re.compile(r"ynchronize|(cuda|hip)Memcpy(2D|WithStream)?$|cuMemcpyDtoH_v2$")
MTIA = {"event_wait": "cuda_sync", "event_record": "cuda_sync", "dma_request": "gpu_memcpy"}
PROMPT, ENTERING, WEEK = 30_000, 1_000_000, 7 * 24 * 3600 * 10**9


# ---- reading ----

class Event:
    def __init__(self, event, number):
        args = event.get("args") if isinstance(event.get("args"), dict) else {}
        self.args = {key.lower(): value for key, value in args.items()}
        self.name, self.number = str(event.get("name", "")), number
        self.cat = str(event.get("cat", "")).lower()
        if self.cat == "mtia_ccp_events":
            self.cat = MTIA.get(self.name, self.cat)
        if self.name.startswith("ProfilerStep#"):
            self.cat = "user_annotation"
        self.row = str(event.get("pid")), str(event.get("tid"))
        self.start = nanoseconds(event["ts"])
        self.end = self.start + max(0, nanoseconds(event.get("dur") or 0))
        self.launch = self.thread = self.at = None

    def __repr__(self):
        return f"{self.name[:60]} [{self.start}, {self.end})"


def nanoseconds(text):
    whole, _, fraction = str(text).partition(".")
    return int(whole) * 1000 + (int((fraction + "0000")[:4]) + 5) // 10


def read(path):
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    trace = json.loads(raw.decode("utf-8", "replace"), strict=False, parse_float=str)
    return trace.get("traceEvents") if isinstance(trace, dict) else None


def last(events):
    return max((event for event in events if event), key=lambda event: event.end, default=None)


# ---- threads ----

def leaves(event, outer, is_cut):
    """Python that leaves a range overlaps it by the profiler's own time."""
    return is_cut or (outer.cat in RANGES and event.cat in PYTHON and
                      outer.end - event.start <= ENTERING)


def enters(event, stack):
    """How many of those that are open stay so, when a range begins in the Python that enters it."""
    keep = len(stack)
    while keep and stack[keep - 1][0].end < event.end:
        outer = stack[keep - 1][0]
        if event.cat not in RANGES or outer.cat not in PYTHON or outer.end - event.start > ENTERING:
            return None
        keep -= 1
    return keep


def lanes_of(events, tolerance):
    """Events that neither nest nor are apart are put beside each other."""
    lanes = []
    for event in sorted(events, key=lambda event: (event.start, -event.end, event.number)):
        for lane, stack in lanes + [([], [])]:
            while stack and stack[-1][0].end <= event.start:
                stack.pop()
            outer, is_cut = stack[-1] if stack else (None, False)
            if not outer or event.end - outer.end <= tolerance:
                is_cut = False
            elif leaves(event, outer, is_cut):
                is_cut = True
            elif (keep := enters(event, stack)) is not None:
                for inner, _ in stack[keep:]:
                    inner.end = event.start
                del stack[keep:]
                is_cut = False
            else:
                continue
            if not lane:
                lanes.append((lane, stack))
            event.end = min(event.end, stack[-1][0].end) if stack else event.end
            stack.append((event, is_cut))
            lane.append(event)
            break
    return [lane for lane, _ in lanes]


class Thread:
    """What it is in, innermost, from moment to moment."""

    def __init__(self, events):
        self.pieces, stack = [], []
        for event in [*events, None]:
            while stack and (event is None or stack[-1].end <= event.start):
                end = stack.pop().end
                self.put(end, stack[-1] if stack else None)
            if event and event.end > event.start:
                self.put(event.start, event)
                stack.append(event)
        self.starts = [start for start, _ in self.pieces]
        self.helps = any(event.cat in OPERATORS for event in events) and not self.runs_python(events)

    def runs_python(self, events):
        """Not only inside of something else."""
        until = None
        for event in events:
            if until is None or event.start >= until:
                if event.cat in PYTHON:
                    return True
                until = event.end
        return False

    def put(self, start, event):
        if self.pieces and self.pieces[-1][0] == start:
            self.pieces.pop()
        self.pieces.append((start, event))

    def before(self, time):
        """Which piece covers the moment before `time`; -1: none."""
        return bisect.bisect_left(self.starts, time) - 1


# ---- streams ----

def settle(works, tolerance):
    """Times are rounded: work that begins a little before the end of that before it begins there."""
    for at, work in enumerate(works[1:], 1):
        end = works[at - 1].end
        is_free = at + 1 == len(works) or works[at + 1].start >= end
        if 0 < end - work.start <= tolerance and work.end > work.start and is_free:
            work.start, work.end = end, work.end + end - work.start


def blocking(events):
    """Names of the calls that wait: some say so; others take as long as the copies that they make."""
    own, every = collections.Counter(), collections.Counter()
    for event in events:
        if event.cat in CALLS:
            every[event.name] += event.end - event.start
        call = event.launch
        if call and "memcpy" in event.cat and call.start <= event.start and event.end <= call.end:
            own[call.name] += event.end - event.start
    return {name for name in every
            if BLOCKS.search(name) or own[name] and own[name] >= every[name] // 2}


class Trace:
    def __init__(self, listed):
        listed = [event for event in listed if event.get("ph") == "X" and "ts" in event]
        tolerance = 0 if any("." in str(event["ts"]) for event in listed) else 1000
        events = [Event(event, number) for number, event in enumerate(listed)]
        events = [event for event in events if event.end - event.start <= WEEK]
        calls = {str(event.args["correlation"]): event for event in events
                 if event.cat in CALLS and event.args.get("correlation")}
        rows, self.streams, self.waits = (collections.defaultdict(list) for _ in range(3))
        for event in events:
            if event.cat in DEVICE:
                event.launch = calls.get(str(event.args.get("correlation")))
                self.streams[event.row].append(event)
            elif event.cat not in NO_HOST:
                rows[event.row].append(event)
            elif event.cat == "cuda_sync" and "wait_on_stream" in event.args:
                self.waits[event.row].append(event)
        self.waiting = blocking(events)
        self.threads = []
        for row in rows.values():
            for lane in lanes_of(row, tolerance):
                for event in lane:
                    event.thread = len(self.threads)
                self.threads.append(Thread(lane))
        for works in self.streams.values():
            works.sort(key=lambda work: (work.start, -work.end, work.number))
            settle(works, tolerance)
            for at, work in enumerate(works):
                work.at = at
        self.by_end = sorted((work for works in self.streams.values() for work in works),
                             key=lambda work: work.end)
        self.ends = [work.end for work in self.by_end]

    def stream(self, device, number):
        """The work of a stream: rows are named by it, but for MTIA's."""
        own = self.streams.get((device, str(number)))
        return own or next((works for works in self.streams.values() if works[0].row[0] == device
                            and works[0].args.get("stream") == number), [])

    def ended_before(self, time):
        at = bisect.bisect_left(self.ends, time)
        return self.by_end[at - 1] if at else None

    def ended_around(self, time):
        """Work that ended by `time`, and not long before."""
        first, past = bisect.bisect_left(self.ends, time - PROMPT), bisect.bisect(self.ends, time)
        return self.by_end[first:past]


# ---- the walk ----

class Walk:
    def __init__(self, trace):
        self.trace, self.pieces, self.wrong = trace, [], []
        self.unlaunched = self.guesses = 0
        ends = [(thread.starts[-1], -i) for i, thread in enumerate(trace.threads) if thread.starts]
        until, self.thread = max(ends, default=(-1, 0))
        self.thread = -self.thread
        self.work = last(trace.by_end)
        self.work = self.work if self.work and self.work.end >= until else None
        self.time = self.end = self.work.end if self.work else until
        self.first = min([thread.starts[0] for thread in trace.threads if thread.starts] +
                         [work.start for work in trace.by_end], default=self.end)
        while self.end >= 0 and (self.step_on_device() if self.work else self.step_on_thread()):
            pass

    def take(self, part, until, event=None):
        if until < self.time:
            self.pieces.append((part, self.time - until, event))
            if event and not event.start <= until < self.time <= event.end:
                self.wrong.append(f"{part} outside of {event}")
            self.time = until

    def part(self, work):
        if "memcpy" in work.cat:
            return "copy"
        is_told = work.cat == "kernel" and COMMUNICATION.search(work.name)
        return "communication" if is_told else "compute"

    def awaited(self, work):
        """What the streams that it was told to wait for had been given by then."""
        if not work.launch:
            return None
        before = self.trace.streams[work.row][work.at - 1].launch if work.at else None
        found = []
        for row in self.trace.waits.get(work.row, ()):
            source = self.trace.stream(work.row[0], row.args["wait_on_stream"])
            if (not before or before.start < row.start) and row.start <= work.launch.start:
                found += [other for other in source if other.start < other.end <= self.time and
                          (not other.launch or other.launch.start <= row.start)]
            if self.is_right_before(row, work):
                found += [other for other in source if other.start < other.end <= row.end]
        return last(found)

    def is_right_before(self, row, work):
        """MTIA's streams have their waits among their work."""
        works, at = self.trace.streams[work.row], work.at
        return (row.name in MTIA and row.end <= work.start and
                (not at or works[at - 1].start <= row.start))

    def guessed(self, work, known):
        if any(self.trace.waits.values()) or known and self.time - known.end <= PROMPT:
            return None
        found = last(other for other in self.trace.ended_around(self.time)
                     if other.row[0] == work.row[0] and other.end > other.start)
        self.guesses += found is not None
        return found

    def before(self, work):
        works, at = self.trace.streams[work.row], work.at
        if at and works[at - 1].end > self.time:  # some overlap
            return last(other for other in works[:at] if other.end <= self.time)
        return works[at - 1] if at else None

    def step_on_device(self):
        work, launch = self.work, self.work.launch
        self.take(self.part(work), work.start, work)
        self.unlaunched += launch is None
        before = last([self.before(work), self.awaited(work)])
        before = last([before, self.guessed(work, last([before, launch]))])
        if launch and (not before or before.end < launch.end):
            if launch.start > work.start:
                self.wrong.append(f"{work} before {launch}")
            self.take("launch delay", min(self.time, launch.end))
            self.work, self.thread = None, launch.thread
            return True
        if before:
            self.take("queue delay", before.end)
        self.work = before
        return before is not None

    def change_thread(self):
        """To the one that was in something last, rather the same."""
        found = []
        for i, thread in enumerate(self.trace.threads):
            if (at := thread.before(self.time)) >= 0:
                start, event = thread.pieces[at]
                found.append((self.time if event else start, i == self.thread, -i))
        if found:
            self.take("nothing recorded", max(found)[0])
            self.thread = -max(found)[2]
        return bool(found)

    def is_work(self, event):
        return event and event.cat not in RANGES and event.name not in self.trace.waiting

    def works_over(self, thread, time):
        """Both right before a moment and right after it."""
        before, after = thread.before(time), thread.before(time + 1)
        return before >= 0 and all(self.is_work(thread.pieces[at][1]) for at in (before, after))

    def busy_until(self, thread, around, start):
        """When a thread last worked; `start`: not since, or around Python that is not all around it."""
        end = self.time
        if around.cat in PYTHON and (self.works_over(thread, start) or self.works_over(thread, end)):
            return start
        for since, event in reversed(thread.pieces[:thread.before(end) + 1]):
            if end <= start or self.is_work(event):
                return max(start, end)
            end = since
        return start

    def step_on_thread(self):
        thread = self.trace.threads[self.thread]
        at = thread.before(self.time)
        start, event = thread.pieces[at] if at >= 0 else (None, None)
        if not event:
            return self.change_thread()
        ended = self.trace.ended_before(self.time)
        if event.cat in RANGES | PYTHON:
            until, helper = max([(self.busy_until(other, event, start), -i)
                                 for i, other in enumerate(self.trace.threads)
                                 if other.helps and i != self.thread], default=(start, 0))
            self.take("host", until, event)
            self.thread = -helper if until > start else self.thread
        elif event.cat not in CALLS or event.name not in self.trace.waiting:
            self.take("host", start, event)
        elif ended and ended.end > start:
            self.take("sync return", ended.end, event)
            self.work = ended
        else:
            self.take("host wait", start, event)
        return True


# ---- the comparison ----

def figures(walk):
    parts, rows = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for part, time, event in walk.pieces:
        for sums in (parts[part], rows[event.name] if event else [0, 0]):
            sums[0] += 1
            sums[1] += time
    return {"length": walk.end - walk.time, "missing": walk.time - walk.first,
            "unlaunched": walk.unlaunched, "guesses": walk.guesses, "parts": dict(parts),
            "rows": dict(rows)}


def figures_of_ptk(ptk, path):
    run = subprocess.run([ptk, "critical-path", "-q", "-n", "0", "-f", "json", path],
                         capture_output=True, check=True)
    shown = json.loads(run.stdout)
    rows = collections.defaultdict(lambda: [0, 0])
    for row in shown["rows"]:  # of one name, several kinds
        rows[row["name"]][0] += row["pieces"]
        rows[row["name"]][1] += row["time"]
    shown["rows"] = dict(rows)
    shown["parts"] = {part["part"]: [part["pieces"], part["time"]] for part in shown["parts"]}
    return shown


def compare(ptk, path, listed):
    walk, got = Walk(Trace(listed)), figures_of_ptk(ptk, path)
    wrong = walk.wrong
    if sum(time for _, time, _ in walk.pieces) != walk.end - walk.time:
        wrong.append("the walk has holes")
    for key, want in figures(walk).items():
        if got[key] != want:
            wrong.append(f"{key}: {str(got[key])[:200]}, not {str(want)[:200]}")
    return wrong


def main():
    ptk, shared = sys.argv[1:3]
    checked = failures = 0
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(shared, "corpus", "chrome", folder).rglob("*.json*")):
            if path.stat().st_size > LARGEST:
                continue
            try:
                listed = read(path)
            except ValueError:
                continue  # no trace
            if listed is None:
                continue
            wrong = compare(ptk, path, listed)
            checked += 1
            failures += bool(wrong)
            for what in wrong:
                print(f"FAIL {path}: {what}")
    print(f"corpus: critical path: {checked - failures} traces' paths are an independent walk's, "
          f"{failures} are not")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
