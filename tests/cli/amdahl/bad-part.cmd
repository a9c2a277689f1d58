ptk amdahl --part json testdata/pstats/mix_py311.pstats
