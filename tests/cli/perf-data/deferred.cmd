# The user's part of a stack comes in a record of its own.
ptk tree --min-percent 0 tests/fuzz/seeds/perf-data/deferred-chain
