ptk hotspots -f json -n 3 testdata/pstats/recursion_py311.pstats
