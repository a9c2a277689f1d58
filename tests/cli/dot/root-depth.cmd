ptk dot -N 0 -E 0 --root '^main$' -d 1 --wrap --strip testdata/pstats/recursion_py311.pstats
