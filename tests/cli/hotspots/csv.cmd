ptk hotspots -f csv -n 6 testdata/pstats/recursion_py311.pstats
