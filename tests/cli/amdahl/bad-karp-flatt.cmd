ptk amdahl --karp-flatt 3.2 testdata/pstats/mix_py311.pstats
