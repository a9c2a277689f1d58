ptk traces -n 2 --ignore runtime testdata/pprof/go_heap.pb.gz
