ptk advise --threshold imprts=1 testdata/pstats/fractal.pstats
