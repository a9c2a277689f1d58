ptk hotspots -n 5 --value alloc_objects testdata/pprof/go_heap.pb.gz
