ptk amdahl -f md -n 3 testdata/pstats/mix_py311.pstats
