ptk hotspots tests/fuzz/seeds/perfetto/same_moment
