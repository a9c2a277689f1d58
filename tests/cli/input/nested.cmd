zstd -qc testdata/pstats/cycle_small.pstats | gzip | gzip | ptk info -f csv -
