ptk hotspots -n 0 --min-percent 20 testdata/pstats/mix_py311.pstats
