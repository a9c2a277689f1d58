ptk summary -f csv testdata/pstats/fractal.pstats
