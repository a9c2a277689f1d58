ptk tree --min-percent 0 tests/fuzz/seeds/perf-data/lbr-call-stack
