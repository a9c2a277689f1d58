ptk hotspots --sort tottme testdata/pstats/mix_py311.pstats
