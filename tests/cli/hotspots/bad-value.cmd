ptk hotspots --value cpu testdata/pstats/mix_py311.pstats
