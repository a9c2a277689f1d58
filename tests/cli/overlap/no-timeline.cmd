ptk overlap testdata/pstats/fractal.pstats
