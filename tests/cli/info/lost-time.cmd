ptk info testdata/pstats/test_json_py311.pstats
