ptk convert --to pprov testdata/pprof/go_heap.pb.gz
