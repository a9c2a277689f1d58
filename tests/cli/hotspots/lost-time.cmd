ptk hotspots -n 3 testdata/pstats/test_json_py311.pstats
