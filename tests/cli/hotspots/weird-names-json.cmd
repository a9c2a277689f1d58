ptk hotspots -n 0 -f json testdata/pstats/weird_names_py311.pstats
