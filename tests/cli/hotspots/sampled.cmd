ptk hotspots testdata/pstats/sampled_315.pstats
