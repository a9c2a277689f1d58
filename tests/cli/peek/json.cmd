ptk peek -f json step testdata/pstats/fractal.pstats
