ptk hotspots --value all testdata/pstats/fractal.pstats
