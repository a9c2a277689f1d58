ptk roofline testdata/pstats/fractal.pstats
