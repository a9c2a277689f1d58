"""Draws a Mandelbrot set as text, checks it, and stores it: the program behind fractal.pstats.

    python3 -m cProfile -o fractal.pstats fractal.py
"""
import hashlib
import json
import random
import re


def step(z, c):
    return z * z + c


def escape_time(c, limit):
    z = 0j
    for i in range(limit):
        if abs(z) > 2:
            return i
        z = step(z, c)
    return limit


def row(y, width, limit):
    return [escape_time(complex(x * 3.0 / width - 2, y), limit) for x in range(width)]


def shade(count, limit):
    return " .:-=+*#%@"[min(9, count * 10 // (limit + 1))]


def render(width, height, limit):
    lines = []
    for j in range(height):
        counts = row(j * 2.4 / height - 1.2, width, limit)
        lines.append("".join(shade(n, limit) for n in counts))
    return lines


def smooth(values, depth):
    """Recursive on purpose: averages halves until a few values are left."""
    if depth == 0 or len(values) < 4:
        return sum(values) / len(values)
    middle = len(values) // 2
    return (smooth(values[:middle], depth - 1) + smooth(values[middle:], depth - 1)) / 2


def statistics(lines):
    words = re.findall(r"[#%@]+", "\n".join(lines))
    lengths = sorted((len(w) for w in words), reverse=True)
    return {"runs": len(words), "longest": lengths[:5], "smooth": smooth(lengths, 6)}


def noise(count):
    rnd = random.Random(7)
    return sorted((rnd.gauss(0, 1) for _ in range(count)), key=abs)


def store(lines, facts):
    text = json.dumps({"lines": lines, "facts": facts}, indent=1)
    again = json.loads(text)
    return hashlib.sha256(json.dumps(again).encode()).hexdigest()


def main():
    lines = render(70, 30, 60)
    facts = statistics(lines)
    facts["noise"] = noise(3000)[:10]
    print(store(lines, facts))


if __name__ == "__main__":
    main()
