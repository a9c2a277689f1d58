head -c 1500 testdata/pstats/recursion_py311.pstats | ptk hotspots -n 3
