{ head -c 100 testdata/pstats/cycle_small.pstats | gzip; tail -c +101 testdata/pstats/cycle_small.pstats | gzip; } | ptk hotspots
