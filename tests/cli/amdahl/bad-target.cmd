ptk amdahl --target 1 testdata/pstats/mix_py311.pstats
