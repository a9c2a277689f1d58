#!/usr/bin/env python3
"""Writes a long memory snapshot as PyTorch's allocator makes one: big_snapshot.py ALLOCATIONS FILE

The pickle's instructions are written one by one, as Python's pickle module would, so that a gigabyte takes no
memory. Each allocation has a list of frames of its own, which the events that free it share.
"""
import random
import struct
import sys


class Pickle:
    def __init__(self, out):
        self.out, self.known = out, {}
        out.write(b"\x80\x04")
        self.memorized = 0

    def memorize(self):
        self.memorized += 1
        return self.memorized - 1

    def name(self, number):
        return b"h%c" % number if number < 256 else b"j" + struct.pack("<I", number)

    def text(self, text):
        if text in self.known:
            return self.name(self.known[text])
        self.known[text] = self.memorize()
        return b"\x8c%c%s\x94" % (len(text), text.encode())

    def whole(self, number):
        if 0 <= number < 256:
            return b"K%c" % number
        if 0 <= number < 65536:
            return b"M" + struct.pack("<H", number)
        if number < 1 << 31:
            return b"J" + struct.pack("<i", number)
        data = number.to_bytes(number.bit_length() // 8 + 1, "little")
        return b"\x8a%c%s" % (len(data), data)

    def value(self, value):
        """Of what is in something else the number comes later: a function makes it."""
        if callable(value):
            return value()
        return self.text(value) if isinstance(value, str) else self.whole(value)

    def dict(self, **members):
        self.memorize()
        return b"}\x94(" + b"".join(self.text(k) + self.value(v) for k, v in members.items()) + b"u"

    def list(self, *items):
        self.memorize()
        return b"]\x94(" + b"".join(self.value(v) for v in items) + b"e"

    def pair(self):
        data = self.whole(0) + self.whole(0) + b"\x86\x94"
        self.memorize()
        return data

    def lists(self, items):
        """As pickle writes a list: a thousand items at a time."""
        self.memorize()
        self.out.write(b"]\x94")
        many = 0
        for item in items:
            self.out.write(b"(" if many % 1000 == 0 else b"")
            self.out.write(item)
            many += 1
            self.out.write(b"e" if many % 1000 == 0 else b"")
        self.out.write(b"e" if many % 1000 else b"")


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    r = random.Random(1)
    with open(path, "wb", 1 << 20) as out:
        p = Pickle(out)
        frames, numbers = [], {}
        for i in range(3000):
            file = "/usr/lib/python3/dist-packages/torch/nn/module_%d.py" % (i // 40) if i % 3 else "model/layer_%d.py" % (i // 40)
            frames.append({"name": "function_%d" % i, "filename": file, "line": i % 400 + 1})
        stacks = [[int(3000 * r.random() ** 2) for _ in range(r.randrange(12, 37))] for _ in range(2000)]

        def frame(i):
            if i in numbers:
                return p.name(numbers[i])
            numbers[i] = p.memorized
            return p.dict(**frames[i])

        def event(action, address, size, frames):
            nonlocal time
            time += 3
            return p.dict(action=action, addr=address, size=size, stream=0, time_us=time, pool_id=p.pair, frames=frames)

        def known(number):
            return lambda: p.name(number)

        def events():
            nonlocal live
            for i in range(count):
                if len(live) < 4000:
                    address = 0x7F0000000000 + len(live) * 0x1000000
                else:
                    at = r.randrange(len(live))
                    address, size, stack = live[at]
                    live[at] = live[-1]
                    live.pop()
                    yield event("free_requested", address, size, known(stack))
                    yield event("free_completed", address, size, known(stack))
                size = 512 * r.randrange(1, 30000)
                stack = stacks[int(2000 * r.random() ** 2)]

                def frames_of():
                    live.append((address, size, p.memorized))
                    return p.list(*(lambda i=i: frame(i) for i in stack))

                yield event("alloc", address, size, frames_of)

        def segment(address, size, stack):
            def block():
                return p.dict(address=address, size=size, requested_size=size - 8, state="active_allocated", frames=known(stack))

            return p.dict(device=0, address=address, total_size=size, segment_type="large", blocks=lambda: p.list(block))

        time, live = 1_700_000_000_000_000, []
        p.memorize()
        out.write(b"}\x94(" + p.text("device_traces"))
        p.memorize()
        out.write(b"]\x94(")
        p.lists(events())
        out.write(b"e" + p.text("external_annotations"))
        p.lists(p.dict(name="ProfilerStep#%d" % i, stage="START", time_us=1_700_000_000_000_000 + i * 9 * count // 20) for i in range(20))
        out.write(p.text("segments"))
        p.lists(segment(*block) for block in live)
        out.write(b"u.")


main()
