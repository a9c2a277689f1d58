ptk hotspots --show 'json' -n 0 testdata/pstats/mix_py311.pstats
