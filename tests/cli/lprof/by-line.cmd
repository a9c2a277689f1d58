ptk hotspots --by line -n 8 testdata/lprof/lines_py27_lp1_p0.lprof
