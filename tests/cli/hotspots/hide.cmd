ptk hotspots --hide '^<built-in' -n 6 testdata/pstats/mix_py311.pstats
