ptk info -f json testdata/pstats/cycle_small.pstats
