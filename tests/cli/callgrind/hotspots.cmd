ptk hotspots testdata/callgrind/small.callgrind
