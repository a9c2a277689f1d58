ptk dot -N 5 testdata/pstats/recursion_py311.pstats
