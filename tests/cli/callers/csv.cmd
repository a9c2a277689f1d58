ptk callers -f csv '^fib$' testdata/pstats/recursion_py311.pstats
