ptk lines testdata/pstats/fractal.pstats
