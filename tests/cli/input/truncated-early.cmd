head -c 30 testdata/pstats/recursion_py311.pstats | ptk hotspots
