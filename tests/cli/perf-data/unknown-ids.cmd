ptk hotspots tests/fuzz/seeds/perf-data/unknown-ids
