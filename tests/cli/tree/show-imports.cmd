ptk tree --show fractal.py testdata/pstats/fractal.pstats
ptk callers --show fractal.py '<module>' testdata/pstats/fractal.pstats
ptk hotspots --focus smooth -n 3 testdata/pstats/fractal.pstats
