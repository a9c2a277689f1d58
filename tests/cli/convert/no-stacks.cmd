ptk convert --to folded testdata/pstats/fractal.pstats
