ptk hotspots <testdata/pstats/cycle_small.pstats
