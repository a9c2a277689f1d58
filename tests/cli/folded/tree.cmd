ptk tree testdata/folded/small.folded
