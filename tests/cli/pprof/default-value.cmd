ptk hotspots -n 5 testdata/pprof/go_heap.pb.gz
