ptk bound testdata/pstats/fractal.pstats
