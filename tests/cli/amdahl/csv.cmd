ptk amdahl -f csv -n 2 testdata/pstats/mix_py311.pstats
