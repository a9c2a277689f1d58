ptk flame --diff testdata/pprof/go_heap.pb.gz testdata/pstats/cycle_small.pstats
