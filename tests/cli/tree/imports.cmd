ptk tree --min-percent 5 testdata/pstats/fractal.pstats
