# Counters of all instances, and the device as its driver describes it; blocks, where the file has threads.
ptk roofline testdata/sqlite/rocpd.db; ptk overlap testdata/sqlite/rocpd.db | head -5
