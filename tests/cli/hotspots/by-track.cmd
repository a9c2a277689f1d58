ptk hotspots --by track testdata/pstats/mix_py311.pstats
