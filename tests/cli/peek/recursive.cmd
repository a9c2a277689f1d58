ptk peek -n 2 '^_find_and_load$' testdata/pstats/mix_py311.pstats
