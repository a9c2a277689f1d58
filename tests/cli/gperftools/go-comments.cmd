ptk hotspots -n 6 testdata/gperftools/go_heap.txt
