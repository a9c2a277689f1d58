ptk diff -n 8 testdata/pstats/mix_py311.pstats testdata/pstats/fractal.pstats
