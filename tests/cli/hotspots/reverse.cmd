ptk hotspots -n 5 --sort cumtime -r testdata/pstats/mix_py311.pstats
