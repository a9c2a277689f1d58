ptk brief testdata/tracemalloc/before.snapshot testdata/tracemalloc/after.snapshot
