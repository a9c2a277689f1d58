ptk amdahl --steps testdata/pstats/fractal.pstats
