ptk list index.py:20 --source-path testdata/tracemalloc testdata/tracemalloc/after.snapshot
