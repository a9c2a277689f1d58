ptk info testdata/pstats/concat8_callers.pstats
