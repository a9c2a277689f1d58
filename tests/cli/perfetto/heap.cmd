ptk hotspots --value alloc_space testdata/perfetto/heap.pftrace
