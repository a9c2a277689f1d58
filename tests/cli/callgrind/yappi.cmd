ptk hotspots testdata/callgrind/yappi.callgrind; ptk tree testdata/callgrind/yappi.callgrind
