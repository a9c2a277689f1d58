LC_ALL=C ptk tree --min-percent 20 testdata/pstats/mix_py311.pstats
