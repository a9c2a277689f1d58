ptk advise testdata/pstats/fractal.pstats
