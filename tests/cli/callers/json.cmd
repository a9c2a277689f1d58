ptk callers -f json '^fib$' testdata/pstats/recursion_py311.pstats
