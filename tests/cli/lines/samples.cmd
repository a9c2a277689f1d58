ptk lines --no-source -n 2 testdata/pprof/go_heap.pb.gz
