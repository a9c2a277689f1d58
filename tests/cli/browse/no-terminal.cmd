ptk browse testdata/pstats/fractal.pstats
