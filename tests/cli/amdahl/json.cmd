ptk amdahl --target 1.06 --part random=inf -f json -n 2 testdata/pstats/mix_py311.pstats
