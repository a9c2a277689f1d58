"""Builds an index of words, and keeps more of it than it needs."""
import random
import tracemalloc

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


class Posting:
    def __init__(self, document, position):
        self.document = document
        self.position = position


def tokens(text):
    return text.split()


def add(index, document, text):
    for position, word in enumerate(tokens(text)):
        index.setdefault(word, []).append(Posting(document, position))


def texts(count):
    rng = random.Random(7)
    return [" ".join(rng.choice(WORDS) + str(rng.randrange(50)) for _ in range(20)) for _ in range(count)]


def build(count):
    index = {}
    kept = texts(count)
    for document, text in enumerate(kept):
        add(index, document, text)
    return index, kept


def main():
    import sys
    tracemalloc.start(int(sys.argv[1]))
    first = build(20)
    tracemalloc.take_snapshot().dump(sys.argv[2])
    second = build(60)
    tracemalloc.take_snapshot().dump(sys.argv[3])
    return first, second


if __name__ == "__main__":
    main()
