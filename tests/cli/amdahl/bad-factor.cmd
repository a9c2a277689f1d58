ptk amdahl --part 'json=x' testdata/pstats/mix_py311.pstats
