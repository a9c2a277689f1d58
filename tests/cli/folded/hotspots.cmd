ptk hotspots testdata/folded/small.folded
