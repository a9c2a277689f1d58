ptk timeline testdata/pstats/fractal.pstats
