ptk hotspots testdata/lprof/evil_reduce.lprof
