ptk hotspots --from pstat testdata/pstats/cycle_small.pstats
