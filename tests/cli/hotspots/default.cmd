ptk hotspots -n 8 testdata/pstats/mix_py311.pstats
