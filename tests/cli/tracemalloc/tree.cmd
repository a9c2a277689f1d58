ptk tree --paths short --min-percent 4 testdata/tracemalloc/after.snapshot
