ptk tree --min-percent 5 testdata/pstats/mix_py311.pstats
