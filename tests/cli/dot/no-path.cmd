ptk dot --critical-path testdata/pstats/cycle_small.pstats
