# One frame a block, as by default: no callers.
ptk info tests/fuzz/seeds/tracemalloc/p2
ptk callers ":" tests/fuzz/seeds/tracemalloc/p4
