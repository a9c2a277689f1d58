ptk bound testdata/pprof/go_heap.pb.gz
