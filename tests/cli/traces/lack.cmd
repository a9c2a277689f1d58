ptk traces testdata/pstats/fractal.pstats
