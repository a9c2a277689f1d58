ptk amdahl --by module -n 5 testdata/pstats/mix_py311.pstats
