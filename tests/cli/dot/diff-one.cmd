ptk dot --diff testdata/pstats/fractal.pstats
