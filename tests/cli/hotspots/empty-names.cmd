ptk hotspots testdata/pstats/empty_names.pstats
