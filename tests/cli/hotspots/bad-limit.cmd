ptk hotspots -n many testdata/pstats/mix_py311.pstats
