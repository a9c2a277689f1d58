ptk callers '^compile$' testdata/pstats/mix_py311.pstats
