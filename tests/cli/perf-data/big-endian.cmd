ptk hotspots tests/fuzz/seeds/perf-data/pipe-be
