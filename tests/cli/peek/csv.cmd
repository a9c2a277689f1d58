ptk peek -f csv '^mk$' testdata/pstats/recursion_py311.pstats
