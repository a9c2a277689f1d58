ptk hotspots --value nothing testdata/pprof/go_heap.pb.gz
