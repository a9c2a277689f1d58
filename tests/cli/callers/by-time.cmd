ptk callers '^_find_and_load$' testdata/pstats/mix_py311.pstats
