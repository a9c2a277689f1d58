ptk info testdata/pprof/go_heap.pb.gz
