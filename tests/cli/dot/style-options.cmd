ptk dot --style pprof --root main testdata/pstats/cycle_small.pstats
