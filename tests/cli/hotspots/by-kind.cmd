ptk hotspots --by kind -f csv testdata/pstats/mix_py311.pstats
