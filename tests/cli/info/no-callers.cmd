ptk info testdata/pstats/no_subcalls.pstats
