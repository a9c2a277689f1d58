ptk summary testdata/pstats/fractal.pstats
