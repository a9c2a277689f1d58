ptk hotspots --color always -n 3 testdata/pstats/recursion_py311.pstats
