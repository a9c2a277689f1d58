ptk info testdata/pstats/mix_py311.pstats
