ptk convert testdata/pprof/go_heap.pb.gz
