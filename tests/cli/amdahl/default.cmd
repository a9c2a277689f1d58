ptk amdahl -n 6 testdata/pstats/mix_py311.pstats
