zstd -qc testdata/pstats/cycle_small.pstats | ptk hotspots
