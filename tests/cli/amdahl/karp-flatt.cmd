ptk amdahl --karp-flatt 3.2,4 -n 1 testdata/pstats/mix_py311.pstats
