ptk hotspots tests/fuzz/seeds/perfetto/clocks
