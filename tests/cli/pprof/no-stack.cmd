# samples without a stack are in the total
ptk hotspots testdata/pprof/go_threadcreate.pb.gz
ptk info testdata/pprof/go_threadcreate.pb.gz
