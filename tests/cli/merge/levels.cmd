ptk merge testdata/pstats/fractal.pstats testdata/folded/small.folded
