ptk flame --width 299 testdata/pstats/cycle_small.pstats
