ptk bound -q -f json testdata/pstats/test_json_py311.pstats
