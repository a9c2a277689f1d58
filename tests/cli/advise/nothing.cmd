ptk advise testdata/pprof/go_heap.pb.gz
