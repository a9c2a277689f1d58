ptk info testdata/folded/small.folded
