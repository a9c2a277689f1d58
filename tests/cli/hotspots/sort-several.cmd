ptk hotspots -n 6 --sort ncalls,name testdata/pstats/mix_py311.pstats
