ptk advise --threshold hot_function=90% --threshold imports=0.9 testdata/pstats/fractal.pstats
