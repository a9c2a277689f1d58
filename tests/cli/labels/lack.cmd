ptk hotspots --by label:key testdata/pstats/fractal.pstats
