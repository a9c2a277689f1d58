ptk callees '^main$' testdata/pstats/mix_py311.pstats
