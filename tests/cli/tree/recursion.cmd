ptk tree testdata/pstats/recursion_py311.pstats
