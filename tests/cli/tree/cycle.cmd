ptk tree --min-percent 0 testdata/pstats/cycle_small.pstats
