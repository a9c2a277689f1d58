ptk dot testdata/pstats/thresholds.pstats
