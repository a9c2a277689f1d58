ptk hotspots testdata/pstats/mix_py311.pstats testdata/pstats/mix_py27.pstats
