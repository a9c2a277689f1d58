ptk amdahl --part 'json/=3' --part random=inf --gustafson 8 -n 2 testdata/pstats/mix_py311.pstats
