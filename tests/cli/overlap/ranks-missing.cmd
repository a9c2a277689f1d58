ptk overlap testdata/chrome/overlap.json testdata/chrome/none.json testdata/pstats/fractal.pstats
