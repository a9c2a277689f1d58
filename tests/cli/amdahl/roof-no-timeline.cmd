ptk amdahl --roof testdata/pstats/fractal.pstats
