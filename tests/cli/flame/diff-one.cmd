ptk flame --diff testdata/pstats/cycle_small.pstats
