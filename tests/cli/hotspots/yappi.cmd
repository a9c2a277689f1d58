ptk hotspots -n 5 testdata/pstats/yappi_real.pstats
