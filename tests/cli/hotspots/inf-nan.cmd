ptk hotspots testdata/pstats/inf_nan.pstats
