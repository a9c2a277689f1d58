ptk diff -n 5 testdata/tracemalloc/before.snapshot testdata/tracemalloc/after.snapshot
