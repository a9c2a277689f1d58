ptk tree -f json -d 2 testdata/pstats/cycle_small.pstats
