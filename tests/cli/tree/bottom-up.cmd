ptk tree -b -d 3 --min-percent 4 testdata/pstats/mix_py311.pstats
