ptk hotspots -n 0 --sort name testdata/pstats/weird_names_py311.pstats
