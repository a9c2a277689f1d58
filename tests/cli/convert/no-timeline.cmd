ptk convert --to chrome testdata/pprof/go_heap.pb.gz
