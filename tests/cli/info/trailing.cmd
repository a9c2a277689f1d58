ptk info testdata/pstats/malformed/trailing_garbage.pstats
