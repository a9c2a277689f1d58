ptk info testdata/tracemalloc/after.snapshot
