ptk list main testdata/pstats/fractal.pstats
