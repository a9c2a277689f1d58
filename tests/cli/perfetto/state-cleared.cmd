ptk hotspots tests/fuzz/seeds/perfetto/state_cleared
