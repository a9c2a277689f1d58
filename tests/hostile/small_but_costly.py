#!/usr/bin/env python3
"""Small inputs that cost much where a reader believes them.      small_but_costly.py DIRECTORY

Each file is below 1 MB; its name says which promise it makes. tests/run-hostile bounds what ptk may
spend on them."""
import gzip
import json
import os
import pickle
import random
import sqlite3
import sys
import types

# ---- protocol buffers, as far as pprof needs them ----


def varint(number):
    number &= (1 << 64) - 1
    digits = []
    while True:
        digits.append(number & 0x7F)
        number >>= 7
        if not number:
            return bytes(digit | 0x80 for digit in digits[:-1]) + bytes(digits[-1:])


def number_field(field, value):
    return varint(field << 3) + varint(value)


def bytes_field(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


class Profile:
    """A pprof profile of one value, in nanoseconds; names and locations are numbered as they come."""

    def __init__(self):
        self.strings = [b"", b"cpu", b"nanoseconds"]
        self.body = bytes_field(1, number_field(1, 1) + number_field(2, 2))
        self.functions = self.locations = 0

    def text(self, text):
        self.strings.append(text)
        return len(self.strings) - 1

    def function(self, name, file=0):
        self.functions += 1
        self.body += bytes_field(5, number_field(1, self.functions) + number_field(2, self.text(name))
                                 + number_field(4, file) + number_field(5, 1))
        return self.functions

    def location(self, functions, number=None):
        self.locations += 1
        number = self.locations if number is None else number
        lines = [bytes_field(4, number_field(1, f) + number_field(2, 1)) for f in functions]
        self.body += bytes_field(4, number_field(1, number) + b"".join(lines))
        return number

    def sample(self, packed_locations, value=1):
        self.body += bytes_field(2, bytes_field(1, packed_locations) + bytes_field(2, varint(value)))

    def done(self, extra=b""):
        return self.body + extra + b"".join(bytes_field(6, text) for text in self.strings)


def inlined_everywhere(times):
    """One location of 256 inlined functions, on one stack many times."""
    profile = Profile()
    inlined = [profile.function(b"inlined%d" % i) for i in range(256)]
    profile.sample(varint(profile.location(inlined)) * times)
    return profile.done()


def inlined_in_many(samples):
    """The same on the stacks of many samples, each of which is one frame more."""
    profile = Profile()
    wide = profile.location([profile.function(b"inlined%d" % i) for i in range(200)])
    for i in range(samples):
        leaf = profile.location([profile.function(b"leaf%d" % i)])
        profile.sample(varint(leaf) + varint(wide) * 300)
    return profile.done()


def same_hash(count):
    """Location ids that splitmix64's finish alone sends to one place."""
    def unshift(value, shift):
        out = value
        for _ in range(64 // shift):
            out = value ^ out >> shift
        return out

    mask = (1 << 64) - 1
    first, second = (pow(odd, -1, 1 << 64) for odd in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
    ids = []
    for i in range(1, count + 1):
        key = unshift(i << 32, 31) * second & mask
        ids.append(unshift(unshift(key, 27) * first & mask, 30))
    profile = Profile()
    profile.function(b"f")
    stack = b"".join(varint(profile.location([], number)) for number in ids)
    profile.sample(stack)
    return profile.done()


def dropping(pattern):
    """A profile that wants frames dropped by this expression."""
    profile = Profile()
    outer = profile.location([profile.function(b"main")])
    profile.sample(varint(profile.location([profile.function(b"a" * 900 + b"!")])) + varint(outer))
    return profile.done(number_field(7, profile.text(pattern)))


def dropping_slowly(names):
    """Names of random letters, and an expression whose deterministic automaton has 2^300 states."""
    profile = Profile()
    chance = random.Random(1)
    for _ in range(names):
        function = profile.function(bytes(chance.choices(b"ab", k=900)))
        profile.sample(varint(profile.location([function])))
    return profile.done(number_field(7, profile.text(b"(a|b)*a" + b"(a|b)" * 300 + b"c")))


def labelled(samples, labels):
    """Samples with labels that no other has, all of one function."""
    profile = Profile()
    location = profile.location([profile.function(b"f")])
    body, number = [], 0
    for _ in range(samples):
        body.append(bytes_field(1, varint(location)) + bytes_field(2, varint(1)))
        for number in range(number + 1, number + 1 + labels):
            body[-1] += bytes_field(3, number_field(1, 1) + number_field(3, number))
    return profile.done(b"".join(bytes_field(2, sample) for sample in body))


def many_values(count):
    """Value types, each of a name of its own, and a sample that has them all."""
    profile = Profile()
    location = profile.location([profile.function(b"f")])
    types = b"".join(bytes_field(1, number_field(1, profile.text(b"v%d" % i)) + number_field(2, 2))
                     for i in range(count - 1))
    values = b"".join(varint(i % 100) for i in range(count))
    return profile.done(types + bytes_field(2, bytes_field(1, varint(location)) + bytes_field(2, values)))


def comments_and_binaries(count):
    """Facts of two kinds, each very often: comments, and binaries that are not there."""
    profile = Profile()
    for i in range(count):
        path = profile.text(b"/lib/%d" % i)
        profile.body += bytes_field(3, number_field(1, i + 1) + number_field(2, 4096 * i)
                                    + number_field(3, 4096 * (i + 1)) + number_field(5, path))
        profile.body += bytes_field(4, number_field(1, i + 1) + number_field(2, i + 1)
                                    + number_field(3, 4096 * i + 16)) + number_field(13, path)
        profile.sample(varint(i + 1))
    return profile.done()


# ---- traces and other texts ----

def packed(value):
    return json.dumps(value, separators=(",", ":")).encode()


def leaf_and_root(samples, depth):
    """A CPU profile in a trace whose samples alternate between a deep leaf and the root."""
    nodes = [{"id": i, "callFrame": {"functionName": "f", "scriptId": 0}} for i in range(1, depth + 1)]
    for node in nodes[1:]:
        node["parent"] = node["id"] - 1
    data = {"cpuProfile": {"nodes": nodes, "samples": [1, depth] * (samples // 2)},
            "timeDeltas": [1] * (samples // 2 * 2)}
    row = {"id": "0x1", "pid": 1, "tid": 1, "ph": "P"}
    return packed({"traceEvents": [dict(row, name="Profile", ts=0, args={"data": {"startTime": 0}}),
                                   dict(row, name="ProfileChunk", ts=1, args={"data": data})]})


def deep_and_wordy(depth, name):
    """An evented speedscope profile: one function, a long name, calling itself."""
    opens = [{"type": "O", "frame": 0, "at": i} for i in range(depth)]
    closes = [{"type": "C", "frame": 0, "at": depth + i} for i in range(depth)]
    return packed({"$schema": "https://www.speedscope.app/file-format-schema.json",
                   "shared": {"frames": [{"name": "F" * name}]},
                   "profiles": [{"type": "evented", "name": "p", "unit": "nanoseconds", "startValue": 0,
                                 "endValue": 2 * depth, "events": opens + closes}]})


def stairs(depth):
    """Folded stacks, each a step deeper than the one before."""
    return b"".join(b";".join(b"a%d" % j for j in range(i)) + b" 1\n" for i in range(1, depth))


def line_stats(timings):
    """What line_profiler writes: a pickle of its LineStats."""
    module = types.ModuleType("_line_profiler")
    module.LineStats = type("LineStats", (), {"__module__": "_line_profiler"})
    sys.modules["_line_profiler"] = module
    stats = module.LineStats()
    stats.timings, stats.unit = timings, 1e-6
    return pickle.dumps(stats, 2)


def shared_rows(count):
    """Many functions whose lines are one and the same list of the pickle."""
    rows = [(i, 1, 1) for i in range(count)]
    return line_stats({("a", i, "f"): rows for i in range(count)})


def one_instruction(code, times=60_000_000):
    """A packed pickle of one instruction over and over: of a byte each becomes a value, or a mark."""
    return gzip.compress(b"\x80\x02ctracemalloc\nSnapshot\n" + code * times + b".", 1, mtime=0)


def many_threads(count):
    """Python's sampler, packed: each record is of another thread, whose stack may have 256 frames and has none."""
    header = bytearray(64)
    records = b"".join((i * 256).to_bytes(8, "little") + bytes(4) + b"\0\1\0\1" for i in range(count))
    strings, frames = b"\1a", bytes((0, 0, 2, 2, 2, 2, 0))
    header[:10] = b"HCAT\1\0\0\0\3\17"
    for at, number in ((20, 1000), (28, count), (40, 64 + len(records)), (48, 64 + len(records) + len(strings))):
        header[at:at + 8] = number.to_bytes(8, "little")
    body = bytes(header) + records + strings + frames
    footer = b"\1\0\0\0\1\0\0\0" + (len(body) + 32).to_bytes(8, "little") + bytes(16)
    return gzip.compress(body + footer, mtime=0)


# ---- timelines ----

def streams(count, rounds, name="kernel", **also):
    """A trace, packed: each of many streams of a device works in each round, and nothing tells of waits."""
    events = []
    for i in range(count * rounds):
        begun = 1000 * (i // count) + i % count % 97
        args = dict(also, device=i % count // 8, stream=i % count, correlation=i)
        events.append(dict(ph="X", cat="kernel", name=name, pid=0, tid=i % count, ts=begun, dur=800 + i % 89, args=args))
        events.append(dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=1, tid=1, ts=begun - 1, dur=1,
                           args=dict(correlation=i)))
    return gzip.compress(json.dumps({"traceEvents": events}).encode(), mtime=0)


def collectives(count, rounds):
    return streams(count, rounds, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                   **{"Collective name": "allreduce", "Process Group Name": "7", "Group size": 8, "In msg nelems": 1024})


# ---- databases ----

def looping_database(path):
    """A table whose inner pages all lead to one page: 16^12 rows and more."""
    size, table = 512, "CUPTI_ACTIVITY_KIND_KERNEL"
    if os.path.exists(path):
        os.unlink(path)
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA page_size={size}")
        database.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
        database.execute("INSERT INTO StringIds VALUES (1, 'kernel')")
        database.execute(f'CREATE TABLE {table} (start INTEGER, "end" INTEGER)')
        database.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(i, i + 1) for i in range(1, 700)])
        root, = database.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (table,)).fetchone()
    database.close()
    with open(path, "rb") as file:
        data = bytearray(file.read())
    begin = (root - 1) * size
    inner = bytes(data[begin:begin + size])
    cells = int.from_bytes(inner[3:5], "big")

    def leading_to(page):
        copy, number = bytearray(inner), page.to_bytes(4, "big")
        for at in range(12, 12 + 2 * cells, 2):
            cell = int.from_bytes(copy[at:at + 2], "big")
            copy[cell:cell + 4] = number
        copy[8:12] = number
        return copy

    page = int.from_bytes(inner[8:12], "big")
    for _ in range(12):
        data += leading_to(page)
        page = len(data) // size
    data[begin:begin + size] = leading_to(page)
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    with open(path, "wb") as file:
        file.write(data)


FILES = {
    "inlined-everywhere.pb": lambda: inlined_everywhere(90000),
    "inlined-everywhere.pb.gz": lambda: gzip.compress(inlined_everywhere(900000), mtime=0),
    "inlined-in-many.pb": lambda: inlined_in_many(2500),
    "same-hash.pb": lambda: same_hash(41000),
    "drop-repeats.pb": lambda: dropping(b"(((((a{1,200}){1,200}){1,200}){1,200}){1,200})"),
    "drop-repeat-of-repeat.pb": lambda: dropping(b"(a{1,255}){1,255}"),
    "drop-slowly.pb": lambda: dropping_slowly(950),
    "labels-of-one-sample.pb": lambda: labelled(1, 110000),
    "labels-of-many-samples.pb": lambda: labelled(40000, 1),
    "many-values.pb": lambda: many_values(45000),
    "comments-and-binaries.pb": lambda: comments_and_binaries(18000),
    "leaf-and-root.json": lambda: leaf_and_root(150000, 1100),
    "leaf-and-root.json.gz": lambda: gzip.compress(leaf_and_root(6000000, 1100), mtime=0),
    "deep-and-wordy.speedscope.json": lambda: deep_and_wordy(9000, 100000),
    "stairs.folded": lambda: stairs(620),
    "templates.folded": lambda: b"m;" + b"f<" * 250000 + b">" * 250000 + b" 1\n",
    "shared-rows.lprof": lambda: shared_rows(35000),
    "values.pickle.gz": lambda: one_instruction(b"N"),
    "marks.pickle.gz": lambda: one_instruction(b"("),
    "threads.bin.gz": lambda: many_threads(560000),
    "streams.json.gz": lambda: streams(5000, 6),
    "collectives.json.gz": lambda: collectives(500, 60),
}


def main():
    folder = sys.argv[1]
    for name, make in FILES.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(make())
    looping_database(os.path.join(folder, "looping.sqlite"))


main()
