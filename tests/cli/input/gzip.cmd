gzip -c testdata/pstats/cycle_small.pstats | ptk info -f csv -
