ptk info testdata/pstats/threads_merged_py311.pstats
