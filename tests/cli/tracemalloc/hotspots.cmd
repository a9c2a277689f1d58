ptk hotspots testdata/tracemalloc/after.snapshot
