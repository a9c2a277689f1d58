ptk hotspots tests/fuzz/seeds/perfetto/shuffled
