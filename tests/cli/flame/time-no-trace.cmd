ptk flame --order time testdata/pstats/cycle_small.pstats
