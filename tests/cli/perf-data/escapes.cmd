ptk hotspots tests/fuzz/seeds/perf-data/nasty-names
