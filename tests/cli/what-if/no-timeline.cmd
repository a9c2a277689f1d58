ptk what-if --remove x testdata/pstats/fractal.pstats
