ptk hotspots --by package -n 5 testdata/pprof/go_heap.pb.gz
ptk hotspots --by package -n 5 testdata/pstats/mix_py311.pstats
