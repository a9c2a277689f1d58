ptk amdahl --target 1.05 -n 5 testdata/pstats/mix_py311.pstats
