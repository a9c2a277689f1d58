ptk hotspots testdata/pstats/empty.pstats
