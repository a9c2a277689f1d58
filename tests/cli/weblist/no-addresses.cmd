ptk weblist main testdata/pstats/fractal.pstats
