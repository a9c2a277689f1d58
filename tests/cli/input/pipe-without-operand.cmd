cat testdata/pstats/cycle_small.pstats | ptk hotspots
