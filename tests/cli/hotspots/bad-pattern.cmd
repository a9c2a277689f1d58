ptk hotspots --focus '(' testdata/pstats/mix_py311.pstats
