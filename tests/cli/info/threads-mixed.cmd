ptk info testdata/pstats/threads_main_py313.pstats
