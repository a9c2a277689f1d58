ptk hotspots testdata/pstats/py27_ints_strings.pstats
