ptk hotspots --by file -n 3 testdata/pstats/fractal.pstats
ptk hotspots --by file -n 3 -f csv testdata/pstats/fractal.pstats
