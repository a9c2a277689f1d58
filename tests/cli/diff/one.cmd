ptk diff testdata/folded/small.folded
