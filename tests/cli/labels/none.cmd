ptk labels testdata/pstats/fractal.pstats
