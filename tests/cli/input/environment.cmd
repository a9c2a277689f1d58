PTK_PROFILE=testdata/pstats/cycle_small.pstats ptk hotspots -n 2
