ptk testdata/pstats/fractal.pstats; ptk hotspot x
