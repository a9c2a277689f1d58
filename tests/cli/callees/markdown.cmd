ptk callees -f md -n 2 '^main$' testdata/pstats/recursion_py311.pstats
