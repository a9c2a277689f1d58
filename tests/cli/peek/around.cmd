ptk peek escape_time testdata/pstats/fractal.pstats
