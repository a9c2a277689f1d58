ptk info testdata/pstats/yappi_real.pstats
