ptk hotspots tests/fuzz/seeds/perfetto/compressed
