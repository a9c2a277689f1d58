ptk hotspots -f md -n 4 testdata/pstats/weird_names_py311.pstats
