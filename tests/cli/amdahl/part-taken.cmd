ptk amdahl --part random=2 --part _randbelow=2 testdata/pstats/mix_py311.pstats
